import type { LiveSchemas } from '../../api/contract.js';
import { isIdle } from '../../api/vaults.js';
import type { Tone } from '../../ui/badge.js';
import { REASONS as TRANSFER_REASONS, type Resolution } from '../administration/settlement-words.js';
import { REASONS } from '../decisions/decision-words.js';

export type Move = LiveSchemas['MoveOrder'];
export type Check = LiveSchemas['MoveReportCheck'];
export type Transaction = LiveSchemas['MoveTransaction'];

export const STATUSES: Record<Move['status'], Tone> = {
  requested: 'warn',
  redeeming: 'accent',
  arriving: 'accent',
  settled: 'good',
  failed: 'bad',
};

/** Where the funds are in each state. */
export const MEANINGS: Record<Move['status'], string> = {
  requested: 'Nobody took it up.',
  redeeming: 'It was taken up; its funds are where they were.',
  arriving: 'Its funds stand in cash.',
  settled: 'Its funds are in the new vault.',
  failed: 'It failed; what had left its vault is cash.',
};

export const FAILURES: Record<NonNullable<Move['failure']>, string> = {
  lapsed: 'nobody took it up in time',
  reported: 'the executor reported it',
  refused: 'its target no longer took the funds',
  superseded: 'another move, or a withdrawal, replaced it',
  empty: 'all of it was withdrawn',
  voided: 'the chain contradicted a report on it, which was taken back',
};

/** Reported steps that are looked up on their chains, by name. */
export const CHECKED_STEPS = [
  ['redeemed', 'redemption'],
  ['settled', 'arrival'],
] as const;

export const CHECK_REASONS: Record<NonNullable<Check['reason']>, string> = {
  ...TRANSFER_REASONS,
  contract_unknown: 'no contract of the vault is known, or it pays out by a queue',
  no_custody_account: 'no custody account is set on the chain',
  wrong_account: 'the transaction moves nothing from or to the custody accounts',
  no_vault_entry: 'the vault’s contract logged nothing for the custody accounts',
};

export const RESOLUTIONS: Record<Resolution, string> = {
  accept: 'Accept: what the chain moved is booked; if nothing was found, the report stands',
  void: 'Void: the report is taken back, and the move fails',
};

export const reasonText = (reason: string): string =>
  (REASONS as Partial<Record<string, string>>)[reason] ?? reason;

/** The reports that may follow in the present state; the server refuses all others. */
export function stepsOf({ status, from_vault_id, taken_at, ended_at }: Move) {
  const open = ended_at === null;
  const inCash = status === 'arriving' || isIdle(from_vault_id);
  return { take: open && taken_at === null, redeem: open && !inCash, settle: open && inCash, fail: open };
}
