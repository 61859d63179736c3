import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './semaphore.js';

describe('places', () => {
  /** Works that begin when they get a place, and end when told to. */
  const worksOf = (semaphore: Semaphore) => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (name: string) => (): Promise<string> => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    };
    const end = async (name: string): Promise<void> => {
      ends.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    const run = (name: string): void => void semaphore.run(work(name), name[0]);
    return { begun, work, run, end };
  };

  it('go to those that wait by partner, one of each in turn', async () => {
    const { begun, run, end } = worksOf(new Semaphore(1));
    ['a1', 'a2', 'a3', 'b1'].forEach(run);
    await end('a1');
    await end('a2');
    await end('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('are held by one partner up to its share, and what is free is for others', async () => {
    const { begun, run, end } = worksOf(new Semaphore(3, 2));
    ['a1', 'a2', 'a3', 'b1', 'c1'].forEach(run);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(begun.at(-1)).toBe('c1');
    await end('a1');
    expect(begun.at(-1)).toBe('a3');
  });

  it('are not waited for by what runs now or not at all', async () => {
    const semaphore = new Semaphore(2, 1);
    const { work, end } = worksOf(semaphore);
    const first = semaphore.runNow(work('a1'), 'a');
    expect(semaphore.runNow(work('a2'), 'a')).toBeNull();
    expect(semaphore.runNow(work('b1'), 'b')).not.toBeNull();
    expect(semaphore.runNow(work('c1'), 'c')).toBeNull();
    await end('a1');
    expect(await first).toBe('a1');
    expect(semaphore.runNow(work('a2'), 'a')).not.toBeNull();
  });

  it('are waited for no longer than that, and lose nothing to whoever gave up', async () => {
    const semaphore = new Semaphore(1);
    const { begun, work, run, end } = worksOf(semaphore);
    run('a1');
    expect(await semaphore.runWithin(1, work('b1'), 'b')).toBeNull();
    const waiting = semaphore.runWithin(60_000, work('c1'), 'c');
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    await end('c1');
    expect(await waiting).toEqual({ result: 'c1' });
    expect(await semaphore.runWithin(1, async () => 'd1', 'd')).toEqual({ result: 'd1' });
  });

  it('are given back by work that fails', async () => {
    const semaphore = new Semaphore(1);
    const failing = semaphore.run(() => Promise.reject(new Error('no')), 'a');
    await expect(failing).rejects.toThrow('no');
    expect(await semaphore.runNow(async () => 'a2', 'a')).toBe('a2');
  });
});
