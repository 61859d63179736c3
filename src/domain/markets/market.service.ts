import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { invalid } from '../domain-error.js';
import { SimulatedMarket } from '../simulation/simulated-market.js';
import { type Page, type PageRequest, toPage } from '../store/page.js';
import { Store } from '../store/store.js';
import type { Feed, Observation } from '../vaults/feed.js';
import { FeedTroubles } from '../vaults/feed-troubles.js';
import { addHours, hourOf, hoursBetween } from '../vaults/hour.js';
import * as queries from './market.queries.js';
import type { Vault } from '../vaults/vault.js';
import { isStale, nextHour, type Snapshot, type VaultState } from '../vaults/vault-state.js';
import { INDEX_SCALE } from '../vaults/yield-index.js';

/** Injection token of the feed that the base market follows. */
export const MARKET_FEED = Symbol('market feed');
/** The market that follows the deployment's feeds on wall time. */
export const BASE_MARKET = 'base';
/** Hours that one transaction catches up; what is missing beyond follows in the next. */
const HOURS_PER_TRANSACTION = 240;
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

interface StateRow {
  vaultId: string;
  index: string;
  lastApy: number | null;
  lastTvl: string | null;
  observedHour: Date | null;
  simulated: number | null;
}

/** The paths of the base market's vaults: O(vaults) an hour, whatever the number of positions. */
@Injectable()
export class MarketService {
  private readonly simulation = new SimulatedMarket(BASE_MARKET);

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly troubles: FeedTroubles,
    @Inject(MARKET_FEED) private readonly feed: Feed,
  ) {}

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
    const [market] = await this.store.query<{ tickedHour: Date | null }>(queries.FIND_TICKED_HOUR, [
      BASE_MARKET,
    ]);
    if (market?.tickedHour && market.tickedHour >= hour) return { hours: 0, silent: [], troubles: [] };
    // Before the transaction: a feed that is slow must hold no lock.
    const fed = this.settings.vaults.filter(({ feed }) => feed.kind !== 'simulated');
    const seen = fed.length === 0 ? new Map<string, Observation>() : await this.feed.observe(fed, hour);
    let hours = 0;
    for (let added = HOURS_PER_TRANSACTION; added === HOURS_PER_TRANSACTION; hours += added) {
      added = await this.catchUp(hour, seen);
    }
    const silent = fed.filter(({ id }) => !seen.has(id)).map(({ id }) => id);
    return { hours, silent, troubles: this.troubles.take() };
  }

  /** The catalogue by id, with each vault's newest state. */
  async list({ limit, after }: PageRequest): Promise<Page<ListedVault>> {
    const states = await this.states();
    const hour = hourOf(this.clock.now());
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

  /** @returns how many hours were added */
  private async catchUp(to: Date, seen: Map<string, Observation>): Promise<number> {
    return this.store.transaction(async () => {
      const [market] = await this.store.query<{ tickedHour: Date | null }>(queries.LOCK_MARKET, [
        BASE_MARKET,
      ]);
      const from = market?.tickedHour ?? addHours(to, -this.hoursBehindABeginning);
      const hours = Math.min(hoursBetween(from, to), HOURS_PER_TRANSACTION);
      if (hours <= 0) return 0;
      const states = await this.states();
      const snapshots: Snapshot[] = [];
      for (let step = 1; step <= hours; step++) {
        const hour = addHours(from, step);
        const fed = hour.getTime() === to.getTime() ? seen : NOTHING;
        for (const vault of this.settings.vaults) {
          const before = states.get(vault.id) ?? unborn(vault.id);
          const next =
            vault.feed.kind === 'simulated'
              ? this.simulate(vault, before, hour)
              : nextHour(before, hour, fed.get(vault.id));
          states.set(vault.id, next.state);
          snapshots.push(next.snapshot);
        }
      }
      await this.append(snapshots);
      await this.save([...states.values()]);
      await this.store.query(queries.SET_TICKED_HOUR, [BASE_MARKET, addHours(from, hours)]);
      return hours;
    });
  }

  /** A simulated vault is seen at every hour, also at those that nobody was there for. */
  private simulate(vault: Vault, before: VaultState, hour: Date): ReturnType<typeof nextHour> {
    const simulated =
      before.simulated === null
        ? this.simulation.begin(vault, hour)
        : this.simulation.next(vault, hour, before.simulated);
    const seen = this.simulation.observe(vault, hour, simulated) ?? undefined;
    return nextHour({ ...before, simulated }, hour, seen);
  }

  /** A market of simulated vaults begins with a month behind it; real ones begin when they are first looked at. */
  private get hoursBehindABeginning(): number {
    return this.settings.vaults.every(({ feed }) => feed.kind === 'simulated') ? HISTORY_HOURS : 1;
  }

  private async states(): Promise<Map<string, VaultState>> {
    const rows = await this.store.query<StateRow>(queries.FIND_STATES, [BASE_MARKET]);
    return new Map(
      rows.map(({ index, lastTvl, ...row }) => [
        row.vaultId,
        { ...row, index: BigInt(index), lastTvl: lastTvl === null ? null : BigInt(lastTvl) },
      ]),
    );
  }

  private async append(rows: readonly Snapshot[]): Promise<void> {
    await this.store.query(queries.APPEND_SNAPSHOTS, [
      BASE_MARKET,
      rows.map(({ vaultId }) => vaultId),
      rows.map(({ hour }) => hour),
      rows.map(({ apy }) => apy),
      rows.map(({ tvl }) => tvl?.toString() ?? null),
      rows.map(({ index }) => index.toString()),
    ]);
  }

  private async save(states: readonly VaultState[]): Promise<void> {
    await this.store.query(queries.SAVE_STATES, [
      BASE_MARKET,
      states.map(({ vaultId }) => vaultId),
      states.map(({ index }) => index.toString()),
      states.map(({ lastApy }) => lastApy),
      states.map(({ lastTvl }) => lastTvl?.toString() ?? null),
      states.map(({ observedHour }) => observedHour),
      states.map(({ simulated }) => simulated),
    ]);
  }
}

const unborn = (vaultId: string): VaultState => ({
  vaultId,
  index: INDEX_SCALE,
  lastApy: null,
  lastTvl: null,
  observedHour: null,
  simulated: null,
});
