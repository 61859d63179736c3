import { describe, expect, it } from '@jest/globals';
import { positionRecord } from './position-record.js';

const OPENED = new Date('2026-01-31T12:00:00.000Z');
const CLOSED = new Date('2026-02-01T12:00:00.000Z');
const INDEX = 1_234_567_890_123_456_789n;

const position = {
  id: 'pos_1',
  userId: 'usr_1',
  asset: 'USDC',
  vaultId: 'vlt_b',
  originVaultId: 'vlt_a',
  status: 'active' as 'active' | 'closed',
  // What 123.456789 buys at the index.
  shares: 99_999_999_990_000_000_000n,
  deposited: 123_456_789n,
  withdrawn: 0n,
  openedAt: OPENED,
  closedAt: null as Date | null,
};

describe('a position as it is shown', () => {
  it('is worth what was deposited, less what rounding down its shares cost', () => {
    expect(positionRecord(position, { index: INDEX, apy: 0.05 })).toEqual({
      id: 'pos_1',
      object: 'position',
      user_id: 'usr_1',
      asset: 'USDC',
      vault_id: 'vlt_b',
      origin_vault_id: 'vlt_a',
      status: 'active',
      principal: 123.456789,
      value: 123.456788,
      yield: -0.000001,
      apy: 0.05,
      opened_at: '2026-01-31T12:00:00.000Z',
      closed_at: null,
    });
  });

  it('earns what its value is above its principal, to the last decimal', () => {
    const withdrawn = { ...position, withdrawn: 23_000_000n };
    const { principal, value, yield: earned } = positionRecord(withdrawn, { index: 2n * INDEX, apy: null });
    expect({ principal, value, earned }).toEqual({
      principal: 100.456789,
      value: 246.913577,
      earned: 146.456788,
    });
  });

  it('has, once closed, no value and no yield a year; what it earned was paid out above its principal', () => {
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

  it('says so where nobody knows what its vault yields', () => {
    expect(positionRecord(position, { index: INDEX, apy: null }).apy).toBeNull();
  });
});
