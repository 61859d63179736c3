import { describe, expect, it } from '@jest/globals';
import { reports, UPLIFT } from './golden.figures.js';
import {
  type AssetName,
  at,
  END,
  HISTORY,
  MOVE,
  type PositionName,
  POSITIONS,
  ROUTES,
  type VaultName,
  VAULTS,
} from './golden.history.js';
import { capitalDays, computePoints } from './golden.points.js';
import type { SheetPosition } from './golden.position.js';
import { type Book, bookValue, computeSheet, type DayRow, heldIn, partsOf } from './golden.sheet.js';
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
      A1:
        ((10_000 * 1.04 ** (302.5 / 8_760) - 1.142939) * 1.1 ** (62.5 / 8_760) - 4_000) *
        1.1 ** (574 / 8_760),
      C1: (8_000 * 1.05 ** (342.5 / 8_760) * 1.02 ** (369.5 / 8_760) - 5_000) * 1.02 ** (119 / 8_760),
      C2: 3_000.000001 * 1.028 ** (285 / 8_760),
      B2: 500 * 1.1 ** (174 / 8_760),
    };
    for (const [name, value] of Object.entries(worth))
      expect(Number(SHEET.positions[name as PositionName].value(END)) / 1e6).toBeCloseTo(value, 5);
    const paidOut = {
      B1:
        ((6_000.123456 * 1.04 ** (219 / 8_760) - 1_000) * 1.04 ** (29.5 / 8_760) - 0.571457) *
          1.1 ** (407.5 / 8_760) +
        1_000,
      A2: (2_500.5 * 1.04 ** (155.5 / 8_760) - 0.285604) * 1.1 ** (572.5 / 8_760),
    };
    expect(Number(SHEET.positions.B1.withdrawn) / 1e6).toBeCloseTo(paidOut.B1, 5);
    expect(Number(SHEET.positions.A2.withdrawn) / 1e6).toBeCloseTo(paidOut.A2, 5);
  });

  it('take what the move costs of the three by what they are worth, to the micro-unit', () => {
    const values = [10_013_552_858n, 5_006_670_801n, 2_502_241_485n];
    expect(partsOf(2_000_000n, values)).toEqual([1_142_939n, 571_457n, 285_604n]);
    expect(MOVE.positions.map((name) => SHEET.positions[name].costs)).toEqual(partsOf(2_000_000n, values));
    expect(sum(ALL, ({ costs }) => costs)).toBe(2_000_000n);
    // Thirds: what is left over goes to who lost most, first come first served.
    expect(partsOf(5n, [1n, 1n, 1n])).toEqual([2n, 2n, 1n]);
    for (const own of ALL)
      expect(own.accrued - own.costs).toBe(own.value(at(40, 0)) + own.withdrawn - own.deposited);
  });

  it('settle what each withdrawal paid above the same part of a baseline', () => {
    const paid = (name: PositionName): number => Number(SHEET.positions[name].withdrawn) / 1e6;
    // Anchor earns 6 % from 01:00 of day 20 on.
    const anchor = (at4: number, at6: number): number => 1.04 ** (at4 / 8_760) * 1.06 ** (at6 / 8_760);
    const routed = (10_000 * anchor(302.5, 0) - 1.142939) * 1.1 ** (62.5 / 8_760);
    const settled = {
      A1: 4_000 - (10_000 * anchor(365, 0) * 4_000) / routed,
      B1: paid('B1') - 1_000 - (6_000.123456 * anchor(219, 0) - 1_000) * anchor(177.5, 259.5),
      A2: paid('A2') - 2_500.5 * anchor(303.5, 424.5),
      C1: 0,
    };
    for (const [name, value] of Object.entries(settled))
      for (const book of ['lending', 'hold'] as const)
        expect(Number(SHEET.positions[name as PositionName][book].settled) / 1e6).toBeCloseTo(value, 5);
  });

  it('have the fee of each user on what is left of gains, and no loss that is carried still', () => {
    const rows = [...SHEET.accounts].map(([owner, { fee, partnerRevenue, lost }]) => [
      owner,
      ...[fee, partnerRevenue, lost].map(units),
    ]);
    expect(rows).toEqual([
      ['A first', '7.339261', '3.405960', '0.000000'],
      ['B first', '2.911623', '1.338556', '0.000000'],
      ['C second', '2.532797', '1.132615', '0.000000'],
    ]);
  });

  it.each(ASSETS)('sum up the positions of the %s asset', (asset) => {
    const own = ofAsset(asset);
    const index = ASSETS.indexOf(asset);
    const { '/partner/summary': summary, '/partner/yield': earned, '/partner/revenue': revenue } = FIGURES;
    const tvl = bookValue(own, 'routed', END);
    const [deposited, withdrawn] = [sum(own, (one) => one.deposited), sum(own, (one) => one.withdrawn)];
    const accrued = sum(own, (one) => one.accrued - one.costs);
    const accounts = [...SHEET.accounts].filter(([owner]) => owner.endsWith(asset)).map(([, one]) => one);
    expect(micro(summary.assets[index]!.deposits)).toBe(deposited);
    expect(micro(summary.assets[index]!.withdrawals)).toBe(withdrawn);
    expect(micro(summary.assets[index]!.net_tvl)).toBe(tvl);
    expect(micro(summary.assets[index]!.yield)).toBe(tvl + withdrawn - deposited);
    expect(micro(earned.assets[index]!.accrued)).toBe(accrued);
    expect(micro(earned.assets[index]!.costs)).toBe(sum(own, ({ costs }) => costs));
    expect(micro(earned.assets[index]!.pending)).toBe(tvl + withdrawn - deposited - accrued);
    expect(micro(revenue.assets[index]!.yield)).toBe(tvl + withdrawn - deposited);
    expect(micro(revenue.assets[index]!.accrued)).toBe(accrued);
    expect(micro(revenue.assets[index]!.performance_fee)).toBe(
      accounts.reduce((total, { fee }) => total + fee, 0n),
    );
    expect(micro(revenue.assets[index]!.partner_revenue)).toBe(
      accounts.reduce((total, { partnerRevenue }) => total + partnerRevenue, 0n),
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
    // Ten days of the difference bring more than the move takes.
    expect((17_522.465144 * gain(MOVE.at) * 10) / 365).toBeGreaterThan(2);
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

  it('compare with what the baselines would hold, and paid before', () => {
    const routed = bookValue(ALL, 'routed', END);
    const costs = sum(ALL, (one) => one.costs);
    // Over the days since the first deposit.
    const capital = Number(capitalDays(ALL)) / ((END - SHEET.positions.A1.opened) / 24);
    for (const book of ['lending', 'hold'] as const) {
      const { realized } = UPLIFT.sandbox.baselines[book];
      const baseline = bookValue(ALL, book, END);
      const settled = sum(ALL, (one) => one[book].settled);
      const uplift = routed - baseline + settled;
      expect(realized).toEqual({
        routed_value: Number(routed) / 1e6,
        baseline_value: Number(baseline) / 1e6,
        settled_uplift: Number(settled) / 1e6,
        costs: Number(costs) / 1e6,
        gross_uplift: Number(uplift + costs) / 1e6,
        uplift: Number(uplift) / 1e6,
        uplift_pct: realized.uplift_pct,
      });
      expect(Number(uplift) / capital).toEqual(realized.uplift_pct);
    }
  });

  it('project what is expected, within an asset by what each book holds, over the assets by what is routed', () => {
    const worthOf = (own: readonly SheetPosition[], book: Book) =>
      (Object.keys(VAULTS) as VaultName[]).map((name) => ({
        value: Number(heldIn(name, own, END, book)),
        apy: signalAt(name, Math.floor(END)).expected,
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
