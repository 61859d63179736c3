import type { Observation } from './feed.js';
import { hoursBetween } from '../../kernel/clock.js';
import { type Price, pricedFrom } from './share-price.js';
import type { FeedSource } from '../../kernel/catalogue/catalogue.js';
import {
  accrueIndex,
  floorDivide,
  hourlyFactor,
  INDEX_SCALE,
  isStale,
  MAX_GAP_HOURS,
  writeDown,
} from './yield-index.js';

export interface SmoothedApy {
  recent: number;
  long: number;
}

/** State of a simulated vault: everything that its next hour needs. */
export interface SimulatedPlace {
  /** Logit of utilisation: around its mean within days, and what is added to it within weeks and within months. */
  x: number;
  week: number;
  level: number;
  /** Logarithm of assets relative to the scale of its rate curve. */
  size: number;
  /** Part of the way from the kink to full utilisation at which a spike keeps it; 0: none. */
  spike: number;
}

/** State of a vault in a market, as of its last tick. */
export interface VaultState {
  vaultId: string;
  /** Index at the beginning of the hour; scale 1e18. */
  index: bigint;
  /** Growth factor of the hour, fixed when it begins; scale 1e18, 0 while the index rests. */
  factor: bigint;
  /** Last observation and its hour; all null before the first one. For a vault with a share price, the APY may still be null. */
  lastApy: number | null;
  lastTvl: bigint | null;
  lastAssets: bigint | null;
  lastLiquidity: bigint | null;
  observedHour: Date | null;
  /** Averages of the observations; null before the first one. */
  smoothed: SmoothedApy | null;
  /** null for a real vault. */
  simulated: SimulatedPlace | null;
  price: Price | null;
  /** Base fees of its chain in the last 24 observed hours, the newest last; wei. */
  baseFees: readonly number[];
  /** First hour of the doubted readings since the last believed one; null: none. */
  doubtedSince: Date | null;
  /** null: the vault may take funds. */
  quarantine: Quarantine | null;
}

export const QUARANTINE_REASONS = ['index', 'outflow'] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** Time in which a vault takes no new funds, because it lost assets or value. */
export interface Quarantine {
  until: Date;
  reason: QuarantineReason;
}

/** An observation as it is stored; all null when the feed had no data for the hour. */
export interface Snapshot extends Pick<Observation, 'apy' | 'tvl' | 'assets' | 'liquidity'> {
  vaultId: string;
  hour: Date;
  rewardApy: number | null;
  /** Index at the beginning of the hour, and growth factor within it. */
  index: bigint;
  factor: bigint;
}

/**
 * Hours from an observation to the first hour that accrues at it. A simulated one is computed, so it is known when its hour begins. A feed is read
 * later in the hour and counts from the next one on; otherwise the value of a moment would depend on when the tick ran.
 */
const HOURS_UNTIL_KNOWN: Record<FeedSource['kind'], number> = {
  simulated: 0,
  idle: 0,
  defillama: 1,
  chain: 1,
};

/**
 * Transition of a vault to the next hour: the ended hour accrues by its factor; then the new hour takes its observation, and a factor fixed from the
 * newest observation known at its beginning. A gap of up to and including 24 hours accrues; a longer one is stale and does not.
 */
export function nextHour(
  state: VaultState,
  hour: Date,
  reading: Observation | undefined,
  feed: FeedSource['kind'],
): { state: VaultState; snapshot: Snapshot } {
  const believed = acceptedReading(reading, state);
  const doubtedSince =
    reading === undefined
      ? state.doubtedSince
      : reading.doubted === true
        ? (state.doubtedSince ?? hour)
        : null;
  const grown = accrueIndex(state.index, state.factor);
  const priced = feed === 'chain' ? towardsPrice(state, hour, grown) : null;
  const index =
    priced?.index ?? (reading?.lossPerMille === undefined ? grown : writeDown(grown, reading.lossPerMille));
  const observed = believed
    ? {
        ...state,
        index,
        lastApy: believed.apy,
        lastTvl: believed.tvl,
        lastAssets: believed.assets,
        lastLiquidity: believed.liquidity,
        observedHour: hour,
      }
    : { ...state, index, ...(reading && lowerAmounts(state, reading)) };
  const { baseFee } = reading ?? {};
  const baseFees =
    baseFee === undefined ? state.baseFees : [...state.baseFees, baseFee].slice(-MAX_GAP_HOURS);
  const delay = HOURS_UNTIL_KNOWN[feed];
  const factor = priced?.factor ?? factorOf(delay === 0 ? observed : state, hour);
  // An observation without a price is from another feed: the next price starts a new series.
  const price = believed ? priceAfter(state.price, believed, accrueIndex(index, factor)) : state.price;
  return {
    state: { ...observed, factor, price, doubtedSince, baseFees },
    snapshot: {
      vaultId: state.vaultId,
      hour,
      apy: believed?.apy ?? null,
      rewardApy: believed?.rewardApy ?? null,
      tvl: reading?.tvl ?? null,
      assets: reading?.assets ?? null,
      liquidity: reading?.liquidity ?? null,
      index,
      factor,
    },
  };
}

/**
 * What an hour takes from a reading. A doubted rate counts as the last one that was believed, so that the vault keeps its history; a doubted price as no
 * observation, since funds that enter at it would share in what may not last.
 */
function acceptedReading(
  reading: Observation | undefined,
  { lastApy }: Pick<VaultState, 'lastApy'>,
): Observation | undefined {
  if (reading?.doubted !== true) return reading;
  return reading.price || lastApy === null ? undefined : { ...reading, apy: lastApy };
}

/** Last known amounts after a doubted reading, which may only lower them: an outflow is believed at once. */
const lowerAmounts = (
  { lastTvl, lastAssets, lastLiquidity }: VaultState,
  { tvl, assets, liquidity }: Observation,
): Pick<VaultState, 'lastTvl' | 'lastAssets' | 'lastLiquidity'> => ({
  lastTvl: lesser(lastTvl, tvl),
  lastAssets: lesser(lastAssets, assets),
  lastLiquidity: lesser(lastLiquidity, liquidity),
});

const lesser = (last: bigint | null, read: bigint | null): bigint | null =>
  last === null || (read !== null && read < last) ? read : last;

const priceAfter = (before: Price | null, { price }: Observation, index: bigint): Price | null =>
  price === undefined ? null : pricedFrom(before, price, index);

/**
 * Hour after the observation of a share price, which closes the distance to it: a gain accrues over the hour; a loss applies from its first moment,
 * so that no withdrawal pays funds that are lost. An hour without one continues at the last yield, and the next price corrects it.
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

const factorOf = (state: VaultState, hour: Date): bigint =>
  state.lastApy === null || isStale(state, hour) ? 0n : hourlyFactor(state.lastApy);

/** Cash yields 0, which is an observation at every hour and not a guess. Its TVL is not used. */
export const idleObservation = (hour: Date): Observation => ({
  apy: 0,
  tvl: null,
  assets: null,
  liquidity: null,
  observedAt: hour,
});

export const initialState = (vaultId: string): VaultState => ({
  vaultId,
  index: INDEX_SCALE,
  factor: 0n,
  lastApy: null,
  lastTvl: null,
  lastAssets: null,
  lastLiquidity: null,
  observedHour: null,
  smoothed: null,
  simulated: null,
  price: null,
  baseFees: [],
  doubtedSince: null,
  quarantine: null,
});

export const idleState = (vaultId: string, hour: Date): VaultState => ({
  ...initialState(vaultId),
  lastApy: 0,
  observedHour: hour,
});
