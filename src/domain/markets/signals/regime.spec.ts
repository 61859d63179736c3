import { describe, expect, it } from '@jest/globals';
import { readConstants } from '../../../config/constants.js';
import { addHours } from '../../kernel/clock.js';
import { FIRST_REGIME, isSilent, nextRegime, type Regime, readRegime, regimeHours } from './regime.js';

const { constants } = readConstants('partner');
const { regime: REGIME, signals: SIGNALS } = constants;

const NOW = new Date('2026-03-12T10:00:00.000Z');
/** An hourly value by the hours before the newest one; null: no snapshot. */
type Value = (ago: number) => number | null;
const series = (value: Value, length = 192) => ({
  lastHour: NOW,
  values: Array.from({ length }, (_, index) => value(length - 1 - index)),
});
const read = (value: Value, hours = 192, elapsed = 1_000) =>
  readRegime(series(value, hours), elapsed, REGIME, SIGNALS);

/** Oscillation of constant size at every hour, without trend. */
const wobble = (ago: number, size = 0.0001) => (ago % 2 === 0 ? size : -size);
const rise = (ago: number, ofDay: number) => 0.09 - (ago / 24) * ofDay;
const steady: Value = () => 0.05;

describe('the regime of an hour', () => {
  it('The regime of an hour has the figures from which it follows', () =>
    expect(read(steady)).toEqual({
      regime: 'stable',
      apy: 0.05,
      observedHour: NOW,
      trend: 0,
      significance: 0,
      volatility: 0,
      changeRatio: null,
      observations: 168,
    }));

  it.each<[Regime, string, Value]>([
    ['stable', 'for a constant series, as 0/0 is not volatile', steady],
    ['rising', 'from 0.10 pp a day on', (ago) => rise(ago, 0.0010001) + wobble(ago)],
    ['stable', 'for a rise of less', (ago) => rise(ago, 0.0009) + wobble(ago)],
    ['falling', 'from -0.10 pp a day on', (ago) => rise(ago, -0.0010001) + wobble(ago)],
    ['stable', 'for a fall of less', (ago) => rise(ago, -0.0009) + wobble(ago)],
    ['volatile', 'rather than rising', (ago) => rise(ago, 0.002) + wobble(ago, ago < 24 ? 0.001 : 0.0001)],
    // Changes k times as large in 24 of 168 hours: the ratio is k / sqrt((24 k^2 + 144) / 168), which is 2 at k = sqrt(8).
    [
      'stable',
      'for recent changes of less than twice the deviation',
      (ago) => 0.05 + wobble(ago, ago < 24 ? 0.00027 : 0.0001),
    ],
    [
      'volatile',
      'for recent changes of twice the deviation',
      (ago) => 0.05 + wobble(ago, ago < 24 ? 0.0003 : 0.0001),
    ],
    ['stable', 'without the last 3 snapshots', (ago) => (ago < 3 ? null : 0.05)],
    ['unknown', 'without the last 4 snapshots', (ago) => (ago < 4 ? null : 0.05)],
    ['unknown', 'without any snapshot', () => null],
    ['stable', 'with five of six snapshots', (ago) => (ago % 6 === 1 ? null : 0.05)],
    ['unknown', 'with three of four snapshots', (ago) => (ago % 4 === 1 ? null : 0.05)],
  ])('The regime of an hour is %s %s', (regime, _, value) => expect(read(value).regime).toBe(regime));

  it.each([0, 47, 100])('The regime of an hour is unknown with %d hours of history', (hours) =>
    expect(read(steady, hours, hours)).toMatchObject({ regime: 'unknown', observations: hours }),
  );

  it('The regime of an hour has its newest value and its hour, which is null once silent', () => {
    expect(read((ago) => (ago < 3 ? null : 0.05)).apy).toBe(0.05);
    expect(read((ago) => (ago < 4 ? null : 0.05))).toMatchObject({
      apy: null,
      observedHour: addHours(NOW, -4),
    });
    expect(read(() => null)).toMatchObject({ apy: null, observedHour: null });
    expect([0, 3, 4, 100].map((ago) => isSilent(addHours(NOW, -ago), NOW, REGIME))).toEqual([
      ...[false, false, true, true],
    ]);
    expect(isSilent(null, NOW, REGIME)).toBe(true);
  });

  it('The regime of an hour is stable for a steep slope that is not significant: days 1 2 3 6 7 4 5 have a z of 1.80', () => {
    const days = [1, 2, 3, 6, 7, 4, 5];
    const reading = read((ago) => 0.03 + (days[7 + Math.floor((10 - ago) / 24)] ?? 1) * 0.002);
    expect(reading).toMatchObject({ regime: 'stable', significance: expect.closeTo(1.8023, 4) });
    expect(reading.trend).toBeGreaterThan(0.001);
  });

  it('The regime of an hour compares the latest changes with the reference window, regardless of the signals’ window', () => {
    // Large changes fill the last 48 hours. Against themselves they are not volatile; against a longer reference they are.
    const restless = series((ago) => 0.05 + wobble(ago, ago < 48 ? 0.001 : 0.00001), 400);
    const ratio = (referenceWindowHours: number) =>
      readRegime(restless, 1_000, { ...REGIME, referenceWindowHours }, SIGNALS).changeRatio!;
    expect(ratio(47)).toBeCloseTo(1, 1);
    expect(ratio(190)).toBeCloseTo(2, 1);
    expect(ratio(390)).toBeGreaterThan(2.5);
    expect(regimeHours({ ...REGIME, referenceWindowHours: 390 })).toBe(391);
  });
});

describe('the regime that is shown', () => {
  const after = (labels: readonly Regime[]) =>
    labels.reduce((state, label) => nextRegime(state, label, REGIME), FIRST_REGIME);

  it.each<[Regime[], Regime]>([
    [['rising'], 'unknown'],
    [['rising', 'rising'], 'rising'],
    [['stable', 'stable', 'rising', 'stable', 'rising'], 'stable'],
    [['stable', 'stable', 'rising', 'volatile', 'rising'], 'stable'],
    [['stable', 'stable', 'unknown'], 'unknown'],
    [['stable', 'stable', 'rising', 'unknown'], 'unknown'],
    [['stable', 'stable', 'unknown', 'stable'], 'unknown'],
    [['stable', 'stable', 'unknown', 'stable', 'stable'], 'stable'],
  ])('The regime that is shown after the hours %j is %s', (labels, shown) =>
    expect(after(labels).regime).toBe(shown),
  );
});
