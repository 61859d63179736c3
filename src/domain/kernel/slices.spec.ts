import { describe, expect, it } from '@jest/globals';
import { Slices } from './slices.js';

/** Does nothing, for longer than a slice. */
const burn = (): void => {
  for (const until = performance.now() + 12; performance.now() < until;);
};

describe('slices of long work', () => {
  it('are taken in turn, one at a time, and leave the event loop a turn between them', async () => {
    const slices = new Slices();
    const done: string[] = [];
    const work = (name: string, hours: number) =>
      slices.run(async (rest) => {
        for (let hour = 1; hour <= hours; hour++) {
          burn();
          done.push(name + hour);
          await rest();
        }
      });
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    await Promise.all([work('a', 4), work('b', 2)]);
    clearInterval(other);
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
    expect(turns).toBeGreaterThan(0);
  });

  it('go on behind work that fails', async () => {
    const slices = new Slices();
    await expect(slices.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slices.run(async () => 'done')).toBe('done');
  });
});
