import type { PricedShare } from './feed.js';
import { HOUR_MS } from '../../kernel/clock.js';
import { atLeastOne, floorDivide, HOURS_PER_YEAR } from './yield-index.js';

/** Last observed share price of a vault, and the index that follows from it. */
export interface Price extends Pick<PricedShare, 'source' | 'value' | 'blockNumber' | 'blockAt'> {
  /** Index once it has taken in the price; scale 1e18, above 0. */
  target: bigint;
  /** APY over the last 7 days of block time, a fraction; null: not enough prices. */
  weekApy: number | null;
  /** APY of the second source in the same hour, a fraction; null: none. */
  otherApy: number | null;
}

/**
 * Price and the index that follows from it: the index moves in proportion to the price, up and down.
 * @param before null: first price
 * @param index index that the first price corresponds to: the vault's index at the end of the hour of the observation, scale 1e18
 */
export function pricedFrom(before: Price | null, reading: PricedShare, index: bigint): Price {
  const { source, value, blockNumber, blockAt, weekApy = null, otherApy = null } = reading;
  const follows = before !== null && before.source === source && before.value > 0n;
  const target = follows ? floorDivide(before.target * value, before.value) : index;
  return {
    source,
    value,
    target: atLeastOne(target),
    blockNumber,
    blockAt,
    weekApy,
    otherApy,
  };
}

/** Relative distance of the index from the vault's known worth: `target / index - 1`. @param index scale 1e18 */
export const pendingChange = ({ target }: Price, index: bigint): number =>
  Number(((target - index) * 10n ** 15n) / index) / 1e15;

export interface PricePoint {
  at: Date;
  value: bigint;
}

/** Share of a window that must be covered by prices. */
const MIN_COVERAGE = 0.8;
/** Observations are an hour apart and may be late, so the first price of a window may lie this long before it. */
const LATE_MS = 1.5 * HOUR_MS;
/** A higher APY is too short-lived to be used. */
const MAX_APY = 10;

/**
 * APY from share prices over the last hours of block time: their growth without steps. A step, such as a donation or a loss, changes the worth of the
 * vault but says nothing about its future yield, so it is left out together with its time.
 * @param points oldest first
 * @param maxStep largest change within an hour that counts as yield, a fraction
 * @returns fraction; null when less than 80 % of the window is covered
 */
export function yieldOver(
  points: readonly PricePoint[],
  windowHours: number,
  maxStep: number,
): number | null {
  const newest = points.at(-1);
  if (!newest) return null;
  const from = newest.at.getTime() - windowHours * HOUR_MS - LATE_MS;
  const within = points.filter(({ at, value }) => at.getTime() >= from && value > 0n);
  let [growth, hours] = [0, 0];
  for (const [index, { at, value }] of within.entries()) {
    const before = within[index - 1];
    if (!before) continue;
    const passed = (at.getTime() - before.at.getTime()) / HOUR_MS;
    // Exact until the difference is taken: a double cannot hold prices of 27 digits.
    const change = Number(((value - before.value) * 10n ** 24n) / before.value) / 1e24;
    if (Math.abs(change) > maxStep * Math.max(1, passed)) continue;
    growth += Math.log1p(change);
    hours += passed;
  }
  if (hours < windowHours * MIN_COVERAGE) return null;
  const apy = Math.expm1((growth * HOURS_PER_YEAR) / hours);
  return Math.abs(apy) > MAX_APY ? null : apy;
}
