import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import {
  insertOf,
  instant,
  json,
  listOf,
  orNull,
  rowsText,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { FeedTroubles } from '../vaults/feeds.js';
import { DOUBT_HOURS, doubtOf } from '../vaults/doubt.js';
import type { Observation, PricedShare } from '../vaults/feed.js';
import { addHours } from '../../kernel/clock.js';
import { type PricePoint, yieldOver } from '../vaults/share-price.js';
import { isFollowed, sourceOf } from '../vaults/share-readers.js';
import { initialState, type VaultState } from '../vaults/vault-state.js';
import { MAX_STEP } from '../vaults/yield-index.js';

/** Prices of vaults $1 with contracts $2 since $3 of block time, oldest first, as JSON, because some thousand values are parsed each hour. */
const FIND_PRICES = statement(
  'markets.find_share_prices',
  {
    values: [listOf(text()), listOf(text()), time()],
    row: { vaultId: text(), points: json<[number, string][]>() },
  },
  `SELECT vault_id AS "vaultId", json_agg(json_build_array(floor(extract(epoch FROM block_at) * 1000), price::text) ORDER BY block_at, hour) AS points
     FROM share_prices JOIN unnest($1::text[], $2::text[]) AS asked(id, origin) ON vault_id = asked.id AND source = asked.origin
    WHERE block_at >= $3
    GROUP BY vault_id`,
);

export const STORED_PRICE = {
  vaultId: text(),
  hour: time(),
  source: text(),
  price: whole(),
  tvl: orNull(whole()),
  assets: orNull(whole()),
  liquidity: orNull(whole()),
  blockNumber: whole(),
  blockHash: text(),
  blockAt: time(),
};

const APPEND_PRICES = statement(
  'markets.append_share_prices',
  { values: [json<string>()], row: {} },
  `${insertOf('share_prices', STORED_PRICE, '$1')} ON CONFLICT DO NOTHING`,
);

/** Windows of block time, over which yields are computed. */
const DAY_HOURS = 24;
const WEEK_HOURS = 168;
/** Extra hours of prices to read, because observations are an hour apart and sometimes late. */
const BEHIND_HOURS = 6;

export interface PricedHour extends Pick<Observation, 'tvl' | 'assets' | 'liquidity'> {
  vaultId: string;
  hour: Date;
  price: PricedShare;
}

/** Share prices observed on chains, hour by hour, and the yields computed from them. */
@Injectable()
export class SharePrices {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly troubles: FeedTroubles,
  ) {}

  /**
   * Prepares a market's observations for an hour: computes yields from prices, drops observations priced at a block older than the last one read, and
   * marks implausible readings as doubted.
   */
  async evaluate(
    observations: ReadonlyMap<string, Observation>,
    states: ReadonlyMap<string, VaultState>,
    hour: Date,
  ): Promise<ReadonlyMap<string, Observation>> {
    const read = await this.addYields(observations, states);
    return new Map(
      [...read].map(([id, observation]) => {
        const state = states.get(id) ?? initialState(id);
        const doubt = doubtOf(observation, state, hour, this.settings.constants.chain);
        if (doubt === null) return [id, observation];
        this.troubles.report(
          `${id}: ${doubt}. The price is ignored until it has lasted for ${DOUBT_HOURS} hours; a 1,000-fold rise is ignored for good. Check the vault; if the price is right, nothing needs to be done.`,
        );
        return [id, { ...observation, doubted: true }];
      }),
    );
  }

  private async addYields(
    observations: ReadonlyMap<string, Observation>,
    states: ReadonlyMap<string, VaultState>,
  ): Promise<ReadonlyMap<string, Observation>> {
    const priced = [...observations].filter(([, { price }]) => price !== undefined);
    if (priced.length === 0) return observations;
    const newest = Math.max(...priced.map(([, { price }]) => price!.blockAt.getTime()));
    const prices = await this.readSince(addHours(new Date(newest), -WEEK_HOURS - BEHIND_HOURS));
    const evaluated = new Map(observations);
    for (const [id, observation] of priced) {
      const price = observation.price!;
      if (this.isNewer(id, price, states.get(id)?.price ?? null))
        evaluated.set(id, this.withYields(observation, price, prices.get(id) ?? []));
      else evaluated.delete(id);
    }
    return evaluated;
  }

  /** Prices by vault id, of vaults that are followed by share price, oldest first. */
  async readSince(moment: Date): Promise<Map<string, PricePoint[]>> {
    const followed = this.settings.vaults.filter(isFollowed);
    const rows = await this.store.query(FIND_PRICES, [
      followed.map(({ id }) => id),
      followed.map(sourceOf),
      moment,
    ]);
    return new Map(
      rows.map(({ vaultId, points }) => [
        vaultId,
        points.map(([at, value]) => ({ at: instant(at), value: BigInt(value) })),
      ]),
    );
  }

  async append(prices: readonly PricedHour[]): Promise<void> {
    if (prices.length === 0) return;
    const rows = prices.map(({ price: { value, ...price }, ...hour }) => ({
      ...hour,
      ...price,
      price: value,
    }));
    await this.store.query(APPEND_PRICES, [rowsText(rows)]);
  }

  /** APY over a day's prices, a fraction; null when there are too few. @param points oldest first */
  dayYield(points: readonly PricePoint[]): number | null {
    return yieldOver(points, DAY_HOURS, MAX_STEP);
  }

  private withYields(
    observation: Observation,
    price: PricedShare,
    prices: readonly PricePoint[],
  ): Observation {
    const before = prices.filter(({ at }) => at < price.blockAt);
    const points = [...before, { at: price.blockAt, value: price.value }];
    const weekApy = yieldOver(points, WEEK_HOURS, MAX_STEP);
    return { ...observation, apy: this.dayYield(points), price: { ...price, weekApy } };
  }

  private isNewer(id: string, price: PricedShare, before: VaultState['price']): boolean {
    if (before === null || before.source !== price.source || price.blockNumber >= before.blockNumber)
      return true;
    this.troubles.report(
      `${id}: block ${price.blockNumber} is older than ${before.blockNumber}, at which the price was read before.`,
    );
    return false;
  }
}
