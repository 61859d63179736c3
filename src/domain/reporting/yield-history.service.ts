import { Injectable } from '@nestjs/common';
import { mean } from '../markets/signals/statistics.js';
import { checkPeriod, invalid } from '../kernel/domain-error.js';
import { MarketService } from '../markets/hours/market.service.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import { addHours, hourOf, HOUR_MS } from '../kernel/clock.js';
import * as queries from './report.queries.js';

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

export interface YieldHistory {
  asset: string;
  interval: Interval;
  /** Oldest first. A missing hour has no point; an unknown APY is null. TVL in micro-units; `vaults`: number of contributing vaults. */
  points: { at: Date; apy: number | null; tvl: bigint | null; vaults: number }[];
  /** APY of the newest hour, whatever the requested range; null when unknown. */
  apy: number | null;
  /** Mean of the known points; null without any. */
  averageApy: number | null;
  nextFrom: Date | null;
}

/**
 * Requested range with its defaults.
 * @param to requested end, or the market's now
 * @throws DomainError `validation_failed` (from after to; more than 2,000 points up to a requested end)
 */
export function spanOf(
  { interval = 'hour', from: asked, to: end }: HistoryQuery,
  to: Date,
): Required<HistoryQuery> {
  const from = asked ?? addHours(hourOf(to), 1 - DEFAULT_HOURS);
  checkPeriod(from, to);
  const place = (time: Date): number => Math.floor(time.getTime() / (HOUR_MS * HOURS_OF[interval]));
  if (end !== undefined && place(to) - place(from) >= MAX_POINTS)
    throw invalid(
      'from',
      `asks for more than ${MAX_POINTS} points; ask for a shorter time${interval === 'hour' ? ', or for interval=day' : ''}`,
    );
  return { interval, from, to };
}

/** Points that fit an answer, and the time of the first that does not; null: all fit. @param rows oldest first; one beyond `MAX_POINTS` is enough */
export function fitting<Point extends { at: Date }>(
  rows: readonly Point[],
): { points: Point[]; nextFrom: Date | null } {
  return { points: rows.slice(0, MAX_POINTS), nextFrom: rows[MAX_POINTS]?.at ?? null };
}

/** Blended yield of an asset over the vaults of a market: the market series, independent of this service's holdings. */
@Injectable()
export class YieldHistoryService {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
  ) {}

  /** @throws DomainError `validation_failed` (asset; from after to; more than 2,000 points up to a requested end) */
  async read(marketId: string, asset: string, query: HistoryQuery = {}): Promise<YieldHistory> {
    this.catalogue.requireAsset(asset);
    const { interval, from, to } = spanOf(query, query.to ?? (await this.market.now(marketId)));
    const find = interval === 'hour' ? queries.FIND_HOURLY_POINTS : queries.FIND_DAILY_POINTS;
    const [rows, [newest]] = await Promise.all([
      this.store.query(find, [marketId, asset, from, to, MAX_POINTS + 1]),
      this.store.query(queries.FIND_NEWEST_POINT, [marketId, asset]),
    ]);
    const { points: found, nextFrom } = fitting(rows);
    const points = found.map(({ tvl, ...point }) => ({ ...point, tvl: tvl === null ? null : BigInt(tvl) }));
    return {
      asset,
      interval,
      points,
      nextFrom,
      apy: newest?.apy ?? null,
      averageApy: mean(points.map(({ apy }) => apy).filter((apy) => apy !== null)),
    };
  }
}
