import { describe, expect, it } from '@jest/globals';
import { figures, median, missed, quantile, type Round, type Stretch, table } from './slices.js';

const stretch = (ms: number, refused: Record<string, number> = {}): Stretch => ({
  reading: { took: Array.from({ length: 100 }, (_, number) => ms + number / 100), refused },
  depositing: { took: [ms * 10], refused: {} },
  cpu: ms / 10,
});
const round = (quiet: number, attacked: number, refused?: Record<string, number>): Round => ({
  quiet: stretch(quiet),
  attacked: stretch(attacked, refused),
  answers: { 200: 5, 429: 1 },
});

describe('slices of a bench between tenants', () => {
  it('compare each stretch under attack with the quiet one of its round', () => {
    // The machine was twice as slow in the second round, which says nothing about the attack.
    const [p50, , deposit] = figures([round(1, 1.5), round(2, 3), round(1, 9)]);
    expect(p50!.ratio).toBeCloseTo(3.49 / 2.49, 6);
    expect(deposit).toEqual({ name: 'deposit p50', quiet: 10, attacked: 30, ratio: 1.5 });
  });

  it('miss the goal by a ratio above it, or by a request that was not answered', () => {
    expect(missed(new Map([['calm', [round(10, 19)]]]))).toEqual([]);
    expect(missed(new Map([['slow', [round(10, 50)]]]))[0]).toMatch(
      /^slow: GET p50 4\.\d times, .*deposit p99 5\.0 times$/,
    );
    expect(missed(new Map([['shut', [round(10, 10, { timeout: 3 })]]]))).toEqual([
      'shut: not answered: timeout: 3',
    ]);
  });

  it('are a row of a table each', () => {
    const lines = table(new Map([['one', [round(1, 2), round(1, 2)]]]));
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain('| 10.0 → 20.0 (2.0) |');
    expect(lines[2]).toContain('| 0.10 → 0.20 | 200: 10, 429: 2 | none |');
  });

  it('know quantiles', () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(median([4, 1])).toBe(2.5);
    expect(quantile([], 0.5)).toBeNaN();
  });
});
