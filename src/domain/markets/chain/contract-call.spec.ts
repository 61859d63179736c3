import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, parseAbiParameters } from 'viem/utils';
import type { Hex } from './chain-provider.js';
import { decodeAggregate } from './contract-call.js';

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const encoded = (results: readonly { success: boolean; returnData: Hex }[]): Hex =>
  encodeAbiParameters(parseAbiParameters('(bool success, bytes returnData)[]'), [results]);
const read = (data: Hex, calls = 4): Promise<unknown[] | null> =>
  decodeAggregate(
    Array.from({ length: calls }, () => ({
      to: '0x00',
      signature: 'function total() view returns (uint256)',
    })),
    data,
  );
const RESULTS = [
  { success: true, returnData: word(7) },
  { success: false, returnData: word(8) },
  { success: true, returnData: '0x' },
  { success: true, returnData: `${word(9)}${'00'.repeat(608)}` },
] as const;

describe('a Multicall result', () => {
  it('A Multicall result has the value of each call, and null for a call that failed or returned nothing', async () => {
    expect(await read(encoded(RESULTS))).toEqual([7n, null, null, 9n]);
    expect(await read(encoded([]), 0)).toEqual([]);
  });

  it('A Multicall result has null for a call that returned more bytes than any type has', async () => {
    const long = { success: true, returnData: `${word(9)}${'00'.repeat(609)}` } as const;
    expect(await read(encoded([...RESULTS.slice(0, 3), long]))).toEqual([7n, null, null, null]);
  });

  it('A Multicall result is null if it is truncated, has the wrong number of calls, or contains an invalid word', async () => {
    const whole = encoded(RESULTS);
    for (let length = 2; length < whole.length; length += 2)
      expect(await read(whole.slice(0, length) as Hex)).toBeNull();
    expect(await read(whole, 3)).toBeNull();
    const [head, ...words] = whole.slice(2).match(/.{64}/g)!;
    for (const index of [0, 1, 5, 6]) {
      const wrong = words.with(index, 'f'.repeat(64));
      expect([index, await read(`0x${head}${wrong.join('')}`)]).toEqual([index, null]);
    }
  });
});
