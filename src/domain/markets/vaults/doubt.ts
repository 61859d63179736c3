import type { Constants } from '../../../config/constants.js';
import { hoursBetween } from '../../kernel/clock.js';
import type { Observation } from './feed.js';
import type { VaultState } from './vault-state.js';

/** Yield a year, a fraction, above which a reading is doubted: an error or an attack is likelier than such a yield that lasts. */
export const DOUBTED_APY = 0.5;
/** Hours of doubted readings in a row after which they are believed. */
export const DOUBT_HOURS = 24;
/** Rise of a share price, 1,000-fold, that is an error of its contract however long it lasts. */
const MAX_RISE = 1_000;

export type DoubtRules = Constants['chain'];

/**
 * Why an observation may not accrue yet: a yield of more than 50 % a year, above what was believed before, or a sudden rise of the share price. A
 * second source of about the same yield, or 24 hours of such readings, confirm it, but no 1,000-fold rise. A loss is never doubted: waiting would keep
 * funds in the vault.
 * @returns in words; null: it is believed
 */
export function doubtOf(
  { apy, price }: Observation,
  { price: before, lastApy, doubtedSince }: Pick<VaultState, 'price' | 'lastApy' | 'doubtedSince'>,
  hour: Date,
  { maxRise, maxDivergence }: DoubtRules,
): string | null {
  const follows = price && before && price.source === before.source;
  const rise = follows
    ? Number(((price.value - before.value) * 10n ** 12n) / (before.value || 1n)) / 1e12
    : null;
  if (rise !== null && rise < 0) return null;
  if (rise !== null && rise > MAX_RISE && before!.value > 0n)
    return `its share price rose ${rise.toFixed()}-fold`;
  if (doubtedSince !== null && hoursBetween(doubtedSince, hour) >= DOUBT_HOURS) return null;
  if (rise !== null && rise > maxRise) return `its share price rose by ${percent(rise)}`;
  if (apy === null || apy <= Math.max(DOUBTED_APY, lastApy ?? 0)) return null;
  const other = price?.otherApy ?? null;
  return other !== null && Math.abs(apy - other) <= maxDivergence ? null : `it yields ${percent(apy)} a year`;
}

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;
