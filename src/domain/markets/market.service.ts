import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { regimeConstants } from '../analytics/regime.js';
import { signalConstants } from '../analytics/signal.js';
import { Clock } from '../clock.js';
import { invalid } from '../domain-error.js';
import { type Scenario, SimulatedMarket } from '../simulation/simulated-market.js';
import { type Page, type PageRequest, toPage } from '../store/page.js';
import { Store } from '../store/store.js';
import type { Feed, Observation } from '../vaults/feed.js';
import { FeedTroubles } from '../vaults/feed-troubles.js';
import { addHours, hourOf, hoursBetween } from '../vaults/hour.js';
import type { Vault } from '../vaults/vault.js';
import { isStale, nextHour, type VaultState } from '../vaults/vault-state.js';
import { EventService, type NewEvent } from '../webhooks/event.service.js';
import { BASE_MARKET, MarketPlan } from './market-plan.js';
import { type Advance, MarketPath, type MarketRules } from './market-path.js';
import { LOOK } from './market.queries.js';
import { type LockedMarket, MarketStore } from './market.store.js';
import { type LookRow, type MarketView, toMarketView } from './market-view.js';
import type { YieldCrossing } from './yield-path.js';

export type { MarketVault, MarketView } from './market-view.js';

export { BASE_MARKET } from './market-plan.js';

/** Injection token of the feed that the base market follows. */
export const MARKET_FEED = Symbol('market feed');
/** Hours that one transaction adds; what is missing beyond follows in the next. A market's beginning fits into one. */
const HOURS_PER_TRANSACTION = 31 * 24;
const HISTORY_HOURS = 30 * 24;
const NOTHING: ReadonlyMap<string, Observation> = new Map();

/** The catalogue has no times to page by: ids alone order it. */
const CATALOGUE_TIME = new Date(0);

/** A vault with what its market knows of it. */
export interface ListedVault {
  vault: Vault;
  /** null before the first tick. */
  state: VaultState | null;
  stale: boolean;
}

/** A tick's work. */
export interface Tick {
  /** Hours that were added: 0 when the tick had run before. */
  hours: number;
  /** Vaults without an observation for the hour. */
  silent: string[];
  /** What the feeds complained of, a sentence each. */
  troubles: string[];
}

/** The paths of a market's vaults and what follows from them: O(vaults) an hour, whatever the number of positions. */
@Injectable()
export class MarketService {
  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
    private readonly markets: MarketStore,
    private readonly events: EventService,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly troubles: FeedTroubles,
    @Inject(MARKET_FEED) private readonly feed: Feed,
  ) {}

  /** The market that a partner's positions are in. @param partnerId null: of nobody in particular */
  marketOf(partnerId: string | null): string {
    return this.plan.marketOf(partnerId);
  }

  /** A market's now: of a simulated one, possibly ahead of the wall. */
  async now(marketId: string): Promise<Date> {
    const ahead = this.plan.ownerOf(marketId) === null ? 0 : await this.markets.hoursAhead(marketId);
    return addHours(this.clock.now(), ahead);
  }

  /** The now of a market that was looked at. */
  nowIn({ hoursAhead }: MarketView): Date {
    return addHours(this.clock.now(), hoursAhead);
  }

  /**
   * A market as of its newest hour, in one statement; without an hour, and nothing observed, where it was never ticked.
   *
   * @param from where to read; default: in the transaction that is open
   */
  async look(marketId: string, from: Pick<Store, 'query'> = this.store): Promise<MarketView> {
    const rows = await from.query<LookRow>(LOOK, [marketId]);
    return toMarketView(marketId, rows, this.settings.vaults);
  }

  /**
   * Brings the market up to an hour: hours that were missed are added without an observation, the last one with what the feeds say now. An
   * hour is added once, however often and from however many processes it is asked for.
   *
   * @param at a moment within the hour; default: now
   * @throws DomainError `validation_failed` for a moment that has not come yet
   */
  async tick(at: Date = this.clock.now()): Promise<Tick> {
    const hour = hourOf(at);
    if (hour > hourOf(this.clock.now())) throw invalid('at', 'must not lie in the future');
    const ticked = await this.markets.tickedHour(BASE_MARKET);
    if (ticked && ticked >= hour) return { hours: 0, silent: [], troubles: [] };
    // Before the transaction: a feed that is slow must hold no lock.
    const fed = this.settings.vaults.filter(({ feed }) => feed.kind !== 'simulated');
    const seen = fed.length === 0 ? new Map<string, Observation>() : await this.feed.observe(fed, hour);
    const { hours } = await this.addHours(BASE_MARKET, hour, seen);
    const silent = fed.filter(({ id }) => !seen.has(id)).map(({ id }) => id);
    return { hours, silent, troubles: this.troubles.take() };
  }

  /**
   * Brings a market without feeds, whose vaults are all simulated, up to an hour, as far as nobody has to look at the hours between.
   *
   * @returns how many hours were added, and how many thresholds were crossed in them
   */
  tickSimulated(marketId: string, hour: Date): Promise<{ hours: number; crossings: number }> {
    return this.addHours(marketId, hour, NOTHING);
  }

  /**
   * The same hour by hour, in one transaction: each is stored and then visited before the next one comes.
   *
   * @param visit answers whether it moved funds from vault to vault
   */
  async walk(
    marketId: string,
    to: Date,
    visit: (hour: Date) => Promise<boolean>,
  ): Promise<{ hours: number; crossings: number }> {
    return this.store.transaction(async () => {
      const owner = this.plan.ownerOf(marketId);
      const market = await this.markets.lock(marketId, owner);
      const from = market.tickedHour;
      if (from === null) return this.catchUp(marketId, to, NOTHING);
      const { rules } = this;
      const path = new MarketPath(rules, await this.markets.load(marketId, from, rules));
      const advance = advanceOf(
        new SimulatedMarket(market.seed ?? marketId),
        scenarioOf(market),
        to,
        NOTHING,
      );
      let [hours, crossings] = [0, 0];
      for (; path.hour < to; hours++) {
        path.step(advance);
        if (hours === 0 || path.hour.getUTCHours() === 0) await this.markets.prepareLedger(path.hour);
        await this.markets.save(marketId, path);
        await this.events.raise(path.crossings.map((one) => thresholdEvent(one, owner)));
        crossings += path.crossings.length;
        path.settle();
        if (await visit(path.hour)) path.hold(await this.markets.shares(marketId));
      }
      return { hours, crossings };
    });
  }

  /** The catalogue by id, with each vault's newest state in a market. */
  async list({ limit, after }: PageRequest, marketId: string = BASE_MARKET): Promise<Page<ListedVault>> {
    const [states, now] = await Promise.all([this.markets.states(marketId), this.now(marketId)]);
    const hour = hourOf(now);
    const rows = this.settings.vaults
      .filter(({ id }) => after === null || id > after.id)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit + 1)
      .map((vault) => {
        const state = states.get(vault.id) ?? null;
        return { vault, state, stale: state === null || isStale(state, hour) };
      });
    return toPage(rows, limit, ({ vault }) => ({ at: CATALOGUE_TIME, id: vault.id }));
  }

  private async addHours(
    marketId: string,
    to: Date,
    seen: ReadonlyMap<string, Observation>,
  ): Promise<{ hours: number; crossings: number }> {
    const sum = { hours: 0, crossings: 0 };
    for (let added = HOURS_PER_TRANSACTION; added === HOURS_PER_TRANSACTION;) {
      const one = await this.catchUp(marketId, to, seen);
      added = one.hours;
      sum.hours += one.hours;
      sum.crossings += one.crossings;
    }
    return sum;
  }

  private async catchUp(
    marketId: string,
    to: Date,
    seen: ReadonlyMap<string, Observation>,
  ): Promise<{ hours: number; crossings: number }> {
    return this.store.transaction(async () => {
      const owner = this.plan.ownerOf(marketId);
      const market = await this.markets.lock(marketId, owner);
      const from = market.tickedHour ?? addHours(to, -this.hoursBehindABeginning);
      const hours = Math.min(hoursBetween(from, to), HOURS_PER_TRANSACTION);
      if (hours <= 0) return { hours: 0, crossings: 0 };
      const { rules } = this;
      const path = new MarketPath(rules, await this.markets.load(marketId, from, rules));
      const advance = advanceOf(new SimulatedMarket(market.seed ?? marketId), scenarioOf(market), to, seen);
      for (let added = 0; added < hours; added++) path.step(advance);
      await this.markets.prepareLedger(path.hour);
      await this.markets.save(marketId, path);
      // What lies behind a market's beginning is no news.
      const news = market.tickedHour ? path.crossings : [];
      await this.events.raise(news.map((one) => thresholdEvent(one, owner)));
      return { hours, crossings: news.length };
    });
  }

  private get rules(): MarketRules {
    const { vaults, constants } = this.settings;
    return {
      assets: constants.assets,
      vaults,
      signals: signalConstants(constants.signals),
      regime: regimeConstants(constants.regime),
      thresholds: constants.yield_thresholds,
    };
  }

  /** A market of simulated vaults begins with a month behind it; real ones begin when they are first looked at. */
  private get hoursBehindABeginning(): number {
    return this.settings.vaults.every(({ feed }) => feed.kind === 'simulated') ? HISTORY_HOURS : 1;
  }
}

/**
 * A simulated vault is seen at every hour, also at those that nobody was there for; a real one at the hour that its feed was asked for.
 *
 * @param at the hour that `seen` is of
 */
const advanceOf =
  (
    simulation: SimulatedMarket,
    scenario: Scenario | null,
    at: Date,
    seen: ReadonlyMap<string, Observation>,
  ): Advance =>
  (vault, before, hour) => {
    if (vault.feed.kind !== 'simulated')
      return nextHour(before, hour, hour.getTime() === at.getTime() ? seen.get(vault.id) : undefined);
    const simulated =
      before.simulated === null
        ? simulation.begin(vault, hour)
        : simulation.next(vault, hour, before.simulated, scenario);
    return nextHour(
      { ...before, simulated },
      hour,
      simulation.observe(vault, hour, simulated, scenario) ?? undefined,
    );
  };

const scenarioOf = ({ scenario, scenarioFrom }: LockedMarket): Scenario | null =>
  scenario === null || scenarioFrom === null ? null : { name: scenario, from: scenarioFrom };

/** Dated at the hour of the crossing, however much later it is caught up. */
const thresholdEvent = (
  { asset, hour, level, direction, apy, previousApy }: YieldCrossing,
  partnerId: string | null,
): NewEvent => ({
  type: 'yield.threshold',
  partnerId,
  at: hour,
  data: { asset, threshold: level, direction, apy, previous_apy: previousApy, at: hour.toISOString() },
});
