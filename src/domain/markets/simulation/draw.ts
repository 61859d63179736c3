import { hash } from 'node:crypto';
import { logarithm } from './simulation-constants.js';

export interface Draw {
  normal: readonly [number, number, number, number];
  uniform: readonly [number, number];
}

/**
 * Random draws of a vault in an hour since its market began, by hash: four that are normal and independent, by Marsaglia's polar form of Box-Muller
 * (Marsaglia and Bray 1964), which needs no cosine, and two in [0, 1). A hash gives seven tries for two pairs; one in two thousand is not enough.
 */
export function draw(seed: string, vaultId: string, hours: number): Draw {
  for (let attempt = 0; ; attempt++) {
    const digest = hash('sha512', JSON.stringify([seed, vaultId, hours, attempt]), 'buffer');
    const word = (index: number) => digest.readUInt32BE(index * 4) / 2 ** 32;
    const normal: number[] = [];
    for (let index = 2; index < 16 && normal.length < 4; index += 2) {
      const [x, y] = [2 * word(index) - 1, 2 * word(index + 1) - 1];
      const square = x * x + y * y;
      if (square <= 0 || square >= 1) continue;
      const scale = Math.sqrt((-2 * logarithm(square)) / square);
      normal.push(x * scale, y * scale);
    }
    if (normal.length === 4)
      return { normal: normal as unknown as Draw['normal'], uniform: [word(0), word(1)] };
  }
}
