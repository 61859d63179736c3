import { Injectable } from '@nestjs/common';
import { DomainError, invalid } from '../kernel/domain-error.js';
import { listOf, orNull, rowCount, text, time, whole } from '../kernel/store/column.js';
import { type Page, type PageRequest, toPage } from '../kernel/store/page.js';
import { type RowFrom, statement } from '../kernel/store/statement.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import { addHours } from '../kernel/clock.js';
import { Meter } from '../kernel/meter.js';
import { ADDED, datedAfter, datedUntil } from '../books/ledger/ledger.queries.js';
import { PastPositions } from '../books/ledger/past-positions.js';
import { holdVaultOf, type Position } from '../books/positions/position.js';
import type { Quotes } from '../books/positions/quotes.js';
import { MarketService } from '../markets/hours/market.service.js';
import { valueOf as worthOf } from '../markets/vaults/yield-index.js';
import { type ClosedBook, ClosingService } from './closing.service.js';
import { type ClosedSum, FIND_SPAN, SUMS_OF_ENTRIES } from './closing.queries.js';
import { sumsOf } from './partner-reports.js';
import { ReportService } from './report.service.js';
import { ReservesService } from './reserves/reserves.service.js';

const UPLIFTS = ['lendingUplift', 'holdUplift'] as const;
const FIGURES = [
  ...(['openingValue', 'deposits', 'withdrawals', 'yield', 'costs', 'closingValue'] as const),
  ...(['performanceFee', 'partnerRevenue', 'protocolRevenue', 'carriedLoss'] as const),
  ...UPLIFTS,
] as const;
/** Figures of a period, micro-units: opening value, deposits less withdrawals, and yield less costs add up to the closing value. */
export type PeriodFigures = Record<(typeof FIGURES)[number], bigint>;
type Uplifts = Record<(typeof UPLIFTS)[number], bigint>;
type Flow = 'deposits' | 'withdrawals' | 'accrued' | 'costs' | 'fee' | 'partnerRevenue';
export type AssetFigures = PeriodFigures & { asset: string };
/** `expectedCosts`: what its decisions expected of the moves whose first report, or first step, was booked in the period. Micro-units. */
export type StatementFigures = PeriodFigures & { expectedCosts: bigint };
export interface Period {
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  period: string;
  from: Date;
  to: Date;
  /** Whether all its days are closed; else the figures are up to its last closed day. */
  closed: boolean;
}
export type ListedStatement = Period & { assets: AssetFigures[] };
export type PeriodStatement = Period & {
  assets: (AssetFigures & StatementFigures)[];
  /** At the end of its last closed day; null: not known. */
  reserves: { asOf: Date; coverage: number } | null;
};
export type UserStatement = Awaited<ReturnType<StatementReports['users']>>['items'][number];

/** Users whose entries one statement sums. */
const USERS_AT_ONCE = 20;

const PERIOD = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
export const INTERVALS = ['year', 'month', 'day'] as const;
export type Interval = (typeof INTERVALS)[number];
/** Characters of the name of a period. */
const NAME_LENGTH: Readonly<Record<Interval, number>> = { year: 4, month: 7, day: 10 };

const sumWhere = (added: string, which = 'own'): string =>
  `coalesce(sum(${added}) FILTER (WHERE ${which}), 0)`;

/** Sums of users' entries by asset, in a period and before it. $1 users, $2 its beginning, $3 its end. */
const FIND_SUMS = statement(
  'statements.find_sums_of_users',
  {
    values: [listOf(text()), time(), time()],
    row: { userId: text(), asset: text(), entries: rowCount(), opening: whole(), ...SUMS_OF_ENTRIES },
  },
  `SELECT user_id AS "userId", asset, count(*) AS entries, ${sumWhere(`${ADDED.deposits} - ${ADDED.withdrawals} + ${ADDED.accrued} - cost`, 'NOT own')} AS opening,
          ${sumWhere(ADDED.deposits)} AS deposits, ${sumWhere(ADDED.withdrawals)} AS withdrawals, ${sumWhere(ADDED.accrued)} AS accrued, ${sumWhere('cost')} AS costs,
          ${sumWhere('fee')} AS fee, ${sumWhere('partner_revenue')} AS "partnerRevenue", sum(carried_loss) AS "carriedLoss"
     FROM (SELECT *, ${datedAfter('$2')} AS own FROM ledger_entries e WHERE user_id = ANY($1) AND ${datedUntil('$3')}) AS entered
    GROUP BY user_id, asset ORDER BY user_id, asset`,
);

/** Expected costs of a partner's moves by asset. $1 partner, $2 beginning, $3 end. */
const FIND_EXPECTED_COSTS = statement(
  'statements.find_expected_costs',
  { values: [text(), time(), time()], row: { asset: text(), expectedCosts: whole() } },
  `SELECT asset, sum(expected_cost) AS "expectedCosts" FROM move_orders
    WHERE partner_id = $1 AND coalesce(redeemed_at, settled_at) >= $2 AND coalesce(redeemed_at, settled_at) < $3 GROUP BY asset`,
);

/**
 * Expected costs of the same moves by user and asset, which add up to those of the partner. $1 partner, $2 users, $3 beginning, $4 end. null: one
 * of them is older than its entries' parts of it.
 */
const FIND_EXPECTED_COSTS_OF_USERS = statement(
  'statements.find_expected_costs_of_users',
  {
    values: [text(), listOf(text()), time(), time()],
    row: { userId: text(), asset: text(), expectedCosts: orNull(whole()) },
  },
  `SELECT e.user_id AS "userId", e.asset, CASE WHEN count(*) = count(e.expected_cost) THEN sum(e.expected_cost) END AS "expectedCosts"
     FROM move_orders o
     JOIN ledger_entries e ON e.user_id = ANY($2) AND e.decision_id = o.decision_id AND e.type = 'rebalance' AND e.at >= $3
    WHERE o.partner_id = $1 AND coalesce(o.redeemed_at, o.settled_at) >= $3 AND coalesce(o.redeemed_at, o.settled_at) < $4
    GROUP BY e.user_id, e.asset`,
);

/** Statements of closed periods: differences of closings, and of users the sums of their entries, which closed days never change. */
@Injectable()
export class StatementReports {
  constructor(
    private readonly store: Store,
    private readonly closings: ClosingService,
    private readonly reports: ReportService,
    private readonly catalogue: Catalogue,
    private readonly reserves: ReservesService,
    private readonly past: PastPositions,
    private readonly market: MarketService,
    private readonly meter: Meter,
  ) {}

  /** Years, months or days of a partner up to its last closed day, newest first, with their figures: two statements. */
  async list(
    partnerId: string,
    interval: Interval,
    { limit, after }: PageRequest,
  ): Promise<Page<ListedStatement>> {
    const [span] = await this.store.query(FIND_SPAN, [partnerId]);
    const { first, last } = span!;
    if (first === null || last === null) return { items: [], next: null };
    const periods: Period[] = [];
    const nameOf = (day: Date): string => day.toISOString().slice(0, NAME_LENGTH[interval]);
    let at = after === null ? last : addHours(after.at, -24);
    while (at >= first && periods.length <= limit) {
      const period = this.parse(nameOf(at), addHours(last, 24));
      periods.push(period);
      at = addHours(period.from, -24);
    }
    const { items, next } = toPage(periods, limit, ({ from, period }) => ({ at: from, id: period }));
    const figures = await this.figures(partnerId, items);
    return { items: items.map((period) => ({ ...period, assets: figures(period) })), next };
  }

  /** @throws DomainError `validation_failed` (period) */
  async read(partnerId: string, name: string): Promise<PeriodStatement> {
    const period = await this.periodOf(partnerId, name);
    const [figures, costs] = await Promise.all([
      this.figures(partnerId, [period]),
      this.store.query(FIND_EXPECTED_COSTS, [partnerId, period.from, period.to]),
    ]);
    const expected = new Map(costs.map(({ asset, expectedCosts }) => [asset, expectedCosts]));
    const assets = figures(period).map((row) => ({ ...row, expectedCosts: expected.get(row.asset) ?? 0n }));
    return { ...period, assets, reserves: await this.reserves.atClosing(partnerId, period.to) };
  }

  /** Figures of periods, by asset of the deployment. */
  private async figures(partnerId: string, periods: Period[]): Promise<(period: Period) => AssetFigures[]> {
    const midnights = new Map(periods.flatMap(({ from, to }) => [from, to]).map((at) => [at.getTime(), at]));
    const closingOf = await this.closings.readBefore(partnerId, [...midnights.values()]);
    return ({ from, to }) =>
      this.catalogue.assets.map((asset) =>
        figuresOfClosings(asset, closingOf(asset, from), closingOf(asset, to)),
      );
  }

  /** Users newest first, each with the assets in which it has any entry until the end of the period. */
  async users(partnerId: string, name: string, page: PageRequest, ids?: string[]) {
    const period = await this.periodOf(partnerId, name);
    const { items, next } = await this.reports.readPage(partnerId, page, ids, period.to);
    const userIds = items.map(({ id }) => id);
    const { sums, expected, uplifts } = await this.past.runInTurn(partnerId, async () => ({
      sums: await this.sums(userIds, period),
      expected: await this.expectedCosts(partnerId, userIds, period),
      uplifts: await this.uplifts(partnerId, userIds, period),
    }));
    const byUser = Map.groupBy(sums, ({ userId }) => userId);
    const users = items.map(({ id, externalId }) => ({
      userId: id,
      externalId,
      assets: (byUser.get(id) ?? []).map((row) => {
        const uplift = uplifts.get(`${id} ${row.asset}`) ?? NO_UPLIFT;
        const figures = figuresOf(row.asset, row.opening, (name) => row[name], row.carriedLoss, uplift);
        const expectedCosts = expected.get(`${id} ${row.asset}`);
        return { ...figures, expectedCosts: expectedCosts === undefined ? 0n : expectedCosts };
      }),
    }));
    return { items: users, next };
  }

  private async sums(userIds: string[], { from, to }: Period): Promise<RowFrom<typeof FIND_SUMS>[]> {
    const sums: RowFrom<typeof FIND_SUMS>[] = [];
    for (let next = 0; next < userIds.length; next += USERS_AT_ONCE) {
      const rows = await this.store.query(FIND_SUMS, [userIds.slice(next, next + USERS_AT_ONCE), from, to]);
      this.meter.summed(rows.reduce((sum, { entries }) => sum + entries, 0));
      sums.push(...rows);
    }
    return sums;
  }

  /** What the moves of a period were expected to cost, by user and asset: absent: none moved; null: not known. */
  private async expectedCosts(
    partnerId: string,
    userIds: string[],
    { from, to }: Period,
  ): Promise<Map<string, bigint | null>> {
    const costs = new Map<string, bigint | null>();
    for (let next = 0; next < userIds.length; next += USERS_AT_ONCE) {
      const ids = userIds.slice(next, next + USERS_AT_ONCE);
      const rows = await this.store.query(FIND_EXPECTED_COSTS_OF_USERS, [partnerId, ids, from, to]);
      for (const { userId, asset, expectedCosts } of rows) costs.set(`${userId} ${asset}`, expectedCosts);
    }
    return costs;
  }

  /** Uplift that users' positions had at the end of a period, less what they had at its beginning; by user and asset. */
  private async uplifts(
    partnerId: string,
    userIds: string[],
    { from, to }: Period,
  ): Promise<Map<string, Uplifts>> {
    const uplifts = new Map<string, Uplifts>();
    if (from >= to) return uplifts;
    const add = async (at: Date, sign: bigint): Promise<void> => {
      const quotes = await this.closings.quotesAt(partnerId, at, 'period');
      for await (const positions of this.past.readOfUsers(userIds, quotes))
        for (const position of positions) {
          const key = `${position.userId} ${position.asset}`;
          const { lendingUplift, holdUplift } = uplifts.get(key) ?? NO_UPLIFT;
          const positionUplift = upliftOfPosition(position, quotes);
          uplifts.set(key, {
            lendingUplift: lendingUplift + sign * positionUplift.lendingUplift,
            holdUplift: holdUplift + sign * positionUplift.holdUplift,
          });
        }
    };
    await add(from, -1n);
    await add(to, 1n);
    return uplifts;
  }

  /**
   * A month of which all days are closed, with the assets that the partner has had until its end.
   * @throws DomainError `validation_failed` (period), `month_open`
   */
  async closedMonth(partnerId: string, name: string): Promise<ListedStatement> {
    const period = await this.periodOf(partnerId, name);
    if (name.length !== 'YYYY-MM'.length) throw invalid('period', 'must be a month, YYYY-MM');
    if (!period.closed)
      throw new DomainError(
        'month_open',
        `${name} is not closed yet. Its last day closes soon after it ends, at 00:00 UTC; GET /partner/statements says closed then.`,
      );
    const { from, to } = period;
    const closingOf = await this.closings.readBefore(partnerId, [from, to]);
    const assets = this.catalogue.assets.filter((asset) => closingOf(asset, to));
    return {
      ...period,
      assets: assets.map((asset) => figuresOfClosings(asset, closingOf(asset, from), closingOf(asset, to))),
    };
  }

  private async periodOf(partnerId: string, name: string): Promise<Period> {
    const [span] = await this.store.query(FIND_SPAN, [partnerId]);
    const { last } = span!;
    const period = this.parse(name, last === null ? new Date(0) : addHours(last, 24));
    if (period.from > (await this.market.now(this.market.marketOf(partnerId))))
      throw invalid('period', 'must not lie in the future');
    return period;
  }

  /** @param closedUntil end of the last closed day, beyond which a period is not reported */
  private parse(name: string, closedUntil: Date): Period {
    const [, year, month, day] = PERIOD.exec(name) ?? [];
    const startOf = (years: number, months: number): Date =>
      new Date(Date.UTC(Number(year) + years, Number(month ?? 1) - 1 + months, Number(day ?? 1)));
    const from = startOf(0, 0);
    if (year === undefined || !from.toISOString().startsWith(name))
      throw invalid('period', 'must be a year, YYYY, a month, YYYY-MM, or a day, YYYY-MM-DD');
    const end = month === undefined ? startOf(1, 0) : day === undefined ? startOf(0, 1) : addHours(from, 24);
    const closed = end <= closedUntil;
    const to = new Date(Math.max(from.getTime(), Math.min(end.getTime(), closedUntil.getTime())));
    return { period: name, from, to, closed };
  }
}

export const totalOf = (rows: readonly PeriodFigures[]): PeriodFigures => sumsOf(rows, FIGURES);

export const totalsOf = (rows: readonly StatementFigures[]): StatementFigures => ({
  ...totalOf(rows),
  ...sumsOf(rows, ['expectedCosts']),
});

const NO_UPLIFT: Uplifts = { lendingUplift: 0n, holdUplift: 0n };

function upliftOfPosition(position: Position, { quoteOf }: Quotes): Uplifts {
  const worth = (shares: bigint, vaultId: string): bigint =>
    shares === 0n ? 0n : worthOf(shares, quoteOf(vaultId).index);
  const value = worth(position.shares, position.vaultId);
  const lending = worth(position.lendingShares, position.lendingVaultId);
  const hold = worth(position.holdShares, holdVaultOf(position));
  return {
    lendingUplift: value - lending + position.settledLending,
    holdUplift: value - hold + position.settledHold,
  };
}

const valueOf = (closing: ClosedBook | undefined): bigint =>
  closing ? closing.deposits - closing.withdrawals + closing.accrued - closing.costs : 0n;

function figuresOfClosings(
  asset: string,
  before: ClosedBook | undefined,
  then: ClosedBook | undefined,
): AssetFigures {
  const of = (name: ClosedSum): bigint => (then?.[name] ?? 0n) - (before?.[name] ?? 0n);
  const change = valueOf(then) - valueOf(before);
  return figuresOf(asset, valueOf(before), of, then?.carriedLoss ?? 0n, {
    lendingUplift: change - of('lendingValue') + of('settledLending'),
    holdUplift: change - of('holdValue') + of('settledHold'),
  });
}

function figuresOf(
  asset: string,
  openingValue: bigint,
  of: (name: Flow) => bigint,
  carriedLoss: bigint,
  uplifts: Uplifts,
): AssetFigures {
  const flows = {
    deposits: of('deposits'),
    withdrawals: of('withdrawals'),
    yield: of('accrued'),
    costs: of('costs'),
  };
  return {
    asset,
    openingValue,
    ...flows,
    closingValue: openingValue + flows.deposits - flows.withdrawals + flows.yield - flows.costs,
    performanceFee: of('fee'),
    partnerRevenue: of('partnerRevenue'),
    protocolRevenue: of('fee') - of('partnerRevenue'),
    carriedLoss,
    ...uplifts,
  };
}
