import type { PricedShare } from './feed.js';
import { HOUR_MS } from './hour.js';
import { floorDivide, HOURS_PER_YEAR } from './yield-index.js';

/** What a vault was last seen to be worth on its chain, and where that takes its index. */
export interface Price {
  /** Which contract it is the price of; another one begins anew. */
  source: string;
  /** Share price in the contract's own scale, 0 or more: only its changes count. */
  value: bigint;
  /** What the index is to be once it has taken the price; scale 1e18, above 0. */
  target: bigint;
  /** Block that it was read at. */
  blockNumber: bigint;
  blockAt: Date;
  /** Yield a year over the last 7 days of block time, a fraction; null: not enough was seen. */
  weekApy: number | null;
  /** What the second opinion said in the same hour; null: nothing. */
  otherApy: number | null;
}

/**
 * The price as a vault takes it: the index moves as the price does, up and down.
 *
 * @param before null: none was seen
 * @param index that the first price counts as: what the vault's index will be when the hour of the look is over, scale 1e18
 */
export function pricedFrom(before: Price | null, seen: PricedShare, index: bigint): Price {
  const { source, value, blockNumber, blockAt, weekApy = null, otherApy = null } = seen;
  const follows = before !== null && before.source === source && before.value > 0n;
  const target = follows ? floorDivide(before.target * value, before.value) : index;
  return {
    source,
    value,
    target: target > 0n ? target : 1n,
    blockNumber,
    blockAt,
    weekApy,
    otherApy,
  };
}

/** How far the index is behind what the vault is known to be worth: `target / index - 1`. @param index scale 1e18 */
export const pendingChange = ({ target }: Price, index: bigint): number =>
  Number(((target - index) * 10n ** 15n) / index) / 1e15;

/** A share price at a moment of its chain. */
export interface PricePoint {
  /** Of the block. */
  at: Date;
  value: bigint;
}

/** Part of a window that has to be seen. */
const LEAST_COVERAGE = 0.8;
/** Looks are an hour apart, and so late at most that the window's first one lies before it. */
const LATE_MS = 1.5 * HOUR_MS;
/** Above it a yield lasts for no hour. */
const MOST_APY = 10;

/**
 * Yield a year from share prices over the last hours of block time: what they grew by, without steps. A step, such as a donation or a loss, changes what the vault is worth and says
 * nothing of what it will earn; its time is left out with it.
 *
 * @param points oldest first
 * @param maxStep most that a price changes by within an hour as yield, a fraction
 * @returns fraction; null where less than 80 % of the window was seen
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
    // Exact until the difference is taken: a double has too few digits for two prices of 27.
    const change = Number(((value - before.value) * 10n ** 24n) / before.value) / 1e24;
    if (Math.abs(change) > maxStep * Math.max(1, passed)) continue;
    growth += Math.log1p(change);
    hours += passed;
  }
  if (hours < windowHours * LEAST_COVERAGE) return null;
  const apy = Math.expm1((growth * HOURS_PER_YEAR) / hours);
  return Math.abs(apy) > MOST_APY ? null : apy;
}
