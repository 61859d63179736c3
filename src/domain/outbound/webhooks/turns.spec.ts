import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

describe('turns', () => {
  /** Slices that end when the test says so; each name has the given number of them. */
  const held = (work: Record<string, number>, atOnce = 1) => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const turns = new Turns<string>(async (whose) => {
      begun.push(whose);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (!(whose in work)) throw new Error('no such work');
      return --work[whose]! > 0;
    }, atOnce);
    const end = async (): Promise<void> => {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { turns, begun, end };
  };

  it('go to whoever asks, a slice at a time: one that comes later waits for a slice of each before it', async () => {
    const { turns, begun, end } = held({ a: 100, b: 1, c: 2 });
    void turns.ask('a');
    await end();
    const [b, c] = [turns.ask('b'), turns.ask('c')];
    for (const _ of [1, 2, 3]) await end();
    await b;
    for (const _ of [1, 2]) await end();
    await c;
    expect(begun.join('')).toBe('aabcaca');
  });

  it('are as many at once as may be, and one of each', () => {
    const { turns, begun } = held({ a: 2, b: 1, c: 1 }, 2);
    for (const whose of ['a', 'a', 'b', 'c']) void turns.ask(whose);
    expect(begun).toEqual(['a', 'b']);
  });

  it('look again for one that asked during its slice, which may have looked before', async () => {
    const { turns, begun, end } = held({ a: 0 });
    const first = turns.ask('a');
    const second = turns.ask('a');
    await end();
    await end();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(begun).toEqual(['a', 'a']);
  });

  it('that fail fail for whoever asked, and for nobody else', async () => {
    const { turns, begun, end } = held({ a: 1 });
    const [unknown, a] = [turns.ask('x').catch((error: Error) => error.message), turns.ask('a')];
    await end();
    await end();
    expect(await unknown).toBe('no such work');
    await a;
    expect(begun).toEqual(['x', 'a']);
  });

  it('end with the slices under way, and say whose work is left', async () => {
    const { turns, begun, end } = held({ a: 2, b: 1 });
    const all = Promise.all([turns.ask('a'), turns.ask('b')]);
    const stopped = turns.stop();
    await end();
    expect(await stopped).toEqual(['a', 'b']);
    // Work that was in progress may have more slices.
    expect(await all).toEqual([false, false]);
    expect(await turns.ask('c')).toBe(false);
    expect(begun).toEqual(['a']);
  });
});
