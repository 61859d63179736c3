import { describe, expect, it } from '@jest/globals';
import { type PlaceBounds, Places } from './places.js';

class Refused extends Error {}
const next = (): Promise<unknown> => new Promise(setImmediate);
const placesOf = (bounds: PlaceBounds): Places => new Places({ refusal: () => new Refused(), ...bounds });

/** Work that begins when it gets a slot and ends when the test says so; the first letter of a name is its owner. */
function worksOf(places: Places) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  const run = (name: string): void => void places.run(work(name), name[0]);
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await next();
  };
  const begin = async (...names: string[]): Promise<string[]> => {
    names.forEach(run);
    await next();
    return begun;
  };
  return { begun, work, begin, end };
}

describe('places', () => {
  it('are taken until none is free; who comes after waits, in the order of coming', async () => {
    const places = placesOf({ places: 2 });
    const { begun, begin, end } = worksOf(places);
    expect(await begin('a1', 'a2', 'a3', 'a4')).toEqual(['a1', 'a2']);
    expect(places.waitingOf('a')).toBe(2);
    await end('a2');
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('go to those that wait by owner, one of each in turn', async () => {
    const { begun, begin, end } = worksOf(placesOf({ places: 1 }));
    await begin('a1', 'a2', 'a3', 'b1');
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('are held by one owner up to its share, and what is free is for others', async () => {
    const { begun, begin, end } = worksOf(placesOf({ places: 3, share: 2 }));
    expect(await begin('a1', 'a2', 'a3', 'b1', 'c1')).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(begun.at(-1)).toBe('c1');
    await end('a1');
    expect(begun.at(-1)).toBe('a3');
  });

  it('count what an owner still holds when one of its places came free', async () => {
    const { begun, begin, end } = worksOf(placesOf({ share: 2 }));
    await begin('a1', 'a2');
    await end('a1');
    await begin('a3', 'a4');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('are, without a number of all, each owner’s alone', async () => {
    const { begun, begin, end } = worksOf(placesOf({ share: 1 }));
    expect(await begin('a1', 'b1', 'a2', 'b2', 'c1')).toEqual(['a1', 'b1', 'c1']);
    await end('b1');
    expect(begun.at(-1)).toBe('b2');
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'b2']);
    await end('a1');
    expect(begun.at(-1)).toBe('a2');
  });

  it('are not waited for by what runs now or not at all', async () => {
    const places = placesOf({ places: 2, share: 1 });
    const { work, end } = worksOf(places);
    const first = places.runNow(work('a1'), 'a');
    expect(places.runNow(work('a2'), 'a')).toBeNull();
    expect(places.runNow(work('b1'), 'b')).not.toBeNull();
    expect(places.runNow(work('c1'), 'c')).toBeNull();
    await end('a1');
    expect(await first).toBe('a1');
    expect(places.runNow(work('a2'), 'a')).not.toBeNull();
  });

  it('say who had to wait, and are given back once', async () => {
    const places = placesOf({ places: 1 });
    const first = await places.enter();
    const second = places.enter();
    first.leave();
    expect([first.waited, (await second).waited]).toEqual([false, true]);
    (await second).leave();
    expect((await places.enter()).waited).toBe(false);
  });

  it('are waited for by so many of an owner', async () => {
    const places = placesOf({ places: 1, length: 2 });
    const { begin } = worksOf(places);
    await begin('a1', 'a2', 'a3');
    await expect(places.enter('a')).rejects.toThrow(Refused);
    void places.enter('b');
    expect([places.waitingOf('a'), places.waitingOf('b')]).toEqual([2, 1]);
  });

  it.each([
    ['the usual time', { waitMs: 5 }, {}],
    ['the time of the one wait', { waitMs: 60_000 }, { ms: 5 }],
  ])('are waited for no longer than %s, and lose nothing to whoever gave up', async (_, bounds, wait) => {
    const places = placesOf({ places: 1, ...bounds });
    const { begun, begin, end } = worksOf(places);
    await begin('a1');
    await expect(places.enter('b', wait)).rejects.toThrow(Refused);
    expect(places.waitingOf('b')).toBe(0);
    await end('a1');
    expect(await begin('b1')).toEqual(['a1', 'b1']);
    expect(begun).toHaveLength(2);
  });

  it('are not waited for by who is gone', async () => {
    const places = placesOf({ places: 1, length: 1 });
    const { leave } = await places.enter();
    const gone = new AbortController();
    const wait = places.enter('', { gone: gone.signal });
    gone.abort(new Error('gone'));
    await expect(wait).rejects.toThrow('gone');
    const other = places.enter();
    leave();
    expect((await other).waited).toBe(true);
    (await other).leave();
    await expect(places.enter('', { gone: gone.signal })).rejects.toThrow('gone');
    expect((await places.enter()).waited).toBe(false);
  });

  it('are kept by who goes after it got one, until it gives it back', async () => {
    const places = placesOf({ places: 1 });
    const gone = new AbortController();
    const { leave } = await places.enter('', { gone: gone.signal });
    gone.abort(new Error('gone'));
    expect(places.runNow(async () => 1)).toBeNull();
    leave();
    expect(await places.runNow(async () => 1)).toBe(1);
  });

  it('are given back by work that fails, and nothing is kept of an owner without one', async () => {
    const places = placesOf({ places: 1 });
    const failing = places.run(() => Promise.reject(new Error('no')), 'a');
    await expect(failing).rejects.toThrow('no');
    expect(await places.runNow(async () => 'a2', 'a')).toBe('a2');
    const { held, line } = places as unknown as { held: Map<string, number>; line: { isEmpty: boolean } };
    expect([held.size, line.isEmpty]).toEqual([0, true]);
  });
});
