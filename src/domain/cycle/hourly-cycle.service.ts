import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { StorageWatch } from '../kernel/store/storage-watch.js';
import { Store } from '../kernel/store/store.js';
import { MarketHours, type WorkedHour } from '../markets/hours/market-hours.service.js';
import { BASE_MARKET, MarketService, type Tick } from '../markets/hours/market.service.js';
import { newPass, HourWork, type PassWork } from './hour-work.js';

export type Cycle = Tick & PassWork;
export type Hours = Pick<PassWork, 'accruals' | 'moved'> & { hours: number; events: number };

/**
 * The cycle of an hour: the market's new hour, and the work on it. The live tick works on one hour, and commits each part: every part is idempotent and continues what a crashed process left,
 * so that any process can rerun it at any time. An account advances by any number of hours in one transaction, in which an hour without
 * work costs no statement.
 */
@Injectable()
export class HourlyCycle {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly hours: MarketHours,
    private readonly storage: StorageWatch,
    private readonly work: HourWork,
  ) {}

  /**
   * The live tick. While storage is nearly full, only the market's hour is added, because it cannot be observed later; the rest follows when there is
   * room.
   * @throws DomainError `validation_failed` for a moment in the future, `service_unavailable` (clock error): another process may run it
   */
  async run(at?: Date): Promise<Cycle> {
    this.clock.requireRight();
    const tick = await this.market.tick(at);
    const pass = newPass();
    if (!this.storage.isNearlyFull) await this.work.run(this.market.presentHour(BASE_MARKET), pass);
    return { ...tick, ...pass.done };
  }

  /**
   * Advances a market without feeds: every hour in order with everything that happens in it, dated at that hour. All hours or none.
   * @param to by the market's own clock
   */
  async advance(marketId: string, to: Date): Promise<Hours> {
    return this.store.transaction(async () => {
      const pass = newPass();
      const visit = (hour: WorkedHour): Promise<void> => this.work.run(hour, pass);
      const { hours, crossings } = await this.hours.advance(marketId, to, { visit });
      const { accruals, moved, alerts } = pass.done;
      return { hours, accruals, moved, events: crossings + moved + alerts };
    });
  }
}
