import type { Constants } from '../../config/constants.js';
import { addHours, hoursBetween } from '../vaults/hour.js';
import { mannKendallZ } from './mann-kendall.js';
import { dailyMedians, type HourlySeries, isShort, observedIn, type SignalConstants } from './signal.js';
import { sampleDeviation } from './statistics.js';
import { theilSenSlope } from './theil-sen.js';

/** What a regime may be where it is known. */
export const KNOWN_REGIMES = ['rising', 'falling', 'stable', 'volatile'] as const;
export type KnownRegime = (typeof KNOWN_REGIMES)[number];

export const REGIMES = [...KNOWN_REGIMES, 'unknown'] as const;
export type Regime = (typeof REGIMES)[number];

/** Why a regime is `unknown`. */
export const REGIME_REASONS = ['short_history', 'silent_feed'] as const;
export type RegimeReason = (typeof REGIME_REASONS)[number];

export interface RegimeConstants {
  /** A newest snapshot older than this many hours makes the regime unknown, at once. */
  maximumAgeHours: number;
  /** Hours whose changes are set against those of `referenceHours`. */
  recentHours: number;
  referenceHours: number;
  /** Times the reference's deviation. */
  volatileRatio: number;
  /** |z| of Mann-Kendall; 1.96: 3 in 100 trendless weeks reach it. */
  significantZ: number;
  /** Fraction a year, a day. */
  minimumSlope: number;
  /** Hours in a row that must agree on a new label, `unknown` apart. */
  agreeingHours: number;
}

/** What the section `regime` of the configuration says. */
export const regimeConstants = (regime: Constants['regime']): RegimeConstants => ({
  maximumAgeHours: regime.max_age_hours,
  recentHours: regime.volatile_window_hours,
  referenceHours: regime.reference_window_hours,
  volatileRatio: regime.volatile_ratio,
  significantZ: regime.trend_z,
  minimumSlope: regime.min_slope_per_day,
  agreeingHours: regime.agreeing_hours,
});

/** Hours of a series that hold what a regime is read from beside its signals: one more than there are changes. */
export const regimeHours = ({ maximumAgeHours, recentHours, referenceHours }: RegimeConstants): number =>
  Math.max(maximumAgeHours, recentHours, referenceHours) + 1;

/** What one hour says of a series, before hysteresis. Rates are fractions a year. */
export interface RegimeReading {
  regime: Regime;
  /** The newest; null where it is too old, or there is none. */
  apy: number | null;
  /** The hour of the newest within the series; null of none. */
  observedHour: Date | null;
  /** A day; null of fewer than 7 complete days. */
  trend: number | null;
  /** Mann-Kendall z of the trend; null with it. */
  significance: number | null;
  /** Sample deviation of the level over W; null where history is short. */
  volatility: number | null;
  /** Deviation of the latest hourly changes over that of the reference; null where either is not known, and for 0/0. */
  changeRatio: number | null;
  observations: number;
}

/**
 * In order: `unknown` where history is short or the newest snapshot is over 3 hours old; `volatile` where hourly changes of the
 * last day deviate 2 times as much as those of the window; `rising` or `falling` where the trend is significant and of
 * 0.10 pp a day or more; else `stable`. History is short also where a day of the trend is missing: it is not guessed.
 *
 * @param series of the market, APY, fractions; `lastHour` is now
 * @param elapsedHours hours since its first point, that one included
 */
export function readRegime(
  series: HourlySeries,
  elapsedHours: number,
  constants: RegimeConstants,
  signals: SignalConstants,
): RegimeReading {
  const observed = observedIn(series, signals.windowHours);
  const short = isShort(observed.length, elapsedHours, signals);
  const medians = short ? null : dailyMedians(series, signals);
  const reading = {
    apy: observedIn(series, constants.maximumAgeHours + 1).at(-1) ?? null,
    observedHour: newestHour(series),
    trend: medians && theilSenSlope(medians),
    significance: medians && mannKendallZ(medians),
    volatility: short ? null : sampleDeviation(observed),
    changeRatio: short ? null : changeRatio(series, constants),
    observations: observed.length,
  };
  return { regime: label(reading, constants), ...reading };
}

/** Whether the newest snapshot is over 3 hours old, or there is none. */
export function isSilent(
  observedHour: Date | null,
  now: Date,
  { maximumAgeHours }: Pick<RegimeConstants, 'maximumAgeHours'>,
): boolean {
  return observedHour === null || hoursBetween(observedHour, now) > maximumAgeHours;
}

/** Hours without a value count, from the last one on. */
function newestHour({ lastHour, values }: HourlySeries): Date | null {
  const index = values.findLastIndex((value) => value !== null);
  return index === -1 ? null : addHours(lastHour, index - values.length + 1);
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
function changeRatio(
  { values }: HourlySeries,
  { recentHours, referenceHours }: RegimeConstants,
): number | null {
  const levels = values.slice(-referenceHours - 1);
  const changes = levels.slice(1).map((value, index) => {
    const before = levels[index] ?? null;
    return value === null || before === null ? null : value - before;
  });
  const deviation = (hours: number) => sampleDeviation(changes.slice(-hours).filter((one) => one !== null));
  const recent = deviation(recentHours);
  const whole = deviation(referenceHours);
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

/** The label an hour later: a new one needs `agreeingHours` in a row that read it. That nothing is known is shown at once: no label outlives what it was read from. */
export function nextRegime(
  state: RegimeState,
  read: Regime,
  { agreeingHours }: RegimeConstants,
): RegimeState {
  if (read === 'unknown') return FIRST_REGIME;
  const candidateHours = read === state.candidate ? state.candidateHours + 1 : 1;
  if (read === state.regime || candidateHours >= agreeingHours)
    return { regime: read, candidate: null, candidateHours: 0 };
  return { regime: state.regime, candidate: read, candidateHours };
}

/**
 * Whether the label after these hours is the same, whatever it was before them.
 *
 * @param readings oldest first
 */
export function isSettled(
  readings: readonly Pick<RegimeReading, 'regime'>[],
  { agreeingHours }: RegimeConstants,
): boolean {
  const [oldest] = readings;
  if (!oldest) return false;
  const agreeing = readings.slice(0, agreeingHours);
  const agree = agreeing.length === agreeingHours && agreeing.every(({ regime }) => regime === oldest.regime);
  return oldest.regime === 'unknown' || agree;
}
