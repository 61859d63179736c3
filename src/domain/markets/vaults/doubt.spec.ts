import { describe, expect, it } from '@jest/globals';
import { addHours } from '../../kernel/clock.js';
import { doubtOf } from './doubt.js';
import type { Observation, PricedShare } from './feed.js';
import { initialState, nextHour, type VaultState } from './vault-state.js';

const HOUR = new Date('2026-03-11T12:00:00.000Z');
const RULES = { maxRise: 0.05, maxDivergence: 0.03 };
const seen = (apy: number | null, price?: PricedShare): Observation => ({
  ...{ apy, tvl: null, assets: null, liquidity: null, observedAt: HOUR },
  ...(price && { price }),
});
const at = (value: bigint, otherApy?: number): PricedShare => ({
  ...{ source: 'one', value, blockNumber: value, blockHash: '0x', blockAt: HOUR },
  ...(otherApy !== undefined && { otherApy }),
});

/** State after observations of an hour each, as a tick adds them. */
function after(looks: readonly Observation[], feed: 'defillama' | 'chain' = 'defillama'): VaultState {
  return looks.reduce((state, look, count) => {
    const hour = addHours(HOUR, count);
    const doubted = doubtOf(look, state, hour, RULES) !== null;
    return nextHour(state, hour, { ...look, doubted }, feed).state;
  }, initialState('vlt_one'));
}
const times = (count: number, look: Observation) => Array.from({ length: count }, () => look);

describe('a yield of more than 50 % a year', () => {
  it('is replaced by the last accepted yield, which accrues', () => {
    const state = after([seen(0.05), ...times(24, seen(0.8))]);
    expect(state).toMatchObject({
      lastApy: 0.05,
      observedHour: addHours(HOUR, 24),
      doubtedSince: addHours(HOUR, 1),
    });
    expect(state.index).toBe(after([seen(0.05), ...times(24, seen(0.05))]).index);
    expect(after(times(24, seen(0.8)))).toMatchObject({ lastApy: null, observedHour: null });
  });

  it('is accepted after 24 hours, and as long as it does not rise further', () => {
    const risen = [seen(0.05), ...times(25, seen(0.8))];
    expect(after(risen).lastApy).toBe(0.8);
    expect(after([...risen, seen(0.79), seen(0.7)])).toMatchObject({ lastApy: 0.7, doubtedSince: null });
    expect(after([...risen, seen(0.9)]).lastApy).toBe(0.8);
  });

  it('of a share price counts as no observation', () => {
    const state = after([seen(0.05, at(1_000n)), ...times(24, seen(0.8, at(1_010n)))], 'chain');
    expect(state).toMatchObject({ lastApy: 0.05, observedHour: HOUR, price: { value: 1_000n } });
  });

  it('needs another 24 hours after an hour below the limit', () => {
    const state = after([...times(20, seen(0.8)), seen(0.05), ...times(20, seen(0.8))]);
    expect(state).toMatchObject({ lastApy: 0.05, doubtedSince: addHours(HOUR, 21) });
  });

  it('is accepted at once if the second source has about the same', () => {
    const of = (otherApy?: number) =>
      doubtOf(seen(0.8, at(1n, otherApy)), initialState('vlt_one'), HOUR, RULES);
    expect(of(0.78)).toBeNull();
    expect(of(0.7)).toBe('it yields 80.00 % a year');
    expect(of()).toBe('it yields 80.00 % a year');
  });
});

describe('a share price', () => {
  const prices = (...values: bigint[]) =>
    after(
      values.map((value) => seen(null, at(value))),
      'chain',
    );

  it('that rises by more than the limit does not change the index until it has lasted for 24 hours', () => {
    const risen = times(25, seen(null, at(1_060n)));
    const wait = after([seen(null, at(1_000n)), ...risen.slice(1)], 'chain');
    expect(wait).toMatchObject({ index: 10n ** 18n, price: { value: 1_000n } });
    const { price } = after([seen(null, at(1_000n)), ...risen], 'chain');
    expect(price).toMatchObject({ value: 1_060n, target: (106n * 10n ** 18n) / 100n });
  });

  it('that rises by less, or falls by any amount, is accepted at once', () => {
    expect(prices(1_000n, 1_049n).price?.value).toBe(1_049n);
    expect(prices(1_000n, 10n).price?.value).toBe(10n);
    expect(prices(1_000n, 2_000n, 990n)).toMatchObject({ price: { value: 990n }, doubtedSince: null });
  });
});
