import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Batches, removedBy } from '../../kernel/store/batches.js';
import { BEGINNING } from '../../kernel/store/page.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { READ_TRAFFIC } from '../../kernel/store/storage-limit.queries.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './webhook-retention.queries.js';

const PARTNERS_A_PAGE = 50;
/**
 * Share of a partner's storage for traffic that its event history may fill: beyond it, events are removed early, so that the history alone never
 * causes a refused write.
 */
const HISTORY_SHARE = 0.5;

/** Retention of deliveries and events. Any number of processes may run it at once: each skips rows that another has locked. */
@Injectable()
export class WebhookRetention {
  /** Keyset position of the last checked event. */
  private reached: { at: Date | '-infinity'; id: string } = BEGINNING;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly storageLimit: StorageLimit,
  ) {}

  /** Removes deliveries beyond the newest kept ones of each partner, and queued ones of deleted endpoints. @returns how many */
  async pruneDeliveries(batches = new Batches()): Promise<number> {
    const orphans = await batches.run((rows) => removedBy(this.store, queries.PRUNE_ORPHANS, [rows]));
    const { deliveriesKept: kept, interruptedGraceSeconds: grace } = this.settings.constants.webhooks;
    const spareMs = this.settings.webhooks.timeoutMs + grace * 1000;
    const find = (after: string, limit: number): Promise<{ id: string; due: boolean }[]> =>
      this.store.query(queries.FIND_CROWDED, [after, limit, kept]);
    const surplus = await batches.runEach(PARTNERS_A_PAGE, find, (id) =>
      batches.run((rows) => removedBy(this.store, queries.PRUNE_DELIVERIES, [id, kept, rows, spareMs])),
    );
    return orphans + surplus;
  }

  /** Removes the oldest events of partners whose events, deliveries and answers exceed half of their storage for traffic. @returns how many */
  async makeRoom(batches = new Batches()): Promise<number> {
    const bound = this.storageLimit.boundOf('traffic') * HISTORY_SHARE;
    const find = (after: string, limit: number): Promise<{ id: string; due: boolean }[]> =>
      this.store.query(queries.FIND_FULL, [after, limit, String(bound)]);
    return batches.runEach(PARTNERS_A_PAGE, find, (id) =>
      batches.run(async (rows) => {
        const [row] = await this.store.query(READ_TRAFFIC, [id]);
        const surplus = row!.traffic - bound;
        return surplus > 0 ? removedBy(this.store, queries.FORGET_EVENTS, [id, rows, surplus]) : 0;
      }),
    );
  }

  /**
   * Removes expired events, unless a delivery references them. Those that stay are read too, so a run that reaches its limit is continued by the next
   * one.
   * @returns how many
   */
  async pruneEvents(batches = new Batches()): Promise<number> {
    const { eventsDays: days } = this.settings.constants.retention;
    let sum = 0;
    await batches.run(async (rows) => {
      const [page] = await this.store.query(queries.PRUNE_EVENTS, [
        this.reached.at,
        this.reached.id,
        days,
        rows,
      ]);
      this.reached = page && page.seen === rows ? page : BEGINNING;
      sum += page?.removed ?? 0;
      return page?.seen ?? 0;
    });
    return sum;
  }
}
