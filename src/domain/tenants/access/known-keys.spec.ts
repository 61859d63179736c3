import { describe, expect, it } from '@jest/globals';
import { digestOf } from './key-secret.js';
import { KnownKeys } from './known-keys.js';

const WALL = new Date('2026-11-20T12:00:00.000Z');
const digests = (...keys: string[]): Buffer[] => keys.map(digestOf);
const hints = (...keys: string[]): Buffer =>
  Buffer.concat(digests(...keys).map((digest) => digest.subarray(0, 12)));

describe('known keys', () => {
  it('are those that authenticated here, the last so many of them, until they are refused', () => {
    const known = new KnownKeys(() => Promise.reject(new Error('not asked')), { now: () => WALL }, 3);
    const [a, b, c, d] = digests('a', 'b', 'c', 'd') as [Buffer, Buffer, Buffer, Buffer];
    for (const digest of [a, b, c, a, d]) known.remember(digest);
    expect([a, b, c, d].map((digest) => known.has(digest))).toEqual([true, false, true, true]);
    known.forget(c);
    expect(known.has(c)).toBe(false);
  });

  it('are loaded when one is missed: all at first, then what is new, with some overlap', async () => {
    const asked: (Date | null)[] = [];
    let now = 0;
    const answers = [hints('a', 'b'), hints('c')];
    const load = async (since: Date | null): Promise<Buffer> => {
      asked.push(since);
      return answers.shift() ?? Buffer.alloc(0);
    };
    const known = new KnownKeys(load, { now: () => WALL }, 10, () => now);
    const [a, b, c] = digests('a', 'b', 'c') as [Buffer, Buffer, Buffer];
    expect(await Promise.all([known.lookFor(a), known.lookFor(b), known.lookFor(c)])).toEqual([
      true,
      true,
      false,
    ]);
    expect(await known.lookFor(c)).toBe(false);
    now += 1_000;
    expect(await known.lookFor(c)).toBe(true);
    expect(known.has(a)).toBe(true);
    expect(asked).toEqual([null, new Date(WALL.getTime() - 600_000)]);
  });

  it('of too many that are loaded are those that were used last', async () => {
    const load = async (_: Date | null, most: number): Promise<Buffer> =>
      hints('new', 'old', 'older').subarray(0, most * 12);
    const known = new KnownKeys(load, { now: () => WALL }, 2);
    const [fresh, old, older] = digests('new', 'old', 'older') as [Buffer, Buffer, Buffer];
    await known.lookFor(fresh);
    expect([fresh, old, older].map((digest) => known.has(digest))).toEqual([true, true, false]);
    known.remember(older);
    expect([fresh, old, older].map((digest) => known.has(digest))).toEqual([true, false, true]);
  });

  it('are asked for again after a load that failed', async () => {
    let now = 0;
    let down = true;
    const load = async (): Promise<Buffer> => {
      if (down) throw new Error('down');
      return hints('a');
    };
    const known = new KnownKeys(load, { now: () => WALL }, 10, () => now);
    await expect(known.lookFor(digestOf('a'))).rejects.toThrow('down');
    down = false;
    expect(await known.lookFor(digestOf('a'))).toBe(false);
    now += 1_000;
    expect(await known.lookFor(digestOf('a'))).toBe(true);
  });

  it('of 100,000 are loaded and told apart', async () => {
    const all = Array.from({ length: 100_001 }, (_, n) => digestOf(`key ${n}`));
    const load = async (): Promise<Buffer> =>
      Buffer.concat(all.slice(0, 100_000).map((digest) => digest.subarray(0, 12)));
    const known = new KnownKeys(load, { now: () => WALL });
    expect(await known.lookFor(all[99_999]!)).toBe(true);
    expect([known.has(all[0]!), known.has(all[100_000]!)]).toEqual([true, false]);
  });
});
