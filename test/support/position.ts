import {
  type Flow,
  open,
  type PositionIdentity,
  type Position,
} from '../../src/domain/books/positions/position.js';

/** An index of one. */
export const ONE = 10n ** 18n;
export const BEGIN = new Date('2026-03-01T00:00:00.000Z');
export const TERMS = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };

export const OPENING: PositionIdentity = {
  id: 'pos_a',
  marketId: 'base',
  partnerId: 'ptn_a',
  userId: 'usr_a',
  asset: 'USDC',
  lendingVaultId: 'vlt_lend',
  slot: 3,
  campaignId: null,
  depositId: null,
};

export const quote = (index = ONE, vaultId = 'vlt_a') => ({ vaultId, index, apy: 0.05 });

/** A deposit or withdrawal at the beginning, without points; all three books have the index. */
export const flow = (index = ONE, over: Partial<Flow> = {}): Flow => ({
  at: BEGIN,
  vault: quote(index),
  baselines: { lending: index, hold: index },
  time: { campaign: 0n, plain: 0n },
  txHash: null,
  ...over,
});

export const opened = (amount: bigint, index = ONE, over: Partial<Flow> = {}): Position =>
  open(OPENING, amount, false, 'dec_a', flow(index, over)).position;

/** A deposit that no vault took. */
export const pending = (amount: bigint, over: Partial<Flow> = {}): Position =>
  open(OPENING, amount, true, 'dec_a', flow(ONE, { vault: quote(ONE, 'vlt_idle'), ...over })).position;
