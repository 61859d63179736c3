import { describe, expect, it } from '@jest/globals';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import type { Snapshot } from '../vaults/vault-state.js';
import { INDEX_SCALE } from '../vaults/yield-index.js';
import { readConstants } from '../../../config/constants.js';
import { addHours } from '../../kernel/clock.js';
import { type AssetYield, AssetYields } from './market-series.js';

const HOUR = new Date('2026-03-12T10:00:00.000Z');
const [base] = readConstants('sandbox').vaults;
const vault = (id: string, over: Partial<Vault> = {}): Vault => ({ ...base!, id, asset: 'USDC', ...over });
const A = vault('vlt_a');
const B = vault('vlt_b');
const CLOSED = vault('vlt_closed', { active: false });

const thresholds = { levels: [0.05, 0.08], rearm: 0.0025 };
const path = (known?: AssetYield, vaults = [A, B, CLOSED]): AssetYields =>
  new AssetYields(
    { assets: ['USDC'], vaults, thresholds },
    { yields: new Map(known ? [['USDC', known]] : []) },
  );
type Seen = [apy: number | null, tvl?: bigint | null, index?: bigint];
const hour = (seen: Record<string, Seen>): Map<string, Snapshot> =>
  new Map(
    Object.entries(seen).map(([vaultId, [apy, tvl = null, index = INDEX_SCALE]]) => [
      vaultId,
      { vaultId, hour: HOUR, apy, rewardApy: null, tvl, assets: tvl, liquidity: null, index, factor: 0n },
    ]),
  );
const point = (one: AssetYields, seen: Record<string, Seen>) => {
  one.step(HOUR, hour(seen));
  return one.points.at(-1)!;
};
describe('the market series of an asset', () => {
  it('is the APY of the active vaults, weighted by TVL', () => {
    const seen: Record<string, Seen> = { vlt_a: [0.04, 60n], vlt_b: [0.065, 40n], vlt_closed: [0.9, 9_000n] };
    expect(point(path(), seen)).toEqual({
      asset: 'USDC',
      hour: HOUR,
      apy: expect.closeTo(0.05, 12),
      tvl: 100n,
      vaults: 2,
    });
  });

  it('excludes a vault without APY or TVL, and has the count of the others', () => {
    for (const silent of [[null], [null, 40n], [0.065, null], [0.065, 0n]] as Seen[])
      expect(point(path(), { vlt_a: [0.04, 60n], vlt_b: silent, vlt_closed: [0.9, 1n] })).toMatchObject({
        apy: 0.04,
        tvl: 60n,
        vaults: 1,
      });
  });

  it('weighs all vaults equally if none has a TVL', () => {
    expect(point(path(), { vlt_a: [0.04], vlt_b: [0.06] })).toMatchObject({
      apy: expect.closeTo(0.05, 12),
      tvl: null,
      vaults: 2,
    });
    const nothingIn: Record<string, Seen> = { vlt_a: [0.04, 0n], vlt_b: [0.06, 0n] };
    expect(point(path(), nothingIn)).toMatchObject({ apy: expect.closeTo(0.05, 12), tvl: 0n, vaults: 2 });
  });

  it('is null if no active vault has an APY', () =>
    expect(point(path(), { vlt_a: [null, 60n], vlt_b: [null], vlt_closed: [0.9, 1n] })).toMatchObject({
      apy: null,
      tvl: null,
      vaults: 0,
    }));
});

describe('the yield thresholds of an asset', () => {
  const uniform = (apy: number | null): Record<string, Seen> => ({ vlt_a: [apy, 60n], vlt_b: [apy, 40n] });

  it('are each crossed in the hour of the change', () => {
    const one = path();
    [0.04, 0.06, 0.09, 0.07].forEach((apy, count) => one.step(addHours(HOUR, count), hour(uniform(apy))));
    expect(one.crossings).toEqual([
      crossing(0.05, 'above', 0.06, 0.04, 1),
      crossing(0.08, 'above', 0.09, 0.06, 2),
      crossing(0.08, 'below', 0.07, 0.09, 3),
    ]);
  });

  it('are all crossed by one large change', () => {
    const one = path();
    for (const apy of [0.04, 0.09]) point(one, uniform(apy));
    expect(one.crossings.map(({ level }) => level)).toEqual([0.05, 0.08]);
  });

  it('are compared with the last known value, however old', () => {
    const one = path({ apy: 0.04, thresholds: [] });
    for (const apy of [null, null, 0.06, null, 0.06]) point(one, uniform(apy));
    expect(one.crossings).toMatchObject([{ level: 0.05, previousApy: 0.04, apy: 0.06 }]);
    expect(one.state.get('USDC')!.apy).toBeCloseTo(0.06, 12);
  });

  it('keep their armed state, are dropped once removed from the configuration, and start armed', () => {
    const spent = { armedAbove: false, armedBelow: false };
    const one = path({
      apy: 0.049,
      thresholds: [
        { level: 0.05, ...spent },
        { level: 0.07, ...spent },
      ],
    });
    point(one, uniform(0.051));
    expect(one.crossings).toEqual([]);
    expect(one.state.get('USDC')!.thresholds).toEqual([
      { level: 0.05, ...spent },
      { level: 0.08, armedAbove: true, armedBelow: true },
    ]);
  });
});

const crossing = (
  level: number,
  direction: string,
  apy: number,
  previousApy: number,
  count: number,
): unknown => ({
  asset: 'USDC',
  hour: addHours(HOUR, count),
  level,
  direction,
  apy: expect.closeTo(apy, 12),
  previousApy: expect.closeTo(previousApy, 12),
});
