import type { Observation } from './feed.js';
import { addHours, hourOf, hoursBetween } from './hour.js';
import { type Price, pricedFrom } from './share-price.js';
import type { FeedSource } from './vault.js';
import {
  accrueIndex,
  floorDivide,
  hourlyFactor,
  INDEX_SCALE,
  indexWithin,
  MAX_GAP_HOURS,
  writeDown,
} from './yield-index.js';

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
  /** At the beginning of the hour; scale 1e18. */
  index: bigint;
  /** What the index grows by in the hour, fixed when the hour begins; scale 1e18, 0 where it rests. */
  factor: bigint;
  /** What was last observed, and for which hour; all null before the first observation. The APY of a share price also where prices do not tell it yet. */
  lastApy: number | null;
  /** Micro-units; null where the feed did not say. */
  lastTvl: bigint | null;
  observedHour: Date | null;
  /** Averages of what was observed; null before the first observation. */
  smoothed: SmoothedApy | null;
  /** null for a real one. */
  simulated: SimulatedPlace | null;
  /** null where no share price was seen. */
  price: Price | null;
}

/** One row of a vault's path. */
export interface Snapshot {
  vaultId: string;
  hour: Date;
  /** Fraction; null where the feed had nothing for the hour. */
  apy: number | null;
  tvl: bigint | null;
  /** At the beginning of the hour, and what it grows by within it. */
  index: bigint;
  factor: bigint;
}

/** True when the last observation is more than 24 hours back, or there is none: the index rests, and the vault is no target. */
export function isStale({ observedHour }: Pick<VaultState, 'observedHour'>, hour: Date): boolean {
  return observedHour === null || hoursBetween(observedHour, hour) > MAX_GAP_HOURS;
}

/**
 * Hours from an observation to the first one that accrues at it. A simulated one is computed, so it is known when its hour begins. A feed is asked some time
 * after: its answer counts from the next hour on, or else what a moment is worth would hang on when the tick ran.
 */
const HOURS_UNTIL_KNOWN: Record<FeedSource['kind'], number> = {
  simulated: 0,
  idle: 0,
  defillama: 1,
  chain: 1,
};

/**
 * One vault, one hour on: the hour that ended has accrued by its factor; then comes what is seen of the new one, and the factor that is fixed for it: of the
 * newest observation that is known when it begins. Each observation accrues for 24 hours at most.
 *
 * @param hour the hour that begins now, directly after the state's
 * @param feed where observations come from
 */
export function nextHour(
  state: VaultState,
  hour: Date,
  seen: Observation | undefined,
  feed: FeedSource['kind'],
): { state: VaultState; snapshot: Snapshot } {
  const grown = accrueIndex(state.index, state.factor);
  const priced = feed === 'chain' ? towardsPrice(state, hour, grown) : null;
  const index =
    priced?.index ?? (seen?.lossPerMille === undefined ? grown : writeDown(grown, seen.lossPerMille));
  const observed = seen
    ? { ...state, index, lastApy: seen.apy, lastTvl: seen.tvl, observedHour: hour }
    : { ...state, index };
  const delay = HOURS_UNTIL_KNOWN[feed];
  const factor = priced?.factor ?? factorOf(delay === 0 ? observed : state, hour, delay);
  // What was seen without a price is of another feed: the next price begins anew.
  const price = seen ? priceAfter(state.price, seen, accrueIndex(index, factor)) : state.price;
  return {
    state: { ...observed, factor, price },
    snapshot: { vaultId: state.vaultId, hour, apy: seen?.apy ?? null, tvl: seen?.tvl ?? null, index, factor },
  };
}

const priceAfter = (before: Price | null, { price }: Observation, index: bigint): Price | null =>
  price === undefined ? null : pricedFrom(before, price, index);

/**
 * The hour after one in which a share price was seen takes it: a rise is earned over the hour, a loss stands from its first moment, so that nobody is paid what is gone. An hour after none
 * goes on at the last yield, and the next price sets it right.
 */
function towardsPrice(
  { price, observedHour }: VaultState,
  hour: Date,
  grown: bigint,
): { index: bigint; factor: bigint } | null {
  if (price === null || observedHour === null || hoursBetween(observedHour, hour) !== 1) return null;
  const { target } = price;
  if (target <= grown) return { index: target, factor: 0n };
  return { index: grown, factor: floorDivide((target - grown) * INDEX_SCALE, grown) };
}

function factorOf({ lastApy, observedHour }: VaultState, hour: Date, delay: number): bigint {
  if (lastApy === null || observedHour === null) return 0n;
  return hoursBetween(observedHour, hour) - delay < MAX_GAP_HOURS ? hourlyFactor(lastApy) : 0n;
}

/** Hours that are run ahead of the newest tick. A fed vault rests long before; a simulated market that is further behind is being caught up. */
const MOST_HOURS_AHEAD = 168;

/**
 * A vault at a moment: its index then, and what was last observed. Hours that no tick has added yet are gone through as a tick will, without what nobody
 * can know yet, so that it is the same whenever they are added.
 *
 * @param state as of `hour`
 * @param moment one before `hour` counts as its beginning
 * @param next how the vault comes from its state to the next hour's
 */
export function stateAt(
  state: VaultState,
  hour: Date,
  moment: Date,
  next: (before: VaultState, hour: Date) => VaultState,
): VaultState {
  const last = Math.min(hourOf(moment).getTime(), addHours(hour, MOST_HOURS_AHEAD).getTime());
  let [reached, within] = [hour, state];
  while (reached.getTime() < last) {
    reached = addHours(reached, 1);
    within = next(within, reached);
  }
  return {
    ...within,
    index: indexWithin(within.index, within.factor, moment.getTime() - reached.getTime()),
  };
}
