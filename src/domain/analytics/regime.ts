import { hoursBetween } from '../vaults/hour.js';
import { mannKendallZ } from './mann-kendall.js';
import {
  dailyMedians,
  type HourlySeries,
  isShort,
  observedIn,
  SIGNAL_CONSTANTS,
  type SignalConstants,
} from './signal.js';
import { sampleDeviation, weightedMean } from './statistics.js';
import { theilSenSlope } from './theil-sen.js';

export const REGIMES = ['rising', 'falling', 'stable', 'volatile', 'unknown'] as const;
export type Regime = (typeof REGIMES)[number];

export interface RegimeConstants {
  /** A newest snapshot older than this many hours makes the regime unknown. */
  maximumAgeHours: number;
  /** Hours whose changes are set against those of the window. */
  recentHours: number;
  /** Times the window's deviation. */
  volatileRatio: number;
  /** |z| of Mann-Kendall; 1.96: 3 in 100 trendless weeks reach it. */
  significantZ: number;
  /** Fraction a year, a day. */
  minimumSlope: number;
  /** Hours in a row that must agree on a new label. */
  agreeingHours: number;
}

export const REGIME_CONSTANTS: RegimeConstants = {
  maximumAgeHours: 3,
  recentHours: 24,
  volatileRatio: 2,
  significantZ: 1.96,
  minimumSlope: 0.001,
  agreeingHours: 2,
};

/** A vault's part in the series of an asset. */
export interface WeightedVault {
  /** Micro-units, at the start of the window or of the market, whichever is later; null or 0: no part. */
  tvlAtStart: bigint | null;
  /** APY, fractions. */
  series: HourlySeries;
}

/**
 * One series of many vaults, by weights that stay what they were at the window's start: funds that move do not look like rates
 * that move. An hour at which a vault with weight has no snapshot is null. Leaving the vault out of that hour would show a
 * step that no rate made.
 *
 * @param lastHour UTC hour of the last value; the vaults' series may end elsewhere
 * @param length hours of the result
 */
export function weightedSeries(
  vaults: readonly WeightedVault[],
  lastHour: Date,
  length: number,
): HourlySeries {
  const held = vaults
    .filter(({ tvlAtStart }) => tvlAtStart !== null && tvlAtStart > 0n)
    .map(({ tvlAtStart, series: { values, lastHour: end } }) => ({
      weight: Number(tvlAtStart),
      values,
      first: values.length - length + hoursBetween(end, lastHour),
    }));
  const at = (index: number): number | null => {
    const parts = held.flatMap(({ weight, values, first }) => {
      const value = values[first + index] ?? null;
      return value === null ? [] : [{ value, weight }];
    });
    return parts.length === held.length ? weightedMean(parts) : null;
  };
  return { lastHour, values: Array.from({ length }, (_, index) => at(index)) };
}

/** What one hour says of a series, before hysteresis. Rates are fractions a year. */
export interface RegimeReading {
  regime: Regime;
  /** The newest; null where it is too old, or there is none. */
  apy: number | null;
  /** A day; null of fewer than 7 complete days. */
  trend: number | null;
  /** Mann-Kendall z of the trend; null with it. */
  significance: number | null;
  /** Sample deviation of the level over W; null where history is short. */
  volatility: number | null;
  /** Deviation of hourly changes of the last day over that of the window; null where either is not known, and for 0/0. */
  changeRatio: number | null;
  observations: number;
}

/**
 * In order: `unknown` where history is short or the newest snapshot is over 3 hours old; `volatile` where hourly changes of the
 * last day deviate 2 times as much as those of the window; `rising` or `falling` where the trend is significant and of
 * 0.10 pp a day or more; else `stable`. History is short also where a day of the trend is missing: it is not guessed.
 *
 * @param series weighted APY, fractions; `lastHour` is now
 * @param elapsedHours hours since the first snapshot, that one included
 */
export function readRegime(
  series: HourlySeries,
  elapsedHours: number,
  constants: RegimeConstants = REGIME_CONSTANTS,
  signals: SignalConstants = SIGNAL_CONSTANTS,
): RegimeReading {
  const observed = observedIn(series, signals.windowHours);
  const short = isShort(observed.length, elapsedHours, signals);
  const medians = short ? null : dailyMedians(series, signals);
  const reading = {
    apy: observedIn(series, constants.maximumAgeHours + 1).at(-1) ?? null,
    trend: medians && theilSenSlope(medians),
    significance: medians && mannKendallZ(medians),
    volatility: short ? null : sampleDeviation(observed),
    changeRatio: short ? null : changeRatio(series, constants.recentHours, signals.windowHours),
    observations: observed.length,
  };
  return { regime: label(reading, constants), ...reading };
}

function label(
  { apy, trend, significance, changeRatio: ratio }: Omit<RegimeReading, 'regime'>,
  { volatileRatio, significantZ, minimumSlope }: RegimeConstants,
): Regime {
  if (apy === null || trend === null || significance === null) return 'unknown';
  if (ratio !== null && ratio >= volatileRatio) return 'volatile';
  if (Math.abs(significance) < significantZ || Math.abs(trend) < minimumSlope) return 'stable';
  return trend > 0 ? 'rising' : 'falling';
}

/** Changes between neighbouring hours that both have a snapshot. */
function changeRatio({ values }: HourlySeries, recentHours: number, windowHours: number): number | null {
  const changes = values.slice(1).map((value, index) => {
    const before = values[index] ?? null;
    return value === null || before === null ? null : value - before;
  });
  const deviation = (hours: number) => sampleDeviation(changes.slice(-hours).filter((one) => one !== null));
  const recent = deviation(recentHours);
  const whole = deviation(windowHours);
  return recent === null || whole === null || whole === 0 ? null : recent / whole;
}

/** What is kept of an asset between hours. */
export interface RegimeState {
  /** What is shown. */
  regime: Regime;
  /** Another label that the latest hours read, and how many of them in a row. */
  candidate: Regime | null;
  candidateHours: number;
}

/** Before the first hour. */
export const FIRST_REGIME: RegimeState = { regime: 'unknown', candidate: null, candidateHours: 0 };

/** The label an hour later: a new one, `unknown` too, needs two hours in a row that read it. */
export function nextRegime(
  state: RegimeState,
  read: Regime,
  { agreeingHours }: RegimeConstants = REGIME_CONSTANTS,
): RegimeState {
  const candidateHours = read === state.candidate ? state.candidateHours + 1 : 1;
  if (read === state.regime || candidateHours >= agreeingHours)
    return { regime: read, candidate: null, candidateHours: 0 };
  return { regime: state.regime, candidate: read, candidateHours };
}
