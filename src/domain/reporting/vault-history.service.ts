import { Injectable } from '@nestjs/common';
import { MarketService } from '../markets/hours/market.service.js';
import { double, orNull, rowCount, text, time } from '../kernel/store/column.js';
import { Store } from '../kernel/store/store.js';
import { statement } from '../kernel/store/statement.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import { INDEX_SCALE } from '../markets/vaults/yield-index.js';
import { fitting, type HistoryQuery, type Interval, MAX_POINTS, spanOf } from './yield-history.service.js';

const POINT = {
  at: time(),
  apy: orNull(double()),
  rewardApy: orNull(double()),
  riskAdjustedApy: orNull(double()),
  tvl: orNull(text()),
  assets: orNull(text()),
  liquidity: orNull(text()),
  index: text(),
};
const VALUES = [text(), text(), time(), time(), rowCount()] as const;

const FIND_HOURS = statement(
  'reporting.find_vault_hours',
  { values: VALUES, row: POINT },
  `SELECT hour AS at, apy, reward_apy AS "rewardApy", risk_adjusted_apy AS "riskAdjustedApy", tvl::text AS tvl, assets::text AS assets, liquidity::text AS liquidity,
          share_index::text AS index
     FROM snapshots WHERE market_id = $1 AND vault_id = $2 AND hour >= $3 AND hour <= $4 ORDER BY hour LIMIT $5`,
);

/** By UTC day: means over known hours, the newest known amounts, and the newest index. */
const FIND_DAYS = statement(
  'reporting.find_vault_days',
  { values: VALUES, row: POINT },
  `SELECT date_trunc('day', hour, 'UTC') AS at, avg(apy) AS apy, avg(reward_apy) AS "rewardApy", avg(risk_adjusted_apy) AS "riskAdjustedApy",
          (array_agg(tvl ORDER BY hour DESC) FILTER (WHERE tvl IS NOT NULL))[1]::text AS tvl,
          (array_agg(assets ORDER BY hour DESC) FILTER (WHERE assets IS NOT NULL))[1]::text AS assets,
          (array_agg(liquidity ORDER BY hour DESC) FILTER (WHERE liquidity IS NOT NULL))[1]::text AS liquidity,
          (array_agg(share_index ORDER BY hour DESC))[1]::text AS index
     FROM snapshots WHERE market_id = $1 AND vault_id = $2 AND hour >= $3 AND hour <= $4 GROUP BY 1 ORDER BY 1 LIMIT $5`,
);

export interface VaultHistory {
  vaultId: string;
  interval: Interval;
  /** Oldest first. Rates are fractions, amounts are micro-units; the index is 1 at the beginning of the vault's path. */
  points: {
    at: Date;
    apy: number | null;
    rewardApy: number | null;
    riskAdjustedApy: number | null;
    tvl: bigint | null;
    assets: bigint | null;
    liquidity: bigint | null;
    index: number;
  }[];
  nextFrom: Date | null;
}

/** History of a vault's yield and signals in a market. */
@Injectable()
export class VaultHistoryService {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
  ) {}

  /** @throws DomainError `not_found`, `validation_failed` (from after to; more than 2,000 points up to a requested end) */
  async read(marketId: string, vaultId: string, query: HistoryQuery = {}): Promise<VaultHistory> {
    this.catalogue.vault(vaultId);
    const { interval, from, to } = spanOf(query, query.to ?? (await this.market.now(marketId)));
    const find = interval === 'hour' ? FIND_HOURS : FIND_DAYS;
    const rows = await this.store.query(find, [marketId, vaultId, from, to, MAX_POINTS + 1]);
    const { points: found, nextFrom } = fitting(rows);
    const points = found.map(({ tvl, assets, liquidity, index, ...point }) => ({
      ...point,
      tvl: tvl === null ? null : BigInt(tvl),
      assets: assets === null ? null : BigInt(assets),
      liquidity: liquidity === null ? null : BigInt(liquidity),
      index: Number(index) / Number(INDEX_SCALE),
    }));
    return { vaultId, interval, points, nextFrom };
  }
}
