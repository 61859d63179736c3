import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { pipelined } from './store.js';

describe('statements that share a round trip', () => {
  it('answer in the order in which they were asked for', async () => {
    expect(await pipelined([sleep(2, 'late'), Promise.resolve(1)])).toEqual(['late', 1]);
  });

  it('fail with the first of them, not with the first that is known, once all are answered', async () => {
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
