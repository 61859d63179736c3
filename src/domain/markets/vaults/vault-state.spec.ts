import { describe, expect, it } from '@jest/globals';
import { afterHours, observed, priced, START, times } from '../../../../test/support/observed.js';
import { addHours } from '../../kernel/clock.js';
import type { Observation } from './feed.js';
import { initialState, nextHour, type VaultState } from './vault-state.js';
import { accrueIndex, INDEX_SCALE } from './yield-index.js';

/** Of 5 %. */
const FACTOR = 5_569_668_954_548n;
/** Of -5 %. */
const LOSS = -5_855_381_759_874n;
type Feed = 'simulated' | 'defillama';
/** APY of each hour from START on; null: no observation. */
type Apys = readonly (number | null)[];
const looksOf = (apys: Apys) => apys.map((apy) => (apy === null ? undefined : observed(apy)));

const run = (feed: Feed, ...apys: Apys): VaultState => afterHours(looksOf(apys), feed);

describe('a vault with a loss', () => {
  it('A vault with a loss keeps its index including the hour’s yield, less the loss, rounded down', () => {
    const loss = observed(0.05, { lossPerMille: 50n });
    const after = nextHour(run('simulated', 0.05), addHours(START, 1), loss, 'simulated');
    expect(after.state.index).toBe(((INDEX_SCALE + FACTOR) * 95n) / 100n);
    expect(after.snapshot.index).toBe(after.state.index);
  });
});

describe.each<Feed>(['simulated', 'defillama'])('a vault with a feed of kind %s', (feed) => {
  const silent = (hours: number) => run(feed, 0.05, ...times(hours, null));

  it('A vault with a feed accrues a negative yield as a loss, rounded down, even through a gap', () => {
    const fallen = run(feed, 0.05, -0.05, ...times(feed === 'simulated' ? 2 : 3, null));
    const index = accrueIndex(accrueIndex(INDEX_SCALE + FACTOR, LOSS), LOSS);
    expect(fallen).toMatchObject({ lastApy: -0.05, factor: LOSS, index });
  });

  it('A vault with a feed starts at an index of one, and accrues nothing before its first observation', () => {
    expect(run(feed, ...times(11, null)).index).toBe(INDEX_SCALE);
    expect(run(feed, 0.05)).toMatchObject({ index: INDEX_SCALE, lastApy: 0.05 });
  });

  it('A vault with a feed accrues for 24 hours of a gap at the last observation, and nothing after that', () => {
    const steady = run(feed, ...times(26, 0.05)).index;
    expect(silent(24).factor).toBe(FACTOR);
    expect(silent(25)).toMatchObject({ index: steady, factor: 0n });
    expect(silent(100).index).toBe(steady);
  });

  it('A vault with a feed accrues without interruption over gaps of 24 hours', () => {
    const apys = Array.from({ length: 201 }, (_, hour) => (hour % 24 === 0 ? 0.05 : null));
    expect(run(feed, ...apys).index).toBe(run(feed, ...times(201, 0.05)).index);
  });

  it('A vault with a feed resumes at its last index when the feed is back, without yield for the time between', () =>
    expect(run(feed, 0.05, ...times(100, null), 0.05).index).toBe(silent(100).index));
});

it('An observation accrues from its own hour on if it is simulated, and from the next one if it is read later', () => {
  expect(run('simulated', 0.05)).toMatchObject({ factor: FACTOR });
  expect(run('simulated', 0.05, 0.9).index).toBe(INDEX_SCALE + FACTOR);
  expect(run('defillama', 0.05)).toMatchObject({ factor: 0n });
  expect(run('defillama', 0.05, 0.05)).toMatchObject({ index: INDEX_SCALE, factor: FACTOR });
  const risen = run('defillama', 0.05, 0.05, 0.9);
  expect(risen).toMatchObject({ index: INDEX_SCALE + FACTOR, factor: FACTOR, lastApy: 0.9 });
});

it('A snapshot of an hour without data has null, never 0', () => {
  const { snapshot } = nextHour(run('simulated', 0.05), addHours(START, 1), undefined, 'simulated');
  expect(snapshot).toMatchObject({ apy: null, tvl: null, index: INDEX_SCALE + FACTOR, factor: FACTOR });
});

describe('a doubted reading', () => {
  const [full, run] = [
    { assets: 2_000_000n, liquidity: 1_000_000n },
    { assets: 500_000n, liquidity: 0n },
  ];
  const after = (feed: 'defillama' | 'chain', earlier: readonly Observation[], depth: Partial<Observation>) =>
    nextHour(
      afterHours(earlier, feed),
      addHours(START, 1),
      observed(0.8, { ...depth, doubted: true, ...(feed === 'chain' && priced(2n)) }),
      feed,
    );

  it.each<['defillama' | 'chain', Observation[]]>([
    ['chain', [observed(0.05, { ...full, ...priced(1n) })]],
    ['defillama', [observed(0.05, full)]],
    ['defillama', []],
  ])('A doubted reading of the feed %s hides no fall of deposits and liquidity', (feed, earlier) => {
    const { state, snapshot } = after(feed, earlier, run);
    expect(snapshot).toMatchObject(run);
    expect(state).toMatchObject({ lastAssets: 500_000n, lastLiquidity: 0n });
    expect(state.lastApy).toBe(earlier[0]?.apy ?? null);
  });

  it('A doubted reading of a share price adds no deposits to those that are known', () => {
    const { state } = after('chain', [observed(0.05, { ...full, ...priced(1n) })], { assets: 9_000_000n });
    expect(state.lastAssets).toBe(2_000_000n);
  });

  it('A doubted reading hides no loss', () => {
    const lost = observed(0.8, { lossPerMille: 50n, doubted: true });
    expect(nextHour(initialState('vlt_x'), START, lost, 'defillama').state.index).toBe(
      (INDEX_SCALE * 95n) / 100n,
    );
  });
});
