import { describe, expect, it } from '@jest/globals';
import type { MarketVault } from '../markets/hours/market.service.js';
import { GRAINS_PER_POINT } from '../books/positions/points.js';
import { newAccount, settleYield } from '../books/positions/revenue.js';
import { quotesOf } from '../books/positions/quotes.js';
import type { Vault } from '../kernel/catalogue/catalogue.js';
import { INDEX_SCALE } from '../markets/vaults/yield-index.js';
import { type AssetTotals, PartnerBook, type StoredBooks } from './partner-book.js';
import { NOTHING_RECENT } from '../markets/vaults/recent.js';
import * as reports from './partner-reports.js';

const NOW = new Date('2026-03-11T12:00:00.000Z');
const NOTHING: AssetTotals = {
  deposited: 0n,
  withdrawn: 0n,
  deposits: 0,
  withdrawals: 0,
  accrued: 0n,
  costs: 0n,
  settledLending: 0n,
  settledHold: 0n,
  principal: 0n,
  capitalMoment: 0n,
  fee: 0n,
  partnerRevenue: 0n,
  carriedLoss: 0n,
  opened: 0,
  closed: 0,
  firstAt: null,
};

interface Asset extends Partial<AssetTotals> {
  /** Value in each vault, micro-units, and the vault's APY. */
  vaults?: Record<string, { value: bigint; apy?: number }>;
}

interface Earned {
  /** '': no campaign. */
  campaignId: string;
  hundredths: number;
  /** Grains. */
  campaign: bigint;
  plain: bigint;
}

/** Book of such rows, in a market whose indexes are all one. */
function contextOf(given: Record<string, Asset>, earned: readonly Earned[] = []): reports.ReportContext {
  const held = Object.entries(given).flatMap(([asset, { vaults = {} }]) =>
    Object.entries(vaults).map(([vaultId, one]) => ({ asset, vaultId, ...one })),
  );
  const stored: StoredBooks = {
    shares: held.map(({ asset, vaultId, value }) => ({
      asset,
      book: 'routed',
      vaultId,
      // Half a micro-unit more, which rounds down to nothing.
      shares: (value * 10n ** 12n + 5n * 10n ** 11n).toString(),
      positions: 1,
    })),
    totals: Object.entries(given).map(([asset, { vaults: _, ...totals }]) => ({
      asset,
      ...inDigits({ ...NOTHING, ...totals }),
    })),
    revenue: Object.entries(given).map(([asset, { fee = 0n, partnerRevenue = 0n }]) => ({
      asset,
      fee: fee.toString(),
      partnerRevenue: partnerRevenue.toString(),
      carriedLoss: '0',
    })),
    points: earned.map(({ campaignId, hundredths, campaign, plain }) => ({
      campaignId,
      principal: '0',
      campaignMoment: (-campaign).toString(),
      plainMoment: (-plain).toString(),
      terms: campaignId === '' ? [] : [termsOf(hundredths)],
    })),
    users: 3,
    performanceFeeBps: 1_000,
    revenueShareBps: 4_000,
  };
  const vaults = new Map(held.map(({ vaultId, apy }) => [vaultId, marketVault(vaultId, apy ?? null)]));
  return {
    partnerId: 'ptn_a',
    book: new PartnerBook(
      stored,
      quotesOf({ marketId: 'base', hour: NOW, now: NOW, advance: never, vaults }),
    ),
    assets: ['USDC', 'USDT'],
    pointsPerUsdDay: 1,
    asOf: NOW,
  };
}

const inDigits = ({ fee: _fee, partnerRevenue: _revenue, carriedLoss: _loss, ...totals }: AssetTotals) => ({
  ...totals,
  deposited: totals.deposited.toString(),
  withdrawn: totals.withdrawn.toString(),
  accrued: totals.accrued.toString(),
  costs: totals.costs.toString(),
  settledLending: totals.settledLending.toString(),
  settledHold: totals.settledHold.toString(),
  principal: totals.principal.toString(),
  capitalMoment: totals.capitalMoment.toString(),
  firstAt: NOW.toISOString(),
});

const termsOf = (multiplierHundredths: number) => ({
  fromAt: NOW.toISOString(),
  active: true,
  multiplierHundredths,
  startsAt: NOW.toISOString(),
  endsAt: null,
});

/** Nothing is projected beyond the newest hour. */
const never = () => {
  throw new Error('No hour is missing.');
};

function marketVault(vaultId: string, apy: number | null): MarketVault {
  const observedHour = apy === null ? null : NOW;
  return {
    // A report reads nothing of the catalogue.
    vault: { id: vaultId } as Vault,
    state: {
      vaultId,
      index: INDEX_SCALE,
      factor: 0n,
      lastApy: apy,
      lastTvl: null,
      lastAssets: null,
      lastLiquidity: null,
      baseFees: [],
      doubtedSince: null,
      quarantine: null,
      observedHour,
      smoothed: null,
      simulated: null,
      price: null,
    },
    expectedApy: null,
    riskAdjustedApy: null,
    ...NOTHING_RECENT,
    held: 0n,
    own: 0n,
  };
}

const CONTEXT = contextOf(
  {
    USDC: {
      deposited: 130n,
      withdrawn: 25n,
      deposits: 3,
      withdrawals: 2,
      accrued: 6n,
      costs: 2n,
      fee: 3n,
      partnerRevenue: 1n,
      opened: 3,
      closed: 1,
      vaults: { vlt_a: { value: 30n, apy: 0.0225 }, vlt_b: { value: 80n, apy: 0.06 } },
    },
    USDT: { deposited: 50n, deposits: 1, opened: 1, accrued: -2n, vaults: { vlt_c: { value: 49n } } },
  },
  [
    { campaignId: '', hundredths: 100, campaign: 0n, plain: (5n * GRAINS_PER_POINT) / 2n },
    {
      campaignId: 'cmp_a',
      hundredths: 150,
      campaign: (5_625n * GRAINS_PER_POINT) / 10n,
      plain: GRAINS_PER_POINT,
    },
  ],
);

describe('the reports of a partner', () => {
  it('sum up what there is, asset by asset and at par', () => {
    expect(reports.summary(CONTEXT)).toEqual({
      partnerId: 'ptn_a',
      asOf: NOW,
      users: 3,
      positions: { open: 3, closed: 1 },
      assets: [
        {
          asset: 'USDC',
          deposits: 130n,
          withdrawals: 25n,
          netDeposits: 105n,
          netTvl: 110n,
          yield: 5n,
          apy: expect.closeTo(0.0497727, 7),
        },
        {
          asset: 'USDT',
          deposits: 50n,
          withdrawals: 0n,
          netDeposits: 50n,
          netTvl: 49n,
          yield: -1n,
          apy: null,
        },
      ],
      totals: { deposits: 180n, withdrawals: 25n, netDeposits: 155n, netTvl: 159n, yield: 4n },
      points: 566,
      revenue: 1n,
    });
  });

  it('count deposits and withdrawals', () => {
    expect(reports.deposits(CONTEXT)).toEqual({
      asOf: NOW,
      total: 180n,
      count: 4,
      assets: [
        { asset: 'USDC', amount: 130n, count: 3 },
        { asset: 'USDT', amount: 50n, count: 1 },
      ],
    });
    expect(reports.withdrawals(CONTEXT)).toMatchObject({ total: 25n, count: 2 });
  });

  it('split the TVL over vaults, as fractions of their asset', () => {
    expect(reports.tvl(CONTEXT)).toEqual({
      asOf: NOW,
      netTvl: 159n,
      assets: [
        {
          asset: 'USDC',
          netTvl: 110n,
          vaults: [
            { vaultId: 'vlt_a', value: 30n, share: 30 / 110 },
            { vaultId: 'vlt_b', value: 80n, share: 80 / 110 },
          ],
        },
        { asset: 'USDT', netTvl: 49n, vaults: [{ vaultId: 'vlt_c', value: 49n, share: 1 }] },
      ],
    });
  });

  it('give no share of nothing: dust that is worth less than a micro-unit has none', () => {
    const { assets } = reports.tvl(contextOf({ USDC: { vaults: { vlt_a: { value: 0n } } } }));
    expect(assets[0]).toEqual({
      asset: 'USDC',
      netTvl: 0n,
      vaults: [{ vaultId: 'vlt_a', value: 0n, share: null }],
    });
  });

  it('split yield into what is posted and what has grown since, either of them signed', () => {
    expect(reports.yieldReport(CONTEXT)).toEqual({
      asOf: NOW,
      total: 4n,
      assets: [
        { asset: 'USDC', accrued: 4n, pending: 1n, total: 5n, costs: 2n, apy: expect.closeTo(0.0497727, 7) },
        { asset: 'USDT', accrued: -2n, pending: 1n, total: -1n, costs: 0n, apy: null },
      ],
    });
  });

  it('tell points by the campaign that multiplied them, and those outside any together', () => {
    expect(reports.points(CONTEXT)).toEqual({
      asOf: NOW,
      total: 566,
      campaigns: [
        { campaignId: null, multiplier: 1, points: 3.5 },
        { campaignId: 'cmp_a', multiplier: 1.5, points: 562.5 },
      ],
    });
    expect(reports.points({ ...CONTEXT, pointsPerUsdDay: 3 }).total).toBe(1_698);
  });

  it('round points down at 1e-6', () => {
    const earned = { campaignId: '', hundredths: 100, campaign: 0n, plain: GRAINS_PER_POINT - 1n };
    const { total } = reports.points(contextOf({}, [earned]));
    expect(total).toBe(0.999999);
  });

  it('show revenue as it was settled: of 10.000001 at 10 % and 40 % the partner has 0.4, the protocol the rest', () => {
    const account = newAccount({ userId: 'usr_a', asset: 'USDC', partnerId: 'ptn_a' });
    const terms = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };
    const { totalFee: fee, totalPartner: partner } = settleYield(account, 10_000_001n, terms);
    const context = contextOf({
      USDC: { accrued: 10_000_001n, withdrawn: 10_000_018n, fee, partnerRevenue: partner },
    });
    const settled = {
      // 17 since the last posting.
      yield: 10_000_018n,
      accrued: 10_000_001n,
      performanceFee: 1_000_001n,
      partnerRevenue: 400_000n,
      protocolRevenue: 600_001n,
    };
    const nothing = { yield: 0n, accrued: 0n, performanceFee: 0n, partnerRevenue: 0n, protocolRevenue: 0n };
    expect(reports.revenue(context)).toEqual({
      asOf: NOW,
      performanceFeeBps: 1_000,
      revenueShareBps: 4_000,
      assets: [
        { asset: 'USDC', ...settled },
        { asset: 'USDT', ...nothing },
      ],
      totals: settled,
    });
  });

  it('have a row for each asset also where nothing ever happened', () => {
    const empty = contextOf({});
    const assets = ['USDC', 'USDT'];
    for (const report of [reports.summary, reports.deposits, reports.withdrawals, reports.tvl])
      expect(report(empty).assets.map(({ asset }) => asset)).toEqual(assets);
    expect(reports.yieldReport(empty)).toMatchObject({ total: 0n, assets: [{ apy: null }, { apy: null }] });
    expect(reports.points(empty)).toMatchObject({
      total: 0,
      campaigns: [{ campaignId: null, multiplier: 1, points: 0 }],
    });
    expect(reports.revenue(empty).totals.performanceFee).toBe(0n);
  });
});
