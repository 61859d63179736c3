import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { pipelined } from './transaction.js';

describe('statements that share a round trip', () => {
  it('return results in the order of the statements', async () => {
    expect(await pipelined([sleep(2, 'late'), Promise.resolve(1)])).toEqual(['late', 1]);
  });

  it('fail with the error of the first failed statement, once all have ended', async () => {
    const ended: string[] = [];
    const failing = async (name: string, ms: number): Promise<void> => {
      await sleep(ms);
      ended.push(name);
      throw new Error(name);
    };
    await expect(pipelined([failing('cause', 4), failing('consequence', 1)])).rejects.toThrow('cause');
    expect(ended).toEqual(['consequence', 'cause']);
  });
});
