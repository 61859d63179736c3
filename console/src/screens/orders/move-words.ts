import type { LiveSchemas } from '../../api/contract.js';
import { isIdle } from '../../api/vaults.js';
import type { Tone } from '../../ui/badge.js';
import { REASONS } from '../decisions/decision-words.js';

export type Move = LiveSchemas['MoveOrderDto'];

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
  superseded: 'another move replaced it',
  empty: 'all of it was withdrawn',
  voided: 'the chain contradicted a report on it, which was taken back',
};

export const reasonText = (reason: string): string =>
  (REASONS as Partial<Record<string, string>>)[reason] ?? reason;

/** The reports that may follow in the present state; the server refuses all others. */
export function stepsOf({ status, from_vault_id, taken_at, ended_at }: Move) {
  const open = ended_at === null;
  const inCash = status === 'arriving' || isIdle(from_vault_id);
  return { take: open && taken_at === null, redeem: open && !inCash, settle: open && inCash, fail: open };
}
