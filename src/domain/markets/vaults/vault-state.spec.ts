import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addHours, HOUR_MS, hourOf, hoursBetween } from '../../kernel/clock.js';
import { hourlyFactor, INDEX_SCALE, sharesFor, valueOf } from './yield-index.js';
import type { FeedSource } from '../../kernel/catalogue/catalogue.js';
import { initialState, isStale, nextHour, stateAt, type VaultState } from './vault-state.js';

const START = new Date('2026-01-01T00:00:00.000Z');
const FACTOR = 5_569_668_954_548n;
const seen = (apy: number) => ({
  apy,
  tvl: 1_000_000n,
  assets: 2_000_000n,
  liquidity: 1_000_000n,
  observedAt: START,
});
const fresh: VaultState = initialState('vlt_x');
type Feed = FeedSource['kind'];
/** APY of each hour after START; null: no observation. */
type Sights = (hour: number) => number | null;

const observed = (apy: number | null) => (apy === null ? undefined : seen(apy));
const next =
  (feed: Feed, sights: Sights) =>
  (before: VaultState, hour: Date): VaultState =>
    nextHour(before, hour, observed(sights(hoursBetween(START, hour))), feed).state;

/** Runs the hours from START on. */
function run(hours: number, sights: Sights, feed: Feed = 'simulated'): VaultState {
  let state = fresh;
  for (let hour = 0; hour <= hours; hour++) state = next(feed, sights)(state, addHours(START, hour));
  return state;
}

describe('a vault with a loss', () => {
  it('keeps its index including the hour’s yield, less the loss, rounded down', () => {
    const { state } = nextHour(fresh, START, seen(0.05), 'simulated');
    const loss = { ...seen(0.05), lossPerMille: 50n };
    const after = nextHour(state, addHours(START, 1), loss, 'simulated');
    expect(after.state.index).toBe(((INDEX_SCALE + FACTOR) * 95n) / 100n);
    expect(after.snapshot.index).toBe(after.state.index);
  });
});

describe('a simulated vault, hour by hour', () => {
  it('starts at an index of one, and accrues nothing before its first observation', () => {
    expect(run(10, () => null).index).toBe(INDEX_SCALE);
    expect(run(0, () => 0.05).index).toBe(INDEX_SCALE);
  });

  it('accrues each hour at the APY observed at its start', () => {
    expect(run(1, (hour) => (hour === 0 ? 0.05 : 0.9)).index).toBe(INDEX_SCALE + FACTOR);
  });

  it('has the index 1049999999999998911 after a year at 5 %', () => {
    expect(run(8760, () => 0.05).index).toBe(1049999999999998911n);
  });

  it('accrues for 24 hours of a gap at the last observation, and nothing after that', () => {
    const steady = run(25, () => 0.05).index;
    expect(run(24, (hour) => (hour === 0 ? 0.05 : null)).factor).toBe(FACTOR);
    expect(run(25, (hour) => (hour === 0 ? 0.05 : null)).index).toBe(steady);
    expect(run(25, (hour) => (hour === 0 ? 0.05 : null)).factor).toBe(0n);
    expect(run(100, (hour) => (hour === 0 ? 0.05 : null)).index).toBe(steady);
  });

  it('resumes at its last index when the feed is back, without yield for the time between', () => {
    const rested = run(100, (hour) => (hour === 0 ? 0.05 : null)).index;
    expect(run(101, (hour) => (hour === 0 || hour === 101 ? 0.05 : null)).index).toBe(rested);
  });

  it('is stale when the last observation is more than 24 hours old, or there is none', () => {
    const state = { observedHour: START };
    expect(isStale(state, addHours(START, 24))).toBe(false);
    expect(isStale(state, addHours(START, 25))).toBe(true);
    expect(isStale({ observedHour: null }, START)).toBe(true);
  });

  it('has null, never 0, in the snapshot of an hour without data', () => {
    const { snapshot } = nextHour(
      { ...fresh, lastApy: 0.05, observedHour: START, factor: FACTOR },
      addHours(START, 1),
      undefined,
      'simulated',
    );
    expect(snapshot).toMatchObject({ apy: null, tvl: null, index: INDEX_SCALE + FACTOR, factor: FACTOR });
  });
});

describe('a vault whose feed is read after the start of the hour', () => {
  const feed = 'defillama';

  it('accrues at an observation from the next hour on', () => {
    expect(run(0, () => 0.05, feed)).toMatchObject({ index: INDEX_SCALE, factor: 0n, lastApy: 0.05 });
    expect(run(1, () => 0.05, feed)).toMatchObject({ index: INDEX_SCALE, factor: FACTOR });
    const risen = run(2, (hour) => (hour < 2 ? 0.05 : 0.9), feed);
    expect(risen).toMatchObject({ index: INDEX_SCALE + FACTOR, factor: FACTOR, lastApy: 0.9 });
  });

  it('has the index 1049999999999998911 a year at 5 % after its first full hour', () => {
    expect(run(8761, () => 0.05, feed).index).toBe(1049999999999998911n);
  });

  it('accrues for 24 hours at the last observation, and nothing after that', () => {
    const once: Sights = (hour) => (hour === 0 ? 0.05 : null);
    const steady = run(25, () => 0.05, feed).index;
    expect(run(24, once, feed).factor).toBe(FACTOR);
    expect(run(25, once, feed)).toMatchObject({ index: steady, factor: 0n });
    expect(run(100, once, feed).index).toBe(steady);
  });

  it('accrues without interruption over gaps of 24 hours', () => {
    const gap: Sights = (hour) => (hour % 24 === 0 ? 0.05 : null);
    expect(run(200, gap, feed).index).toBe(run(200, () => 0.05, feed).index);
  });
});

const apy = fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { freq: 4 });
const HOURS = 60;
const history = fc.array(apy, { minLength: HOURS, maxLength: HOURS });
const moment = fc
  .integer({ min: HOUR_MS, max: HOURS * HOUR_MS - 1 })
  .map((ms) => new Date(START.getTime() + ms));

describe('a vault at a time within an hour', () => {
  const hourly: Sights = () => 0.05;
  const at = (hours: number, ms: number): Date => new Date(addHours(START, hours).getTime() + ms);

  it('earns in proportion to the elapsed time: 0.027693 on 10,000,000 in 1.79 s at 5 %, and 0 in 0 ms', () => {
    const state = run(0, hourly);
    const indexOf = (ms: number): bigint => stateAt(state, START, at(0, ms), next('simulated', hourly)).index;
    const amount = 10_000_000_000_000n;
    const shares = sharesFor(amount, indexOf(3_598_210));
    expect(valueOf(shares, indexOf(3_600_000)) - amount).toBe(27_693n);
    expect(valueOf(shares, indexOf(3_598_210)) - amount).toBe(0n);
    expect(indexOf(1_800_000)).toBe(1000002784834477274n);
  });

  it('has the index of its newest hour for a time before that', () => {
    const state = run(3, hourly);
    expect(stateAt(state, addHours(START, 3), at(2, 5), next('simulated', hourly)).index).toBe(state.index);
  });

  it('stops growing without observations, however far in the future', () => {
    const silent = next('defillama', () => null);
    const state = run(1, hourly, 'defillama');
    const rested = stateAt(state, addHours(START, 1), at(50, 0), silent);
    expect(rested.factor).toBe(0n);
    expect(stateAt(state, addHours(START, 1), at(100_000, 1), silent).index).toBe(rested.index);
  });

  it('has the same index whether ticks without an observation ran or were missed', () => {
    fc.assert(
      fc.property(
        history,
        fc.array(fc.boolean(), { minLength: HOURS, maxLength: HOURS }),
        moment,
        (apys, ran, time) => {
          ran[0] = true;
          const sights: Sights = (hour) => (ran[hour] ? apys[hour]! : null);
          const hour = hoursBetween(START, hourOf(time));
          const before = ran.lastIndexOf(true, hour - 1);
          const view = (ticked: number): VaultState =>
            stateAt(
              run(ticked, sights, 'defillama'),
              addHours(START, ticked),
              time,
              next('defillama', () => null),
            );
          expect(view(before).index).toBe(view(hour).index);
        },
      ),
    );
  });

  it('has the same simulated state when projected from any earlier hour', () => {
    fc.assert(
      fc.property(history, fc.nat({ max: HOURS }), moment, (apys, back, time) => {
        const sights: Sights = (hour) => apys[hour]!;
        const hour = hoursBetween(START, hourOf(time));
        const view = (ticked: number): VaultState =>
          stateAt(run(ticked, sights), addHours(START, ticked), time, next('simulated', sights));
        expect(view(Math.max(0, hour - back))).toEqual(view(hour));
      }),
    );
  });

  it('yields no more than the index gain between a deposit and a withdrawal at any two times', () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(
        history,
        fc.constantFrom<Feed>('simulated', 'defillama'),
        moment,
        moment,
        amounts,
        (apys, feed, one, other, amount) => {
          const [came, left] = one < other ? [one, other] : [other, one];
          const sights: Sights = (hour) => apys[hour]!;
          const indexOf = (time: Date): bigint => {
            const hour = hourOf(time);
            return stateAt(run(hoursBetween(START, hour), sights, feed), hour, time, next(feed, sights))
              .index;
          };
          const [bought, sold] = [indexOf(came), indexOf(left)];
          expect(sold).toBeGreaterThanOrEqual(bought);
          const gain = valueOf(sharesFor(amount, bought), sold) - amount;
          // Rounding shares up gives away less than one unit of their last decimal.
          expect(gain * bought * 10n ** 30n).toBeLessThan(
            amount * (sold - bought) * 10n ** 30n + bought * sold + 1n,
          );
          if (came.getTime() === left.getTime()) expect(gain).toBe(0n);
          const most = 2n * amount * hourlyFactor(2) * BigInt(left.getTime() - came.getTime());
          expect(gain * INDEX_SCALE * BigInt(HOUR_MS)).toBeLessThanOrEqual(most);
        },
      ),
    );
  });
});
