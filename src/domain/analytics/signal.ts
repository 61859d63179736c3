import type { Constants } from '../../config/constants.js';
import { rateDifference } from '../rate.js';
import type { RiskTier, Vault } from '../vaults/vault.js';
import type { SmoothedApy } from '../vaults/vault-state.js';
import { expectedApy, type ExpectedApyConstants } from './expected-apy.js';
import { downsideDeviation, mean, median, sampleDeviation } from './statistics.js';
import { theilSenSlope } from './theil-sen.js';

/** A value an hour, oldest first. Hours without a snapshot are null; nothing is filled forward. */
export interface HourlySeries {
  /** The UTC hour of the last value. */
  lastHour: Date;
  values: readonly (number | null)[];
}

export interface SignalConstants extends ExpectedApyConstants {
  /** Hours: W. */
  windowHours: number;
  minimumObservations: number;
  /** Fraction of the hours of W that have passed since the first snapshot. */
  minimumCoverage: number;
  trendDays: number;
  /** Days by which the forecast follows the trend; half a day for 24 hours ahead, as trends fade. */
  forecastDays: number;
  /** Fraction of the expected APY that is not trusted. */
  haircut: Record<RiskTier, number>;
  /** Times the downside deviation. */
  downsidePenalty: number;
  /** Fraction a year by which the best vault beats one that is to be reduced. */
  reduceGap: number;
}

/** Hours with a snapshot that a day needs to have a median. */
const MINIMUM_HOURS_OF_DAY = 6;

/** What the section `signals` of the configuration says. */
export const signalConstants = (signals: Constants['signals']): SignalConstants => ({
  windowHours: signals.window_hours,
  minimumObservations: signals.min_snapshots,
  minimumCoverage: signals.min_coverage,
  trendDays: signals.trend_days,
  forecastDays: signals.trend_weight,
  haircut: signals.risk_haircut,
  downsidePenalty: signals.downside_weight,
  reduceGap: signals.reduce_delta,
  recentHalfLifeHours: signals.recent_half_life_hours,
  longHalfLifeHours: signals.long_half_life_hours,
  returnHalfLifeHours: signals.return_half_life_hours,
  expectedHours: signals.expected_days * 24,
});

/** Hours of a series that hold W and the days of the trend, all complete, at whatever hour of the day it ends. */
export const signalHours = ({ windowHours, trendDays }: SignalConstants): number =>
  Math.max(windowHours, (trendDays + 1) * 24);

/** What is known of a vault at an hour. Rates are fractions a year. */
export interface Signal {
  /** The newest observed in W; null of none. */
  apy: number | null;
  /** Over what W holds; null of nothing. */
  meanApy: number | null;
  volatility: number | null;
  /** Fraction a year, a day; also null where a day of the trend has no median. */
  trend: number | null;
  /** Naive; nothing is routed by it. */
  forecastApy: number | null;
  /** Over the horizon; null while history is short. */
  expectedApy: number | null;
  /** Never above the expected APY; null with it. */
  riskAdjustedApy: number | null;
  /** Exactly when volatility or trend is null: a trend takes longer, so that there may be a volatility, and a risk-adjusted APY, without one. */
  insufficientHistory: boolean;
  /** Snapshots in W. */
  observations: number;
}

type JudgedBy = Pick<Vault, 'riskTier' | 'returnHalfLifeHours'>;

/**
 * The signals of one vault.
 *
 * @param series APY, fractions; `signalHours` long, more does no harm; shorter where there is no more
 * @param elapsedHours hours since the vault's first snapshot, that one included; above W counts as W
 * @param smoothed as of the last hour; null: nothing was observed
 */
export function signalOf(
  series: HourlySeries,
  elapsedHours: number,
  vault: JudgedBy,
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

/** What of a vault's signals routing judges by: all that an hour needs in which nobody reads the rest. Parameters as of `signalOf`. */
export function outlookOf(
  series: HourlySeries,
  elapsedHours: number,
  { riskTier, returnHalfLifeHours }: JudgedBy,
  smoothed: SmoothedApy | null,
  constants: SignalConstants,
): Pick<Signal, 'expectedApy' | 'riskAdjustedApy'> {
  const observed = observedIn(series, constants.windowHours);
  if (isShort(observed.length, elapsedHours, constants) || !smoothed)
    return { expectedApy: null, riskAdjustedApy: null };
  const halfLife = returnHalfLifeHours ?? constants.returnHalfLifeHours;
  const expected = expectedApy(smoothed, halfLife, constants.expectedHours);
  const downside = downsideDeviation(observed);
  return {
    expectedApy: expected,
    riskAdjustedApy: downside === null ? null : riskAdjusted(expected, downside, riskTier, constants),
  };
}

/** @returns the values that there are among the last `hours`, oldest first */
export function observedIn(series: HourlySeries, hours: number): number[] {
  return series.values.slice(-hours).filter((value) => value !== null);
}

/** Under 48 snapshots, or under 80 % of the elapsed hours of W. */
export function isShort(observations: number, elapsedHours: number, constants: SignalConstants): boolean {
  const { windowHours, minimumObservations, minimumCoverage } = constants;
  if (observations < minimumObservations) return true;
  return observations / Math.min(elapsedHours, windowHours) < minimumCoverage;
}

/**
 * Medians of the last 7 UTC days of which every hour has passed. Days, as hours depend so much on the hour before that a test
 * for a trend would find one nearly everywhere.
 *
 * @returns oldest first; null where one of those days has fewer than 6 snapshots
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

/** `max(0, apy + 0.5 * trend)`: naive, 24 hours ahead. @returns fraction a year */
export function forecast(apy: number, trend: number, constants: SignalConstants): number {
  return Math.max(0, apy + constants.forecastDays * trend);
}

/** `expected * (1 - h) - 0.1 * downside`, h by tier; never above what is expected. @returns fraction a year, may be below 0 */
export function riskAdjusted(
  expected: number,
  downside: number,
  riskTier: RiskTier,
  constants: SignalConstants,
): number {
  return afterHaircut(expected, constants.haircut[riskTier]) - constants.downsidePenalty * downside;
}

/** A haircut never raises a yield, as it would one below 0. @returns fraction a year */
export const afterHaircut = (apy: number, haircut: number): number => Math.min(apy, apy * (1 - haircut));

/** What decides a vault's place in a list. */
export interface Ranked {
  vaultId: string;
  /** Fraction a year; null: history is insufficient. */
  riskAdjustedApy: number | null;
  /** Micro-units; null: unknown, below every known one. */
  tvl: bigint | null;
}

/** Orders for `sort`, best first: known before unknown history, then value, TVL, and id, so that no two are equal. */
export function byRank(a: Ranked, b: Ranked): number {
  const value = (b.riskAdjustedApy ?? -Infinity) - (a.riskAdjustedApy ?? -Infinity);
  // NaN of two unknown ones.
  if (value) return value;
  const [tvlA, tvlB] = [a.tvl ?? -1n, b.tvl ?? -1n];
  if (tvlA !== tvlB) return tvlA > tvlB ? -1 : 1;
  return a.vaultId < b.vaultId ? -1 : Number(a.vaultId > b.vaultId);
}

export type Recommendation = 'increase' | 'hold' | 'reduce';

/**
 * @param vaults of any assets
 * @returns vault id -> `increase` for the best eligible one of its asset, `reduce` where that one beats it by 1 pp or more, else
 *   `hold`; `hold` where history is insufficient, also where a rate is known before its trend is
 */
export function recommend(
  vaults: readonly (Ranked & { asset: string; eligible: boolean; insufficientHistory: boolean })[],
  constants: SignalConstants,
): Map<string, Recommendation> {
  const isKnown = ({ riskAdjustedApy, insufficientHistory }: (typeof vaults)[number]): boolean =>
    riskAdjustedApy !== null && !insufficientHistory;
  const best = new Map<string, (typeof vaults)[number]>();
  for (const vault of vaults.toSorted(byRank))
    if (vault.eligible && isKnown(vault) && !best.has(vault.asset)) best.set(vault.asset, vault);
  const judge = (vault: (typeof vaults)[number]): Recommendation => {
    const target = best.get(vault.asset);
    if (target === vault) return 'increase';
    if (!target || !isKnown(vault)) return 'hold';
    const behind = rateDifference(target.riskAdjustedApy!, vault.riskAdjustedApy!);
    return behind >= constants.reduceGap ? 'reduce' : 'hold';
  };
  return new Map(vaults.map((vault) => [vault.vaultId, judge(vault)]));
}
