import { describe, expect, it } from '@jest/globals';
import { positionRecord } from './quotes.js';

const OPENED = new Date('2026-01-31T12:00:00.000Z');
const CLOSED = new Date('2026-02-01T12:00:00.000Z');
const INDEX = 1_234_567_890_123_456_789n;

const position = {
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
    expect(positionRecord(position, { index: INDEX, apy: 0.05 })).toEqual({
      id: 'pos_1',
      object: 'position',
      user_id: 'usr_1',
      asset: 'USDC',
      deposit_id: null,
      vault_id: 'vlt_b',
      origin_vault_id: 'vlt_a',
      status: 'active',
      principal: 123.456789,
      value: 123.456789,
      yield: 0,
      costs: 0,
      apy: 0.05,
      opened_at: '2026-01-31T12:00:00.000Z',
      active_at: '2026-01-31T12:00:00.000Z',
      closed_at: null,
    });
  });

  it('has a yield of value less principal, exact to the last decimal', () => {
    const withdrawn = { ...position, withdrawn: 23_000_000n };
    const { principal, value, yield: earned } = positionRecord(withdrawn, { index: 2n * INDEX, apy: null });
    expect({ principal, value, earned }).toEqual({
      principal: 100.456789,
      value: 246.913578,
      earned: 146.456789,
    });
  });

  it('has no value or APY once closed, and a yield of withdrawals less deposits', () => {
    const closed = {
      ...position,
      status: 'closed' as const,
      shares: 0n,
      withdrawn: 123_956_789n,
      closedAt: CLOSED,
    };
    expect(positionRecord(closed, { index: INDEX, apy: 0.05 })).toMatchObject({
      status: 'closed',
      principal: -0.5,
      value: 0,
      yield: 0.5,
      apy: null,
      closed_at: '2026-02-01T12:00:00.000Z',
    });
  });

  it('has a yield net of the costs of moves, and those costs', () => {
    const moved = { ...position, deposited: 123_956_789n, costs: 500_000n };
    expect(positionRecord(moved, { index: INDEX, apy: 0.05 })).toMatchObject({ yield: -0.5, costs: 0.5 });
  });

  it('has an origin vault of null while pending', () => {
    const pending = { ...position, status: 'pending' as const, originVaultId: null, activeAt: null };
    expect(positionRecord(pending, { index: INDEX, apy: 0 })).toMatchObject({
      status: 'pending',
      origin_vault_id: null,
      active_at: null,
      apy: 0,
    });
  });

  it('has an APY of null if that of its vault is unknown', () => {
    expect(positionRecord(position, { index: INDEX, apy: null }).apy).toBeNull();
  });
});
