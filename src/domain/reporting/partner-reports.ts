import { gainParts } from '../books/positions/cost-parts.js';
import { toPoints } from '../books/positions/points.js';
import { grainsOf, type PartnerBook } from './partner-book.js';

export interface ReportContext {
  partnerId: string;
  book: PartnerBook;
  /** Assets of the deployment: each has a row in every report, also without activity. */
  assets: readonly string[];
  pointsPerUsdDay: number;
  asOf: Date;
}

export type Summary = ReturnType<typeof summary>;
export type Money = ReturnType<typeof moneyOf>;

/** Amounts are micro-units, also in `totals`, which add stablecoins at par. `revenue`: the partner's part of the fee. */
export function summary(context: ReportContext) {
  const { book, assets, partnerId, asOf } = context;
  const totals = assets.map((asset) => book.totals(asset));
  const rows = assets.map((asset) => ({ asset, ...moneyOf(book, asset), apy: book.apy(asset) }));
  const count = (name: 'opened' | 'closed'): number =>
    totals.reduce((all, assetTotals) => all + assetTotals[name], 0);
  return {
    partnerId,
    asOf,
    users: book.stored.users,
    positions: { open: count('opened') - count('closed'), closed: count('closed') },
    assets: rows,
    totals: sumsOf(rows, ['deposits', 'withdrawals', 'netDeposits', 'netTvl', 'yield']),
    points: points(context).total,
    revenue: sum(totals, ({ partnerRevenue }) => partnerRevenue),
  };
}

/** Deposits less withdrawals plus yield, net of costs, equals net TVL exactly. */
function moneyOf(book: PartnerBook, asset: string) {
  const { deposited, withdrawn } = book.totals(asset);
  return {
    deposits: deposited,
    withdrawals: withdrawn,
    netDeposits: deposited - withdrawn,
    netTvl: book.value('routed', asset),
    yield: book.earned(asset),
  };
}

export type Flows = ReturnType<typeof deposits>;

const flows =
  (amount: 'deposited' | 'withdrawn', count: 'deposits' | 'withdrawals') =>
  ({ book, assets, asOf }: ReportContext) => {
    const totals = assets.map((asset) => ({ asset, ...book.totals(asset) }));
    return {
      asOf,
      total: sum(totals, (assetTotals) => assetTotals[amount]),
      count: totals.reduce((all, assetTotals) => all + assetTotals[count], 0),
      assets: totals.map((assetTotals) => ({
        asset: assetTotals.asset,
        amount: assetTotals[amount],
        count: assetTotals[count],
      })),
    };
  };

export const deposits = flows('deposited', 'deposits');
export const withdrawals = flows('withdrawn', 'withdrawals');

/** Vaults with funds; `share` is the fraction of the asset's net TVL, null when that is 0. */
export function tvl({ book, assets, asOf }: ReportContext) {
  const rows = assets.map((asset) => {
    const netTvl = book.value('routed', asset);
    const values = book.values('routed', asset);
    // At a closing, each position is rounded down, so the sum of vaults exceeds the book value.
    const parts = gainParts(
      netTvl,
      values.map(({ value }) => value),
    );
    const vaults = values.map(({ vaultId }, at) => ({
      vaultId,
      value: parts[at]!,
      share: netTvl > 0n ? Number(parts[at]) / Number(netTvl) : null,
    }));
    return { asset, netTvl, vaults };
  });
  return { asOf, netTvl: sum(rows, ({ netTvl }) => netTvl), assets: rows };
}

/** `accrued`: posted to ledgers, net of costs. */
export function yieldReport({ book, assets, asOf }: ReportContext) {
  const rows = assets.map((asset) => {
    const total = book.earned(asset);
    const { accrued: gross, costs } = book.totals(asset);
    const accrued = gross - costs;
    return { asset, accrued, pending: total - accrued, total, costs, apy: book.apy(asset) };
  });
  return { asOf, total: sum(rows, ({ total }) => total), assets: rows };
}

/** Points, in millionths, by the campaign that multiplied them; null: earned outside of any. */
export function points({ book, asOf, pointsPerUsdDay }: ReportContext) {
  const carried = book.points(asOf);
  const pointsOf = (grains: bigint): bigint => toPoints(grains * BigInt(pointsPerUsdDay));
  const plain = sum(carried, ({ grains }) => grains.plain);
  const running = carried.filter(({ campaignId }) => campaignId !== null);
  return {
    asOf,
    perUsdDay: pointsPerUsdDay,
    total: pointsOf(grainsOf(carried)),
    campaigns: [
      { campaignId: null, multiplier: 1, points: pointsOf(plain) },
      ...running.map(({ campaignId, multiplierHundredths, grains }) => ({
        campaignId,
        multiplier: multiplierHundredths / 100,
        points: pointsOf(grains.campaign),
      })),
    ],
  };
}

export type RevenueReport = ReturnType<typeof revenue>;
export type Revenue = RevenueReport['totals'];

/** Yield posted to ledgers and its fee, which is on gains beyond each user's earlier losses; current terms: earlier yield was settled at those of its time. */
export function revenue({ book, assets, asOf }: ReportContext) {
  const rows = assets.map((asset) => {
    const { accrued, costs, fee, partnerRevenue } = book.totals(asset);
    return {
      asset,
      yield: book.earned(asset),
      accrued: accrued - costs,
      performanceFee: fee,
      partnerRevenue,
      protocolRevenue: fee - partnerRevenue,
    };
  });
  return {
    asOf,
    performanceFeeBps: book.stored.performanceFeeBps,
    revenueShareBps: book.stored.revenueShareBps,
    assets: rows,
    totals: sumsOf(rows, ['yield', 'accrued', 'performanceFee', 'partnerRevenue', 'protocolRevenue']),
  };
}

function sum<Row>(rows: readonly Row[], of: (row: Row) => bigint): bigint {
  return rows.reduce((total, row) => total + of(row), 0n);
}

/** Sums of fields over rows: stablecoins at par. */
export const sumsOf = <Name extends string>(
  rows: readonly Record<Name, bigint>[],
  names: readonly Name[],
): Record<Name, bigint> =>
  Object.fromEntries(names.map((name) => [name, sum(rows, (row) => row[name])])) as Record<Name, bigint>;
