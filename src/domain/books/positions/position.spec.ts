import { describe, expect, it } from '@jest/globals';
import { GRAINS_PER_POINT, type PointTime } from './points.js';
import {
  accrue,
  bookValue,
  type Flow,
  move,
  open,
  type Opening,
  type Position,
  type Transit,
  withdraw,
} from './position.js';
import { valueOf } from '../../markets/vaults/yield-index.js';

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
  depositId: null,
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
  open(opening, amount, false, 'dec_a', flow(index, over)).position;

describe('a deposit', () => {
  it('of 123456789 micro-units at 1.234567890123456789 buys 99999999990000000001 shares, worth 123456789', () => {
    const index = 1234567890123456789n;
    const { position, entry } = open(opening, 123456789n, false, 'dec_a', flow(index));
    expect(position.shares).toBe(99999999990000000001n);
    expect(valueOf(position.shares, index)).toBe(123456789n);
    expect(entry).toMatchObject({
      type: 'deposit',
      amount: 123456789n,
      shareIndex: index,
      decisionId: 'dec_a',
    });
  });

  it('is added to all three books, each at its own index', () => {
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

  it('of 0 is rejected', () => {
    expect(() => opened(0n)).toThrow(RangeError);
  });
});

describe('an accrual', () => {
  it('posts the value of the shares above the booked value, and no entry if that is 0', () => {
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

  it('of a loss is negative', () => {
    const position = opened(1_000_000n);
    const down = accrue(position, later(2), quote((ONE * 95n) / 100n), terms);
    expect(down.entry?.amount).toBe(-50_000n);
    expect(bookValue(down.position)).toBe(950_000n);
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

  it('of a part burns shares of a baseline with another index rounded up, so that all parts sum to its shares', () => {
    const baselines = { lending: 4n * ONE, hold: 5n * ONE };
    const flowing = flow(3n * ONE, { baselines });
    const { position } = withdraw(opened(10n, 3n * ONE), 1n, flowing);
    const left = 3_333_333_333_334n - 333_333_333_334n;
    expect([position.lendingShares, position.holdShares]).toEqual([left, left]);
    const rest = withdraw(position, valueOf(position.shares, 3n * ONE), flowing).position;
    expect(rest).toMatchObject({ status: 'closed', lendingShares: 0n, holdShares: 0n });
  });

  it('of the whole value burns all shares, and closes the position', () => {
    const index = 1234567890123456789n;
    const { position, entry } = withdraw(opened(123456789n, index), 123456789n, flow(index));
    expect(position).toMatchObject({ status: 'closed', shares: 0n, closedAt: begin });
    expect(entry).toMatchObject({ type: 'withdrawal', amount: 123456789n });
  });

  it('removes the same fraction of each baseline, and settles the difference: 550 of 1,100 is 525 of 1,050, settled 25', () => {
    const position = opened(1_000n);
    const routed = (ONE * 11n) / 10n;
    const baselines = { lending: (ONE * 105n) / 100n, hold: (ONE * 12n) / 10n };
    const half = withdraw(position, 550n, flow(routed, { baselines })).position;
    expect(half).toMatchObject({ settledLending: 25n, settledHold: -50n });
    expect(
      [half.shares, half.lendingShares, half.holdShares].map((shares, place) =>
        valueOf(shares, [routed, baselines.lending, baselines.hold][place]!),
      ),
    ).toEqual([550n, 525n, 600n]);
    const closed = withdraw(half, 550n, flow(routed, { baselines })).position;
    expect(closed).toMatchObject({
      lendingShares: 0n,
      holdShares: 0n,
      settledLending: 50n,
      settledHold: -100n,
    });
  });

  it('leaves no baseline below 0, however low its index', () => {
    const baselines = { lending: ONE / 2n, hold: ONE };
    const { position } = withdraw(opened(1_000_000n), 1_000_000n, flow(ONE, { baselines }));
    expect(position).toMatchObject({ lendingShares: 0n, settledLending: 500_000n, settledHold: 0n });
  });

  it.each([0n, -1n, 11n])('of %p out of 10 is rejected', (amount) =>
    expect(() => withdraw(opened(10n), amount, flow())).toThrow(RangeError),
  );
});

describe('a move', () => {
  const transit = (from: bigint, to: bigint, over: Partial<Transit> = {}): Transit => ({
    at: later(1),
    from: quote(from),
    to: quote(to, 'vlt_b'),
    toIdle: false,
    late: false,
    cost: 0n,
    decisionId: 'dec_b',
    ...over,
  });

  it('out of a vault with an exit delay has its funds in transit until the next leg or a full withdrawal', () => {
    const leaving = move(opened(1_000n), transit(ONE, ONE, { toIdle: true, late: true })).position;
    expect(leaving).toMatchObject({ vaultId: 'vlt_b', transitId: 'dec_b', status: 'active' });
    expect(withdraw(leaving, 400n, flow()).position).toMatchObject({
      shares: 600n * 10n ** 12n,
      transitId: 'dec_b',
    });
    expect(withdraw(leaving, 1_000n, flow()).position).toMatchObject({ status: 'closed', transitId: null });
    expect(move(leaving, transit(ONE, ONE)).position.transitId).toBeNull();
  });

  it('moves the value rounded down, less its cost, into the target, and does not change the baselines', () => {
    const position = opened(1_000n, 3n * ONE);
    const { position: after, entry } = move(position, transit(3n * ONE, 7n * ONE, { cost: 30n }));
    expect(entry).toMatchObject({
      type: 'rebalance',
      amount: 970n,
      cost: 30n,
      vaultId: 'vlt_b',
      fromVaultId: 'vlt_a',
      shareIndex: 7n * ONE,
      fromIndex: 3n * ONE,
      decisionId: 'dec_b',
    });
    // 970 / 7, rounded up.
    expect(after).toEqual({ ...position, vaultId: 'vlt_b', shares: 138_571_428_571_429n, costs: 30n });
    expect(bookValue(after)).toBe(970n);
    expect(valueOf(after.shares, 7n * ONE)).toBe(970n);
  });

  it('without a remaining amount is not made', () => {
    const position = opened(5n);
    const unmoved = { position, entry: null };
    expect(move(position, transit(ONE / 10n, ONE))).toEqual(unmoved);
    expect(move(position, transit(ONE, ONE, { cost: 5n }))).toEqual(unmoved);
  });

  it('out of the idle vault activates a pending position, and starts its hold book with the whole amount', () => {
    const pending = open(opening, 1_000n, true, 'dec_a', flow()).position;
    expect(pending).toMatchObject({ status: 'pending', originVaultId: null, activeAt: null });
    const { position } = move(pending, transit(ONE, 2n * ONE, { cost: 100n }));
    expect(position).toMatchObject({
      status: 'active',
      vaultId: 'vlt_b',
      originVaultId: 'vlt_b',
      activeAt: later(1),
      costs: 100n,
    });
    expect([position.shares, position.holdShares].map((shares) => valueOf(shares, 2n * ONE))).toEqual([
      900n,
      1_000n,
    ]);
  });

  it('into the idle vault keeps the position active, and its hold book unchanged', () => {
    const evicted = move(opened(1_000n), transit(ONE, ONE, { toIdle: true })).position;
    expect(evicted).toMatchObject({ status: 'active', vaultId: 'vlt_b', originVaultId: 'vlt_a' });
  });

  it('is not needed for a withdrawal from a pending position', () => {
    const pending = open(opening, 1_000n, true, 'dec_a', flow()).position;
    expect(withdraw(pending, 400n, flow()).position).toMatchObject({ status: 'pending', withdrawn: 400n });
    expect(withdraw(pending, 1_000n, flow()).position).toMatchObject({
      status: 'closed',
      originVaultId: null,
    });
  });
});

describe('points', () => {
  it('end with the principal, even if more than the principal is withdrawn', () => {
    const time = (hours: number): PointTime => ({ campaign: 0n, plain: BigInt(hours * HOUR_MS) * 100n });
    const position = opened(1_000_000n, ONE, { time: time(0) });
    const index = (ONE * 12n) / 10n;
    const accrued = accrue(position, later(24), quote(index), terms).position;
    const { position: closed } = withdraw(accrued, 1_200_000n, flow(index, { time: time(24) }));
    // One unit for one day, and nothing after it, at any later time.
    expect(-closed.plainMoment).toBe(GRAINS_PER_POINT);
  });

  it('end with the position, even if it lost: lost principal earns none', () => {
    const time = (hours: number): PointTime => ({ campaign: 0n, plain: BigInt(hours * HOUR_MS) * 100n });
    const position = opened(1_000_000n, ONE, { time: time(0) });
    const index = (ONE * 8n) / 10n;
    const lost = accrue(position, later(24), quote(index), terms).position;
    const { position: closed } = withdraw(lost, 800_000n, flow(index, { time: time(24) }));
    expect(closed).toMatchObject({ status: 'closed', deposited: 1_000_000n, withdrawn: 800_000n });
    expect(-closed.plainMoment).toBe(GRAINS_PER_POINT);
  });
});
