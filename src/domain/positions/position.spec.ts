import { describe, expect, it } from '@jest/globals';
import { GRAINS_PER_POINT, type PointTime, pointsOf } from './points.js';
import {
  accrue,
  bookValue,
  type Flow,
  move,
  open,
  type Opening,
  type Position,
  withdraw,
} from './position.js';
import { valueOf } from '../vaults/shares.js';

const HOUR_MS = 3_600_000;
const ONE = 10n ** 18n;
const begin = new Date('2026-03-01T00:00:00.000Z');
const later = (hours: number): Date => new Date(begin.getTime() + hours * HOUR_MS);
const terms = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };
const noTime: PointTime = { campaign: 0n, plain: 0n };

const opening: Opening = {
  id: 'pos_a',
  marketId: 'base',
  partnerId: 'ptn_a',
  userId: 'usr_a',
  asset: 'USDC',
  lendingVaultId: 'vlt_lend',
  slot: 3,
  campaignId: null,
};

const quote = (index = ONE, vaultId = 'vlt_a') => ({ vaultId, index, apy: 0.05 });
const flow = (index = ONE, over: Partial<Flow> = {}): Flow => ({
  at: begin,
  vault: quote(index),
  baselines: { lending: index, hold: index },
  time: noTime,
  txHash: null,
  ...over,
});
const opened = (amount: bigint, index = ONE, over: Partial<Flow> = {}): Position =>
  open(opening, amount, 'dec_a', flow(index, over)).position;

describe('a deposit', () => {
  it('of 123456789 micro-units at 1.234567890123456789 buys 99999999990000000001 shares, worth 123456789', () => {
    const index = 1234567890123456789n;
    const { position, entry } = open(opening, 123456789n, 'dec_a', flow(index));
    expect(position.shares).toBe(99999999990000000001n);
    expect(valueOf(position.shares, index)).toBe(123456789n);
    expect(entry).toMatchObject({
      type: 'deposit',
      amount: 123456789n,
      shareIndex: index,
      decisionId: 'dec_a',
    });
  });

  it('goes into three books at once, each at its own index', () => {
    const baselines = { lending: 2n * ONE, hold: ONE };
    const position = opened(10n, ONE, { baselines });
    const unit = 10n ** 12n;
    expect(position).toMatchObject({
      status: 'active',
      vaultId: 'vlt_a',
      originVaultId: 'vlt_a',
      lendingVaultId: 'vlt_lend',
      shares: 10n * unit,
      lendingShares: 5n * unit,
      holdShares: 10n * unit,
      deposited: 10n,
      withdrawn: 0n,
      accrued: 0n,
    });
  });

  it('of nothing is none', () => {
    expect(() => opened(0n)).toThrow(RangeError);
  });
});

describe('an accrual', () => {
  it('posts what the shares are worth more than the books say, and nothing where that is nothing', () => {
    const position = opened(1_000_000n);
    const earned = accrue(position, later(1), quote((ONE * 105n) / 100n), terms);
    expect(earned.entry).toMatchObject({
      type: 'yield_accrual',
      amount: 50_000n,
      feeBps: 1_000,
      shareBps: 4_000,
    });
    expect(bookValue(earned.position)).toBe(1_050_000n);
    const again = accrue(earned.position, later(2), quote((ONE * 105n) / 100n), terms);
    expect(again).toEqual({ position: { ...earned.position, accruedAt: later(2) }, entry: null });
  });

  it('settles revenue on 10,000,001 micro-units at 1000 and 4000 bps: a fee of 1,000,001, of which the partner has 400,000', () => {
    const position = opened(100_000_000n);
    const { position: after } = accrue(position, later(1), quote(ONE + ONE / 10n + ONE / 10n ** 8n), terms);
    expect(after).toMatchObject({
      accrued: 10_000_001n,
      highWaterMark: 10_000_001n,
      fee: 1_000_001n,
      partnerRevenue: 400_000n,
    });
  });

  it('of a loss is below zero; there is no fee again before the loss is made good', () => {
    const position = opened(1_000_000n);
    const up = accrue(position, later(1), quote((ONE * 110n) / 100n), terms).position;
    const down = accrue(up, later(2), quote((ONE * 105n) / 100n), terms);
    expect(down.entry?.amount).toBe(-50_000n);
    const back = accrue(down.position, later(3), quote((ONE * 110n) / 100n), terms).position;
    expect([up.fee, down.position.fee, back.fee]).toEqual([10_000n, 10_000n, 10_000n]);
    expect(accrue(back, later(4), quote((ONE * 112n) / 100n), terms).position.fee).toBe(12_000n);
  });
});

describe('a withdrawal', () => {
  it('of a part burns shares rounded up in each book', () => {
    const index = 3n * ONE;
    const position = withdraw(opened(10n, index), 1n, flow(index)).position;
    expect(position).toMatchObject({ status: 'active', withdrawn: 1n, withdrawals: 1 });
    const left = 3_333_333_333_334n - 333_333_333_334n;
    expect([position.shares, position.lendingShares, position.holdShares]).toEqual([left, left, left]);
  });

  it('of the whole value burns all shares, and closes', () => {
    const index = 1234567890123456789n;
    const { position, entry } = withdraw(opened(123456789n, index), 123456789n, flow(index));
    expect(position).toMatchObject({ status: 'closed', shares: 0n, closedAt: begin });
    expect(entry).toMatchObject({ type: 'withdrawal', amount: 123456789n });
  });

  it('of a whole book leaves no dust in it that would grow, baselines included', () => {
    const index = 1234567890123456789n;
    const { position } = withdraw(opened(123456789n, index), 123456789n, flow(index));
    expect([position.lendingShares, position.holdShares]).toEqual([0n, 0n]);
  });

  it('that a worse baseline could not have paid leaves it a debt', () => {
    const position = opened(1_000_000n);
    const baselines = { lending: ONE / 2n, hold: ONE };
    const { position: after } = withdraw(position, 1_000_000n, flow(ONE, { baselines }));
    expect(after.lendingShares).toBeLessThan(0n);
    expect(valueOf(after.lendingShares, baselines.lending)).toBe(-500_000n);
    expect(after.holdShares).toBe(0n);
  });

  it.each([0n, -1n, 11n])('of %p out of 10 is none', (amount) =>
    expect(() => withdraw(opened(10n), amount, flow())).toThrow(RangeError),
  );
});

describe('a move', () => {
  it('redeems the floor and puts that integer into the other vault; the baselines stay', () => {
    const position = opened(1_000n, 3n * ONE);
    const [from, to] = [quote(3n * ONE), quote(7n * ONE, 'vlt_b')];
    const { position: after, entry } = move(position, later(1), from, to, 'dec_b');
    // 1000 / 7 shares are 142.857142857142857...
    expect(entry).toMatchObject({
      type: 'rebalance',
      amount: 1_000n,
      vaultId: 'vlt_b',
      fromVaultId: 'vlt_a',
      shareIndex: 7n * ONE,
      fromIndex: 3n * ONE,
      decisionId: 'dec_b',
    });
    expect(after).toEqual({ ...position, vaultId: 'vlt_b', shares: 142_857_142_857_143n });
  });

  it('of less than a micro-unit does not happen', () => {
    const position = opened(1n, 3n * ONE);
    expect(move(position, later(1), quote(2n * ONE), quote(ONE, 'vlt_b'), 'dec_b')).toEqual({
      position,
      entry: null,
    });
  });
});

describe('points', () => {
  it('of 250 USD for 36 hours at 1.5 are 562.5', () => {
    const time = (hours: number): PointTime => ({ campaign: BigInt(hours * HOUR_MS) * 150n, plain: 0n });
    const position = opened(250_000_000n, ONE, { time: time(0) });
    const moment = { campaign: position.campaignMoment, plain: position.plainMoment };
    const { campaign } = pointsOf(position.deposited, moment, time(36));
    expect((campaign * 10n) / GRAINS_PER_POINT).toBe(5_625n);
  });

  it('end with the principal: yield that is taken out too earns none', () => {
    const time = (hours: number): PointTime => ({ campaign: 0n, plain: BigInt(hours * HOUR_MS) * 100n });
    const position = opened(1_000_000n, ONE, { time: time(0) });
    const index = (ONE * 12n) / 10n;
    const accrued = accrue(position, later(24), quote(index), terms).position;
    const { position: closed } = withdraw(accrued, 1_200_000n, flow(index, { time: time(24) }));
    // One unit for one day, and nothing since, whatever the time.
    expect(-closed.plainMoment).toBe(GRAINS_PER_POINT);
  });

  it('end with the position, also where it lost: what is gone earns none', () => {
    const time = (hours: number): PointTime => ({ campaign: 0n, plain: BigInt(hours * HOUR_MS) * 100n });
    const position = opened(1_000_000n, ONE, { time: time(0) });
    const index = (ONE * 8n) / 10n;
    const lost = accrue(position, later(24), quote(index), terms).position;
    const { position: closed } = withdraw(lost, 800_000n, flow(index, { time: time(24) }));
    expect(closed).toMatchObject({ status: 'closed', deposited: 1_000_000n, withdrawn: 800_000n });
    expect(-closed.plainMoment).toBe(GRAINS_PER_POINT);
  });
});
