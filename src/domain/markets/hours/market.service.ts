import { Inject, Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { addHours, Clock, hourOf } from '../../kernel/clock.js';
import { invalid, notFound } from '../../kernel/domain-error.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import type { VaultFeed } from '../vaults/feed.js';
import { FeedTroubles } from '../vaults/feeds.js';
import { isFollowed } from '../vaults/share-readers.js';
import { scenarioOf, termsUnder } from '../simulation/move-scenarios.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import type { VaultState } from '../vaults/vault-state.js';
import { isStale } from '../vaults/yield-index.js';
import { LedgerPartitions } from './ledger-partitions.service.js';
import { LOOK, LOOK_AT_ALL, LOOK_OF_PARTNER, LOOK_OF_USER } from './look.queries.js';
import { MARK_BOOKED } from './market.queries.js';
import { MarketHours, requireReached, unknownHour, type WorkedHour } from './market-hours.service.js';
import { MarketRepository } from './market.repository.js';
import { BASE_MARKET, type LookRow, MarketPlan, type MarketView, toMarketView } from './market-view.js';

export { BASE_MARKET, type MarketVault, type MarketView } from './market-view.js';

/** Injection token of the feed that the base market follows. */
export const MARKET_FEED = Symbol('market feed');
/** The catalogue has no times to page by: ids alone order it. */
const CATALOGUE_TIME = new Date(0);

export interface ListedVault {
  vault: Vault;
  state: VaultState | null;
  stale: boolean;
}

export interface Tick {
  hours: number;
  /** Vaults without an observation for the hour. */
  silent: string[];
  /** Complaints of feeds, a sentence each. */
  troubles: string[];
  /** Vaults followed by share price whose yield differs from their second source. */
  divergent: Divergence[];
}

/** Markets: the paths of their vaults and what is derived from them, O(vaults) an hour, whatever the number of positions. */
@Injectable()
export class MarketService {
  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
    private readonly markets: MarketRepository,
    private readonly hours: MarketHours,
    private readonly ledger: LedgerPartitions,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly troubles: FeedTroubles,
    @Inject(MARKET_FEED) private readonly feed: VaultFeed,
  ) {}

  /** The market of a partner's positions. @param partnerId null: no particular partner */
  marketOf(partnerId: string | null): string {
    return this.plan.marketOf(partnerId);
  }

  newestHour(): Promise<Date | null> {
    return this.markets.tickedHour(BASE_MARKET);
  }

  /** Now of a market; for a simulated one, possibly ahead of the wall clock. */
  async now(marketId: string): Promise<Date> {
    return (await this.setting(marketId)).now;
  }

  private async setting(marketId: string): Promise<Pick<MarketView, 'now' | 'scenario'>> {
    const reached = this.plan.ownerOf(marketId) === null ? undefined : await this.markets.reached(marketId);
    return {
      now: addHours(this.clock.now(), reached?.hoursAhead ?? 0),
      scenario: reached ? scenarioOf(reached) : null,
    };
  }

  presentHour(marketId: string): WorkedHour {
    return {
      marketId,
      isLive: true,
      at: null,
      isLast: true,
      view: () => this.look(marketId),
      save: () => Promise.resolve(),
    };
  }

  /** View of a market at its newest hour, in one statement; without hour when it was never ticked. @param at by its own clock; default: its now */
  look(marketId: string, at?: Date): Promise<MarketView> {
    return this.viewOf(marketId, this.store.query(LOOK, [marketId]), at);
  }

  /** Views of markets at their newest hours, by id, in one statement. */
  async lookAtAll(marketIds: readonly string[]): Promise<Map<string, MarketView>> {
    const rows = await this.store.query(LOOK_AT_ALL, [[...marketIds]]);
    const byMarket = Map.groupBy(rows, ({ marketId }) => marketId);
    return new Map([...byMarket].map(([id, looked]) => [id, this.toView(id, looked)]));
  }

  /** View with a partner's holdings in each vault, read in the same statement. In the current transaction. */
  viewForPartner(partnerId: string, marketId: string): Promise<MarketView> {
    return this.viewOf(marketId, this.store.query(LOOK_OF_PARTNER, [marketId, partnerId]));
  }

  /**
   * View for a flow dated at this moment. If that is beyond the hour after the newest, the hours between are marked as closed: a process whose clock
   * is behind may no longer add observations to them, which would change later growth. A market without hours is created, beginning with the
   * previous hour without observations, so that the tick can still observe the present one; until then only cash takes funds.
   * @param userId user whose partner's shares are summed separately; null: none
   */
  async viewForBooking(marketId: string, userId: string | null = null): Promise<MarketView> {
    const look = (): Promise<MarketView> =>
      userId === null
        ? this.look(marketId)
        : this.viewOf(marketId, this.store.query(LOOK_OF_USER, [marketId, userId]));
    const view = await look();
    const present = hourOf(view.now);
    if (view.hour !== null && view.hour >= addHours(present, -1)) return view;
    if (view.hour === null) await this.hours.advance(marketId, addHours(present, -1));
    else await this.store.query(MARK_BOOKED, [marketId, present]);
    return look();
  }

  /** The view that `viewForBooking` would return for a partner's flow at this moment, without writing anything. */
  async previewForBooking(marketId: string, partnerId: string): Promise<MarketView> {
    const view = await this.viewForPartner(partnerId, marketId);
    return { ...view, hour: view.hour ?? addHours(hourOf(view.now), -1) };
  }

  private async viewOf(marketId: string, looked: Promise<LookRow[]>, at?: Date): Promise<MarketView> {
    return this.toView(marketId, await looked, at);
  }

  private toView(marketId: string, rows: readonly LookRow[], at?: Date): MarketView {
    const now = at ?? addHours(this.clock.now(), rows[0]?.hoursAhead ?? 0);
    const newest = rows[0]?.tickedHour ?? null;
    if (at === undefined) requireReached('hour of the market', newest, now);
    if (rows.some(({ observedHour }) => observedHour !== null && (newest === null || observedHour > newest)))
      throw unknownHour(marketId);
    return toMarketView(marketId, rows, this.settings.vaults, now);
  }

  /**
   * Brings the market up to an hour: missed hours are added without observation, the present one with what the feeds report now; when they answer in
   * the next hour, up to that. It is idempotent, also across processes.
   * @param at moment within the hour; default: now
   * @throws DomainError `validation_failed` for a moment in the future, `service_unavailable` for a newest hour that cannot be right
   */
  async tick(at: Date = this.clock.now()): Promise<Tick> {
    const hour = hourOf(at);
    const present = hourOf(this.clock.now());
    if (hour > present) throw invalid('at', 'must not lie in the future');
    const ticked = await this.markets.tickedHour(BASE_MARKET);
    requireReached('hour of the market', ticked, present);
    if (ticked && ticked >= hour) return { hours: 0, silent: [], troubles: [], divergent: [] };
    // An hour that is over can no longer be observed.
    const fed =
      hour < present
        ? []
        : this.settings.vaults.filter((vault) => !isIdle(vault) && vault.feed.kind !== 'simulated');
    // Before the transaction, so that a slow feed holds no lock.
    const observations = fed.length === 0 ? undefined : await this.feed.observe(fed, hour);
    await this.ledger.prepare(hour);
    const { hours } = await this.hours.advance(BASE_MARKET, hour, { observations });
    const silent = fed.filter(({ id }) => !observations?.has(id)).map(({ id }) => id);
    return { hours, silent, troubles: this.troubles.take(), divergent: await this.divergent() };
  }

  private async divergent(): Promise<Divergence[]> {
    const { vaults, constants } = this.settings;
    if (!vaults.some(isFollowed)) return [];
    return divergencesOf(vaults, await this.markets.states(BASE_MARKET), constants.chain.maxDivergence);
  }

  /** The catalogue by id, without cash, with each vault's newest state in a market. */
  async list({ limit, after }: PageRequest, marketId: string = BASE_MARKET): Promise<Page<ListedVault>> {
    const [states, setting] = await Promise.all([this.markets.states(marketId), this.setting(marketId)]);
    const rows = this.settings.vaults
      .filter((vault) => !isIdle(vault) && (after === null || vault.id > after.id))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit + 1)
      .map((vault) => listed(vault, states, setting));
    return toPage(rows, limit, ({ vault }) => ({ at: CATALOGUE_TIME, id: vault.id }));
  }

  /** Ends a vault's quarantine, if any. The next hour starts another one while the vault is in distress. @throws DomainError `not_found` */
  endQuarantine(marketId: string, vaultId: string): Promise<ListedVault> {
    const vault = this.settings.vaults.find((candidate) => candidate.id === vaultId && !isIdle(candidate));
    if (!vault) throw notFound('vault');
    return this.store.transaction(async () => {
      await this.markets.lock(marketId, this.plan.ownerOf(marketId));
      await this.markets.endQuarantine(marketId, vaultId);
      const states = await this.markets.states(marketId);
      return listed(vault, states, await this.setting(marketId));
    });
  }
}

function listed(
  vault: Vault,
  states: ReadonlyMap<string, VaultState>,
  { now, scenario }: Pick<MarketView, 'now' | 'scenario'>,
): ListedVault {
  const [hour, state] = [hourOf(now), states.get(vault.id) ?? null];
  return { vault: termsUnder(scenario, hour, vault), state, stale: state === null || isStale(state, hour) };
}

/** Vault whose yield by its share price is not that of its second source. APYs as fractions. */
interface Divergence {
  vaultId: string;
  apy: number;
  otherApy: number;
}

/** Divergences among the active vaults that are followed by their share price. */
export function divergencesOf(
  vaults: readonly Vault[],
  states: ReadonlyMap<string, VaultState>,
  maxDifference: number,
): Divergence[] {
  return vaults.flatMap((vault) => {
    if (!vault.active || !isFollowed(vault)) return [];
    const { lastApy: apy = null, price } = states.get(vault.id) ?? {};
    const otherApy = price?.otherApy ?? null;
    if (apy === null || otherApy === null || Math.abs(apy - otherApy) <= maxDifference) return [];
    return [{ vaultId: vault.id, apy, otherApy }];
  });
}
