import { describe, expect, it } from '@jest/globals';
import { observed, priced, START, times } from '../../../../test/support/observed.js';
import { addHours } from '../../kernel/clock.js';
import { doubtOf } from './doubt.js';
import type { Observation } from './feed.js';
import { initialState, nextHour, type VaultState } from './vault-state.js';

const RULES = { maxRise: 0.05, maxDivergence: 0.03 };

/** State after observations of an hour each, as a tick adds them. */
const after = (feed: 'defillama' | 'chain', ...looks: readonly Observation[]): VaultState =>
  looks.reduce((state, look, count) => {
    const hour = addHours(START, count);
    const doubted = doubtOf(look, state, hour, RULES) !== null;
    return nextHour(state, hour, { ...look, doubted }, feed).state;
  }, initialState('vlt_one'));

describe('a yield of more than 50 % a year', () => {
  const [usual, high] = [observed(0.05), observed(0.8)];
  const risen = [usual, ...times(25, high)];
  it.each<[string, Observation[], Partial<VaultState>]>(
    // prettier-ignore
    [
      ['is replaced by the last accepted yield', [usual, ...times(24, high)], { lastApy: 0.05, observedHour: addHours(START, 24), doubtedSince: addHours(START, 1) }],
      ['is not accepted without an earlier one', times(24, high), { lastApy: null, observedHour: null }],
      ['is accepted after 24 hours', risen, { lastApy: 0.8 }],
      ['is accepted as long as it does not rise further', [...risen, observed(0.79), observed(0.7)], { lastApy: 0.7, doubtedSince: null }],
      ['is doubted again when it rises further', [...risen, observed(0.9)], { lastApy: 0.8 }],
      ['needs another 24 hours after an hour below the limit', [...times(20, high), usual, ...times(20, high)], { lastApy: 0.05, doubtedSince: addHours(START, 21) }],
    ],
  )('A yield of more than 50 % a year %s', (_, looks, state) =>
    expect(after('defillama', ...looks)).toMatchObject(state),
  );

  it('A yield of more than 50 % a year accrues at the last accepted yield meanwhile', () =>
    expect(after('defillama', ...risen.slice(0, 25)).index).toBe(
      after('defillama', ...times(25, usual)).index,
    ));

  it('A yield of more than 50 % a year is accepted at once if the second source has about the same', () => {
    const doubt = (otherApy: number | null) =>
      doubtOf(observed(0.8, priced(1n, { otherApy })), initialState('vlt_one'), START, RULES);
    expect(doubt(0.78)).toBeNull();
    for (const other of [0.7, null]) expect(doubt(other)).toBe('it yields 80.00 % a year');
  });
});

describe('a share price', () => {
  const at = (value: bigint, apy: number | null = null) => observed(apy, priced(value));
  it.each<[string, Observation[], object]>(
    // prettier-ignore
    [
      ['with a yield of more than 50 % a year counts as no observation', [at(1_000n, 0.05), ...times(24, at(1_010n, 0.8))], { lastApy: 0.05, observedHour: START, price: { value: 1_000n } }],
      ['that rises by more than the limit does not change the index', [at(1_000n), ...times(24, at(1_060n))], { index: 10n ** 18n, price: { value: 1_000n } }],
      ['that rose by more than the limit is accepted after 24 hours', [at(1_000n), ...times(25, at(1_060n))], { price: { value: 1_060n, target: (106n * 10n ** 18n) / 100n } }],
      ['that rose more than 1,000-fold is never accepted', [at(1_000n), ...times(30, at(1_001_001n))], { price: { value: 1_000n } }],
      ['that rises by less is accepted at once', [at(1_000n), at(1_049n)], { price: { value: 1_049n } }],
      ['that falls by any amount is accepted at once', [at(1_000n), at(10n)], { price: { value: 10n } }],
      ['that falls after a doubted rise is accepted at once', [at(1_000n), at(2_000n), at(990n)], { price: { value: 990n }, doubtedSince: null }],
    ],
  )('A share price %s', (_, looks, state) => expect(after('chain', ...looks)).toMatchObject(state));
});
