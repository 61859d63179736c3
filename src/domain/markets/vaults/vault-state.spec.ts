import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterHours, observed, START, times } from '../../../../test/support/observed.js';
import { addHours, HOUR_MS, hourOf, hoursBetween } from '../../kernel/clock.js';
import { isStale, nextHour, stateAt, type VaultState } from './vault-state.js';
import { hourlyFactor, INDEX_SCALE, sharesFor, valueOf } from './yield-index.js';

/** Of 5 %. */
const FACTOR = 5_569_668_954_548n;
type Feed = 'simulated' | 'defillama';
/** APY of each hour from START on; null: no observation. */
type Apys = readonly (number | null)[];
const looksOf = (apys: Apys) => apys.map((apy) => (apy === null ? undefined : observed(apy)));

const run = (feed: Feed, ...apys: Apys): VaultState => afterHours(looksOf(apys), feed);
const next =
  (feed: Feed, apys: Apys) =>
  (before: VaultState, hour: Date): VaultState =>
    nextHour(before, hour, looksOf([apys[hoursBetween(START, hour)] ?? null])[0], feed).state;

describe('a vault with a loss', () => {
  it('keeps its index including the hour’s yield, less the loss, rounded down', () => {
    const loss = observed(0.05, { lossPerMille: 50n });
    const after = nextHour(run('simulated', 0.05), addHours(START, 1), loss, 'simulated');
    expect(after.state.index).toBe(((INDEX_SCALE + FACTOR) * 95n) / 100n);
    expect(after.snapshot.index).toBe(after.state.index);
  });
});

describe.each<Feed>(['simulated', 'defillama'])('a vault with a feed of kind %s', (feed) => {
  const silent = (hours: number) => run(feed, 0.05, ...times(hours, null));

  it('starts at an index of one, and accrues nothing before its first observation', () => {
    expect(run(feed, ...times(11, null)).index).toBe(INDEX_SCALE);
    expect(run(feed, 0.05)).toMatchObject({ index: INDEX_SCALE, lastApy: 0.05 });
  });

  it('accrues for 24 hours of a gap at the last observation, and nothing after that', () => {
    const steady = run(feed, ...times(26, 0.05)).index;
    expect(silent(24).factor).toBe(FACTOR);
    expect(silent(25)).toMatchObject({ index: steady, factor: 0n });
    expect(silent(100).index).toBe(steady);
  });

  it('accrues without interruption over gaps of 24 hours', () => {
    const apys = Array.from({ length: 201 }, (_, hour) => (hour % 24 === 0 ? 0.05 : null));
    expect(run(feed, ...apys).index).toBe(run(feed, ...times(201, 0.05)).index);
  });

  it('resumes at its last index when the feed is back, without yield for the time between', () =>
    expect(run(feed, 0.05, ...times(100, null), 0.05).index).toBe(silent(100).index));
});

it('an observation accrues from its own hour on if it is simulated, and from the next one if it is read later', () => {
  expect(run('simulated', 0.05)).toMatchObject({ factor: FACTOR });
  expect(run('simulated', 0.05, 0.9).index).toBe(INDEX_SCALE + FACTOR);
  expect(run('defillama', 0.05)).toMatchObject({ factor: 0n });
  expect(run('defillama', 0.05, 0.05)).toMatchObject({ index: INDEX_SCALE, factor: FACTOR });
  const risen = run('defillama', 0.05, 0.05, 0.9);
  expect(risen).toMatchObject({ index: INDEX_SCALE + FACTOR, factor: FACTOR, lastApy: 0.9 });
});

it('a vault is stale when its last observation is more than 24 hours old, or there is none', () => {
  const stale = (observedHour: Date | null, hours: number) =>
    isStale({ observedHour }, addHours(START, hours));
  expect([stale(START, 24), stale(START, 25), stale(null, 0)]).toEqual([false, true, true]);
});

it('a snapshot of an hour without data has null, never 0', () => {
  const { snapshot } = nextHour(run('simulated', 0.05), addHours(START, 1), undefined, 'simulated');
  expect(snapshot).toMatchObject({ apy: null, tvl: null, index: INDEX_SCALE + FACTOR, factor: FACTOR });
});

describe('a vault at a time within an hour', () => {
  const at = (hours: number, ms = 0): Date => new Date(addHours(START, hours).getTime() + ms);

  it('earns in proportion to the elapsed time: 0.027693 on 10,000,000 in 1.79 s at 5 %, and 0 in 0 ms', () => {
    const indexOf = (ms: number): bigint =>
      stateAt(run('simulated', 0.05), START, at(0, ms), next('simulated', [0.05, 0.05])).index;
    const amount = 10_000_000_000_000n;
    const shares = sharesFor(amount, indexOf(3_598_210));
    expect(valueOf(shares, indexOf(3_600_000)) - amount).toBe(27_693n);
    expect(valueOf(shares, indexOf(3_598_210)) - amount).toBe(0n);
  });

  it('has the index of its newest hour for a time before that', () => {
    const state = run('simulated', ...times(4, 0.05));
    expect(stateAt(state, at(3), at(2, 5), next('simulated', [])).index).toBe(state.index);
  });

  it('stops growing without observations, however far in the future', () => {
    const seen = (hours: number, ms = 0) =>
      stateAt(run('defillama', 0.05, 0.05), at(1), at(hours, ms), next('defillama', []));
    expect(seen(50).factor).toBe(0n);
    expect(seen(100_000, 1).index).toBe(seen(50).index);
  });
});

describe('the index at any time within any history', () => {
  const HOURS = 60;
  const apy = fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { freq: 4 });
  const history = fc.array(apy, { minLength: HOURS, maxLength: HOURS });
  const moment = fc
    .integer({ min: HOUR_MS, max: HOURS * HOUR_MS - 1 })
    .map((ms) => new Date(START.getTime() + ms));
  /** The state at a time after ticks until an hour, of which later ones are projected from `ahead`. */
  const view = (feed: Feed, apys: Apys, ticked: number, time: Date, ahead: Apys): VaultState =>
    stateAt(run(feed, ...apys.slice(0, ticked + 1)), addHours(START, ticked), time, next(feed, ahead));
  const hoursOf = (time: Date): number => hoursBetween(START, hourOf(time));

  it('is the same whether ticks without an observation ran or were missed', () => {
    const ran = fc.array(fc.boolean(), { minLength: HOURS, maxLength: HOURS });
    fc.assert(
      fc.property(history, ran, moment, (apys, ran, time) => {
        ran[0] = true;
        const known = apys.map((apy, hour) => (ran[hour] ? apy : null));
        const seen = (ticked: number) => view('defillama', known, ticked, time, []).index;
        expect(seen(ran.lastIndexOf(true, hoursOf(time) - 1))).toBe(seen(hoursOf(time)));
      }),
    );
  });

  it('is the same for simulated vaults from whichever earlier hour it is projected', () => {
    fc.assert(
      fc.property(history, fc.nat({ max: HOURS }), moment, (apys, back, time) => {
        const seen = (ticked: number) => view('simulated', apys, ticked, time, apys);
        expect(seen(Math.max(0, hoursOf(time) - back))).toEqual(seen(hoursOf(time)));
      }),
    );
  });

  it('yields no more than its gain between a deposit and a withdrawal at any two times', () => {
    const feed = fc.constantFrom<Feed>('simulated', 'defillama');
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(history, feed, moment, moment, amounts, (apys, feed, one, other, amount) => {
        const [came, left] = one < other ? [one, other] : [other, one];
        const [bought, sold] = [came, left].map(
          (time) => view(feed, apys, hoursOf(time), time, apys).index,
        ) as [bigint, bigint];
        expect(sold).toBeGreaterThanOrEqual(bought);
        const gain = valueOf(sharesFor(amount, bought), sold) - amount;
        // Rounding shares up gives away less than one unit of their last decimal.
        expect(gain * bought * 10n ** 30n).toBeLessThan(
          amount * (sold - bought) * 10n ** 30n + bought * sold + 1n,
        );
        if (came.getTime() === left.getTime()) expect(gain).toBe(0n);
        const most = 2n * amount * hourlyFactor(2) * BigInt(left.getTime() - came.getTime());
        expect(gain * INDEX_SCALE * BigInt(HOUR_MS)).toBeLessThanOrEqual(most);
      }),
    );
  });
});
