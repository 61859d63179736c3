import { describe, expect, it } from '@jest/globals';
import { afterHours, observed, priced, START, times } from '../../../../test/support/observed.js';
import { vaultOf } from '../../../../test/support/vault.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { addHours } from '../../kernel/clock.js';
import { vaultStateAt } from '../hours/market-view.js';
import type { Observation } from './feed.js';
import { pendingChange, type PricePoint, yieldOver } from './share-price.js';
import { nextHour, type VaultState } from './vault-state.js';
import { HOURS_PER_YEAR, INDEX_SCALE } from './yield-index.js';

const PRICE = 1_050_000_000_000_000_000n;
/** A price in thousandths of the first one. */
const observedAt = (thousandths: bigint, apy: number | null = null, source = 'one'): Observation =>
  observed(apy, priced((PRICE * thousandths) / 1_000n, { source }));
const run = (...looks: (Observation | undefined)[]): VaultState => afterHours(looks, 'chain');

describe('the index of a vault that follows its share price', () => {
  const [first, risen] = [observedAt(1_000n), observedAt(1_010n)];
  const none = undefined;
  const { price: _price, ...rate } = observedAt(1_000n, 0.05);

  it.each<[string, (Observation | undefined)[], object]>(
    // prettier-ignore
    [
      ['rests in the hour in which the price is observed', [first, risen], { index: INDEX_SCALE, factor: 0n }],
      ['gains 1 % for 1 % of the price, over the hour after its observation', [first, risen, none], { index: INDEX_SCALE, factor: INDEX_SCALE / 100n }],
      ['has gained it at the end of that hour', [first, risen, none, none], { index: (INDEX_SCALE * 101n) / 100n }],
      ['falls by a loss at the start of that hour', [first, observedAt(980n), none], { index: (INDEX_SCALE * 98n) / 100n, factor: 0n }],
      ['stays above 0', [first, observedAt(0n), none], { index: 1n }],
      ['restarts at the price of another smart contract', [first, observedAt(1_000_000n, null, 'other'), none], { index: INDEX_SCALE, factor: 0n }],
      ['restarts after an observation of another feed', [first, rate], { price: null }],
    ],
  )('The index of a vault that follows its share price %s', (_, looks, state) =>
    expect(run(...looks)).toMatchObject(state),
  );

  it('The index of a vault that follows its share price continues at its yield through hours without a price, and is corrected by the next one', () => {
    const silent = [observedAt(1_000n, 0.05), ...times(10, none)];
    expect(run(...silent).index).toBeGreaterThan(INDEX_SCALE);
    expect(Number(run(...silent, observedAt(1_001n), none, none).index) / 1e18).toBeCloseTo(1.001, 12);
  });

  it('The index of a vault that follows its share price is the same at any time within an hour that was projected or stored', () => {
    const next = (_: Vault, state: VaultState, hour: Date) => nextHour(state, hour, none, 'chain');
    const at = new Date(addHours(START, 2).getTime() + 1_800_000);
    expect(
      vaultStateAt(vaultOf({ id: 'vlt_one' }), run(first, risen), addHours(START, 1), at, next).index,
    ).toBe((INDEX_SCALE * 1005n) / 1000n);
    expect(
      vaultStateAt(vaultOf({ id: 'vlt_one' }), run(first, risen, first), addHours(START, 2), at, next).index,
    ).toBe((INDEX_SCALE * 1005n) / 1000n);
  });

  it('The index of a vault that follows its share price has its pending change until the next hour', () => {
    const { price, index } = run(first, observedAt(980n));
    expect(pendingChange(price!, index)).toBe(-0.02);
  });
});

describe('a yield from share prices', () => {
  /** Prices of a vault that yields 5 % a year, with overrides for some hours. */
  const points = (hours: number, over: (hour: number) => number = () => 1): PricePoint[] => {
    let level = 1;
    return Array.from({ length: hours + 1 }, (_, hour) => {
      if (hour > 0) level *= 1.05 ** (1 / HOURS_PER_YEAR) * over(hour);
      return { at: addHours(START, hour), value: BigInt(Math.round(level * 1e15)) * 10n ** 12n };
    });
  };
  const only = (hours: number, isKnown: (hour: number) => boolean) =>
    points(hours).filter((_, hour) => isKnown(hour));

  it.each<[string, PricePoint[], number, number | null]>(
    // prettier-ignore
    [
      ['5 % over a day', points(24), 24, 0.05],
      ['5 % over the last of many days', points(300), 24, 0.05],
      ['5 % over a week', points(168), 168, 0.05],
      ['5 % with most of a day', points(20), 24, 0.05],
      ['null with less', points(19), 24, null],
      ['null with one price', points(0), 24, null],
      ['null without prices', [], 24, null],
      ['unaffected by a donation of 1 %', points(24, (hour) => (hour === 9 ? 1.01 : 1)), 24, 0.05],
      ['unaffected by a loss of 2 %', points(24, (hour) => (hour === 9 ? 0.98 : 1)), 24, 0.05],
      ['5 % with hours missing', only(24, (hour) => hour % 5 !== 3), 24, 0.05],
      ['5 % with its first price an hour late', only(40, (hour) => hour === 15 || hour > 20), 24, 0.05],
      ['null without a price within an hour of its start', only(40, (hour) => hour === 14 || hour > 20), 24, null],
      ['null for an implausible rate', points(24, () => 1.0009), 24, null],
    ],
  )('A yield from share prices is %s', (_, prices, window, expected) => {
    const apy = yieldOver(prices, window, 0.001);
    if (expected === null) expect(apy).toBeNull();
    else expect(apy).toBeCloseTo(expected, 6);
  });
});
