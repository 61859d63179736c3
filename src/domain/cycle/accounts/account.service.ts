import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { Clock, addHours, hourOf, hoursBetween } from '../../kernel/clock.js';
import type { Hours } from '../hourly-cycle.service.js';
import { invalid } from '../../kernel/domain-error.js';
import { MarketHours } from '../../markets/hours/market-hours.service.js';
import { type ListedVault, MarketService } from '../../markets/hours/market.service.js';
import { FairSemaphore } from '../../kernel/fair-semaphore.js';
import { Meter } from '../../kernel/meter.js';
import { scenarioOf } from '../../markets/simulation/move-scenarios.js';
import type { Scenario } from '../../markets/simulation/simulated-market.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { StorageWatch } from '../../kernel/store/storage-watch.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './account.queries.js';
import { AccountMarket } from './account.queries.js';
import { AccountTime, advanceInProgress, tooManyAdvances } from './account-time.service.js';

export type Account = Awaited<ReturnType<AccountService['read']>>;

export interface ClockAdvance extends Hours {
  from: Date;
  to: Date;
}

/** Limit of one advance, in hours: a month. */
export const MAX_ADVANCE_HOURS = 744;
/** Hours that one transaction catches up: a week. */
const CATCH_UP_HOURS = 168;
/** Limit in hours on an account's lead: ten years. */
const MAX_HOURS_AHEAD = 87_600;
/** Accounts that a process remembers as caught up. */
const MAX_REMEMBERED = 10_000;
const ACCOUNTS_PER_PAGE = 500;

/**
 * Accounts: partners with a simulated market and a clock of their own. Time only moves forward, hour by hour, with everything that happens in each
 * hour.
 */
@Injectable()
export class AccountService {
  /** Wall-clock hour up to which this process has caught an account up, by account. */
  private readonly followed = new Map<string, number>();
  /** Catch-up in progress in this process, by account: other users of the account await it without a connection. */
  private readonly following = new Map<string, Promise<number>>();
  /** Slots of catch-ups, a week each, so that a caller with many accounts leaves connections to others. */
  private readonly followers: FairSemaphore;

  constructor(
    { constants }: Settings,
    private readonly store: Store,
    private readonly time: AccountTime,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly hours: MarketHours,
    private readonly storageLimit: StorageLimit,
    private readonly storage: StorageWatch,
    private readonly meter: Meter,
  ) {
    const { movesAtOnce, waitMs } = constants.accounts;
    // With five connections or more, a small pool has one besides those of advances and catch-ups.
    const slots = Math.min(movesAtOnce, Math.max(1, this.time.spareConnections));
    this.followers = new FairSemaphore({ slots, waitMs, refusal: tooManyAdvances });
  }

  /**
   * Catches an account up with the wall clock, so that a reader sees the present; skips an account that is being advanced. The first use creates its
   * market, with a month of history. Many hours run week by week, and each week is committed by itself. Concurrent callers share one catch-up. The
   * number of concurrent catch-ups is limited; others queue.
   * @throws DomainError `service_unavailable` (clock error, or the wait was too long)
   */
  async follow(partnerId: string): Promise<void> {
    this.clock.requireRight();
    const wallHour = hourOf(this.clock.now()).getTime();
    if (this.followed.get(partnerId) === wallHour) return;
    for (let missingHours = Infinity; missingHours > 0;) {
      const inProgress = this.following.get(partnerId);
      if (inProgress) return void (await inProgress);
      const week = this.followers
        .run(() => this.meter.apart(() => this.followAWeek(partnerId)))
        .finally(() => this.following.delete(partnerId));
      this.following.set(partnerId, week);
      missingHours = await week;
      if (Number.isNaN(missingHours)) return;
    }
    if (this.followed.size >= MAX_REMEMBERED) this.followed.clear();
    this.followed.set(partnerId, wallHour);
  }

  /**
   * Catches up every account that holds funds; a failure does not stop the others. An account that is up to date is not locked, since a caller may be
   * about to move it. While storage is nearly full, accounts are caught up for readers only.
   */
  async followAll(): Promise<void> {
    if (this.storage.isNearlyFull) return;
    const failures: unknown[] = [];
    for (let after = ''; ;) {
      const page = await this.store.query(queries.FIND_BEHIND, [
        after,
        hourOf(this.clock.now()),
        ACCOUNTS_PER_PAGE,
      ]);
      for (const { partnerId } of page)
        await this.follow(partnerId).catch((error: unknown) => failures.push(error));
      if (page.length < ACCOUNTS_PER_PAGE) break;
      after = page.at(-1)!.partnerId;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** `hour`: the newest hour that was simulated; `scenario`: null when none is active. */
  async read(partnerId: string) {
    const id = this.market.marketOf(partnerId);
    const row = await this.store.repository(AccountMarket).findOneByOrFail({ id });
    const { hoursAhead, seed, tickedHour } = row;
    const wall = this.clock.now();
    const now = addHours(wall, hoursAhead);
    return {
      now,
      wall,
      hoursAhead,
      hour: tickedHour ?? hourOf(now),
      seed: seed ?? id,
      scenario: scenarioOf(row),
    };
  }

  /**
   * Runs every hour in order, with market, statements, routing and events: all hours or none.
   * @param hours 1..744
   * @throws DomainError `validation_failed` (too far ahead), `advance_in_progress`, `quota_exceeded`
   */
  async advance(partnerId: string, hours: number): Promise<ClockAdvance> {
    this.clock.requireRight();
    return this.time.move(partnerId, async (account) => {
      if (account.hoursAhead + hours > MAX_HOURS_AHEAD)
        throw invalid(
          'hours',
          `would take the account more than ${MAX_HOURS_AHEAD} hours ahead; reset it first`,
        );
      this.requireNear(account);
      // Checked before, too, so that hours which could not be stored are not computed.
      this.storageLimit.requireRoom(partnerId, ['book', 'traffic']);
      const from = this.time.nowOf(account);
      await this.time.run(account, hourOf(from));
      await this.change(account, { hoursAhead: account.hoursAhead + hours });
      const to = addHours(from, hours);
      const ran = await this.time.run({ ...account, tickedHour: hourOf(from) }, hourOf(to));
      await this.storageLimit.requireCountedRoom(partnerId, ['book', 'traffic']);
      return { from, to, ...ran };
    });
  }

  /** Applies a scenario to the account's market from its next hour on. @throws DomainError `advance_in_progress` */
  async applyScenario(partnerId: string, name: Scenario['name']): Promise<Account> {
    this.clock.requireRight();
    return this.time.move(partnerId, async (account) => {
      this.requireNear(account);
      const hour = hourOf(this.time.nowOf(account));
      await this.time.run(account, hour);
      await this.change(account, { scenario: name, scenarioFrom: addHours(hour, 1) });
      return this.read(partnerId);
    });
  }

  /** Ends a vault's quarantine in the account's market. @throws DomainError `not_found`, `advance_in_progress` */
  endQuarantine(partnerId: string, vaultId: string): Promise<ListedVault> {
    return this.time.move(partnerId, ({ id }) => this.market.endQuarantine(id, vaultId));
  }

  /**
   * Resets the account: positions, ledger, decisions, deliveries, clock, scenario and market are deleted; keys, users, campaigns and webhooks stay.
   * @param seed seed of the new market; default: the old one
   * @throws DomainError `advance_in_progress`
   */
  async reset(partnerId: string, seed: string | null): Promise<Account> {
    this.clock.requireRight();
    return this.time.move(partnerId, async (account) => {
      const marketId = account.id;
      await this.store.query(queries.FORGET, [marketId]);
      await this.store.query(queries.LOCK_EVENTS, [partnerId]);
      for (const deletion of queries.DELETE_ALL) await this.store.query(deletion, [marketId]);
      await this.change(account, {
        tickedHour: null,
        begunHour: null,
        routedHour: null,
        hoursAhead: 0,
        scenario: null,
        scenarioFrom: null,
        seed: seed ?? account.seed,
      });
      await this.hours.advance(marketId, hourOf(this.clock.now()));
      // Last, because sends of other partners may wait for the endpoint locks.
      await this.store.query(queries.LOCK_ENDPOINTS, [partnerId]);
      for (const deletion of [...queries.DELETE_DELIVERIES, ...queries.DELETE_EVENTS])
        await this.store.query(deletion, [partnerId]);
      await this.storageLimit.count(partnerId);
      return this.read(partnerId);
    });
  }

  /** @returns the hours still missing; NaN while another transaction advances the account */
  private followAWeek(partnerId: string): Promise<number> {
    return this.store.transaction(async () => {
      const account = await this.time.lock(partnerId);
      if (!account) return NaN;
      const now = hourOf(this.time.nowOf(account));
      const missing = account.tickedHour ? hoursBetween(account.tickedHour, now) : 0;
      const beyond = Math.max(0, missing - CATCH_UP_HOURS);
      await this.time.run(account, addHours(now, -beyond));
      return beyond;
    });
  }

  private async change({ id }: AccountMarket, change: Partial<AccountMarket>): Promise<void> {
    await this.store.repository(AccountMarket).update({ id }, change);
  }

  /** An account far behind its clock is being caught up. @throws DomainError `advance_in_progress` */
  private requireNear(account: AccountMarket): void {
    const { tickedHour } = account;
    if (tickedHour && hoursBetween(tickedHour, this.time.nowOf(account)) > CATCH_UP_HOURS)
      throw advanceInProgress();
  }
}
