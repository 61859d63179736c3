import { describe, expect, it } from '@jest/globals';
import { RoundRobin } from './fan-out.service.js';

describe('robin', () => {
  /** Slices that end when the test says so; each name has the given number of them. */
  const held = (work: Record<string, number>, atOnce = 1) => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const robin = new RoundRobin<string>(async (whose) => {
      begun.push(whose);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (!(whose in work)) throw new Error('no such work');
      return --work[whose]! > 0;
    }, atOnce);
    const end = async (): Promise<void> => {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { robin, begun, end };
  };

  it('go to whoever asks, a slice at a time: one that comes later waits for a slice of each before it', async () => {
    const { robin, begun, end } = held({ a: 100, b: 1, c: 2 });
    void robin.ask('a');
    await end();
    const [b, c] = [robin.ask('b'), robin.ask('c')];
    for (const _ of [1, 2, 3]) await end();
    await b;
    for (const _ of [1, 2]) await end();
    await c;
    expect(begun.join('')).toBe('aabcaca');
  });

  it('are as many at once as may be, and one of each', () => {
    const { robin, begun } = held({ a: 2, b: 1, c: 1 }, 2);
    for (const whose of ['a', 'a', 'b', 'c']) void robin.ask(whose);
    expect(begun).toEqual(['a', 'b']);
  });

  it('look again for one that asked during its slice, which may have looked before', async () => {
    const { robin, begun, end } = held({ a: 0 });
    const first = robin.ask('a');
    const second = robin.ask('a');
    await end();
    await end();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(begun).toEqual(['a', 'a']);
  });

  it('that fail fail for whoever asked, and for nobody else', async () => {
    const { robin, begun, end } = held({ a: 1 });
    const [unknown, a] = [robin.ask('x').catch((error: Error) => error.message), robin.ask('a')];
    await end();
    await end();
    expect(await unknown).toBe('no such work');
    await a;
    expect(begun).toEqual(['x', 'a']);
  });

  it('end with the slices under way, and say whose work is left', async () => {
    const { robin, begun, end } = held({ a: 2, b: 1 });
    const all = Promise.all([robin.ask('a'), robin.ask('b')]);
    const stopped = robin.stop();
    await end();
    expect(await stopped).toEqual(['a', 'b']);
    // Work that was in progress may have more slices.
    expect(await all).toEqual([false, false]);
    expect(await robin.ask('c')).toBe(false);
    expect(begun).toEqual(['a']);
  });
});
