import { describe, expect, it } from '@jest/globals';
import {
  BEGIN,
  flow,
  ONE,
  opened,
  OPENING,
  pending,
  quote,
  TERMS,
} from '../../../../test/support/position.js';
import { addHours, HOUR_MS } from '../../kernel/clock.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { GRAINS_PER_POINT } from './points.js';
import { bookValue, open, type Position } from './position.js';
import { accrue, move, type Transit, withdraw } from './steps.js';

const UNIT = 10n ** 12n;
const later = (hours: number): Date => addHours(BEGIN, hours);
const booksOf = ({ shares, lendingShares, holdShares }: Position) => [shares, lendingShares, holdShares];

describe('a deposit', () => {
  it('A deposit of 123456789 micro-units at 1.234567890123456789 buys 99999999990000000001 shares, worth 123456789', () => {
    const index = 1234567890123456789n;
    const { position, entry } = open(OPENING, 123456789n, false, 'dec_a', flow(index));
    expect(position.shares).toBe(99999999990000000001n);
    expect(valueOf(position.shares, index)).toBe(123456789n);
    const posted = { type: 'deposit', amount: 123456789n, shareIndex: index, decisionId: 'dec_a' };
    expect(entry).toMatchObject(posted);
  });

  it('A deposit is added to all three books, each at its own index', () => {
    const position = opened(10n, ONE, { baselines: { lending: 2n * ONE, hold: ONE } });
    expect(booksOf(position)).toEqual([10n * UNIT, 5n * UNIT, 10n * UNIT]);
    expect(position).toMatchObject({
      status: 'active',
      vaultId: 'vlt_a',
      originVaultId: 'vlt_a',
      lendingVaultId: 'vlt_lend',
      deposited: 10n,
      withdrawn: 0n,
      accrued: 0n,
    });
  });

  it('A deposit of 0 is rejected', () => expect(() => opened(0n)).toThrow(RangeError));
});

describe('an accrual', () => {
  it('An accrual posts the value of the shares above the booked value, and no entry if that is 0', () => {
    const risen = quote((ONE * 105n) / 100n);
    const earned = accrue(opened(1_000_000n), later(1), risen, TERMS);
    expect(earned.entry).toMatchObject({
      type: 'yield_accrual',
      amount: 50_000n,
      feeBps: 1_000,
      shareBps: 4_000,
    });
    expect(bookValue(earned.position)).toBe(1_050_000n);
    const again = accrue(earned.position, later(2), risen, TERMS);
    expect(again).toEqual({ position: { ...earned.position, accruedAt: later(2) }, entry: null });
  });
});

describe('a withdrawal', () => {
  it('A withdrawal of a part burns shares rounded up in each book', () => {
    const { position } = withdraw(opened(10n, 3n * ONE), 1n, flow(3n * ONE));
    expect(position).toMatchObject({ status: 'active', withdrawn: 1n, withdrawals: 1 });
    const sharesLeft = 3_333_333_333_334n - 333_333_333_334n;
    expect(booksOf(position)).toEqual([sharesLeft, sharesLeft, sharesLeft]);
  });

  it('A withdrawal of a part burns shares of a baseline with another index rounded up, so that all parts sum to its shares', () => {
    const baselines = { lending: 4n * ONE, hold: 5n * ONE };
    const flowing = flow(3n * ONE, { baselines });
    const { position } = withdraw(opened(10n, 3n * ONE), 1n, flowing);
    const sharesLeft = 3_333_333_333_334n - 333_333_333_334n;
    expect([position.lendingShares, position.holdShares]).toEqual([sharesLeft, sharesLeft]);
    const closed = withdraw(position, valueOf(position.shares, 3n * ONE), flowing).position;
    expect(closed).toMatchObject({ status: 'closed', lendingShares: 0n, holdShares: 0n });
  });

  it('A withdrawal of the whole value burns all shares, and closes the position', () => {
    const index = 1234567890123456789n;
    const { position, entry } = withdraw(opened(123456789n, index), 123456789n, flow(index));
    expect(position).toMatchObject({ status: 'closed', shares: 0n, closedAt: BEGIN });
    expect(entry).toMatchObject({ type: 'withdrawal', amount: 123456789n });
  });

  it('A withdrawal removes the same fraction of each baseline, and settles the difference: 550 of 1,100 is 525 of 1,050, settled 25', () => {
    const [routed, lending, hold] = [(ONE * 11n) / 10n, (ONE * 105n) / 100n, (ONE * 12n) / 10n];
    const at = flow(routed, { baselines: { lending, hold } });
    const half = withdraw(opened(1_000n), 550n, at).position;
    expect(half).toMatchObject({ settledLending: 25n, settledHold: -50n });
    const values = booksOf(half).map((shares, index) => valueOf(shares, [routed, lending, hold][index]!));
    expect(values).toEqual([550n, 525n, 600n]);
    const closed = withdraw(half, 550n, at).position;
    expect(closed).toMatchObject({ settledLending: 50n, settledHold: -100n });
    expect(booksOf(closed)).toEqual([0n, 0n, 0n]);
  });

  it('A withdrawal from a pending position needs no move', () => {
    expect(withdraw(pending(1_000n), 400n, flow()).position).toMatchObject({
      status: 'pending',
      withdrawn: 400n,
    });
    const { position } = withdraw(pending(1_000n), 1_000n, flow());
    expect(position).toMatchObject({ status: 'closed', originVaultId: null });
  });

  it.each([0n, -1n, 11n])('A withdrawal of %p out of 10 is rejected', (amount) =>
    expect(() => withdraw(opened(10n), amount, flow())).toThrow(RangeError),
  );
});

describe('a move', () => {
  const transit = (from: bigint, to: bigint, over: Partial<Transit> = {}): Transit => ({
    at: later(1),
    from: quote(from),
    to: quote(to, 'vlt_b'),
    decisionId: 'dec_b',
    toIdle: false,
    late: false,
    cost: 0n,
    ...over,
  });

  it('A move out of a vault with an exit delay has its funds in transit until the next leg or a full withdrawal', () => {
    const leaving = move(opened(1_000n), transit(ONE, ONE, { toIdle: true, late: true })).position;
    expect(leaving).toMatchObject({ vaultId: 'vlt_b', transitId: 'dec_b', status: 'active' });
    expect(withdraw(leaving, 400n, flow()).position).toMatchObject({
      shares: 600n * UNIT,
      transitId: 'dec_b',
    });
    expect(withdraw(leaving, 1_000n, flow()).position).toMatchObject({ status: 'closed', transitId: null });
    expect(move(leaving, transit(ONE, ONE)).position.transitId).toBeNull();
  });

  it('A move moves the value rounded down, less its cost, into the target, and does not change the baselines', () => {
    const position = opened(1_000n, 3n * ONE);
    const { position: after, entry } = move(position, transit(3n * ONE, 7n * ONE, { cost: 30n }));
    expect(entry).toMatchObject({
      type: 'rebalance',
      amount: 970n,
      cost: 30n,
      decisionId: 'dec_b',
      vaultId: 'vlt_b',
      fromVaultId: 'vlt_a',
      shareIndex: 7n * ONE,
      fromIndex: 3n * ONE,
    });
    // 970 / 7, rounded up.
    expect(after).toEqual({ ...position, vaultId: 'vlt_b', shares: 138_571_428_571_429n, costs: 30n });
    expect([bookValue(after), valueOf(after.shares, 7n * ONE)]).toEqual([970n, 970n]);
  });

  it('A move without a remaining amount is not made', () => {
    const position = opened(5n);
    for (const impossible of [transit(ONE / 10n, ONE), transit(ONE, ONE, { cost: 5n })])
      expect(move(position, impossible)).toEqual({ position, entry: null });
  });

  it('A move out of the idle vault activates a pending position, and starts its hold book with the whole amount', () => {
    expect(pending(1_000n)).toMatchObject({ status: 'pending', originVaultId: null, activeAt: null });
    const { position } = move(pending(1_000n), transit(ONE, 2n * ONE, { cost: 100n }));
    expect(position).toMatchObject({
      status: 'active',
      vaultId: 'vlt_b',
      originVaultId: 'vlt_b',
      activeAt: later(1),
      costs: 100n,
    });
    const values = [position.shares, position.holdShares].map((shares) => valueOf(shares, 2n * ONE));
    expect(values).toEqual([900n, 1_000n]);
  });

  it('A move into the idle vault keeps the position active, and its hold book unchanged', () => {
    const evicted = move(opened(1_000n), transit(ONE, ONE, { toIdle: true })).position;
    expect(evicted).toMatchObject({ status: 'active', vaultId: 'vlt_b', originVaultId: 'vlt_a' });
  });
});

it.each([
  ['with the principal, even if more than that is withdrawn', 12n, 1_200_000n],
  ['with the position, even if it lost: lost principal earns none', 8n, 800_000n],
])('Points end %s', (_, tenths, withdrawn) => {
  const time = (hours: number) => ({ campaign: 0n, plain: BigInt(hours * HOUR_MS) * 100n });
  const index = (ONE * tenths) / 10n;
  const accrued = accrue(opened(1_000_000n, ONE, { time: time(0) }), later(24), quote(index), TERMS).position;
  const { position } = withdraw(accrued, withdrawn, flow(index, { time: time(24) }));
  expect(position).toMatchObject({ status: 'closed', deposited: 1_000_000n, withdrawn });
  // One unit for one day, and nothing after it, at any later time.
  expect(-position.plainMoment).toBe(GRAINS_PER_POINT);
});
