import { describe, expect, it } from '@jest/globals';

import { weightAt, weightedSeries } from './weighted-series.js';

const NOW = new Date('2026-03-12T10:00:00.000Z');
const series = (value: (ago: number) => number | null, length: number) => ({
  lastHour: NOW,
  values: Array.from({ length }, (_, index) => value(length - 1 - index)),
});

describe('the weighted series', () => {
  it('weighs by the start, and knows no hour at which a part is missing', () => {
    const steady = { weight: 60_000n, series: series(() => 0.04, 4) };
    const silent = { weight: 40_000n, series: series((ago) => (ago === 1 ? null : 0.065), 4) };
    expect(weightedSeries([steady, silent], NOW, 4).values).toEqual([
      expect.closeTo(0.05, 12),
      expect.closeTo(0.05, 12),
      null,
      expect.closeTo(0.05, 12),
    ]);
  });

  it('leaves out vaults without weight, and is empty of none', () => {
    const steady = { weight: 1n, series: series(() => 0.04, 2) };
    const unknown = { weight: null, series: series(() => null, 2) };
    const empty = { weight: 0n, series: series(() => null, 2) };
    expect(weightedSeries([unknown, steady, empty], NOW, 2).values).toEqual([0.04, 0.04]);
    expect(weightedSeries([unknown, empty], NOW, 2).values).toEqual([null, null]);
  });

  it('puts series that end elsewhere side by side by their hours', () => {
    const older = { lastHour: new Date(NOW.getTime() - 3_600_000), values: [0.01, 0.02] };
    const newer = { lastHour: NOW, values: [0.02, 0.03, 0.05, 0.06] };
    const parts = [older, newer].map((one) => ({ weight: 1n, series: one }));
    expect(weightedSeries(parts, NOW, 5).values).toEqual([
      null,
      null,
      expect.closeTo(0.02, 12),
      expect.closeTo(0.035, 12),
      null,
    ]);
  });
});

describe("a vault's weight", () => {
  const silent = (hours: number) => [...Array.from({ length: hours }, () => null), 7n, 9n];

  it('is its TVL at the start, whatever comes after', () => {
    expect(weightAt([5n, 6n, 7n], 0)).toBe(5n);
    expect(weightAt([5n, 6n, 7n], 1)).toBe(6n);
    expect(weightAt([0n, 7n], 0)).toBe(0n);
  });

  it('is the first TVL of the hours after a start that was silent, up to 18', () => {
    expect(weightAt(silent(17), 0)).toBe(7n);
    expect(weightAt(silent(18), 0)).toBeNull();
    expect(weightAt(silent(18), 1)).toBe(7n);
    expect(weightAt([null], 0)).toBeNull();
  });
});
