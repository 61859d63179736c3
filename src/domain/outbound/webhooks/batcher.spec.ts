import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

describe('a batcher', () => {
  /** Statement that answers when the test says so. */
  const batcherOf = (maxBatch: number) => {
    const batches: number[][] = [];
    const answers: (() => void)[] = [];
    const doubled = new Batcher<number, number>(async (numbers) => {
      batches.push(numbers);
      await new Promise<void>((resolve) => answers.push(resolve));
      if (numbers.includes(0)) throw new Error('no zero');
      return numbers.map((number) => number * 2);
    }, maxBatch);
    const answer = async (): Promise<void> => {
      answers.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { doubled, asked: batches, answer };
  };

  it('A batcher batches requests that arrive during a run, up to its limit, in order', async () => {
    const { doubled, asked: batches, answer } = batcherOf(2);
    const all = Promise.all([1, 2, 3, 4].map((number) => doubled.ask('a', number)));
    await answer();
    await answer();
    expect(batches).toEqual([[1], [2, 3], [4]]);
    await answer();
    expect(await all).toEqual([2, 4, 6, 8]);
  });

  it('A batcher fails the requests of a failed batch alone, and continues', async () => {
    const { doubled, answer } = batcherOf(2);
    const all = Promise.allSettled([1, 0, 2, 3].map((number) => doubled.ask('a', number)));
    await answer();
    await answer();
    await answer();
    expect((await all).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
  });
});
