import { at, VAULTS, type VaultName } from './golden.history.js';

/** The last hour that anybody asks for. */
const LAST = at(44, 0);

/** An amount in micro-units, times this, over an index (scaled by 1e18), is shares: 18 decimals. */
export const SCALE = 10n ** 30n;

/** Neither is below 0. */
export const roundedUp = (part: bigint, whole: bigint): bigint => (part + whole - 1n) / whole;

/** What an index grows by in an hour: 8,760 such hours make the yield of a year. */
const factor = (percent: number): bigint =>
  BigInt(Math.round(Math.expm1(Math.log1p(percent / 100) / 8_760) * 1e18));

/** Per cent a year that is observed in an hour. */
export const yieldAt = (vault: VaultName, hour: number): number =>
  VAULTS[vault].yields.findLast(({ from }) => from <= hour)!.percent;

/** An hour grows by what was observed in the hour before: the feed is asked when an hour has begun. In the first one nothing is known yet. */
const growthOf = (vault: VaultName, hour: number): bigint =>
  hour === 0 ? 0n : factor(yieldAt(vault, hour - 1));

/** One index an hour, as it begins: 1 at the first. */
function indexesOf(vault: VaultName): bigint[] {
  const indexes = [10n ** 18n];
  for (let hour = 0; hour < LAST; hour++)
    indexes.push(indexes[hour]! + (indexes[hour]! * growthOf(vault, hour)) / 10n ** 18n);
  return indexes;
}

const INDEXES = Object.fromEntries(
  Object.keys(VAULTS).map((vault) => [vault, indexesOf(vault as VaultName)]),
) as Record<VaultName, bigint[]>;
/** Within its hour an index grows in a straight line: at half past by half of what the hour brings. */
export function indexAt(vault: VaultName, moment: number): bigint {
  const hour = Math.floor(moment);
  const index = INDEXES[vault][hour]!;
  const thousandths = BigInt(Math.round((moment - hour) * 1_000));
  return index + (index * growthOf(vault, hour) * thousandths) / 10n ** 21n;
}
/** Micro-units; `/` rounds down what is not below 0. */
export const worth = (shares: bigint, vault: VaultName, moment: number): bigint =>
  (shares * indexAt(vault, moment)) / SCALE;
