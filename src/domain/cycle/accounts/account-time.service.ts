import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { addHours, Clock, hourOf } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { FairSemaphore } from '../../kernel/fair-semaphore.js';
import { Store } from '../../kernel/store/store.js';
import { MarketHours } from '../../markets/hours/market-hours.service.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { type Hours, HourlyCycle } from '../hourly-cycle.service.js';
import * as queries from './account.queries.js';
import { AccountMarket } from './account.queries.js';

export const advanceInProgress = (): DomainError =>
  new DomainError(
    'advance_in_progress',
    'Another request is advancing or resetting the account. Try again once it has finished.',
  );

export const tooManyAdvances = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many accounts are being advanced. Nothing was changed; try again later.',
  );

/** Locks on an account's clock: one caller advances it, or any number hold it still. */
@Injectable()
export class AccountTime {
  /** Slots of advances, one for each account; further accounts wait in a bounded queue, for a bounded time. */
  private readonly slots: FairSemaphore;
  /** Accounts that hold a slot of this process, or wait for one. */
  private readonly accounts = new Set<string>();
  readonly spareConnections: number;

  constructor(
    { databasePoolSize, constants }: Settings,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly hours: MarketHours,
    private readonly cycle: HourlyCycle,
  ) {
    const { movesAtOnce, queueLength: length, waitMs } = constants.accounts;
    // An advance holds a connection throughout, and other work needs some too.
    const slots = Math.min(movesAtOnce, databasePoolSize - 1);
    this.slots = new FairSemaphore({ slots, length, waitMs, refusal: tooManyAdvances });
    this.spareConnections = databasePoolSize - 1 - slots;
  }

  /**
   * Runs work in a slot for advancing the account, outside any transaction. Of an account, one request at most has a slot or waits for one, across all
   * processes. `disconnected` is aborted when the caller disconnects. Throws DomainError `advance_in_progress`, `service_unavailable`.
   */
  async runInSlot<T>(partnerId: string, disconnected: AbortSignal, work: () => Promise<T>): Promise<T> {
    const [row] = await this.store.query(queries.IS_MOVING, [this.market.marketOf(partnerId)]);
    if (row!.moving || this.accounts.has(partnerId)) throw advanceInProgress();
    this.accounts.add(partnerId);
    try {
      // All accounts share one owner, so that they are served in the order of arrival.
      return await this.slots.run(work, '', { signal: disconnected });
    } finally {
      this.accounts.delete(partnerId);
    }
  }

  /**
   * Runs a transaction in which the account's clock stands still, so that no transfer falls between the hours of an advance, or into a reset.
   * @throws DomainError `advance_in_progress`, without waiting
   */
  async lockTime<T>(partnerId: string, work: () => Promise<T>): Promise<T> {
    return this.store.transaction(async () => {
      const [row] = await this.store.query(queries.STOP_TIME, [
        this.market.marketOf(partnerId),
        hourOf(this.clock.now()),
      ]);
      if (!row!.stopped) throw advanceInProgress();
      return work();
    });
  }

  /** Runs work in a transaction that alone moves the account's time. @throws DomainError `advance_in_progress` */
  move<T>(partnerId: string, work: (account: AccountMarket) => Promise<T>): Promise<T> {
    return this.store.transaction(async () => {
      const account = await this.lock(partnerId);
      if (!account) throw advanceInProgress();
      return work(account);
    });
  }

  /** @returns null while another transaction moves the account's time */
  async lock(partnerId: string): Promise<AccountMarket | null> {
    const marketId = this.market.marketOf(partnerId);
    await this.store.query(queries.BEGIN, [marketId, partnerId]);
    const account = await this.store
      .repository(AccountMarket)
      .findOne({ where: { id: marketId }, lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' } });
    if (account) await this.store.query(queries.STOP_TRANSFERS, [marketId]);
    return account;
  }

  /** Without funds or open orders, all hours are added in one step. */
  async run({ id, tickedHour }: AccountMarket, to: Date): Promise<Hours> {
    if (tickedHour && tickedHour >= to) return { hours: 0, accruals: 0, moved: 0, events: 0 };
    const [row] = await this.store.query(queries.HOLDS_ANYTHING, [id]);
    if (row!.holds && tickedHour) return this.cycle.advance(id, to);
    const { hours, crossings } = await this.hours.advance(id, to);
    return { hours, accruals: 0, moved: 0, events: crossings };
  }

  nowOf({ hoursAhead }: AccountMarket): Date {
    return addHours(this.clock.now(), hoursAhead);
  }
}
