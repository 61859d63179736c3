import type { Constants } from '../../../config/constants.js';
import { addHours, hoursBetween } from '../../kernel/clock.js';
import { double, integer, orNull, type RowOf, text, time } from '../../kernel/store/column.js';
import { mannKendallZ, sampleDeviation, theilSenSlope } from './statistics.js';
import { dailyMedians, type HourlySeries, isShort, observedIn, type SignalConstants } from './signal.js';

export const KNOWN_REGIMES = ['rising', 'falling', 'stable', 'volatile'] as const;
export type KnownRegime = (typeof KNOWN_REGIMES)[number];

export const REGIMES = [...KNOWN_REGIMES, 'unknown'] as const;
export type Regime = (typeof REGIMES)[number];

export const REGIME_REASONS = ['short_history', 'silent_feed'] as const;
export type RegimeReason = (typeof REGIME_REASONS)[number];

export type RegimeConstants = Constants['regime'];

/** Hours of a series that a regime needs beside its signals: one more than the number of changes. */
export const regimeHours = ({
  maxAgeHours,
  volatileWindowHours,
  referenceWindowHours,
}: RegimeConstants): number => Math.max(maxAgeHours, volatileWindowHours, referenceWindowHours) + 1;

/** Classification inputs of one hour, before hysteresis. Rates are fractions. */
export const READING = {
  regime: text<Regime>(),
  /** Newest APY; null when it is too old, or there is none. */
  apy: orNull(double()),
  /** Hour of the newest value in the series; null without one. */
  observedHour: orNull(time()),
  /** Slope a day; null with fewer than 7 complete days. */
  trend: orNull(double()),
  /** Mann-Kendall z of the trend; null when the trend is. */
  significance: orNull(double()),
  /** Sample deviation of the APY over W; null with short history. */
  volatility: orNull(double()),
  /** Deviation of the latest hourly changes divided by that of the reference; null when either is unknown, and for 0/0. */
  changeRatio: orNull(double()),
  observations: integer(),
};
export type RegimeReading = RowOf<typeof READING>;

/**
 * Regime of one hour. In this order: `unknown` with short history or a newest snapshot over 3 hours old; `volatile` when hourly changes of the last
 * day deviate twice as much as those of the window; `rising` or `falling` when the trend is significant and at least 0.10 pp a day; otherwise
 * `stable`. History also counts as short when a day of the trend is missing: it is not guessed.
 * @param series APY of the market, fractions; `lastHour` is now
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
    apy: observedIn(series, constants.maxAgeHours + 1).at(-1) ?? null,
    observedHour: newestHour(series),
    trend: medians && theilSenSlope(medians),
    significance: medians && mannKendallZ(medians),
    volatility: short ? null : sampleDeviation(observed),
    changeRatio: short ? null : changeRatio(series, constants),
    observations: observed.length,
  };
  return { regime: label(reading, constants), ...reading };
}

/** Whether the newest snapshot is over 3 hours old, or missing. */
export function isSilent(observedHour: Date | null, now: Date, { maxAgeHours }: RegimeConstants): boolean {
  return observedHour === null || hoursBetween(observedHour, now) > maxAgeHours;
}

/** Hours without a value count, from the last one on. */
function newestHour({ lastHour, values }: HourlySeries): Date | null {
  const index = values.findLastIndex((value) => value !== null);
  return index === -1 ? null : addHours(lastHour, index - values.length + 1);
}

function label(
  { apy, trend, significance, changeRatio: ratio }: Omit<RegimeReading, 'regime'>,
  { volatileRatio, trendZ, minSlopePerDay }: RegimeConstants,
): Regime {
  if (apy === null || trend === null || significance === null) return 'unknown';
  if (ratio !== null && ratio >= volatileRatio) return 'volatile';
  if (Math.abs(significance) < trendZ || Math.abs(trend) < minSlopePerDay) return 'stable';
  return trend > 0 ? 'rising' : 'falling';
}

/** Changes between consecutive hours that both have a snapshot. */
function changeRatio(
  { values }: HourlySeries,
  { volatileWindowHours, referenceWindowHours }: RegimeConstants,
): number | null {
  const levels = values.slice(-referenceWindowHours - 1);
  const changes = levels.slice(1).map((value, index) => {
    const before = levels[index] ?? null;
    return value === null || before === null ? null : value - before;
  });
  const deviation = (hours: number) =>
    sampleDeviation(changes.slice(-hours).filter((change) => change !== null));
  const recent = deviation(volatileWindowHours);
  const whole = deviation(referenceWindowHours);
  return recent === null || whole === null || whole === 0 ? null : recent / whole;
}

/** Regime of an asset, as stored between hours. */
export const REGIME_STATE = {
  regime: text<Regime>(),
  /** Different label read in the latest hours, and the number of consecutive hours. */
  candidate: orNull(text<Regime>()),
  candidateHours: integer(),
};
export type RegimeState = RowOf<typeof REGIME_STATE>;

export const FIRST_REGIME: RegimeState = { regime: 'unknown', candidate: null, candidateHours: 0 };

/** Label an hour later: a new one needs `agreeingHours` consecutive readings. `unknown` applies at once, so that no label outlives its data. */
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
