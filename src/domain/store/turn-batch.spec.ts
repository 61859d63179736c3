import { describe, expect, it } from '@jest/globals';
import { TurnBatch } from './turn-batch.js';

describe('a batch of a turn', () => {
  const batches: number[][] = [];
  const doubled = new TurnBatch<number, number>(async (asks) => {
    batches.push([...asks]);
    if (asks.includes(0)) throw new Error('no zero');
    return asks.map((ask) => 2 * ask);
  }, 3);
  const asked = async (...asks: number[]): Promise<unknown[]> => {
    batches.length = 0;
    return Promise.all(asks.map((ask) => doubled.ask(ask).catch((error: Error) => error.message)));
  };

  it('answers each of those that ask together, in one go', async () => {
    expect(await asked(1, 2)).toEqual([2, 4]);
    expect(batches).toEqual([[1, 2]]);
  });

  it('is no larger than it may be', async () => {
    expect(await asked(1, 2, 3, 4)).toEqual([2, 4, 6, 8]);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  it('asks again for who comes later, also while an answer is on its way', async () => {
    batches.length = 0;
    const first = doubled.ask(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await Promise.all([first, doubled.ask(1)])).toEqual([2, 2]);
    expect(batches).toEqual([[1], [1]]);
  });

  it('fails for all that asked together, and for nobody else', async () => {
    expect(await asked(1, 0)).toEqual(['no zero', 'no zero']);
    expect(await asked(1)).toEqual([2]);
  });
});
