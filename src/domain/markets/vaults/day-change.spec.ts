import { describe, expect, it } from '@jest/globals';
import { dayChange, type Level } from './day-change.js';

const UNIT = 10n ** 18n;
const indexes = (...values: number[]): Level[] =>
  values.map((value) => ({ index: BigInt(Math.round(value * 1_000)) * 10n ** 15n, tvl: null }));
const tvls = (...values: (number | null)[]): Level[] =>
  values.map((value) => ({ index: UNIT, tvl: value === null ? null : BigInt(value) }));

describe('what a vault lost within a day', () => {
  it.each([
    ['nothing is known before its first hour', [], null],
    ['nothing where it only grew', indexes(1, 1.001, 1.002), 0],
    ['the newest against the highest', indexes(1, 1.25, 1), -0.2],
    ['a loss that was half made good', indexes(1, 0.9, 0.95), -0.05],
  ])('index: %s', (_, levels, change) => {
    expect(dayChange(levels).index).toEqual(change === null ? null : expect.closeTo(change, 12));
  });

  it.each([
    ['not known where no feed says', tvls(null, null), null],
    ['not known of a vault that is empty', tvls(0, 0), null],
    ['one reading is all that there is', tvls(100), 0],
    ['one low reading is no loss', tvls(100, 100, 1), 0],
    ['two low readings are', tvls(100, 100, 1, 1), -0.99],
    ['one high reading is no level to fall from', tvls(100, 100, 10_000, 100, 100), 0],
    ['hours without a reading are passed over', tvls(100, 100, null, 40, null, 40, null), -0.6],
    ['growth is no change', tvls(100, 100, 200, 200), 0],
  ])('TVL: %s', (_, levels, change) => {
    expect(dayChange(levels).tvl).toEqual(change === null ? null : expect.closeTo(change, 12));
  });
});
