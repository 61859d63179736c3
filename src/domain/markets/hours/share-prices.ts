import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Store } from '../../kernel/store/store.js';
import { FeedTroubles } from '../vaults/feed-troubles.js';
import type { Observation, PricedShare } from '../vaults/feed.js';
import { addHours } from '../../kernel/catalogue/hour.js';
import { type PricePoint, yieldOver } from '../vaults/share-price.js';
import { isFollowed, sourceOf } from '../vaults/share-readers.js';
import type { VaultState } from '../vaults/vault-state.js';
import { MAX_STEP } from '../vaults/yield-index.js';
import { APPEND_PRICES, FIND_PRICES } from './share-prices.queries.js';

/** Windows of block time, over which yields are computed. */
const DAY_HOURS = 24;
const WEEK_HOURS = 168;
/** Observations are an hour apart, and sometimes late. */
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
   * Observations of feeds, prepared for a market: prices get the yields computed from them and earlier ones; implausible prices are dropped.
   * @param states of the market, by vault id
   */
  async judged(
    seen: ReadonlyMap<string, Observation>,
    states: ReadonlyMap<string, VaultState>,
  ): Promise<ReadonlyMap<string, Observation>> {
    const priced = [...seen].filter(([, { price }]) => price !== undefined);
    if (priced.length === 0) return seen;
    const newest = Math.max(...priced.map(([, { price }]) => price!.blockAt.getTime()));
    const known = await this.since(addHours(new Date(newest), -WEEK_HOURS - BEHIND_HOURS));
    const judged = new Map(seen);
    for (const [id, observation] of priced) {
      const price = observation.price!;
      if (this.isBelieved(id, price, states.get(id)?.price ?? null))
        judged.set(id, this.withYields(observation, price, known.get(id) ?? []));
      else judged.delete(id);
    }
    return judged;
  }

  /** Prices by vault id, of vaults that are followed by share price, oldest first. */
  async since(moment: Date): Promise<Map<string, PricePoint[]>> {
    const followed = this.settings.vaults.filter(isFollowed);
    const rows = await this.store.query(FIND_PRICES, [
      followed.map(({ id }) => id),
      followed.map(sourceOf),
      moment,
    ]);
    return new Map(
      rows.map(({ vaultId, points }) => [
        vaultId,
        points.map(([at, value]) => ({ at: new Date(at), value: BigInt(value) })),
      ]),
    );
  }

  async append(prices: readonly PricedHour[]): Promise<void> {
    if (prices.length === 0) return;
    await this.store.query(APPEND_PRICES, [
      prices.map(({ vaultId }) => vaultId),
      prices.map(({ hour }) => hour),
      prices.map(({ price }) => price.source),
      prices.map(({ price }) => price.value.toString()),
      prices.map(({ tvl }) => tvl?.toString() ?? null),
      prices.map(({ assets }) => assets?.toString() ?? null),
      prices.map(({ liquidity }) => liquidity?.toString() ?? null),
      prices.map(({ price }) => price.blockNumber.toString()),
      prices.map(({ price }) => price.blockHash),
      prices.map(({ price }) => price.blockAt),
    ]);
  }

  /**
   * APY over a day's prices, a fraction; null when there are too few.
   * @param points oldest first
   */
  dayYield(points: readonly PricePoint[]): number | null {
    return yieldOver(points, DAY_HOURS, MAX_STEP);
  }

  private withYields(
    observation: Observation,
    price: PricedShare,
    known: readonly PricePoint[],
  ): Observation {
    const before = known.filter(({ at }) => at < price.blockAt);
    const points = [...before, { at: price.blockAt, value: price.value }];
    const weekApy = yieldOver(points, WEEK_HOURS, MAX_STEP);
    return { ...observation, apy: this.dayYield(points), price: { ...price, weekApy } };
  }

  /** A loss is always believed: waiting for a second observation would keep funds in the vault. */
  private isBelieved(id: string, price: PricedShare, before: VaultState['price']): boolean {
    if (before === null || before.source !== price.source) return true;
    if (price.blockNumber < before.blockNumber) {
      this.troubles.report(
        `${id}: block ${price.blockNumber} is older than ${before.blockNumber}, at which it was read before.`,
      );
      return false;
    }
    const { maxRise } = this.settings.constants.chain;
    const change = Number(((price.value - before.value) * 10n ** 12n) / (before.value || 1n)) / 1e12;
    if (change <= maxRise) return true;
    this.troubles.report(
      `${id}: its share price rose by ${(change * 100).toFixed(2)} %, which is not believed. Look at its contract; where it is so, raise chain.max_rise.`,
    );
    return false;
  }
}
