import { describe, expect, it } from '@jest/globals';
import { Points } from './points.js';

let now = 0;
const points = (perMinute: number): Points => {
  now = 1_000;
  return new Points(perMinute, () => now);
};
const taken = (from: Points, name: string, times: number): number[] =>
  Array.from({ length: times }, () => from.take(name));

describe('points', () => {
  it('are a minute’s number at first, and come back evenly', () => {
    const of = points(3);
    expect(taken(of, 'a', 4)).toEqual([0, 0, 0, 20]);
    now += 19_000;
    expect(of.take('a')).toBe(1);
    now += 1_000;
    expect(taken(of, 'a', 2)).toEqual([0, 20]);
    now += 600_000;
    expect(taken(of, 'a', 4)).toEqual([0, 0, 0, 20]);
  });

  it('are everybody’s own', () => {
    const of = points(1);
    expect([...taken(of, 'a', 2), ...taken(of, 'b', 2)]).toEqual([0, 60, 0, 60]);
  });

  it('are charged afterwards: what is owed is worked off first', () => {
    const of = points(60);
    expect(of.take('a')).toBe(0);
    of.charge('a', 89);
    expect(of.take('a')).toBe(31);
    now += 30_000;
    expect(of.take('a')).toBe(1);
    now += 1_000;
    expect(taken(of, 'a', 2)).toEqual([0, 1]);
  });

  it('are never owed for longer than a minute', () => {
    const of = points(10);
    of.charge('a', 1_000_000);
    expect(of.take('a')).toBe(60);
    now += 60_000;
    expect(of.take('a')).toBe(0);
  });

  it('are forgotten of whom has been away until they are all back', () => {
    const of = points(10);
    for (let name = 0; name < 100; name++) of.charge(`${name}`, 1_000);
    now += 120_000;
    of.take('a');
    expect((of as unknown as { fullAt: Map<string, number> }).fullAt.size).toBe(1);
  });

  it('say how many are left, and when all are back; without any, when there is one', () => {
    const of = points(60);
    expect(of.left('a')).toEqual({ points: 60, resetSeconds: 0 });
    taken(of, 'a', 20);
    expect(of.left('a')).toEqual({ points: 40, resetSeconds: 20 });
    of.charge('a', 50);
    expect(of.left('a')).toEqual({ points: 0, resetSeconds: 11 });
    expect(of.take('a')).toBe(11);
    now += 11_000;
    expect(of.take('a')).toBe(0);
  });
});
