import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, addHours, hourOf, hoursBetween, isUnreached } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { roundRate } from '../../kernel/money.js';
import { Slices } from '../../kernel/slices.js';
import { Store } from '../../kernel/store/store.js';
import type { Observation } from '../vaults/feed.js';
import { EventService, type NewEvent } from '../../outbound/webhooks/event.service.js';
import { scenarioOf } from '../simulation/move-scenarios.js';
import type { Market } from './market.js';
import { MarketRepository } from './market.repository.js';
import { type PricedHour, SharePrices } from './share-prices.js';
import {
  advanceOf,
  beginningOf,
  type KnownVault,
  MarketPlan,
  type MarketView,
  type VaultSighting,
  viewOf,
} from './market-view.js';
import type { YieldCrossing } from './market-series.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';
import type { VaultState } from '../vaults/vault-state.js';

/** Hours that one transaction adds; further missing hours follow in the next. The beginning of a market fits into one. */
const HOURS_PER_TRANSACTION = 31 * 24;

type Observations = ReadonlyMap<string, Observation>;

type Visit = (hour: WorkedHour) => Promise<void>;

export type FundsByVault = ReadonlyMap<string, bigint>;

/** Hour of a market in which statements are posted and funds are evaluated and moved. */
export interface WorkedHour {
  marketId: string;
  /** Whether it is the newest hour of a live market, whose work has the time at which it is done. */
  isLive: boolean;
  /** Time of all work in a simulated hour; null in a live one. */
  at: Date | null;
  /** True when no further hour is worked on in the same transaction. */
  isLast: boolean;
  view(funds: FundsByVault): Promise<MarketView>;
  /** Writes the hours since the last call, so that statements see this one. */
  save(): Promise<void>;
}

/** Hours of a market that advances in memory: an hour without work costs no statement. */
class AdvancingHour implements WorkedHour {
  readonly isLive = false;
  /** Cached view of the newest hour, shared by routing and alerts. */
  private cached: { hour: Date; funds: FundsByVault; view: MarketView } | null = null;

  constructor(
    private readonly origin: Pick<MarketView, 'marketId' | 'advance' | 'scenario'>,
    private readonly market: Market,
    private readonly to: Date,
    readonly save: () => Promise<void>,
  ) {}

  get marketId(): string {
    return this.origin.marketId;
  }

  get at(): Date {
    return this.market.hour;
  }

  get isLast(): boolean {
    return this.market.hour >= this.to;
  }

  /** The view is at the beginning of the hour, without holdings of a particular partner. */
  view(funds: FundsByVault): Promise<MarketView> {
    const { hour } = this.market;
    if (this.cached?.funds !== funds || this.cached.hour.getTime() !== hour.getTime())
      this.cached = { hour, funds, view: this.viewNow(funds) };
    return Promise.resolve(this.cached.view);
  }

  private viewNow(funds: FundsByVault): MarketView {
    const { hour } = this.market;
    const outlooks = this.market.outlooks();
    const vaults = outlooks.map(({ vault, ...outlook }): [string, KnownVault] => [
      vault.id,
      { ...outlook, shares: funds.get(vault.id) ?? 0n, ownShares: 0n },
    ]);
    const catalogue = outlooks.map(({ vault }) => vault);
    return viewOf({ ...this.origin, hour }, new Map(vaults), catalogue, hour);
  }
}

export interface AddedHours {
  hours: number;
  crossings: number;
}

/** Hours of a market: each vault's yield and what is derived from it. An hour is added once, however many callers ask for it. */
@Injectable()
export class MarketHours {
  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
    private readonly markets: MarketRepository,
    private readonly prices: SharePrices,
    private readonly events: EventService,
    private readonly slices: Slices,
    private readonly settings: DomainSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * Advances a market to an hour. Without visits, hours are committed a month at a time.
   * @param observations current observations of feeds; simulated vaults need none. An observation counts for the hour in which it is stored, because later
   * factors depend on it; when that hour has changed meanwhile, the market advances to the new one
   * @param visit called in each hour before the next one is computed, in the transaction; not in the history before a market's beginning
   */
  async advance(
    marketId: string,
    to: Date,
    { observations, visit }: { observations?: Observations | undefined; visit?: Visit } = {},
  ): Promise<AddedHours> {
    const sum = { hours: 0, crossings: 0 };
    for (let hours = HOURS_PER_TRANSACTION; hours === HOURS_PER_TRANSACTION;) {
      const added = await this.add(marketId, to, observations, visit);
      hours = added.hours;
      sum.hours += added.hours;
      sum.crossings += added.crossings;
    }
    return sum;
  }

  private async add(
    marketId: string,
    target: Date,
    observations?: Observations,
    visit?: Visit,
  ): Promise<AddedHours> {
    return this.store.transaction(async () => {
      const owner = this.plan.ownerOf(marketId);
      const locked = await this.markets.lock(marketId, owner);
      // Computed under the lock: after waiting for it, the hour may have changed.
      const to = observations === undefined ? target : latest(target, hourOf(this.clock.now()));
      const from = locked.tickedHour ?? addHours(to, -this.hoursBehindABeginning);
      if (locked.tickedHour === null) await this.requireNew(marketId, locked);
      const hours = Math.min(hoursBetween(from, to), HOURS_PER_TRANSACTION);
      if (hours <= 0) return { hours: 0, crossings: 0 };
      const market = await this.markets.read(marketId, from);
      if (market.states.some(({ observedHour }) => observedHour !== null && observedHour > from))
        throw unknownHour(marketId);
      if (observations) requireReached('hour of a booking in the market', locked.bookedHour, to);
      // Flows booked ahead rely on growth without an observation in these hours.
      const isOpen = locked.bookedHour === null || locked.bookedHour <= to;
      const sighting =
        observations && isOpen
          ? { hour: to, observations: await this.prices.evaluate(observations, statesOf(market), to) }
          : undefined;
      const advance = advanceOf(marketId, locked, from, this.settings.vaults, sighting);
      const hasBegun = locked.tickedHour !== null;
      let [crossings, savedHour] = [0, from];
      const saveHours = async (): Promise<void> => {
        if (savedHour >= market.hour) return;
        // History before a market's beginning raises no events.
        const news = hasBegun ? [...market.crossings] : [];
        await this.markets.save(marketId, market, beginningOf(locked, from));
        await this.events.raise(news.map((crossing) => thresholdEvent(crossing, owner)));
        crossings += news.length;
        savedHour = market.hour;
      };
      const hour = new AdvancingHour(
        { marketId, advance, scenario: scenarioOf(locked) },
        market,
        to,
        saveHours,
      );
      await this.slices.run(async (giveWay) => {
        for (let added = 0; added < hours; added++) {
          market.step(advance);
          if (hasBegun) await visit?.(hour);
          await giveWay();
        }
      });
      await saveHours();
      if (sighting) await this.prices.append(pricesOf(sighting));
      return { hours, crossings };
    });
  }

  /** @throws DomainError `service_unavailable` for a market with hours whose newest is unknown: it would accrue them again */
  private async requireNew(marketId: string, { begunHour }: { begunHour: Date | null }): Promise<void> {
    if (begunHour !== null || (await this.markets.states(marketId)).size > 0) throw unknownHour(marketId);
  }

  /** A market of simulated vaults begins with some history; real vaults begin when they are first observed. */
  private get hoursBehindABeginning(): number {
    return this.settings.vaults.every((vault) => isIdle(vault) || vault.feed.kind === 'simulated')
      ? this.settings.constants.simulation.historyHours
      : 1;
  }
}

/** @throws DomainError `service_unavailable` for a stored hour in the future, by which later work would be dated */
export function requireReached(record: string, hour: Date | null, now: Date): void {
  if (hour !== null && isUnreached(hour, now))
    throw new DomainError(
      'service_unavailable',
      `The newest ${record} is ${hour.toISOString()}, which lies in the future. Nothing was changed; the operator has to correct it.`,
    );
}

export const unknownHour = (marketId: string): DomainError =>
  new DomainError(
    'service_unavailable',
    `The newest hour of the market ${marketId} is unknown: it has later ones than the recorded one. Nothing was changed; the operator has to correct markets.ticked_hour.`,
  );

const statesOf = ({ states }: Market): Map<string, VaultState> =>
  new Map(states.map((state) => [state.vaultId, state]));

const pricesOf = ({ hour, observations }: VaultSighting): PricedHour[] =>
  [...observations].flatMap(([vaultId, { price, tvl, assets, liquidity, doubted }]) =>
    price === undefined || doubted ? [] : [{ vaultId, hour, price, tvl, assets, liquidity }],
  );

const latest = (date: Date, other: Date): Date => (date > other ? date : other);

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
