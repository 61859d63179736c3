import { END, VAULTS, type VaultName } from './golden.history.js';

/** An amount in micro-units, times this, over an index (scaled by 1e18), is shares: 18 decimals. */
export const SCALE = 10n ** 30n;

/** What an index grows by in an hour: 8,760 such hours make the yield of a year. */
const factor = (percent: number): bigint =>
  BigInt(Math.round(Math.expm1(Math.log1p(percent / 100) / 8_760) * 1e18));

/** Per cent a year that is observed in an hour. */
export const yieldAt = (vault: VaultName, hour: number): number =>
  VAULTS[vault].yields.findLast(({ from }) => from <= hour)!.percent;

/** One index an hour: 1 at the first, then each hour grows by what was observed at its beginning. */
function indexesOf(vault: VaultName): bigint[] {
  const indexes = [10n ** 18n];
  for (let hour = 1; hour <= END; hour++) {
    const before = indexes[hour - 1]!;
    indexes.push(before + (before * factor(yieldAt(vault, hour - 1))) / 10n ** 18n);
  }
  return indexes;
}

const INDEXES = Object.fromEntries(
  Object.keys(VAULTS).map((vault) => [vault, indexesOf(vault as VaultName)]),
) as Record<VaultName, bigint[]>;
export const indexAt = (vault: VaultName, moment: number): bigint => INDEXES[vault][Math.floor(moment)]!;
/** Micro-units; `/` rounds down what is not below 0. */
export const worth = (shares: bigint, vault: VaultName, moment: number): bigint =>
  (shares * indexAt(vault, moment)) / SCALE;
