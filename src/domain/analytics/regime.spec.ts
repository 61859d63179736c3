import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { FIRST_REGIME, nextRegime, type Regime, readRegime, REGIMES, weightedSeries } from './regime.js';

const NOW = new Date('2026-03-12T10:00:00.000Z');
const HOURS = 192;
const series = (value: (ago: number) => number | null, length = HOURS) => ({
  lastHour: NOW,
  values: Array.from({ length }, (_, index) => value(length - 1 - index)),
});
const read = (value: (ago: number) => number | null, elapsed = 1_000) => readRegime(series(value), elapsed);

/** A wobble of equal size at every hour, with no trend. */
const wobble = (ago: number, size = 0.0001) => (ago % 2 === 0 ? size : -size);

describe('the regime of an hour', () => {
  it('is stable where nothing happens, as 0/0 is not volatile', () =>
    expect(read(() => 0.05)).toEqual({
      regime: 'stable',
      apy: 0.05,
      trend: 0,
      significance: 0,
      volatility: 0,
      changeRatio: null,
      observations: 168,
    }));

  it.each<[Regime, number]>([
    ['rising', 0.0011],
    ['rising', 0.001],
    ['stable', 0.0009],
    ['stable', -0.0009],
    ['falling', -0.0011],
  ])('is %s at %p a day', (regime, slope) => {
    const reading = read((ago) => 0.09 - (ago / 24) * slope * 1.000001 + wobble(ago));
    expect(reading.trend).toBeCloseTo(slope, 6);
    expect(reading.regime).toBe(regime);
  });

  it('is stable where a steep slope is not significant', () => {
    // Days 1 2 3 6 7 4 5: z is 1.80.
    const days = [1, 2, 3, 6, 7, 4, 5];
    const reading = read((ago) => {
      const day = 7 + Math.floor((10 - ago) / 24);
      return 0.03 + (days[day] ?? 1) * 0.002;
    });
    expect(reading.significance).toBeCloseTo(1.8023, 4);
    expect(reading.trend).toBeGreaterThan(0.001);
    expect(reading.regime).toBe('stable');
  });

  it('is volatile before it is rising', () => {
    const rising = (ago: number) => 0.09 - (ago / 24) * 0.002;
    expect(read((ago) => rising(ago) + wobble(ago)).regime).toBe('rising');
    expect(read((ago) => rising(ago) + wobble(ago, ago < 24 ? 0.001 : 0.0001)).regime).toBe('volatile');
  });

  it('is volatile from twice the deviation of the window', () => {
    // Changes k times as large in 24 of 168 hours: the ratio is k / sqrt((24 k^2 + 144) / 168), 2 at k = sqrt(8).
    const ratio = (k: number) => read((ago) => 0.05 + wobble(ago, ago < 24 ? k * 0.0001 : 0.0001));
    expect(ratio(2.7).regime).toBe('stable');
    expect(ratio(3).regime).toBe('volatile');
    expect(ratio(1).changeRatio).toBeCloseTo(1, 1);
  });

  it('is unknown where the newest snapshot is over 3 hours old', () => {
    expect(read((ago) => (ago < 3 ? null : 0.05))).toMatchObject({ regime: 'stable', apy: 0.05 });
    expect(read((ago) => (ago < 4 ? null : 0.05))).toMatchObject({ regime: 'unknown', apy: null });
  });

  it('is unknown where history is short', () => {
    expect(
      readRegime(
        series(() => 0.05, 47),
        47,
      ).regime,
    ).toBe('unknown');
    expect(
      readRegime(
        series(() => 0.05, 100),
        100,
      ).regime,
    ).toBe('unknown');
    expect(
      readRegime(
        series(() => 0.05, 0),
        0,
      ),
    ).toMatchObject({ regime: 'unknown', observations: 0 });
    expect(read((ago) => (ago % 4 === 1 ? null : 0.05)).regime).toBe('unknown');
    expect(read((ago) => (ago % 6 === 1 ? null : 0.05)).regime).toBe('stable');
  });
});

describe('the weighted series', () => {
  it('weighs by the start, and knows no hour at which a part is missing', () => {
    const steady = { tvlAtStart: 60_000n, series: series(() => 0.04, 4) };
    const silent = { tvlAtStart: 40_000n, series: series((ago) => (ago === 1 ? null : 0.065), 4) };
    expect(weightedSeries([steady, silent], NOW, 4).values).toEqual([
      expect.closeTo(0.05, 12),
      expect.closeTo(0.05, 12),
      null,
      expect.closeTo(0.05, 12),
    ]);
  });

  it('leaves out vaults without weight, and is empty of none', () => {
    const steady = { tvlAtStart: 1n, series: series(() => 0.04, 2) };
    const unknown = { tvlAtStart: null, series: series(() => null, 2) };
    const empty = { tvlAtStart: 0n, series: series(() => null, 2) };
    expect(weightedSeries([unknown, steady, empty], NOW, 2).values).toEqual([0.04, 0.04]);
    expect(weightedSeries([unknown, empty], NOW, 2).values).toEqual([null, null]);
  });

  it('puts series that end elsewhere side by side by their hours', () => {
    const older = { lastHour: new Date(NOW.getTime() - 3_600_000), values: [0.01, 0.02] };
    const newer = { lastHour: NOW, values: [0.02, 0.03, 0.05, 0.06] };
    const parts = [older, newer].map((one) => ({ tvlAtStart: 1n, series: one }));
    expect(weightedSeries(parts, NOW, 5).values).toEqual([
      null,
      null,
      expect.closeTo(0.02, 12),
      expect.closeTo(0.035, 12),
      null,
    ]);
  });
});

describe('hysteresis', () => {
  const after = (...labels: Regime[]) =>
    labels.reduce((state, label) => nextRegime(state, label), FIRST_REGIME);

  it('takes a new label from its second hour in a row', () => {
    expect(after('rising')).toEqual({ regime: 'unknown', candidate: 'rising', candidateHours: 1 });
    expect(after('rising', 'rising')).toEqual({ regime: 'rising', candidate: null, candidateHours: 0 });
    expect(after('stable', 'stable', 'rising', 'stable', 'rising').regime).toBe('stable');
    expect(after('stable', 'stable', 'rising', 'volatile', 'rising').regime).toBe('stable');
    expect(after('stable', 'stable', 'unknown', 'unknown').regime).toBe('unknown');
  });

  it('never shows a label that the last two hours did not both read, but the one before', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...REGIMES)), (labels) => {
        let state = FIRST_REGIME;
        labels.forEach((label, hour) => {
          const next = nextRegime(state, label);
          if (next.regime !== state.regime)
            expect([label, labels[hour - 1]]).toEqual([next.regime, next.regime]);
          state = next;
        });
      }),
    );
  });
});
