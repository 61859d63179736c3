import { describe, expect, it } from '@jest/globals';
import { FairSemaphore, type SemaphoreBounds } from './fair-semaphore.js';

class Refused extends Error {}
const next = (): Promise<unknown> => new Promise(setImmediate);
const semaphoreOf = (bounds: SemaphoreBounds): FairSemaphore =>
  new FairSemaphore({ refusal: () => new Refused(), ...bounds });

/** Work that begins when it gets a slot and ends when the test says so; the first letter of a name is its owner. */
function worksOf(slots: FairSemaphore) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  const run = (name: string): void => void slots.run(work(name), name[0]);
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

describe('slots', () => {
  /** Steps: requests that are made, or one that ends its work; and those that begin then. */
  it.each<[string, SemaphoreBounds, [step: string, begun: string][]]>(
    // prettier-ignore
    [
      ['are given out until none is free; later requests wait in order', { slots: 2 }, [['+a1 a2 a3 a4', 'a1 a2'], ['-a2', 'a3'], ['-a1', 'a4']]],
      ['are given to waiting owners in turn, one request each', { slots: 1 }, [['+a1 a2 a3 b1', 'a1'], ['-a1', 'a2'], ['-a2', 'b1'], ['-b1', 'a3']]],
      ['are limited for one owner by its share, and free ones are given to others', { slots: 3, share: 2 }, [['+a1 a2 a3 b1 c1', 'a1 a2 b1'], ['-b1', 'c1'], ['-a1', 'a3']]],
      ['count those that an owner still holds after it releases one', { share: 2 }, [['+a1 a2', 'a1 a2'], ['-a1', ''], ['+a3 a4', 'a3']]],
      ['are limited for each owner alone without a total limit', { share: 1 }, [['+a1 b1 a2 b2 c1', 'a1 b1 c1'], ['-b1', 'b2'], ['-c1', ''], ['-a1', 'a2']]],
    ],
  )('Slots %s', async (_, bounds, steps) => {
    const { begun, begin, end } = worksOf(semaphoreOf(bounds));
    const expected: string[] = [];
    for (const [step, names] of steps) {
      if (step.startsWith('+')) await begin(...step.slice(1).split(' '));
      else await end(step.slice(1));
      expected.push(...names.split(' ').filter(Boolean));
      expect(begun).toEqual(expected);
    }
  });

  it('Slots are refused at once to work that must run now, if none is free', async () => {
    const slots = semaphoreOf({ slots: 2, share: 1 });
    const { work, end } = worksOf(slots);
    const first = slots.runNow(work('a1'), 'a');
    expect(slots.runNow(work('a2'), 'a')).toBeNull();
    expect(slots.runNow(work('b1'), 'b')).not.toBeNull();
    expect(slots.runNow(work('c1'), 'c')).toBeNull();
    await end('a1');
    expect(await first).toBe('a1');
    expect(slots.runNow(work('a2'), 'a')).not.toBeNull();
  });

  it('Slots show whether a request had to wait, and are released only once', async () => {
    const slots = semaphoreOf({ slots: 1 });
    const first = await slots.enter();
    const second = slots.enter();
    first.leave();
    expect([first.waited, (await second).waited]).toEqual([false, true]);
    (await second).leave();
    expect((await slots.enter()).waited).toBe(false);
  });

  it('Slots have a limited queue for each owner', async () => {
    const slots = semaphoreOf({ slots: 1, length: 2 });
    const { begin } = worksOf(slots);
    await begin('a1', 'a2', 'a3');
    await expect(slots.enter('a')).rejects.toThrow(Refused);
    void slots.enter('b');
    expect([slots.waitingOf('a'), slots.waitingOf('b')]).toEqual([2, 1]);
  });

  it.each([
    ['the default wait', { waitMs: 5 }, {}],
    ['the wait of the request', { waitMs: 60_000 }, { ms: 5 }],
  ])(
    'Slots are waited for no longer than %s, and are not lost to a request that timed out',
    async (_, bounds, wait) => {
      const slots = semaphoreOf({ slots: 1, ...bounds });
      const { begun, begin, end } = worksOf(slots);
      await begin('a1');
      await expect(slots.enter('b', wait)).rejects.toThrow(Refused);
      expect(slots.waitingOf('b')).toBe(0);
      await end('a1');
      expect(await begin('b1')).toEqual(['a1', 'b1']);
      expect(begun).toHaveLength(2);
    },
  );

  it('Slots are not given to an aborted request', async () => {
    const slots = semaphoreOf({ slots: 1, length: 1 });
    const { leave } = await slots.enter();
    const caller = new AbortController();
    const wait = slots.enter('', { signal: caller.signal });
    caller.abort(new Error('gone'));
    await expect(wait).rejects.toThrow('gone');
    const other = slots.enter();
    leave();
    expect((await other).waited).toBe(true);
    (await other).leave();
    await expect(slots.enter('', { signal: caller.signal })).rejects.toThrow('gone');
    expect((await slots.enter()).waited).toBe(false);
  });

  it('Slots are held by a request that is aborted later, until it releases its slot', async () => {
    const slots = semaphoreOf({ slots: 1 });
    const caller = new AbortController();
    const { leave } = await slots.enter('', { signal: caller.signal });
    caller.abort(new Error('gone'));
    expect(slots.runNow(async () => 1)).toBeNull();
    leave();
    expect(await slots.runNow(async () => 1)).toBe(1);
  });

  it('Slots are released by failed work', async () => {
    const slots = semaphoreOf({ slots: 1 });
    const failing = slots.run(() => Promise.reject(new Error('no')), 'a');
    await expect(failing).rejects.toThrow('no');
    expect(await slots.runNow(async () => 'a2', 'a')).toBe('a2');
  });
});
