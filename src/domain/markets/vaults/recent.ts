import { double, orNull, type RowOf, whole } from '../../kernel/store/column.js';
import { mean, median } from '../signals/statistics.js';

/** Values over which a vault's index is compared: the newest hour and the 24 before. */
export const DAY_HOURS = 25;
/** Hours of assets whose median is their level. */
export const WEEK_HOURS = 168;
/** Hours of a short average, and of liquidity. */
const SHORT_HOURS = 6;
/** Hours for which a vault is compared with the lending vault. */
const LEAD_HOURS = 72;
/** Share of hours that must be known. */
const MIN_COVERAGE = 0.6;

export interface Level {
  index: bigint;
  /** Micro-units; null when the feed did not report it. */
  liquidity: bigint | null;
}

/** Last hours of a vault, oldest first. */
export interface LastHours {
  /** At most `DAY_HOURS`. */
  levels: readonly Level[];
  /** Micro-units, at most `WEEK_HOURS`; they are only compared, so a double suffices. */
  assets: readonly (number | null)[];
  /** Fractions, `LEAD_HOURS` or more. */
  apys: readonly (number | null)[];
}

/** What a vault's last hours show. Rates and changes are fractions; null: unknown. */
export const RECENT = {
  /** Change against the highest value within a day, 0 or less. */
  indexChange: orNull(double()),
  /** Newest assets against the median of a week: -0.5 is half of it. Funds that came and went in between change little. */
  assetsChange: orNull(double()),
  /** Highest liquidity within 6 hours, micro-units. */
  highLiquidity: orNull(whole()),
  /** Mean APY of 6 hours without the highest and the lowest. */
  shortApy: orNull(double()),
  threeDayApy: orNull(double()),
  /** Largest lead of the APY over the lending vault's in any of those hours: -0.01 is a vault that was behind by 1 pp or more in each. */
  threeDayLead: orNull(double()),
};
export type RecentStatistics = RowOf<typeof RECENT>;

export const NOTHING_RECENT = Object.fromEntries(
  Object.keys(RECENT).map((name) => [name, null]),
) as unknown as RecentStatistics;

/** @param lending APYs of the asset's lending vault, of the same hours */
export function recentOf(
  { levels, apys }: LastHours,
  lending: LastHours['apys'],
  losses: Losses,
): RecentStatistics {
  const liquidity = withoutNulls(levels.slice(-SHORT_HOURS).map((level) => level.liquidity));
  const [days, lendingDays] = [apys.slice(-LEAD_HOURS), lending.slice(-LEAD_HOURS)];
  const leads = days.flatMap((apy, index) => {
    const other = lendingDays[index] ?? null;
    return apy === null || other === null ? [] : [apy - other];
  });
  return {
    ...losses,
    highLiquidity: liquidity.length < SHORT_HOURS * MIN_COVERAGE ? null : largest(liquidity),
    shortApy: middleMean(withoutNulls(apys.slice(-SHORT_HOURS))),
    threeDayApy: leads.length < LEAD_HOURS * MIN_COVERAGE ? null : mean(withoutNulls(days)),
    threeDayLead: leads.length < LEAD_HOURS * MIN_COVERAGE ? null : Math.max(...leads),
  };
}

export type Losses = Pick<RecentStatistics, 'indexChange' | 'assetsChange'>;

export const lossesOf = ({ levels, assets }: Pick<LastHours, 'levels' | 'assets'>): Losses => ({
  indexChange: indexChange(levels),
  assetsChange: assetsChange(assets),
});

function indexChange(levels: LastHours['levels']): number | null {
  const highest = largest(levels.map(({ index }) => index));
  return highest === 0n ? null : Number(levels.at(-1)!.index - highest) / Number(highest);
}

function assetsChange(assets: LastHours['assets']): number | null {
  const now = Math.max(...withoutNulls(assets.slice(-2)));
  const middle = median(withoutNulls(assets));
  return assets.at(-1) === null || !middle ? null : now / middle - 1;
}

/** Mean without the highest and the lowest value, where there are more than two. */
const middleMean = (values: readonly number[]): number | null =>
  mean(values.length > 2 ? values.toSorted((a, b) => a - b).slice(1, -1) : values);

const withoutNulls = <Value>(values: readonly (Value | null)[]): Value[] =>
  values.filter((value) => value !== null);

const largest = (values: readonly bigint[]): bigint =>
  values.reduce((high, value) => (value > high ? value : high), 0n);
