import { describe, expect, it } from '@jest/globals';
import { type LastHours, type Level, lossesOf, recentOf } from './recent.js';

const UNIT = 10n ** 18n;
const indexes = (...values: number[]): Level[] =>
  values.map((value) => ({
    index: BigInt(Math.round(value * 1_000)) * 10n ** 15n,
    liquidity: null,
  }));
const of = (hours: Partial<LastHours>, lending?: LastHours['apys']) => {
  const history = { levels: [], assets: [], apys: [], ...hours };
  return recentOf(history, lending ?? [], lossesOf(history));
};

describe('the loss of a vault within a day', () => {
  it.each([
    ['unknown before its first hour', [], null],
    ['0 if it only grew', indexes(1, 1.001, 1.002), 0],
    ['the newest value against the highest', indexes(1, 1.25, 1), -0.2],
    ['a half-recovered loss', indexes(1, 0.9, 0.95), -0.05],
  ])('Index: %s', (_, levels, change) => {
    expect(of({ levels }).indexChange).toEqual(change === null ? null : expect.closeTo(change, 12));
  });
});

describe('assets against the median of a week', () => {
  const week = (assets: (number | null)[]) => of({ assets }).assetsChange;
  const steady = Array.from({ length: 166 }, () => 100);

  it('Assets against the median of a week fall when the vault’s assets do', () =>
    expect(week([...steady, 80, 40, 40])).toBeCloseTo(-0.6, 12));
  it('Assets against the median of a week do not fall when funds were deposited for two readings and withdrawn', () =>
    expect(week([...steady.slice(3), 220, 220, 100, 100])).toBe(0));
  it('Assets against the median of a week are unknown without a newest reading, and in an empty vault', () => {
    expect(week([...steady, null])).toBeNull();
    expect(week([0, 0])).toBeNull();
  });
});

describe('the last hours of a vault', () => {
  const level = (liquidity: bigint | null): Level => ({ index: UNIT, liquidity });

  it('The last hours of a vault have a highest liquidity over six hours, if most of those are known', () => {
    expect(of({ levels: [900n, 3n, 5n, 4n, null, 2n, 1n].map(level) }).highLiquidity).toBe(5n);
    expect(of({ levels: [null, null, null, 3n, 2n, 1n].map(level) }).highLiquidity).toBeNull();
  });

  it('The last hours of a vault have an average APY over six hours', () => {
    expect(of({ apys: [0.9, 0.01, 0.02, 0.03, null, 0.2, 0.04] }).shortApy).toBeCloseTo(0.03, 12);
  });

  it('The last hours of a vault are compared with the lending vault hour by hour', () => {
    const days = (apy: number | null, hours = 72) => Array.from({ length: hours }, () => apy);
    const behind = of({ apys: [...days(0.08), ...days(0)] }, [...days(0.03), ...days(0.03)]);
    expect(behind).toMatchObject({ threeDayApy: 0, threeDayLead: expect.closeTo(-0.03, 12) });
    const once = of({ apys: [...days(0, 71), 0.026] }, days(0.03));
    expect(once.threeDayLead).toBeCloseTo(-0.004, 12);
    expect(of({ apys: days(0) }, [...days(null, 40), ...days(0.03, 32)])).toMatchObject({
      threeDayApy: null,
      threeDayLead: null,
    });
  });
});
