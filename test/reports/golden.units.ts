/** @param units whole asset units, as they are written in a table or an answer. @returns micro-units */
export const micro = (units: number): bigint => BigInt(Math.round(units * 1e6));

/** @param amount micro-units, 0 or more. @returns whole asset units with all their decimals */
export const units = (amount: bigint): string =>
  `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`;
