import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { regimeConstants } from '../analytics/regime.js';
import { signalConstants } from '../analytics/signal.js';
import { Clock } from '../clock.js';
import { roundRate } from '../rate.js';
import { Store } from '../store/store.js';
import type { Observation } from '../vaults/feed.js';
import { addHours, hourOf, hoursBetween } from '../vaults/hour.js';
import { EventService, type NewEvent } from '../webhooks/event.service.js';
import { advanceOf, beginningOf, type Sighting } from './market-advance.js';
import { MarketPlan } from './market-plan.js';
import { MarketPath, type MarketRules } from './market-path.js';
import { MarketStore } from './market.store.js';
import { MarketWalk } from './market-walk.js';
import { type PricedHour, SharePrices } from './share-prices.js';
import type { YieldCrossing } from './yield-path.js';
import { isIdle } from '../vaults/vault.js';

/** Hours that one transaction adds; what is missing beyond follows in the next. A market's beginning fits into one. */
const HOURS_PER_TRANSACTION = 31 * 24;
export const HISTORY_HOURS = 30 * 24;

/** What was added to a market. */
export interface AddedHours {
  hours: number;
  /** Thresholds that were crossed in them. */
  crossings: number;
}

/** The hours of a market: what each vault paid, and what follows from it. Each is added once, whoever asks for it. */
@Injectable()
export class MarketHours {
  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
    private readonly markets: MarketStore,
    private readonly prices: SharePrices,
    private readonly events: EventService,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings a market up to an hour, as far as nobody has to look at the hours between.
   *
   * @param seen what the feeds say now; vaults that are simulated need none. An observation is of the hour in which it is stored, since the factors of later
   *   hours hang on it: where that is another one by then, the market is brought up to it
   */
  async catchUp(marketId: string, to: Date, seen?: ReadonlyMap<string, Observation>): Promise<AddedHours> {
    const sum = { hours: 0, crossings: 0 };
    for (let added = HOURS_PER_TRANSACTION; added === HOURS_PER_TRANSACTION;) {
      const one = await this.add(marketId, to, seen);
      added = one.hours;
      sum.hours += one.hours;
      sum.crossings += one.crossings;
    }
    return sum;
  }

  /**
   * Hour by hour, in one transaction, for a market without feeds: each is visited before the next one comes, and kept when a visit asks for it, or at the end.
   */
  async walk(marketId: string, to: Date, visit: (walk: MarketWalk) => Promise<void>): Promise<AddedHours> {
    return this.store.transaction(async () => {
      const owner = this.plan.ownerOf(marketId);
      const market = await this.markets.lock(marketId, owner);
      const from = market.tickedHour;
      if (from === null) return this.add(marketId, to);
      const { rules } = this;
      const path = new MarketPath(rules, await this.markets.load(marketId, from, rules));
      const advance = advanceOf(marketId, market, from, rules.vaults);
      const begunHour = beginningOf(market, from);
      let [hours, crossings, kept] = [0, 0, from];
      const keep = async (): Promise<void> => {
        if (kept >= path.hour) return;
        await this.markets.save(marketId, path, begunHour);
        await this.events.raise(path.crossings.map((one) => thresholdEvent(one, owner)));
        crossings += path.crossings.length;
        path.settle();
        kept = path.hour;
      };
      const walk = new MarketWalk({ marketId, advance }, path, keep);
      for (; path.hour < to; hours++) {
        path.step(advance);
        await visit(walk);
      }
      await walk.keep();
      return { hours, crossings };
    });
  }

  private async add(
    marketId: string,
    asked: Date,
    seen?: ReadonlyMap<string, Observation>,
  ): Promise<AddedHours> {
    return this.store.transaction(async () => {
      const owner = this.plan.ownerOf(marketId);
      const market = await this.markets.lock(marketId, owner);
      // Behind the lock: whoever waited for it may find another hour.
      const to = seen === undefined ? asked : latest(asked, hourOf(this.clock.now()));
      const from = market.tickedHour ?? addHours(to, -this.hoursBehindABeginning);
      const hours = Math.min(hoursBetween(from, to), HOURS_PER_TRANSACTION);
      if (hours <= 0) return { hours: 0, crossings: 0 };
      const { rules } = this;
      const memory = await this.markets.load(marketId, from, rules);
      const path = new MarketPath(rules, memory);
      // Flows of later hours are booked by what these grow by without it.
      const isOpen = market.bookedHour === null || market.bookedHour <= to;
      const sighting =
        seen && isOpen ? { hour: to, seen: await this.prices.judged(seen, memory.states) } : undefined;
      const advance = advanceOf(marketId, market, from, rules.vaults, sighting);
      for (let added = 0; added < hours; added++) path.step(advance);
      await this.markets.save(marketId, path, beginningOf(market, from));
      if (sighting) await this.prices.append(pricesOf(sighting));
      // What lies behind a market's beginning is no news.
      const news = market.tickedHour ? path.crossings : [];
      await this.events.raise(news.map((one) => thresholdEvent(one, owner)));
      return { hours, crossings: news.length };
    });
  }

  private get rules(): MarketRules {
    return marketRules(this.settings);
  }

  /** A market of simulated vaults begins with a month behind it; real ones begin when they are first looked at. */
  private get hoursBehindABeginning(): number {
    return this.settings.vaults.every((vault) => isIdle(vault) || vault.feed.kind === 'simulated')
      ? HISTORY_HOURS
      : 1;
  }
}

/** What a deployment's markets follow from. */
export const marketRules = ({ vaults, constants }: Settings): MarketRules => ({
  assets: constants.assets,
  vaults,
  signals: signalConstants(constants.signals),
  regime: regimeConstants(constants.regime),
  thresholds: constants.yield_thresholds,
});

const pricesOf = ({ hour, seen }: Sighting): PricedHour[] =>
  [...seen].flatMap(([vaultId, { price, tvl }]) =>
    price === undefined ? [] : [{ vaultId, hour, price, tvl }],
  );

const latest = (one: Date, other: Date): Date => (one > other ? one : other);

/** Dated at the hour of the crossing, however much later it is caught up. */
const thresholdEvent = (
  { asset, hour, level, direction, apy, previousApy }: YieldCrossing,
  partnerId: string | null,
): NewEvent => ({
  type: 'yield.threshold',
  partnerId,
  at: hour,
  data: {
    asset,
    threshold: roundRate(level),
    direction,
    apy: roundRate(apy),
    previous_apy: roundRate(previousApy),
    at: hour.toISOString(),
  },
});
