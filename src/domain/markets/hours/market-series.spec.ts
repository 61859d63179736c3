import { describe, expect, it } from '@jest/globals';
import { addHours } from '../../kernel/clock.js';
import { vaultOf } from '../../../../test/support/vault.js';
import { observed, START } from '../../../../test/support/observed.js';
import { INDEX_SCALE } from '../vaults/yield-index.js';
import { type AssetYield, AssetYields } from './market-series.js';

const VAULTS = [
  vaultOf({ id: 'vlt_a' }),
  vaultOf({ id: 'vlt_b' }),
  vaultOf({ id: 'vlt_closed', active: false }),
];
const yieldThresholds = { levels: [0.05, 0.08], rearm: 0.0025 };
const yieldsOf = (stored?: AssetYield): AssetYields =>
  new AssetYields(
    { vaults: VAULTS, constants: { assets: ['USDC'], yieldThresholds } },
    { yields: new Map(stored ? [['USDC', stored]] : []) },
  );

type Seen = [apy: number | null, tvl?: bigint | null];
/** Adds an hour, by the APYs and TVLs of the vaults. */
const step = (yields: AssetYields, sightings: Seen[], count = 0): void => {
  const hour = addHours(START, count);
  const snapshots = sightings.map(([apy, tvl = null], index) => {
    const vaultId = VAULTS[index]!.id;
    const { liquidity, assets } = observed(apy);
    return [
      vaultId,
      { vaultId, hour, apy, rewardApy: null, tvl, assets, liquidity, index: INDEX_SCALE, factor: 0n },
    ] as const;
  });
  yields.step(hour, new Map(snapshots));
};

describe('the market series of an asset', () => {
  it.each<[string, Seen[], [apy: number | null, tvl: bigint | null, vaults: number]]>(
    // prettier-ignore
    [
      ['is the APY of the active vaults, weighted by TVL', [[0.04, 60n], [0.065, 40n], [0.9, 9_000n]], [0.05, 100n, 2]],
      ['excludes a vault without APY', [[0.04, 60n], [null, 40n], [0.9, 1n]], [0.04, 60n, 1]],
      ['excludes a vault without TVL', [[0.04, 60n], [0.065], [0.9, 1n]], [0.04, 60n, 1]],
      ['excludes an empty vault', [[0.04, 60n], [0.065, 0n], [0.9, 1n]], [0.04, 60n, 1]],
      ['weighs all vaults equally if none has a TVL', [[0.04], [0.06]], [0.05, null, 2]],
      ['weighs all vaults equally if all are empty', [[0.04, 0n], [0.06, 0n]], [0.05, 0n, 2]],
      ['is null if no active vault has an APY', [[null, 60n], [null], [0.9, 1n]], [null, null, 0]],
    ],
  )('The market series of an asset %s', (_, sightings, [apy, tvl, vaults]) => {
    const yields = yieldsOf();
    step(yields, sightings);
    const point = {
      asset: 'USDC',
      hour: START,
      apy: apy === null ? null : expect.closeTo(apy, 12),
      tvl,
      vaults,
    };
    expect(yields.points).toEqual([point]);
  });
});

describe('the yield thresholds of an asset', () => {
  const after = (apys: readonly (number | null)[], stored?: AssetYield): AssetYields => {
    const yields = yieldsOf(stored);
    apys.forEach((apy, count) =>
      step(
        yields,
        [
          [apy, 60n],
          [apy, 40n],
        ],
        count,
      ),
    );
    return yields;
  };

  it.each<
    [
      string,
      (number | null)[],
      AssetYield | undefined,
      [level: number, direction: string, hour: number, before: number, apy: number][],
    ]
  >(
    // prettier-ignore
    [
      ['are each crossed in the hour of the change', [0.04, 0.06, 0.09, 0.07], undefined, [[0.05, 'above', 1, 0.04, 0.06], [0.08, 'above', 2, 0.06, 0.09], [0.08, 'below', 3, 0.09, 0.07]]],
      ['are all crossed by one large change', [0.04, 0.09], undefined, [[0.05, 'above', 1, 0.04, 0.09], [0.08, 'above', 1, 0.04, 0.09]]],
      ['are compared with the last known value, however old', [null, null, 0.06, null, 0.06], { apy: 0.04, thresholds: [] }, [[0.05, 'above', 2, 0.04, 0.06]]],
    ],
  )('The yield thresholds of an asset %s', (_, apys, stored, expected) =>
    expect(after(apys, stored).crossings).toEqual(
      expected.map(([level, direction, hour, before, apy]) => ({
        asset: 'USDC',
        hour: addHours(START, hour),
        level,
        direction,
        apy: expect.closeTo(apy, 12),
        previousApy: expect.closeTo(before, 12),
      })),
    ),
  );

  it('The yield thresholds of an asset keep their armed state, are dropped once removed from the configuration, and start armed', () => {
    const spent = { armedAbove: false, armedBelow: false };
    const thresholds = [0.05, 0.07].map((level) => ({ level, ...spent }));
    const yields = after([0.051], { apy: 0.049, thresholds: thresholds });
    expect(yields.crossings).toEqual([]);
    expect(yields.state.get('USDC')).toEqual({
      apy: expect.closeTo(0.051, 12),
      thresholds: [
        { level: 0.05, ...spent },
        { level: 0.08, armedAbove: true, armedBelow: true },
      ],
    });
  });
});
