import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { readConstants } from '../../../config/constants.js';
import {
  FIRST_REGIME,
  isSilent,
  nextRegime,
  type Regime,
  readRegime,
  regimeConstants,
  regimeHours,
  REGIMES,
} from './regime.js';
import { signalConstants } from './signal.js';

const { constants } = readConstants('partner');
const REGIME = regimeConstants(constants.regime);
const SIGNALS = signalConstants(constants.signals);

const NOW = new Date('2026-03-12T10:00:00.000Z');
const HOURS = 192;
const series = (value: (ago: number) => number | null, length = HOURS) => ({
  lastHour: NOW,
  values: Array.from({ length }, (_, index) => value(length - 1 - index)),
});
const read = (value: (ago: number) => number | null, elapsed = 1_000) =>
  readRegime(series(value), elapsed, REGIME, SIGNALS);

/** Oscillation of constant size at every hour, without trend. */
const wobble = (ago: number, size = 0.0001) => (ago % 2 === 0 ? size : -size);

describe('the regime of an hour', () => {
  it('is stable for a constant series, as 0/0 is not volatile', () =>
    expect(read(() => 0.05)).toEqual({
      regime: 'stable',
      apy: 0.05,
      observedHour: NOW,
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

  it('is stable for a steep slope that is not significant', () => {
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

  it('is volatile rather than rising if both apply', () => {
    const rising = (ago: number) => 0.09 - (ago / 24) * 0.002;
    expect(read((ago) => rising(ago) + wobble(ago)).regime).toBe('rising');
    expect(read((ago) => rising(ago) + wobble(ago, ago < 24 ? 0.001 : 0.0001)).regime).toBe('volatile');
  });

  it('is volatile if recent changes deviate at least twice as much as those of the reference', () => {
    // Changes k times as large in 24 of 168 hours: the ratio is k / sqrt((24 k^2 + 144) / 168), which is 2 at k = sqrt(8).
    const ratio = (k: number) => read((ago) => 0.05 + wobble(ago, ago < 24 ? k * 0.0001 : 0.0001));
    expect(ratio(2.7).regime).toBe('stable');
    expect(ratio(3).regime).toBe('volatile');
    expect(ratio(1).changeRatio).toBeCloseTo(1, 1);
  });

  it('compares the latest changes with the reference window, regardless of the signals’ window', () => {
    // Large changes fill the last 48 hours. Against themselves they are not volatile; against a longer reference they are.
    const restless = series((ago) => 0.05 + wobble(ago, ago < 48 ? 0.001 : 0.00001), 400);
    const ratio = (referenceHours: number) =>
      readRegime(restless, 1_000, { ...REGIME, referenceHours }, SIGNALS).changeRatio!;
    expect(ratio(47)).toBeCloseTo(1, 1);
    expect(ratio(190)).toBeCloseTo(2, 1);
    expect(ratio(390)).toBeGreaterThan(2.5);
    expect(regimeHours({ ...REGIME, referenceHours: 390 })).toBe(391);
  });

  it('is unknown if the newest snapshot is over 3 hours old', () => {
    expect(read((ago) => (ago < 3 ? null : 0.05))).toMatchObject({ regime: 'stable', apy: 0.05 });
    expect(read((ago) => (ago < 4 ? null : 0.05))).toMatchObject({
      regime: 'unknown',
      apy: null,
      observedHour: new Date('2026-03-12T06:00:00.000Z'),
    });
    expect(read(() => null)).toMatchObject({ regime: 'unknown', apy: null, observedHour: null });
  });

  it('is unknown if history is insufficient', () => {
    expect(
      readRegime(
        series(() => 0.05, 47),
        47,
        REGIME,
        SIGNALS,
      ).regime,
    ).toBe('unknown');
    expect(
      readRegime(
        series(() => 0.05, 100),
        100,
        REGIME,
        SIGNALS,
      ).regime,
    ).toBe('unknown');
    expect(
      readRegime(
        series(() => 0.05, 0),
        0,
        REGIME,
        SIGNALS,
      ),
    ).toMatchObject({ regime: 'unknown', observations: 0 });
    expect(read((ago) => (ago % 4 === 1 ? null : 0.05)).regime).toBe('unknown');
    expect(read((ago) => (ago % 6 === 1 ? null : 0.05)).regime).toBe('stable');
  });
});

it('a feed counts as silent from the fourth hour without a snapshot', () => {
  const hours = (ago: number) => isSilent(new Date(NOW.getTime() - ago * 3_600_000), NOW, REGIME);
  expect([0, 3, 4, 100].map(hours)).toEqual([false, false, true, true]);
  expect(isSilent(null, NOW, REGIME)).toBe(true);
});

describe('hysteresis', () => {
  const after = (...labels: Regime[]) =>
    labels.reduce((state, label) => nextRegime(state, label, REGIME), FIRST_REGIME);

  it('changes the label in its second consecutive hour', () => {
    expect(after('rising')).toEqual({ regime: 'unknown', candidate: 'rising', candidateHours: 1 });
    expect(after('rising', 'rising')).toEqual({ regime: 'rising', candidate: null, candidateHours: 0 });
    expect(after('stable', 'stable', 'rising', 'stable', 'rising').regime).toBe('stable');
    expect(after('stable', 'stable', 'rising', 'volatile', 'rising').regime).toBe('stable');
  });

  it('shows unknown at once, and needs two hours for the next label', () => {
    expect(after('stable', 'stable', 'unknown')).toEqual(FIRST_REGIME);
    expect(after('stable', 'stable', 'rising', 'unknown')).toEqual(FIRST_REGIME);
    expect(after('stable', 'stable', 'unknown', 'stable').regime).toBe('unknown');
    expect(after('stable', 'stable', 'unknown', 'stable', 'stable').regime).toBe('stable');
  });

  it('needs the configured number of consecutive hours', () => {
    const patient = { ...REGIME, agreeingHours: 4 };
    const shown = (hours: number) =>
      Array.from({ length: hours }).reduce<typeof FIRST_REGIME>(
        (state) => nextRegime(state, 'rising', patient),
        FIRST_REGIME,
      ).regime;
    expect([3, 4].map(shown)).toEqual(['unknown', 'rising']);
  });

  it('shows a new label only if the last two hours both had it, and unknown at once', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...REGIMES)), (labels) => {
        let state = FIRST_REGIME;
        labels.forEach((label, hour) => {
          const next = nextRegime(state, label, REGIME);
          if (label === 'unknown') expect(next).toEqual(FIRST_REGIME);
          else if (next.regime !== state.regime)
            expect([label, labels[hour - 1]]).toEqual([next.regime, next.regime]);
          state = next;
        });
      }),
    );
  });
});
