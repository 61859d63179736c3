import { describe, expect, it } from '@jest/globals';
import { type LedgerEntry, noteOf } from './ledger.service.js';

const ENTRY: LedgerEntry = {
  id: 'evt_1',
  at: new Date('2026-01-31T12:00:00.000Z'),
  recordedAt: new Date('2026-01-31T12:00:00.000Z'),
  fee: 0n,
  partnerRevenue: 0n,
  carriedLoss: 0n,
  feeBps: null,
  shareBps: null,
  type: 'deposit',
  userId: 'usr_1',
  positionId: 'pos_1',
  asset: 'USDC',
  vaultId: 'vlt_b',
  fromVaultId: null,
  amount: 250_010_000n,
  cost: 0n,
  apy: 0.05,
  decisionId: null,
  txHash: null,
  chain: null,
  voids: null,
};

describe('the note of a ledger entry', () => {
  it.each<[string, Partial<LedgerEntry>]>(
    // prettier-ignore
    [
      ['Deposited 250.01 USDC into vlt_b.', { type: 'deposit', decisionId: 'dec_1' }],
      ['Withdrew 250.01 USDC from vlt_b.', { type: 'withdrawal' }],
      ['Moved 250.01 USDC from vlt_a to vlt_b by decision dec_1.', { type: 'rebalance', fromVaultId: 'vlt_a', decisionId: 'dec_1' }],
      [
        'Moved 250.01 USDC from vlt_a to vlt_b at a cost of 0.25 USDC by decision dec_1.',
        { type: 'rebalance', fromVaultId: 'vlt_a', cost: 250_000n, decisionId: 'dec_1' },
      ],
      ['Yield of 0.001234 USDC accrued.', { type: 'yield_accrual', amount: 1_234n }],
      ['Loss of 0.000001 USDC accrued.', { type: 'yield_accrual', amount: -1n }],
      [
        'Void of the deposit 0xd, which did not settle as it was reported: 250.01 USDC taken out of vlt_b again; nothing was paid.',
        { type: 'withdrawal', voids: '0xd' },
      ],
      ['Void of the withdrawal 0xd, which did not settle as it was reported: 250.01 USDC put back into vlt_b.', { type: 'deposit', voids: '0xd' }],
      ['Void of the transfer 0xd: the yield or cost of 0.000001 USDC that came of it is taken back.', { type: 'yield_accrual', amount: -1n, voids: '0xd' }],
    ],
  )('The note of a ledger entry is: %s', (note, entry) => {
    expect(noteOf({ ...ENTRY, ...entry })).toBe(note);
  });
});
