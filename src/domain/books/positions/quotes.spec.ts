import { describe, expect, it } from '@jest/globals';
import { positionRecord } from './quotes.js';

const OPENED = new Date('2026-01-31T12:00:00.000Z');
const CLOSED = new Date('2026-02-01T12:00:00.000Z');
const INDEX = 1_234_567_890_123_456_789n;

const POSITION = {
  id: 'pos_1',
  userId: 'usr_1',
  asset: 'USDC',
  depositId: null,
  vaultId: 'vlt_b',
  originVaultId: 'vlt_a' as string | null,
  status: 'active' as 'pending' | 'active' | 'closed',
  // Shares bought by 123.456789 at the index.
  shares: 99_999_999_990_000_000_001n,
  deposited: 123_456_789n,
  withdrawn: 0n,
  costs: 0n,
  openedAt: OPENED,
  activeAt: OPENED as Date | null,
  closedAt: null as Date | null,
};

describe('the record of a position', () => {
  it('has its deposit as principal and value', () => {
    expect(positionRecord(POSITION, { index: INDEX, apy: 0.05 })).toEqual({
      ...{ id: 'pos_1', object: 'position', user_id: 'usr_1', asset: 'USDC', deposit_id: null },
      ...{ vault_id: 'vlt_b', origin_vault_id: 'vlt_a', status: 'active' },
      ...{ principal: 123.456789, value: 123.456789, yield: 0, costs: 0, apy: 0.05 },
      ...{ opened_at: OPENED.toISOString(), active_at: OPENED.toISOString(), closed_at: null },
    });
  });

  const closed = { status: 'closed' as const, shares: 0n, withdrawn: 123_956_789n, closedAt: CLOSED };
  const pending = { status: 'pending' as const, originVaultId: null, activeAt: null };
  it.each<[string, Partial<typeof POSITION>, { index: bigint; apy: number | null }, object]>([
    [
      'a yield of value less principal, exact to the last decimal, and an unknown APY of null',
      { withdrawn: 23_000_000n },
      { index: 2n * INDEX, apy: null },
      { principal: 100.456789, value: 246.913578, yield: 146.456789, apy: null },
    ],
    [
      'no value or APY once closed, and a yield of withdrawals less deposits',
      closed,
      { index: INDEX, apy: 0.05 },
      { status: 'closed', principal: -0.5, value: 0, yield: 0.5, apy: null, closed_at: CLOSED.toISOString() },
    ],
    [
      'a yield net of the costs of moves, and those costs',
      { deposited: 123_956_789n, costs: 500_000n },
      { index: INDEX, apy: 0.05 },
      { yield: -0.5, costs: 0.5 },
    ],
    [
      'an origin vault of null while pending',
      pending,
      { index: INDEX, apy: 0 },
      { status: 'pending', origin_vault_id: null, active_at: null, apy: 0 },
    ],
  ])('has %s', (_, over, quote, record) =>
    expect(positionRecord({ ...POSITION, ...over }, quote)).toMatchObject(record),
  );
});
