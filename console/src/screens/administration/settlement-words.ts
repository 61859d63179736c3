import type { LiveSchemas } from '../../api/contract.js';
import type { Tone } from '../../ui/badge.js';

export type Settlement = LiveSchemas['Settlement'];
export type Resolution = LiveSchemas['ResolveSettlementInput']['action'];

export const STATUSES: Record<Settlement['status'], Tone> = {
  unchecked: 'plain',
  seen: 'accent',
  confirmed: 'good',
  mismatch: 'bad',
  not_found: 'bad',
};

export const REASONS: Record<NonNullable<Settlement['reason']>, string> = {
  chain_not_named: 'the asset is on several chains, and the report named none',
  token_unknown: 'no contract of the asset is known on this chain',
  no_rpc_url: 'this deployment does not read the chain',
  not_checked_yet: 'its chain has not been read yet',
  not_in_a_block: 'it is in no block yet',
  no_wallet: 'the end-user has no wallet',
  transaction_failed: 'the transaction failed',
  no_transfer: 'the transaction moves nothing of the asset',
  wrong_wallet: 'no wallet in it belongs to the end-user',
  wrong_amount: 'it moves another amount',
  wrong_custody_amount: 'the custody accounts move another amount',
};

export const RESOLUTIONS: Record<Resolution, string> = {
  accept: 'Accept: it stands as it was reported',
  void: 'Void: an entry reverses it, and its hash may be reported again',
};

/** Whether the chain contradicts a report and nobody has resolved it. */
export const isContradicted = ({ status, resolution }: Pick<Settlement, 'status' | 'resolution'>): boolean =>
  resolution === null && (status === 'mismatch' || status === 'not_found');
