import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../config/domain-settings.js';
import { Clock } from '../clock.js';
import { Store } from '../store/store.js';
import { DROP_OLDEST } from './delivery.queries.js';

/** Partners that one statement checks: a broadcast adds to every partner's queue. */
const PARTNERS_AT_ONCE = 200;
/** Deliveries of a partner that are dropped at once, so that the statement stays within its timeout. The rest is dropped in the next rounds. */
const DROPPED_AT_ONCE = 10_000;

/**
 * Limit on a partner's queued deliveries: receivers that are too slow cost their partner its oldest events, instead of filling the disk. It is
 * checked periodically and not at each event, since counting a queue reads every row.
 */
@Injectable()
export class QueueBound {
  /** Partners whose queue has grown since their last check. */
  private readonly grown = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {}

  grew(partnerIds: Iterable<string>): void {
    for (const id of partnerIds) this.grown.add(id);
  }

  /**
   * Records the oldest deliveries beyond the limit as dropped.
   * @returns how many, by partner
   */
  async keep(): Promise<{ partnerId: string; dropped: number }[]> {
    const all = [...this.grown];
    const dropped: { partnerId: string; dropped: number }[] = [];
    for (let from = 0; from < all.length; from += PARTNERS_AT_ONCE) {
      const asked = all.slice(from, from + PARTNERS_AT_ONCE);
      const most = this.settings.constants.webhooks.queuedPerPartner;
      // Removed before the check, so that a queue that grows meanwhile is checked again.
      asked.forEach((id) => this.grown.delete(id));
      const values = [asked, most, this.clock.now(), DROPPED_AT_ONCE] as const;
      const rows = await this.store.query(DROP_OLDEST, values).catch((error: unknown) => {
        this.grew(asked);
        throw error;
      });
      dropped.push(...rows);
      this.grew(rows.filter((row) => row.dropped >= DROPPED_AT_ONCE).map(({ partnerId }) => partnerId));
    }
    return dropped;
  }
}
