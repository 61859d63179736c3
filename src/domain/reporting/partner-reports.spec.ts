import { describe, expect, it } from '@jest/globals';
import { vaultOf } from '../../../test/support/vault.js';
import { GRAINS_PER_POINT } from '../books/positions/points.js';
import { newAccount, settleYield } from '../books/positions/revenue.js';
import { quotesOf } from '../books/positions/quotes.js';
import { PartnerBook, type StoredBooks } from './partner-book.js';
import { NOTHING_RECENT } from '../markets/vaults/recent.js';
import * as reports from './partner-reports.js';
import { initialState } from '../markets/vaults/vault-state.js';

const NOW = new Date('2026-03-11T12:00:00.000Z');
const AT = NOW.toISOString();

interface Asset {
  /** Micro-units; what is left out is nothing. */
  sums?: Partial<StoredBooks['totals'][number]>;
  fee?: bigint;
  partnerRevenue?: bigint;
  /** Value in each vault, micro-units, and the vault's APY. */
  vaults?: Record<string, { value: bigint; apy?: number }>;
}

/** Campaign ('': none), hundredths, and grains: those with its multiplier, and plain ones. */
type Earned = [campaignId: string, hundredths: number, campaign: bigint, plain: bigint];

/** Book of such rows, in a market whose indexes are all one. */
function contextOf(given: Record<string, Asset>, earned: readonly Earned[] = []): reports.ReportContext {
  const held = Object.entries(given).flatMap(([asset, { vaults = {} }]) =>
    Object.entries(vaults).map(([vaultId, one]) => ({ asset, vaultId, ...one })),
  );
  const stored: StoredBooks = {
    shares: held.map(({ asset, vaultId, value }) => ({
      ...{ asset, book: 'routed', vaultId, positions: 1 },
      // Half a micro-unit more, which rounds down to nothing.
      shares: (value * 10n ** 12n + 5n * 10n ** 11n).toString(),
    })),
    totals: Object.entries(given).map(([asset, { sums }]) => ({
      ...{ asset, deposited: '0', withdrawn: '0', deposits: 0, withdrawals: 0, accrued: '0', costs: '0' },
      ...{ settledLending: '0', settledHold: '0', principal: '0', capitalMoment: '0' },
      ...{ opened: 0, closed: 0, firstAt: AT, ...sums },
    })),
    revenue: Object.entries(given).map(([asset, { fee = 0n, partnerRevenue = 0n }]) => ({
      ...{ asset, fee: fee.toString(), partnerRevenue: partnerRevenue.toString(), carriedLoss: '0' },
    })),
    points: earned.map(([campaignId, multiplierHundredths, campaign, plain]) => ({
      ...{ campaignId, principal: '0' },
      ...{ campaignMoment: (-campaign).toString(), plainMoment: (-plain).toString() },
      terms:
        campaignId === ''
          ? []
          : [{ fromAt: AT, active: true, multiplierHundredths, startsAt: AT, endsAt: null }],
    })),
    ...{ users: 3, performanceFeeBps: 1_000, revenueShareBps: 4_000 },
  };
  const unknown = { expectedApy: null, riskAdjustedApy: null, ...NOTHING_RECENT, held: 0n, own: 0n };
  const vaults = held.map(({ vaultId: id, apy = null }) => {
    const state = { ...initialState(id), lastApy: apy, observedHour: apy === null ? null : NOW };
    return [id, { vault: vaultOf({ id }), state, ...unknown }] as const;
  });
  const advance = () => {
    throw new Error('No hour is missing.');
  };
  const view = { marketId: 'base', hour: NOW, now: NOW, advance, vaults: new Map(vaults) };
  const book = new PartnerBook(stored, quotesOf(view));
  return { partnerId: 'ptn_a', book, assets: ['USDC', 'USDT'], pointsPerUsdDay: 1, asOf: NOW };
}

const CONTEXT = contextOf(
  {
    USDC: {
      sums: {
        ...{ deposited: '130', withdrawn: '25', deposits: 3, withdrawals: 2 },
        ...{ accrued: '6', costs: '2', opened: 3, closed: 1 },
      },
      ...{ fee: 3n, partnerRevenue: 1n },
      vaults: { vlt_a: { value: 30n, apy: 0.0225 }, vlt_b: { value: 80n, apy: 0.06 } },
    },
    USDT: {
      sums: { deposited: '50', deposits: 1, opened: 1, accrued: '-2' },
      vaults: { vlt_c: { value: 49n } },
    },
  },
  [
    ['', 100, 0n, (5n * GRAINS_PER_POINT) / 2n],
    ['cmp_a', 150, (5_625n * GRAINS_PER_POINT) / 10n, GRAINS_PER_POINT],
  ],
);

/** Sums over accounts are asked of the reports of a whole deployment; these are the roundings and signs. */
describe('the reports of a partner', () => {
  it('summarise deposits, TVL and yield by asset, and over all assets at par; a yield may be negative', () => {
    const { assets, ...whole } = reports.summary(CONTEXT);
    const usdc = { deposits: 130n, withdrawals: 25n, netDeposits: 105n, netTvl: 110n, yield: 5n };
    const usdt = { deposits: 50n, withdrawals: 0n, netDeposits: 50n, netTvl: 49n, yield: -1n };
    expect(assets).toEqual([
      { asset: 'USDC', ...usdc, apy: expect.closeTo(0.0497727, 7) },
      { asset: 'USDT', ...usdt, apy: null },
    ]);
    const totals = { deposits: 180n, withdrawals: 25n, netDeposits: 155n, netTvl: 159n, yield: 4n };
    const counts = { users: 3, positions: { open: 3, closed: 1 } };
    expect(whole).toEqual({ partnerId: 'ptn_a', asOf: NOW, ...counts, totals, points: 566, revenue: 1n });
  });

  it('count deposits and withdrawals', () => {
    expect(reports.deposits(CONTEXT)).toMatchObject({ total: 180n, count: 4 });
    expect(reports.withdrawals(CONTEXT)).toMatchObject({ total: 25n, count: 2 });
  });

  it('split the TVL by vault, as fractions of its asset; the share of dust below a micro-unit is null', () => {
    expect(reports.tvl(CONTEXT).assets[0]!.vaults).toEqual([
      { vaultId: 'vlt_a', value: 30n, share: 30 / 110 },
      { vaultId: 'vlt_b', value: 80n, share: 80 / 110 },
    ]);
    const { assets } = reports.tvl(contextOf({ USDC: { vaults: { vlt_a: { value: 0n } } } }));
    expect(assets[0]!.vaults).toEqual([{ vaultId: 'vlt_a', value: 0n, share: null }]);
  });

  it('split yield into accrued and pending, either of which may be negative', () => {
    expect(reports.yieldReport(CONTEXT)).toMatchObject({
      total: 4n,
      assets: [
        { asset: 'USDC', accrued: 4n, pending: 1n, total: 5n, costs: 2n },
        { asset: 'USDT', accrued: -2n, pending: 1n, total: -1n, costs: 0n },
      ],
    });
  });

  it('list points by campaign, and all those without one in one row, rounded down at 1e-6', () => {
    expect(reports.points(CONTEXT)).toMatchObject({
      total: 566,
      campaigns: [
        { campaignId: null, multiplier: 1, points: 3.5 },
        { campaignId: 'cmp_a', multiplier: 1.5, points: 562.5 },
      ],
    });
    expect(reports.points({ ...CONTEXT, pointsPerUsdDay: 3 }).total).toBe(1_698);
    expect(reports.points(contextOf({}, [['', 100, 0n, GRAINS_PER_POINT - 1n]])).total).toBe(0.999999);
  });

  it('count points outside of any campaign once', () => {
    const context = contextOf({}, [['', 100, 7n * GRAINS_PER_POINT, 2n * GRAINS_PER_POINT]]);
    expect(reports.points(context)).toMatchObject({ total: 2, campaigns: [{ campaignId: null, points: 2 }] });
  });

  it('show settled revenue: of 10.000001 at 10 % and 40 % the partner has 0.4, the protocol the rest of the fee', () => {
    const account = newAccount({ userId: 'usr_a', asset: 'USDC', partnerId: 'ptn_a' });
    const terms = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };
    const { totalFee: fee, totalPartner: partnerRevenue } = settleYield(account, 10_000_001n, terms);
    const sums = { accrued: '10000001', withdrawn: '10000018' };
    const { totals } = reports.revenue(contextOf({ USDC: { sums, fee, partnerRevenue } }));
    expect(totals).toEqual({
      // 17 since the last posting.
      ...{ yield: 10_000_018n, accrued: 10_000_001n },
      ...{ performanceFee: 1_000_001n, partnerRevenue: 400_000n, protocolRevenue: 600_001n },
    });
  });
});
