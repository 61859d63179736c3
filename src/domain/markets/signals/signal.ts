import type { Constants } from '../../../config/constants.js';
import { bool, double, integer, orNull, type RowOf } from '../../kernel/store/column.js';
import { rateDifference } from '../../kernel/money.js';
import type { RiskTier, Vault } from '../../kernel/catalogue/catalogue.js';
import type { SmoothedApy } from '../vaults/vault-state.js';
import { downsideDeviation, mean, median, sampleDeviation, theilSenSlope } from './statistics.js';

/** Hourly values, oldest first. Hours without a snapshot are null; nothing is forward-filled. */
export interface HourlySeries {
  lastHour: Date;
  values: readonly (number | null)[];
}

export type SignalConstants = Constants['signals'];

/** Snapshots that a day needs for a median. */
const MINIMUM_HOURS_OF_DAY = 6;

/** Hours of a series that cover W and the complete days of the trend, at whatever hour of the day it ends. */
export const signalHours = ({ windowHours, trendDays }: SignalConstants): number =>
  Math.max(windowHours, (trendDays + 1) * 24);

/** Rates are fractions; null: insufficient history. */
export const SIGNAL = {
  /** Newest APY in W, and the mean over the observations in it. */
  apy: orNull(double()),
  meanApy: orNull(double()),
  volatility: orNull(double()),
  /** Slope of the APY a day; also null when a day of the trend has no median. */
  trend: orNull(double()),
  /** Naive forecast; routing does not use it. */
  forecastApy: orNull(double()),
  /** Expected average over the horizon. */
  expectedApy: orNull(double()),
  /** Of the expected APY, and never above it. `afterRisk` gives that of another APY. */
  riskAdjustedApy: orNull(double()),
  /** True exactly when volatility or trend is null. A trend needs more data, so volatility and risk-adjusted APY may exist without it. */
  insufficientHistory: bool(),
  observations: integer(),
};
export type Signal = RowOf<typeof SIGNAL>;

type RatedBy = Pick<Vault, 'riskTier' | 'returnHalfLifeHours'>;

/** Signals of one vault by its hourly APYs and the hours since its first snapshot (inclusive). `smoothed` null: nothing was observed. */
export function signalOf(
  series: HourlySeries,
  elapsedHours: number,
  vault: RatedBy,
  smoothed: SmoothedApy | null,
  constants: SignalConstants,
): Signal {
  const observed = observedIn(series, constants.windowHours);
  const short = isShort(observed.length, elapsedHours, constants);
  const apy = observed.at(-1) ?? null;
  const volatility = short ? null : sampleDeviation(observed);
  const medians = short ? null : dailyMedians(series, constants);
  const trend = medians && theilSenSlope(medians);
  return {
    apy,
    meanApy: mean(observed),
    volatility,
    trend,
    forecastApy: apy === null || trend === null ? null : forecast(apy, trend, constants),
    ...outlookOf(series, elapsedHours, vault, smoothed, constants),
    insufficientHistory: volatility === null || trend === null,
    observations: observed.length,
  };
}

/** The subset of a vault's signals that routing uses, for hours in which the rest is not read. Parameters as of `signalOf`. */
export function outlookOf(
  series: HourlySeries,
  elapsedHours: number,
  { riskTier, returnHalfLifeHours }: RatedBy,
  smoothed: SmoothedApy | null,
  constants: SignalConstants,
): Pick<Signal, 'expectedApy' | 'riskAdjustedApy'> {
  const observed = observedIn(series, constants.windowHours);
  if (isShort(observed.length, elapsedHours, constants) || !smoothed)
    return { expectedApy: null, riskAdjustedApy: null };
  const halfLife = returnHalfLifeHours ?? constants.returnHalfLifeHours;
  const expected = expectedApy(smoothed, halfLife, constants.expectedDays * 24);
  const downside = downsideDeviation(observed);
  return {
    expectedApy: expected,
    riskAdjustedApy: downside === null ? null : riskAdjusted(expected, downside, riskTier, constants),
  };
}

/** EWMA: exponentially weighted moving average. An hour without observation changes nothing, and must not be passed as 0. */
export function smoothApy(
  before: SmoothedApy | null,
  apy: number,
  { recentHalfLifeHours, longHalfLifeHours }: SignalConstants,
): SmoothedApy {
  if (before === null) return { recent: apy, long: apy };
  const next = (average: number, halfLife: number): number =>
    average + (1 - 2 ** (-1 / halfLife)) * (apy - average);
  return { recent: next(before.recent, recentHalfLifeHours), long: next(before.long, longHalfLifeHours) };
}

/** Average yield over the horizon when it reverts to its long average: `m + (s - m) (T / H) (1 - e^(-H / T))`, `T = half-life / ln 2`. */
export function expectedApy(
  { recent, long }: SmoothedApy,
  halfLifeHours: number,
  horizonHours: number,
): number {
  const ratio = halfLifeHours / Math.LN2 / horizonHours;
  return long + (recent - long) * ratio * -Math.expm1(-1 / ratio);
}

/** @returns the non-null values of the last `hours`, oldest first */
export function observedIn({ values }: HourlySeries, hours: number): number[] {
  const observed: number[] = [];
  for (let index = Math.max(0, values.length - hours); index < values.length; index++) {
    const value = values[index];
    if (value !== null && value !== undefined) observed.push(value);
  }
  return observed;
}

/** Fewer than 48 snapshots, or less than 80 % of the elapsed hours of W. */
export function isShort(observations: number, elapsedHours: number, constants: SignalConstants): boolean {
  const { windowHours, minSnapshots, minCoverage } = constants;
  if (observations < minSnapshots) return true;
  return observations / Math.min(elapsedHours, windowHours) < minCoverage;
}

/**
 * Medians of the last complete UTC days: hourly values are so autocorrelated that a trend test would nearly always be significant.
 * @returns oldest first; null when a day has fewer than 6 snapshots
 */
export function dailyMedians(
  series: HourlySeries,
  { trendDays }: Pick<SignalConstants, 'trendDays'>,
): number[] | null {
  const hoursOfToday = (series.lastHour.getUTCHours() + 1) % 24;
  const end = series.values.length - hoursOfToday;
  const medians: number[] = [];
  for (let start = end - 24 * trendDays; start < end; start += 24) {
    const day = series.values.slice(Math.max(start, 0), Math.max(start + 24, 0));
    const observed = day.filter((value) => value !== null);
    const middle = median(observed);
    if (middle === null || observed.length < MINIMUM_HOURS_OF_DAY) return null;
    medians.push(middle);
  }
  return medians;
}

/** `max(0, apy + 0.5 * trend)`: naive, 24 hours ahead. @returns APY, a fraction */
export function forecast(apy: number, trend: number, constants: SignalConstants): number {
  return Math.max(0, apy + constants.trendWeight * trend);
}

/** `expected * (1 - h) - 0.1 * downside`, h by risk tier; never above the expected APY. @returns APY, a fraction, possibly negative */
export function riskAdjusted(
  expected: number,
  downside: number,
  riskTier: RiskTier,
  constants: SignalConstants,
): number {
  return afterHaircut(expected, constants.riskHaircut[riskTier]) - constants.downsideWeight * downside;
}

/** The discount must not raise a yield, as it would a negative one. @returns APY, a fraction */
export const afterHaircut = (apy: number, haircut: number): number => Math.min(apy, apy * (1 - haircut));

/** Another yield of the vault after risk: with its own haircut and the same downside, never above it. null: a yield is unknown. */
export function afterRisk(
  apy: number | null,
  { expectedApy, riskAdjustedApy }: Pick<Signal, 'expectedApy' | 'riskAdjustedApy'>,
  haircut: number,
): number | null {
  if (apy === null || expectedApy === null || riskAdjustedApy === null) return null;
  const downside = afterHaircut(expectedApy, haircut) - riskAdjustedApy;
  return afterHaircut(apy, haircut) - Math.max(0, downside);
}

export interface SignalRank {
  vaultId: string;
  /** APY, a fraction; null: insufficient history. */
  riskAdjustedApy: number | null;
  /** Micro-units; null: unknown, ranks below every known one. */
  tvl: bigint | null;
}

/** Comparator for `sort`, best first: known before unknown history, then APY, TVL, and id, so that no two are equal. */
export function compareRanks(a: SignalRank, b: SignalRank): number {
  const value = (b.riskAdjustedApy ?? -Infinity) - (a.riskAdjustedApy ?? -Infinity);
  // NaN when both are unknown.
  if (value) return value;
  const [tvlA, tvlB] = [a.tvl ?? -1n, b.tvl ?? -1n];
  if (tvlA !== tvlB) return tvlA > tvlB ? -1 : 1;
  return a.vaultId < b.vaultId ? -1 : Number(a.vaultId > b.vaultId);
}

export type Recommendation = 'increase' | 'hold' | 'reduce';

/**
 * @param vaults of any assets
 * @returns recommendation by vault id: `increase` for the best eligible vault of its asset; `reduce` where that one is better by 1 pp or more;
 * otherwise `hold`. With insufficient history it is `hold`, also when a rate is known before its trend
 */
export function recommend(
  vaults: readonly (SignalRank & { asset: string; eligible: boolean; insufficientHistory: boolean })[],
  constants: SignalConstants,
): Map<string, Recommendation> {
  const isKnown = ({ riskAdjustedApy, insufficientHistory }: (typeof vaults)[number]): boolean =>
    riskAdjustedApy !== null && !insufficientHistory;
  const best = new Map<string, (typeof vaults)[number]>();
  for (const vault of vaults.toSorted(compareRanks))
    if (vault.eligible && isKnown(vault) && !best.has(vault.asset)) best.set(vault.asset, vault);
  const evaluate = (vault: (typeof vaults)[number]): Recommendation => {
    const target = best.get(vault.asset);
    if (target === vault) return 'increase';
    if (!target || !isKnown(vault)) return 'hold';
    const behind = rateDifference(target.riskAdjustedApy!, vault.riskAdjustedApy!);
    return behind >= constants.reduceDelta ? 'reduce' : 'hold';
  };
  return new Map(vaults.map((vault) => [vault.vaultId, evaluate(vault)]));
}
