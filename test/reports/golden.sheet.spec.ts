import { describe, expect, it } from '@jest/globals';
import { reports, UPLIFT } from './golden.figures.js';
import {
  type AssetName,
  END,
  HISTORY,
  MOVE,
  type PositionName,
  POSITIONS,
  ROUTES,
  type VaultName,
  VAULTS,
} from './golden.history.js';
import { computePoints } from './golden.points.js';
import {
  type Book,
  bookValue,
  computeSheet,
  type DayRow,
  heldIn,
  type SheetPosition,
} from './golden.sheet.js';
import { signalAt } from './golden.signals.js';
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
      A1: (10_000 * 1.04 ** (302.5 / 8_760) * 1.1 ** (62.5 / 8_760) - 4_000) * 1.1 ** (574 / 8_760),
      C1: (8_000 * 1.05 ** (342.5 / 8_760) * 1.02 ** (369.5 / 8_760) - 5_000) * 1.02 ** (119 / 8_760),
      C2: 3_000.000001 * 1.028 ** (285 / 8_760),
      B2: 500 * 1.1 ** (174 / 8_760),
    };
    for (const [name, value] of Object.entries(worth))
      expect(Number(SHEET.positions[name as PositionName].value(END)) / 1e6).toBeCloseTo(value, 5);
    const paidOut = {
      B1:
        (6_000.123456 * 1.04 ** (219 / 8_760) - 1_000) * 1.04 ** (29.5 / 8_760) * 1.1 ** (407.5 / 8_760) +
        1_000,
      A2: 2_500.5 * 1.04 ** (155.5 / 8_760) * 1.1 ** (572.5 / 8_760),
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

  it('are of funds that moved once, at the first hour at which brook was a percentage point better than anchor after risk', () => {
    const gain = (hour: number): number =>
      signalAt('brook', hour).riskAdjusted - signalAt('anchor', hour).riskAdjusted;
    const hours = Array.from({ length: MOVE.at - 48 + 1 }, (_, index) => 48 + index);
    expect(hours.find((hour) => gain(hour) >= 0.01)).toBe(MOVE.at);
    for (let hour = 48; hour <= END; hour++)
      expect(signalAt('ember', hour).riskAdjusted - signalAt('delta', hour).riskAdjusted).toBeLessThan(
        0.0076,
      );
  });

  it('are of deposits into the vault that was the best after risk, once there were two days of history', () => {
    for (const { at: moment, ...deposit } of HISTORY) {
      if (deposit.does !== 'deposit' || deposit.position === 'A1') continue;
      const open = (Object.keys(VAULTS) as VaultName[]).filter(
        (name) => VAULTS[name].asset === deposit.asset,
      );
      const value = (name: VaultName): number => signalAt(name, Math.floor(moment)).riskAdjusted;
      expect([deposit.position, open.toSorted((a, b) => value(b) - value(a))[0]]).toEqual([
        deposit.position,
        ROUTES[deposit.position],
      ]);
    }
  });

  it('compare with what the baselines would hold', () => {
    const { lending, hold } = UPLIFT.sandbox.baselines;
    expect(micro(lending.realized.baseline_value)).toBe(bookValue(ALL, 'lending', END));
    expect(micro(hold.realized.baseline_value)).toBe(bookValue(ALL, 'hold', END));
  });

  it('project what is expected after risk, within an asset by what each book holds, over the assets by what is routed', () => {
    const worthOf = (own: readonly SheetPosition[], book: Book) =>
      (Object.keys(VAULTS) as VaultName[]).map((name) => ({
        value: Number(heldIn(name, own, END, book)),
        apy: signalAt(name, Math.floor(END)).riskAdjusted,
      }));
    const mean = (parts: { value: number; apy: number }[]): number =>
      parts.reduce((total, { value, apy }) => total + value * apy, 0) /
      parts.reduce((total, { value }) => total + value, 0);
    const overall = (book: Book): number =>
      mean(
        ASSETS.map((asset) => ({
          value: Number(bookValue(ofAsset(asset), 'routed', END)),
          apy: mean(worthOf(ofAsset(asset), book)),
        })),
      );
    const { lending, hold } = UPLIFT.sandbox.baselines;
    const routed = overall('routed');
    for (const [baseline, book] of [
      [lending, 'lending'],
      [hold, 'hold'],
    ] as const) {
      const { projected, realized } = baseline;
      expect([routed, overall(book)]).toEqual([projected.routed_apy, projected.baseline_apy]);
      expect(projected.uplift).toBeCloseTo(realized.routed_value * (routed - overall(book)), 5);
    }
  });
});
