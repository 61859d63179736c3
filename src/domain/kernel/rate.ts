/** Decimals of every displayed rate, share and index. */
export const RATE_DECIMALS = 12;

/** Scale of a rate as an integer, to multiply amounts by. */
export const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);

declare const rounded: unique symbol;

/** Rate with at most 12 decimals. Only `roundRate` creates it: fields of answers and events have this type, so that no rate is shown unrounded. */
export type RoundedRate = number & { readonly [rounded]: true };

/**
 * The only place that rounds rates. Sums of binary fractions end in noise, such as 0.10000000000000003, so one figure computed in two ways would be
 * shown as two.
 */
export function roundRate(rate: number): RoundedRate;
export function roundRate(rate: number | null): RoundedRate | null;
export function roundRate(rate: number | null): RoundedRate | null {
  // Adding 0 turns -0, which JSON does not have, into 0.
  return rate === null ? null : ((Number(rate.toFixed(RATE_DECIMALS)) + 0) as RoundedRate);
}

/** Rounded difference, so that 6 % less 5 % reaches a threshold of 1 pp, which binary fractions would miss. */
export const rateDifference = (rate: number, other: number): RoundedRate => roundRate(rate - other);

/** APY in words: `4.30 %`; null: `unknown`. */
export const percentInWords = (rate: number | null): string =>
  rate === null ? 'unknown' : `${(rate * 100).toFixed(2)} %`;

/** Difference of rates in words: `1.46 pp`. */
export const pointsInWords = (rate: number, decimals = 2): string => `${(rate * 100).toFixed(decimals)} pp`;

export const scaledRate = (rate: number): bigint => BigInt(Math.round(rate * Number(RATE_SCALE)));

/** A number that may be an amount beyond 2^33 units. */
const LONG_NUMBER = /:-?\d{10}/;

/** JSON with an exact text beside each amount that a double does not hold to the micro-unit: such an amount is an object, which has that text. */
export function jsonOf(body: object): string {
  const text = JSON.stringify(body);
  return LONG_NUMBER.test(text) ? JSON.stringify(body, withExactTexts) : text;
}

function withExactTexts(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, unknown][] =>
      one instanceof Number
        ? [
            [name, one.valueOf()],
            [`${name}_exact`, String(one)],
          ]
        : [[name, one]],
    ),
  );
}
