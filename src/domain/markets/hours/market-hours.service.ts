import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { regimeConstants } from '../signals/regime.js';
import { signalConstants } from '../signals/signal.js';
import { Clock } from '../../kernel/clock.js';
import { roundRate } from '../../kernel/rate.js';
import { Slices } from '../../kernel/slices.js';
import { Store } from '../../kernel/store/store.js';
import type { Observation } from '../vaults/feed.js';
import { addHours, hourOf, hoursBetween } from '../../kernel/catalogue/hour.js';
import { EventService, type NewEvent } from '../../outbound/webhooks/event.service.js';
import { advanceOf, beginningOf, type Sighting } from './market-advance.js';
import { MarketPlan } from './market-plan.js';
import { MarketPath, type MarketRules } from './market-path.js';
import { type LockedMarket, MarketStore } from './market.store.js';
import { RememberedPaths } from './remembered-paths.js';
import { type PricedHour, SharePrices } from './share-prices.js';
import { AdvancingHour, type WorkedHour } from './worked-hour.js';
import type { YieldCrossing } from './yield-path.js';
import { isIdle } from '../../kernel/catalogue/vault.js';
import type { VaultState } from '../vaults/vault-state.js';

/** Hours that one transaction adds; further missing hours follow in the next. The beginning of a market fits into one. */
const HOURS_PER_TRANSACTION = 31 * 24;

/** Observations by vault id. */
type Seen = ReadonlyMap<string, Observation>;

type Visit = (hour: WorkedHour) => Promise<void>;

/** Hours that were added to a market. */
export interface AddedHours {
  hours: number;
  /** Number of crossed thresholds. */
  crossings: number;
}

/** Hours of a market: each vault's yield and what is derived from it. An hour is added once, however many callers ask for it. */
@Injectable()
export class MarketHours {
  private readonly remembered = new RememberedPaths();

  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
    private readonly markets: MarketStore,
    private readonly prices: SharePrices,
    private readonly events: EventService,
    private readonly slices: Slices,
    private readonly settings: DomainSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * Advances a market to an hour. Without visits, hours are committed a month at a time.
   * @param seen current observations of feeds; simulated vaults need none. An observation counts for the hour in which it is stored, because later
   * factors depend on it; when that hour has changed meanwhile, the market advances to the new one
   * @param visit called in each hour before the next one is computed, in the transaction; not in the history before a market's beginning
   */
  async advance(
    marketId: string,
    to: Date,
    { seen, visit }: { seen?: Seen | undefined; visit?: Visit } = {},
  ): Promise<AddedHours> {
    const sum = { hours: 0, crossings: 0 };
    for (let added = HOURS_PER_TRANSACTION; added === HOURS_PER_TRANSACTION;) {
      const one = await this.add(marketId, to, seen, visit);
      added = one.hours;
      sum.hours += one.hours;
      sum.crossings += one.crossings;
    }
    return sum;
  }

  private async add(marketId: string, asked: Date, seen?: Seen, visit?: Visit): Promise<AddedHours> {
    return this.store.transaction(async () => {
      const owner = this.plan.ownerOf(marketId);
      const market = await this.markets.lock(marketId, owner);
      // Computed under the lock: after waiting for it, the hour may have changed.
      const to = seen === undefined ? asked : latest(asked, hourOf(this.clock.now()));
      const from = market.tickedHour ?? addHours(to, -this.hoursBehindABeginning);
      const hours = Math.min(hoursBetween(from, to), HOURS_PER_TRANSACTION);
      if (hours <= 0) return { hours: 0, crossings: 0 };
      const path = await this.pathOf(marketId, market, from);
      // Flows booked ahead rely on growth without an observation in these hours.
      const isOpen = market.bookedHour === null || market.bookedHour <= to;
      const sighting =
        seen && isOpen ? { hour: to, seen: await this.prices.judged(seen, statesOf(path)) } : undefined;
      const advance = advanceOf(marketId, market, from, this.settings.vaults, sighting);
      const hasBegun = market.tickedHour !== null;
      let [crossings, kept, stamp] = [0, from, market.hoursStamp];
      const keep = async (): Promise<void> => {
        if (kept >= path.hour) return;
        stamp = await this.markets.save(marketId, path, beginningOf(market, from));
        // History before a market's beginning raises no events.
        const news = hasBegun ? path.crossings : [];
        await this.events.raise(news.map((one) => thresholdEvent(one, owner)));
        crossings += news.length;
        path.settle();
        kept = path.hour;
      };
      const hour = new AdvancingHour({ marketId, advance }, path, to, keep);
      await this.slices.run(async (rest) => {
        for (let added = 0; added < hours; added++) {
          path.step(advance);
          if (hasBegun) await visit?.(hour);
          await rest();
        }
      });
      await keep();
      if (sighting) await this.prices.append(pricesOf(sighting));
      this.remember(marketId, stamp, path);
      return { hours, crossings };
    });
  }

  private async pathOf(marketId: string, market: LockedMarket, from: Date): Promise<MarketPath> {
    const known = this.remembered.take(marketId, market);
    if (known !== null) return known;
    const rules = marketRules(this.settings);
    return new MarketPath(rules, await this.markets.load(marketId, from, rules));
  }

  /** Caches the path after the commit. @param stamp null: the save left none */
  private remember(marketId: string, stamp: string | null, path: MarketPath): void {
    if (stamp !== null) this.store.onceKept(() => this.remembered.keep(marketId, stamp, path));
  }

  /** A market of simulated vaults begins with some history; real vaults begin when they are first observed. */
  private get hoursBehindABeginning(): number {
    return this.settings.vaults.every((vault) => isIdle(vault) || vault.feed.kind === 'simulated')
      ? this.settings.constants.simulation.historyHours
      : 1;
  }
}

/** Rules of a deployment's markets. */
export const marketRules = ({ vaults, constants }: DomainSettings): MarketRules => ({
  assets: constants.assets,
  vaults,
  signals: signalConstants(constants.signals),
  regime: regimeConstants(constants.regime),
  thresholds: constants.yieldThresholds,
});

const statesOf = ({ states }: MarketPath): Map<string, VaultState> =>
  new Map(states.map((state) => [state.vaultId, state]));

const pricesOf = ({ hour, seen }: Sighting): PricedHour[] =>
  [...seen].flatMap(([vaultId, { price, tvl }]) =>
    price === undefined ? [] : [{ vaultId, hour, price, tvl }],
  );

const latest = (one: Date, other: Date): Date => (one > other ? one : other);

/** Dated at the hour of the crossing, also when it is caught up later. */
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
