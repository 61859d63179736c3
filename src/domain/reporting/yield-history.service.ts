import { Injectable } from '@nestjs/common';
import { mean } from '../markets/signals/statistics.js';
import { checkPeriod, invalid } from '../kernel/domain-error.js';
import { Meter } from '../kernel/meter.js';
import { MarketService } from '../markets/hours/market.service.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import { addHours, HOUR_MS, hourOf } from '../kernel/clock.js';
import * as queries from './report.queries.js';
import { double, orNull, rowCount, text, time, whole } from '../kernel/store/column.js';
import { statement } from '../kernel/store/statement.js';
import { INDEX_SCALE } from '../markets/vaults/yield-index.js';

export const INTERVALS = ['hour', 'day'] as const;
export type Interval = (typeof INTERVALS)[number];

export const MAX_POINTS = 2_000;
const DEFAULT_HOURS = 30 * 24;
const HOURS_OF = { hour: 1, day: 24 } satisfies Record<Interval, number>;

export interface HistoryQuery {
  from?: Date;
  to?: Date;
  interval?: Interval;
}

const POINT = {
  at: time(),
  apy: orNull(double()),
  rewardApy: orNull(double()),
  riskAdjustedApy: orNull(double()),
  tvl: orNull(whole()),
  assets: orNull(whole()),
  liquidity: orNull(whole()),
  index: whole(),
};
/** By hour, or by UTC day ($6): means over known hours, the newest known amounts, and the newest index. */
const FIND_VAULT_POINTS = statement(
  'reporting.find_vault_points',
  { values: [text(), text(), time(), time(), rowCount(), text<Interval>()], row: POINT },
  `SELECT date_trunc($6, hour, 'UTC') AS at, avg(apy) AS apy, avg(reward_apy) AS "rewardApy", avg(risk_adjusted_apy) AS "riskAdjustedApy",
          (array_agg(tvl ORDER BY hour DESC) FILTER (WHERE tvl IS NOT NULL))[1] AS tvl,
          (array_agg(assets ORDER BY hour DESC) FILTER (WHERE assets IS NOT NULL))[1] AS assets,
          (array_agg(liquidity ORDER BY hour DESC) FILTER (WHERE liquidity IS NOT NULL))[1] AS liquidity,
          (array_agg(share_index ORDER BY hour DESC))[1] AS index
     FROM snapshots WHERE market_id = $1 AND vault_id = $2 AND hour >= $3 AND hour <= $4 GROUP BY 1 ORDER BY 1 LIMIT $5`,
);

export type YieldHistory = Awaited<ReturnType<YieldHistoryService['readAsset']>>;
export type VaultHistory = Awaited<ReturnType<YieldHistoryService['readVault']>>;

/** Yields of a market by hour or day: of an asset, blended over its vaults whatever this service holds, and of a vault with its signals. */
@Injectable()
export class YieldHistoryService {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
    private readonly meter: Meter,
  ) {}

  /** Points, oldest first: a missing hour has none, an unknown APY is null; their mean; and the APY of the newest hour, whatever the requested range.
   * @throws DomainError `validation_failed` (asset; from after to; more than 2,000 points up to a requested end)
   */
  async readAsset(marketId: string, asset: string, query: HistoryQuery = {}) {
    this.catalogue.requireAsset(asset);
    const { interval, from, to } = await this.spanOf(marketId, query);
    const [rows, [newest]] = await Promise.all([
      this.store.query(queries.FIND_POINTS, [marketId, asset, from, to, MAX_POINTS + 1, interval]),
      this.store.query(queries.FIND_NEWEST_POINT, [marketId, asset]),
    ]);
    this.meter.summed(rows.length * HOURS_OF[interval]);
    const points = rows.slice(0, MAX_POINTS);
    return {
      asset,
      interval,
      points,
      nextFrom: nextTime(rows),
      apy: newest?.apy ?? null,
      averageApy: mean(points.map(({ apy }) => apy).filter((apy) => apy !== null)),
    };
  }

  /** @throws DomainError `not_found`, `validation_failed` (from after to; more than 2,000 points up to a requested end) */
  async readVault(marketId: string, vaultId: string, query: HistoryQuery = {}) {
    this.catalogue.vault(vaultId);
    const { interval, from, to } = await this.spanOf(marketId, query);
    const values = [marketId, vaultId, from, to, MAX_POINTS + 1, interval] as const;
    const rows = await this.store.query(FIND_VAULT_POINTS, values);
    this.meter.summed(rows.length * HOURS_OF[interval]);
    const points = rows
      .slice(0, MAX_POINTS)
      .map(({ index, ...point }) => ({ ...point, index: Number(index) / Number(INDEX_SCALE) }));
    return { vaultId, interval, points, nextFrom: nextTime(rows) };
  }

  private async spanOf(
    marketId: string,
    { interval = 'hour', from: requestedStart, to: end }: HistoryQuery,
  ): Promise<Required<HistoryQuery>> {
    const to = end ?? (await this.market.now(marketId));
    const from = requestedStart ?? addHours(hourOf(to), 1 - DEFAULT_HOURS);
    checkPeriod(from, to);
    const intervalIndex = (time: Date): number => Math.floor(time.getTime() / (HOUR_MS * HOURS_OF[interval]));
    if (end !== undefined && intervalIndex(to) - intervalIndex(from) >= MAX_POINTS)
      throw invalid(
        'from',
        `covers more than ${MAX_POINTS} points; request a shorter period${interval === 'hour' ? ', or interval=day' : ''}`,
      );
    return { interval, from, to };
  }
}

/** Time of the first point that does not fit an answer; null: all fit. @param rows one beyond `MAX_POINTS` is enough */
const nextTime = (rows: readonly { at: Date }[]): Date | null => rows[MAX_POINTS]?.at ?? null;
