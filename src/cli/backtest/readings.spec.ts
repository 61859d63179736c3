import { describe, expect, it } from '@jest/globals';
import type { RecordedFeed } from '../../config/backtest-catalogue.js';
import { readingsOf } from './readings.js';

const RATES: RecordedFeed = {
  kind: 'recorded',
  file: 'a.csv',
  rate: 'apy',
  assets: 'deposits',
  liquidity: 'deposits - borrows',
};
const HEAD = 'timestamp,apy_percent,deposits,borrows';
const read = (lines: readonly string[], feed: Partial<RecordedFeed> = {}) =>
  readingsOf('a.csv', lines.join('\n'), { ...RATES, ...feed });

describe('readings of a CSV file', () => {
  it('Readings of a CSV file have a rate as a fraction, deposits and liquidity; lines without a rate are skipped', () => {
    const lines = [
      HEAD,
      '2026-01-01T00:30:00Z,5,100,60',
      '2026-01-01T02:00:00Z,,100,60',
      '2026-01-02,4,,60',
      '',
    ];
    expect(read(lines)).toEqual([
      { at: new Date('2026-01-01T00:30:00Z'), apy: 0.05, price: null, assets: 100, liquidity: 40 },
      { at: new Date('2026-01-02T00:00:00Z'), apy: 0.04, price: null, assets: null, liquidity: null },
    ]);
  });

  it('Readings of a CSV file have losses, and no liquidity with more loans than deposits', () => {
    expect(read([HEAD, '2026-01-01,-5,100,101'])).toMatchObject([{ apy: -0.05, assets: 100, liquidity: 0 }]);
  });

  it('Readings of a CSV file are sorted by time; of several lines with one time the last counts', () => {
    const lines = [HEAD, '2026-01-02,5,1,0', '2026-01-01,4,1,0', '2026-01-02,6,1,0'];
    expect(read(lines).map(({ at, apy }) => [at.getUTCDate(), apy])).toEqual([
      [1, 0.04],
      [2, 0.06],
    ]);
  });

  it('Readings of a CSV file have an APR compounded by the hour', () => {
    expect(read([HEAD, '2026-01-01,10,1,0'], { rate: 'apr' })[0]!.apy).toBeCloseTo(0.10517029, 8);
  });

  it('Readings of a CSV file have share prices in units of 1e-18', () => {
    const feed = { rate: 'price', assets: null, liquidity: null } as const;
    const [reading] = read(['timestamp,share_price', '2026-01-01,1.018595'], feed);
    expect(reading).toMatchObject({ apy: null, price: 1_018_595_000_000_000_000n, assets: 1e12 });
  });

  it.each(
    // prettier-ignore
    [
      [
        'an unknown column',
        ['timestamp,apy_percent', '2026-01-01,5'],
        'line 1: there is no column deposits, which feed.assets names; name another one, or null; the columns are timestamp, apy_percent.',
      ],
      ['a missing rate column', ['timestamp,rate', '2026-01-01,5'], 'line 1: there is no column apy_percent, which rate: apy needs'],
      ['a value that is not a number', [HEAD, '2026-01-01,5,1,0', '2026-01-02,five,1,0'], 'line 3: apy_percent is five; write a number, or leave it empty when it is unknown.'],
      ['a short line', [HEAD, '2026-01-01,5'], 'line 2: it has 2 values for 4 columns; correct or remove it.'],
      ['an invalid time', [HEAD, 'yesterday,5,1,0'], 'line 2: timestamp is yesterday; write a time such as 2026-01-31T07:00:00Z.'],
      ['a rate without end', [HEAD, '2026-01-01,1e999,1,0'], 'line 2: apy_percent is 1e999; write a number, or leave it empty when it is unknown.'],
      ['negative deposits', [HEAD, '2026-01-01,5,-1,0'], 'line 2: deposits is -1, which no vault has; correct or remove the line.'],
      ['negative borrows', [HEAD, '2026-01-01,5,1,-2'], 'line 2: borrows is -2, which no vault has; correct or remove the line.'],
      ['an impossible rate', [HEAD, '2026-01-01,-100,1,0'], 'line 2: apy_percent is -100, which no vault has; correct or remove the line.'],
    ],
  )('Readings of a CSV file are rejected with file, line and remedy for %s', (_, lines, message) => {
    expect(() => read(lines)).toThrow(`a.csv, ${message}`);
  });
});
