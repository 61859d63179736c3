import { describe, expect, it } from '@jest/globals';
import { beyond, growth, holds, median, table } from './verdict.js';

describe('the verdict on a soak', () => {
  it('holds what is at most its bound, and what is exactly as asked for', () => {
    expect(holds({ what: 'a', value: 1.1, most: 1.1 })).toBe(true);
    expect(holds({ what: 'a', value: 1.101, most: 1.1 })).toBe(false);
    expect(holds({ what: 'a', value: 0, exactly: 0 })).toBe(true);
    expect(holds({ what: 'a', value: -1, exactly: 0 })).toBe(false);
    expect(holds({ what: 'not measured', value: NaN, most: 1.1 })).toBe(false);
  });

  it('compares medians of the last part and of the part after the warm-up', () => {
    const samples = [9, 9, 10, 11, 900, 20, 22, 21].map((rss, minute) => ({ at: minute * 60, rss }));
    expect(growth(samples, 120, 60, ({ rss }) => rss)).toEqual({
      before: 10.5,
      after: 21.5,
      ratio: 21.5 / 10.5,
    });
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });

  it('compares memory with what it reached in the first half: what goes up and down holds, what goes on growing does not', () => {
    const rss = (value: (minute: number) => number) =>
      beyond(
        Array.from({ length: 11 }, (_, minute) => ({ at: minute, rss: value(minute) })),
        2,
        2,
        (sample) => sample.rss,
      ).ratio;
    expect(rss((minute) => (minute % 2 === 0 ? 200 : 300))).toBeLessThanOrEqual(1.1);
    expect(rss((minute) => 200 + 20 * minute)).toBeGreaterThan(1.1);
  });

  it('marks what does not hold', () => {
    const lines = table([
      { what: 'fine', value: 1, most: 2 },
      { what: 'leaks', value: 2.5, most: 2 },
    ]).split('\n');
    expect(lines[0]).toMatch(/^ {2}fine +1 {2}<= 2$/);
    expect(lines[1]).toMatch(/^! leaks +2\.500 {2}<= 2$/);
  });
});
