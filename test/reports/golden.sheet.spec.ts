import { describe, expect, it } from '@jest/globals';
import { reports, UPLIFT } from './golden.figures.js';
import { type AssetName, END, type PositionName, POSITIONS, VAULTS } from './golden.history.js';
import { computePoints } from './golden.points.js';
import { bookValue, computeSheet, type DayRow, type SheetPosition } from './golden.sheet.js';
import { ROWS } from './golden.table.js';
import { micro, units } from './golden.units.js';

const SHEET = computeSheet();
const ALL = Object.values(SHEET.positions);
const ASSETS = ['first', 'second'] as const;
const FIGURES = reports({ partnerId: 'ptn', campaignId: 'cmp', first: 'USDC', second: 'USDT' });

const ofAsset = (asset: AssetName): SheetPosition[] =>
  ALL.filter(({ first }) => VAULTS[first].asset === asset);
const sum = (positions: readonly SheetPosition[], of: (position: SheetPosition) => bigint): bigint =>
  positions.reduce((total, position) => total + of(position), 0n);
const rowOf = ({ day, values }: DayRow): string[] => [
  String(day),
  ...POSITIONS.map((name) => (values[name] === undefined ? '-' : units(values[name]))),
];

describe('the table and the figures of the golden history', () => {
  it('are what arithmetic on whole numbers gives, position by position and day by day', () => {
    expect(SHEET.days.filter(({ values }) => Object.keys(values).length > 0).map(rowOf)).toEqual(ROWS);
  });

  it('are what closed formulas give, but for what is rounded down each hour', () => {
    const worth = {
      A1: (10_000 * 1.04 ** (303 / 8_760) * 1.1 ** (62 / 8_760) - 4_000) * 1.1 ** (574 / 8_760),
      C1: (8_000 * 1.05 ** (342 / 8_760) * 1.02 ** (370 / 8_760) - 5_000) * 1.02 ** (119 / 8_760),
      C2: 3_000.000001 * 1.028 ** (285 / 8_760),
      B2: 500 * 1.1 ** (174 / 8_760),
    };
    for (const [name, value] of Object.entries(worth))
      expect(Number(SHEET.positions[name as PositionName].value(END)) / 1e6).toBeCloseTo(value, 5);
    const paidOut = {
      B1:
        (6_000.123456 * 1.04 ** (219 / 8_760) - 1_000) * 1.04 ** (30 / 8_760) * 1.1 ** (407 / 8_760) + 1_000,
      A2: 2_500.5 * 1.04 ** (156 / 8_760) * 1.1 ** (572 / 8_760),
    };
    expect(Number(SHEET.positions.B1.withdrawn) / 1e6).toBeCloseTo(paidOut.B1, 5);
    expect(Number(SHEET.positions.A2.withdrawn) / 1e6).toBeCloseTo(paidOut.A2, 5);
  });

  it.each(ASSETS)('sum up the positions of the %s asset', (asset) => {
    const own = ofAsset(asset);
    const index = ASSETS.indexOf(asset);
    const { '/partner/summary': summary, '/partner/yield': earned, '/partner/revenue': revenue } = FIGURES;
    const tvl = bookValue(own, 'routed', END);
    const [deposited, withdrawn] = [sum(own, (one) => one.deposited), sum(own, (one) => one.withdrawn)];
    const accrued = sum(own, (one) => one.accrued);
    expect(micro(summary.assets[index]!.deposits)).toBe(deposited);
    expect(micro(summary.assets[index]!.withdrawals)).toBe(withdrawn);
    expect(micro(summary.assets[index]!.net_tvl)).toBe(tvl);
    expect(micro(summary.assets[index]!.yield)).toBe(tvl + withdrawn - deposited);
    expect(micro(earned.assets[index]!.accrued)).toBe(accrued);
    expect(micro(earned.assets[index]!.pending)).toBe(tvl + withdrawn - deposited - accrued);
    expect(micro(revenue.assets[index]!.yield)).toBe(tvl + withdrawn - deposited);
    expect(micro(revenue.assets[index]!.accrued)).toBe(accrued);
    expect(micro(revenue.assets[index]!.performance_fee)).toBe(sum(own, ({ fee }) => fee));
    expect(micro(revenue.assets[index]!.partner_revenue)).toBe(
      sum(own, ({ partnerRevenue }) => partnerRevenue),
    );
  });

  it('count the points of every half hour', () => {
    const points = computePoints(SHEET.positions);
    const { campaigns } = FIGURES['/partner/points'];
    expect(campaigns.map((row) => micro(row.points))).toEqual([points.plain, points.campaign]);
  });

  it('compare with what the baselines would hold', () => {
    const { lending, hold } = UPLIFT.sandbox.baselines;
    expect(micro(lending.realized.baseline_value)).toBe(bookValue(ALL, 'lending', END));
    expect(micro(hold.realized.baseline_value)).toBe(bookValue(ALL, 'hold', END));
  });
});
