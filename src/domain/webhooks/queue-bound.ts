import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { Store } from '../store/store.js';
import { DROP_OLDEST } from './delivery.queries.js';

/** Partners that one statement looks at: a broadcast adds to everybody's queue. */
const PARTNERS_AT_ONCE = 200;
/** Of one partner, in one look: the statement ends within its timeout however much there is. The rest is dropped in the next looks. */
const DROPPED_AT_ONCE = 10_000;

/**
 * The bound of what is queued for one partner: receivers that are too slow cost their partner its oldest events, and nobody the disk. Looked at once a moment and not with each event: a queue is
 * counted row by row, and the longer it is the more often it grows.
 */
@Injectable()
export class QueueBound {
  /** Partners whose queue grew since it was looked at. */
  private readonly grown = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  grew(partnerIds: Iterable<string>): void {
    for (const id of partnerIds) this.grown.add(id);
  }

  /** Records as dropped what is too much, oldest first. @returns how many, by partner */
  async keep(): Promise<{ partnerId: string; dropped: number }[]> {
    const all = [...this.grown];
    const dropped: { partnerId: string; dropped: number }[] = [];
    for (let from = 0; from < all.length; from += PARTNERS_AT_ONCE) {
      const asked = all.slice(from, from + PARTNERS_AT_ONCE);
      const most = this.settings.constants.webhooks.queued_per_partner;
      // Before the look: what grows meanwhile is looked at again.
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
