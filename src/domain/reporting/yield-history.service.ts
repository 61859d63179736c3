import { Injectable } from '@nestjs/common';
import { mean } from '../analytics/statistics.js';
import { invalid } from '../domain-error.js';
import { MarketService } from '../markets/market.service.js';
import { Reader } from '../store/reader.js';
import { Catalogue } from '../vaults/catalogue.js';
import { addHours, hourOf, HOUR_MS } from '../vaults/hour.js';
import * as queries from './report.queries.js';

export const INTERVALS = ['hour', 'day'] as const;
export type Interval = (typeof INTERVALS)[number];

/** An answer has no more. */
export const MAX_POINTS = 2_000;
const DEFAULT_HOURS = 30 * 24;
const HOURS_OF = { hour: 1, day: 24 } satisfies Record<Interval, number>;

export interface HistoryQuery {
  /** Default: 30 days before `to`. */
  from?: Date;
  /** Default: now. */
  to?: Date;
  interval?: Interval;
}

export interface YieldHistory {
  asset: string;
  interval: Interval;
  /** Oldest first. A missing hour has no point; one whose APY was not known has a null. TVL in micro-units; `vaults`: how many it is made of. */
  points: { at: Date; apy: number | null; tvl: bigint | null; vaults: number }[];
  /** Of the newest hour, whatever was asked for; null where it is not known. */
  apy: number | null;
  /** Mean of the points that are known; null of none. */
  averageApy: number | null;
}

/**
 * What is asked for, with what was left out.
 *
 * @param to what was asked for, or the market's now
 * @throws DomainError `validation_failed` (from after to; more than 2,000 points)
 */
export function spanOf({ interval = 'hour', from: asked }: HistoryQuery, to: Date): Required<HistoryQuery> {
  const from = asked ?? addHours(hourOf(to), 1 - DEFAULT_HOURS);
  if (from > to) throw invalid('from', 'must not be after to');
  const place = (time: Date): number => Math.floor(time.getTime() / (HOUR_MS * HOURS_OF[interval]));
  if (place(to) - place(from) >= MAX_POINTS)
    throw invalid(
      'from',
      `asks for more than ${MAX_POINTS} points; ask for a shorter time${interval === 'hour' ? ', or for interval=day' : ''}`,
    );
  return { interval, from, to };
}

/** The blended yield of an asset over the vaults of a market: the market's series, whatever this service holds. */
@Injectable()
export class YieldHistoryService {
  constructor(
    private readonly reader: Reader,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
  ) {}

  /** @throws DomainError `validation_failed` (asset; from after to; more than 2,000 points) */
  async read(marketId: string, asset: string, query: HistoryQuery = {}): Promise<YieldHistory> {
    this.catalogue.requireAsset(asset);
    const { interval, from, to } = spanOf(query, query.to ?? (await this.market.now(marketId)));
    const find = interval === 'hour' ? queries.FIND_HOURLY_POINTS : queries.FIND_DAILY_POINTS;
    const [rows, [newest]] = await Promise.all([
      this.reader.query(find, [marketId, asset, from, to]),
      this.reader.query(queries.FIND_NEWEST_POINT, [marketId, asset]),
    ]);
    const points = rows.map(({ tvl, ...point }) => ({ ...point, tvl: tvl === null ? null : BigInt(tvl) }));
    return {
      asset,
      interval,
      points,
      apy: newest?.apy ?? null,
      averageApy: mean(points.map(({ apy }) => apy).filter((apy) => apy !== null)),
    };
  }
}
