import type { Observation } from './feed.js';
import { hoursBetween } from './hour.js';
import { accrueIndex, hourlyFactor, MAX_GAP_HOURS, writeDown } from './yield-index.js';

/** Two averages of a vault's observed APY that are carried from hour to hour: of now, and of the long run. Fractions a year. */
export interface SmoothedApy {
  recent: number;
  long: number;
}

/** Where a simulated vault's path stands: all that its next hour needs. */
export interface SimulatedPlace {
  /** Logit utilisation. */
  x: number;
  /** Logarithm of its TVL over that of its rate curve. */
  size: number;
}

/** A vault in a market, as of its last tick. */
export interface VaultState {
  vaultId: string;
  /** Scale 1e18. */
  index: bigint;
  /** What was last observed, and for which hour; all null before the first observation. */
  lastApy: number | null;
  /** Micro-units; null where the feed did not say. */
  lastTvl: bigint | null;
  observedHour: Date | null;
  /** Averages of what was observed; null before the first observation. */
  smoothed: SmoothedApy | null;
  /** null for a real one. */
  simulated: SimulatedPlace | null;
}

/** One row of a vault's path. */
export interface Snapshot {
  vaultId: string;
  hour: Date;
  /** Fraction; null where the feed had nothing for the hour. */
  apy: number | null;
  tvl: bigint | null;
  index: bigint;
}

/** True when the last observation is more than 24 hours back, or there is none: the index rests, and the vault is no target. */
export function isStale({ observedHour }: Pick<VaultState, 'observedHour'>, hour: Date): boolean {
  return observedHour === null || hoursBetween(observedHour, hour) > MAX_GAP_HOURS;
}

/**
 * One vault, one hour on: the hour that ended accrues at what was observed last, if that is not too long ago; then comes what is seen now.
 *
 * @param hour the hour that begins now, directly after the state's
 */
export function nextHour(
  state: VaultState,
  hour: Date,
  seen: Observation | undefined,
): { state: VaultState; snapshot: Snapshot } {
  const { vaultId, lastApy, observedHour } = state;
  const accrues =
    lastApy !== null && observedHour !== null && hoursBetween(observedHour, hour) <= MAX_GAP_HOURS;
  const grown = accrues ? accrueIndex(state.index, hourlyFactor(lastApy)) : state.index;
  const index = seen?.lossPerMille === undefined ? grown : writeDown(grown, seen.lossPerMille);
  const next = seen
    ? { ...state, index, lastApy: seen.apy, lastTvl: seen.tvl, observedHour: hour }
    : { ...state, index };
  return { state: next, snapshot: { vaultId, hour, apy: seen?.apy ?? null, tvl: seen?.tvl ?? null, index } };
}
