import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterHours, observed, START, times } from '../../../../test/support/observed.js';
import { vaultOf } from '../../../../test/support/vault.js';
import { addHours, HOUR_MS, hourOf, hoursBetween } from '../../kernel/clock.js';
import { nextHour, type VaultState } from '../vaults/vault-state.js';
import { hourlyFactor, INDEX_SCALE, sharesFor, valueOf } from '../vaults/yield-index.js';
import type { NextHour } from './market.js';
import { vaultStateAt } from './market-view.js';

type Feed = 'simulated' | 'defillama';
/** APY of each hour from START on; null: no observation. */
type Apys = readonly (number | null)[];
const looksOf = (apys: Apys) => apys.map((apy) => (apy === null ? undefined : observed(apy)));

const run = (feed: Feed, ...apys: Apys): VaultState => afterHours(looksOf(apys), feed);
const next =
  (feed: Feed, apys: Apys): NextHour =>
  (_, before, hour) =>
    nextHour(before, hour, looksOf([apys[hoursBetween(START, hour)] ?? null])[0], feed);
const stateOf = (state: VaultState, hour: Date, moment: Date, advance: NextHour): VaultState =>
  vaultStateAt(vaultOf({ id: 'vlt_one' }), state, hour, moment, advance);

describe('a vault at a time within an hour', () => {
  const at = (hours: number, ms = 0): Date => new Date(addHours(START, hours).getTime() + ms);

  it('A vault at a time within an hour earns in proportion to the elapsed time: 0.027693 on 10,000,000 in 1.79 s at 5 %, and 0 in 0 ms', () => {
    const indexOf = (ms: number): bigint =>
      stateOf(run('simulated', 0.05), START, at(0, ms), next('simulated', [0.05, 0.05])).index;
    const amount = 10_000_000_000_000n;
    const shares = sharesFor(amount, indexOf(3_598_210));
    expect(valueOf(shares, indexOf(3_600_000)) - amount).toBe(27_693n);
    expect(valueOf(shares, indexOf(3_598_210)) - amount).toBe(0n);
  });

  it('A vault at a time within an hour has the index of its newest hour for a time before that', () => {
    const state = run('simulated', ...times(4, 0.05));
    expect(stateOf(state, at(3), at(2, 5), next('simulated', [])).index).toBe(state.index);
  });

  it('A vault at a time within an hour stops growing without observations, however far in the future', () => {
    const viewAfter = (hours: number, ms = 0) =>
      stateOf(run('defillama', 0.05, 0.05), at(1), at(hours, ms), next('defillama', []));
    expect(viewAfter(50).factor).toBe(0n);
    expect(viewAfter(100_000, 1).index).toBe(viewAfter(50).index);
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
    stateOf(run(feed, ...apys.slice(0, ticked + 1)), addHours(START, ticked), time, next(feed, ahead));
  const hoursOf = (time: Date): number => hoursBetween(START, hourOf(time));

  it('The index at any time within any history is the same whether ticks without an observation ran or were missed', () => {
    const ran = fc.array(fc.boolean(), { minLength: HOURS, maxLength: HOURS });
    fc.assert(
      fc.property(history, ran, moment, (apys, ran, time) => {
        ran[0] = true;
        const observedApys = apys.map((apy, hour) => (ran[hour] ? apy : null));
        const indexAfter = (ticked: number) => view('defillama', observedApys, ticked, time, []).index;
        expect(indexAfter(ran.lastIndexOf(true, hoursOf(time) - 1))).toBe(indexAfter(hoursOf(time)));
      }),
    );
  });

  it('The index at any time within any history is the same for simulated vaults from whichever earlier hour it is projected', () => {
    fc.assert(
      fc.property(history, fc.nat({ max: HOURS }), moment, (apys, back, time) => {
        const viewAfter = (ticked: number) => view('simulated', apys, ticked, time, apys);
        expect(viewAfter(Math.max(0, hoursOf(time) - back))).toEqual(viewAfter(hoursOf(time)));
      }),
    );
  });

  it('The index at any time within any history yields no more than its gain between a deposit and a withdrawal at any two times', () => {
    const feed = fc.constantFrom<Feed>('simulated', 'defillama');
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(history, feed, moment, moment, amounts, (apys, feed, first, other, amount) => {
        const [boughtAt, soldAt] = first < other ? [first, other] : [other, first];
        const [bought, sold] = [boughtAt, soldAt].map(
          (time) => view(feed, apys, hoursOf(time), time, apys).index,
        ) as [bigint, bigint];
        expect(sold).toBeGreaterThanOrEqual(bought);
        const gain = valueOf(sharesFor(amount, bought), sold) - amount;
        // Rounding shares up gives away less than one unit of their last decimal.
        expect(gain * bought * 10n ** 30n).toBeLessThan(
          amount * (sold - bought) * 10n ** 30n + bought * sold + 1n,
        );
        if (boughtAt.getTime() === soldAt.getTime()) expect(gain).toBe(0n);
        const maxGain = 2n * amount * hourlyFactor(2) * BigInt(soldAt.getTime() - boughtAt.getTime());
        expect(gain * INDEX_SCALE * BigInt(HOUR_MS)).toBeLessThanOrEqual(maxGain);
      }),
    );
  });
});
