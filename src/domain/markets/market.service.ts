import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { invalid } from '../domain-error.js';
import { type Page, type PageRequest, toPage } from '../store/page.js';
import { Store } from '../store/store.js';
import type { Feed } from '../vaults/feed.js';
import { FeedTroubles } from '../vaults/feed-troubles.js';
import { addHours, hourOf } from '../vaults/hour.js';
import { isFollowed } from '../vaults/share-readers.js';
import { isIdle, type Vault } from '../vaults/vault.js';
import { isStale, type VaultState } from '../vaults/vault-state.js';
import { BASE_MARKET, MarketPlan } from './market-plan.js';
import { LedgerPartitions } from './ledger-partitions.service.js';
import { LOOK, LOOK_OF_USER, MARK_BOOKED } from './market.queries.js';
import { MarketHours } from './market-hours.service.js';
import { MarketStore } from './market.store.js';
import { type MarketView, toMarketView } from './market-view.js';

export type { MarketVault, MarketView } from './market-view.js';

export { BASE_MARKET } from './market-plan.js';

/** Injection token of the feed that the base market follows. */
export const MARKET_FEED = Symbol('market feed');
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
  /** Vaults that are followed by their share price, whose yield is not that of their second opinion. */
  divergent: Divergence[];
}

/** Fractions a year. */
export interface Divergence {
  vaultId: string;
  apy: number;
  otherApy: number;
}

/** The paths of a market's vaults and what follows from them: O(vaults) an hour, whatever the number of positions. */
@Injectable()
export class MarketService {
  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
    private readonly markets: MarketStore,
    private readonly hours: MarketHours,
    private readonly ledger: LedgerPartitions,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly troubles: FeedTroubles,
    @Inject(MARKET_FEED) private readonly feed: Feed,
  ) {}

  /** The market that a partner's positions are in. @param partnerId null: of nobody in particular */
  marketOf(partnerId: string | null): string {
    return this.plan.marketOf(partnerId);
  }

  /** Of everybody's market; null: it was never ticked. */
  newestHour(): Promise<Date | null> {
    return this.markets.tickedHour(BASE_MARKET);
  }

  /** A market's now: of a simulated one, possibly ahead of the wall. */
  async now(marketId: string): Promise<Date> {
    const ahead = this.plan.ownerOf(marketId) === null ? 0 : await this.markets.hoursAhead(marketId);
    return addHours(this.clock.now(), ahead);
  }

  /**
   * A market as of its newest hour, in one statement; without an hour, and nothing observed, where it was never ticked.
   *
   * @param from where to read; default: in the transaction that is open
   * @param at a moment of its own time; default: its now
   */
  look(marketId: string, from: Pick<Store, 'query'> = this.store, at?: Date): Promise<MarketView> {
    return this.lookFor(null, marketId, from, LOOK, at);
  }

  /** The same with what a partner holds in each vault, of the same moment. In the transaction that is open. */
  lookAs(partnerId: string, marketId: string): Promise<MarketView> {
    return this.lookFor(partnerId, marketId, this.store);
  }

  /**
   * The same for a flow, which is dated at this moment. Where that is beyond the hour after the newest, the hours between count as over: a process whose clock is behind adds no observation to
   * them any more, which would change what the hours after them grow by. A market that nobody has begun begins with this look, with the hour before this one, of which nothing was seen, so that
   * the tick still sees the present one: there is cash in it, and nothing else that takes funds.
   *
   * @param userId of the partner whose own shares are told from everybody's; null: nobody's
   */
  async lookToBook(marketId: string, userId: string | null = null): Promise<MarketView> {
    const look = (): Promise<MarketView> =>
      this.lookFor(userId, marketId, this.store, userId === null ? LOOK : LOOK_OF_USER);
    const view = await look();
    const present = hourOf(view.now);
    if (view.hour !== null && view.hour >= addHours(present, -1)) return view;
    if (view.hour === null) await this.hours.catchUp(marketId, addHours(present, -1));
    else await this.store.query(MARK_BOOKED, [marketId, present]);
    return look();
  }

  /** The market as `lookToBook` would find it for a partner's flow at this moment, with nothing written. */
  async lookAhead(marketId: string, partnerId: string): Promise<MarketView> {
    const view = await this.lookFor(partnerId, marketId, this.store);
    return { ...view, hour: view.hour ?? addHours(hourOf(view.now), -1) };
  }

  private async lookFor(
    whose: string | null,
    marketId: string,
    from: Pick<Store, 'query'>,
    look: typeof LOOK = LOOK,
    at?: Date,
  ): Promise<MarketView> {
    const rows = await from.query(look, [marketId, whose]);
    const now = at ?? addHours(this.clock.now(), rows[0]?.hoursAhead ?? 0);
    return toMarketView(marketId, rows, this.settings.vaults, now);
  }

  /**
   * Brings the market up to an hour: hours that were missed are added without an observation, the present one with what the feeds say now; where they answer
   * in the next one, up to that. An hour is added once, however often and from however many processes it is asked for.
   *
   * @param at a moment within the hour; default: now
   * @throws DomainError `validation_failed` for a moment that has not come yet
   */
  async tick(at: Date = this.clock.now()): Promise<Tick> {
    const hour = hourOf(at);
    const present = hourOf(this.clock.now());
    if (hour > present) throw invalid('at', 'must not lie in the future');
    const ticked = await this.markets.tickedHour(BASE_MARKET);
    if (ticked && ticked >= hour) return { hours: 0, silent: [], troubles: [], divergent: [] };
    // Nobody sees an hour that is over.
    const fed =
      hour < present
        ? []
        : this.settings.vaults.filter((vault) => !isIdle(vault) && vault.feed.kind !== 'simulated');
    // Before the transaction: a feed that is slow must hold no lock.
    const seen = fed.length === 0 ? undefined : await this.feed.observe(fed, hour);
    await this.ledger.prepare(hour);
    const { hours } = await this.hours.catchUp(BASE_MARKET, hour, seen);
    const silent = fed.filter(({ id }) => !seen?.has(id)).map(({ id }) => id);
    return { hours, silent, troubles: this.troubles.take(), divergent: await this.divergent() };
  }

  private async divergent(): Promise<Divergence[]> {
    if (!this.settings.vaults.some(isFollowed)) return [];
    const { max_divergence } = this.settings.constants.chain;
    return [...(await this.markets.states(BASE_MARKET)).values()].flatMap(({ vaultId, lastApy, price }) => {
      const otherApy = price?.otherApy ?? null;
      if (lastApy === null || otherApy === null || Math.abs(lastApy - otherApy) <= max_divergence) return [];
      return [{ vaultId, apy: lastApy, otherApy }];
    });
  }

  /** The catalogue by id, without cash, with each vault's newest state in a market. */
  async list({ limit, after }: PageRequest, marketId: string = BASE_MARKET): Promise<Page<ListedVault>> {
    const [states, now] = await Promise.all([this.markets.states(marketId), this.now(marketId)]);
    const hour = hourOf(now);
    const rows = this.settings.vaults
      .filter((vault) => !isIdle(vault) && (after === null || vault.id > after.id))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit + 1)
      .map((vault) => {
        const state = states.get(vault.id) ?? null;
        return { vault, state, stale: state === null || isStale(state, hour) };
      });
    return toPage(rows, limit, ({ vault }) => ({ at: CATALOGUE_TIME, id: vault.id }));
  }
}
