/** Decimals of every rate, share and index that is shown. */
export const RATE_DECIMALS = 12;

/** A rate of 1, in the integers that amounts are multiplied by. */
export const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);

declare const rounded: unique symbol;

/** A rate with 12 decimals at most. Only `roundRate` makes one: a field of an answer or event has this type, so that no rate is shown as it was computed. */
export type RoundedRate = number & { readonly [rounded]: true };

/**
 * The one place that rounds rates. Sums of binary fractions end in noise, such as 0.10000000000000003, and one figure that was computed in two ways would
 * be shown as two.
 */
export function roundRate(rate: number): RoundedRate;
export function roundRate(rate: number | null): RoundedRate | null;
export function roundRate(rate: number | null): RoundedRate | null {
  // Plus 0: never -0, which JSON does not know.
  return rate === null ? null : ((Number(rate.toFixed(RATE_DECIMALS)) + 0) as RoundedRate);
}

/** Rounded, so that 6 % less 5 % reaches a threshold of 1 pp, which binary fractions alone would miss. */
export const rateDifference = (rate: number, other: number): RoundedRate => roundRate(rate - other);

/** A level of yield in words: `4.30 %`; null: `unknown`. */
export const percentInWords = (rate: number | null): string =>
  rate === null ? 'unknown' : `${(rate * 100).toFixed(2)} %`;

/** A difference of rates in words: `1.46 pp`. */
export const pointsInWords = (rate: number, decimals = 2): string => `${(rate * 100).toFixed(decimals)} pp`;

/** A rate as a whole number of `RATE_SCALE`, to multiply amounts by. */
export const scaledRate = (rate: number): bigint => BigInt(Math.round(rate * Number(RATE_SCALE)));
