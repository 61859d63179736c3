import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Batches } from '../../kernel/store/batches.js';
import { BEGINNING } from '../../kernel/store/page.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { EVENT_BYTES, READ_TRAFFIC } from '../../kernel/store/storage-limit.queries.js';
import { Store } from '../../kernel/store/store.js';
import { bool, double, integer, long, moment, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** The next $2 partners by id, and whether each has more than $3 deliveries: an index walk for each, no sort. */
const FIND_CROWDED = statement(
  'webhooks.find_crowded',
  { values: [text(), rowCount(), rowCount()], row: { id: text(), due: bool() } },
  `SELECT p.id, EXISTS (
            SELECT FROM deliveries d WHERE d.partner_id = p.id AND d.status <> 'queued'
             ORDER BY d.at DESC, d.id DESC OFFSET $3 LIMIT 1) AS due
     FROM partners p WHERE p.id > $1 ORDER BY p.id LIMIT $2`,
);

/**
 * Removes up to $3 of a partner's deliveries beyond the newest $2, oldest first. Kept are: queued and pending rows, which still need an outcome; rows
 * of the last $4 milliseconds, whose request may be about to answer with them; those that a retry of a test send must be answered with; and those
 * whose event awaits its fan-out, which would queue them again.
 */
const PRUNE_DELIVERIES = statement(
  'webhooks.prune_deliveries',
  { values: [text(), integer(), rowCount(), double()], row: {} },
  `WITH oldest AS MATERIALIZED (
     SELECT at, id FROM deliveries WHERE partner_id = $1 AND status <> 'queued' ORDER BY at DESC, id DESC OFFSET $2 - 1 LIMIT 1
   ), surplus AS MATERIALIZED (
     SELECT d.id FROM oldest JOIN deliveries d ON (d.at, d.id) < (oldest.at, oldest.id)
      WHERE d.partner_id = $1 AND d.status <> 'queued' AND d.status IN ('delivered', 'failed')
        AND d.claimed_at < clock_timestamp() - $4 * interval '1 millisecond'
        AND NOT EXISTS (SELECT FROM idempotency_claims c WHERE c.subject_id = d.id AND c.answer IS NULL AND c.packed IS NULL)
        AND NOT EXISTS (SELECT FROM events e WHERE e.id = d.event_id AND NOT e.fanned_out)
      ORDER BY d.at, d.id LIMIT $3
        FOR UPDATE OF d SKIP LOCKED
   )
   DELETE FROM deliveries d USING surplus WHERE d.id = surplus.id`,
);

/** Removes up to $1 queued deliveries of deleted endpoints, which are never drained. */
const PRUNE_ORPHANS = statement(
  'webhooks.prune_orphans',
  { values: [rowCount()], row: {} },
  `WITH orphans AS MATERIALIZED (
     SELECT d.id FROM deliveries d
      WHERE d.status = 'queued' AND NOT EXISTS (SELECT FROM webhook_endpoints w WHERE w.id = d.webhook_id)
      LIMIT $1
        FOR UPDATE OF d SKIP LOCKED
   )
   DELETE FROM deliveries d USING orphans WHERE d.id = orphans.id`,
);

/**
 * Checks the next $4 events recorded more than $3 days ago, from keyset position $1/$2, and removes those that no delivery references and whose
 * fan-out is done; pending ones are owed to their endpoints, however long that takes.
 * @returns the position reached; no row at the end
 */
const PRUNE_EVENTS = statement(
  'webhooks.prune_events',
  {
    values: [moment(), text(), double(), rowCount()],
    row: { at: time(), id: text(), seen: integer(), removed: integer() },
  },
  `WITH page AS MATERIALIZED (
     SELECT id, recorded_at FROM events
      WHERE (recorded_at, id) > ($1, $2) AND recorded_at < clock_timestamp() - $3 * interval '1 day'
      ORDER BY recorded_at, id LIMIT $4
   ), unshown AS MATERIALIZED (
     SELECT e.id FROM page JOIN events e ON e.id = page.id
      WHERE e.fanned_out AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)
        FOR UPDATE OF e SKIP LOCKED
   ), marks AS (
     DELETE FROM undelivered u USING unshown WHERE u.event_id = unshown.id
   ), gone AS (
     DELETE FROM events e USING unshown WHERE e.id = unshown.id RETURNING e.id
   )
   SELECT page.recorded_at AS at, page.id, (SELECT count(*) FROM page)::int AS seen, (SELECT count(*) FROM gone)::int AS removed
     FROM page ORDER BY page.recorded_at DESC, page.id DESC LIMIT 1`,
);

/** The next $2 partners by id that had more than $3 bytes of events, deliveries and answers at their last count. */
const FIND_FULL = statement(
  'webhooks.find_full',
  { values: [text(), rowCount(), long()], row: { id: text(), due: bool() } },
  `SELECT partner_id AS id, true AS due FROM stored_bytes WHERE partner_id > $1 AND traffic > $3 ORDER BY partner_id LIMIT $2`,
);

/**
 * Removes a partner's oldest events early, $3 bytes of them: of the oldest $2, those before the first that awaits its fan-out or that a delivery
 * references. Notes the last removed one, so that a reader cannot continue after it as if nothing were missing, and takes the bytes off the count.
 */
const FORGET_EVENTS = statement(
  'webhooks.forget_events',
  { values: [text(), rowCount(), double()], row: {} },
  `WITH oldest AS MATERIALIZED (
     SELECT id, recorded_at, bytes, bool_and(fanned_out AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id))
              OVER (ORDER BY recorded_at, id) AND sum(bytes) OVER (ORDER BY recorded_at, id) - bytes < $3::float8 AS goes
       FROM (SELECT e.*, ${EVENT_BYTES} AS bytes FROM events e WHERE e.partner_id = $1 ORDER BY e.recorded_at, e.id LIMIT $2) AS e
   ), noted AS (
     UPDATE partners p SET events_from = greatest(p.events_from, last.at + interval '1 millisecond')
       FROM (SELECT max(recorded_at) AS at FROM oldest WHERE goes) AS last WHERE p.id = $1 AND last.at IS NOT NULL
   ), uncounted AS (
     UPDATE stored_bytes SET traffic = traffic - coalesce((SELECT sum(bytes) FROM oldest WHERE goes), 0) WHERE partner_id = $1
   ), marks AS (
     DELETE FROM undelivered u USING oldest WHERE oldest.goes AND u.event_id = oldest.id
   )
   DELETE FROM events e USING oldest WHERE oldest.goes AND e.id = oldest.id`,
);

const PARTNERS_A_PAGE = 50;
/** Share of a partner's storage for traffic that its event history may fill, so that it alone never causes a refused write. */
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
    const orphans = await batches.run((rows) => this.store.change(PRUNE_ORPHANS, [rows]));
    const { deliveriesKept: maxDeliveries, interruptedGraceSeconds: grace } =
      this.settings.constants.webhooks;
    const spareMs = this.settings.webhookTimeoutMs + grace * 1000;
    const find = (after: string, limit: number): Promise<{ id: string; due: boolean }[]> =>
      this.store.query(FIND_CROWDED, [after, limit, maxDeliveries]);
    const surplus = await batches.runEach(PARTNERS_A_PAGE, find, (id) =>
      batches.run((rows) => this.store.change(PRUNE_DELIVERIES, [id, maxDeliveries, rows, spareMs])),
    );
    return orphans + surplus;
  }

  /** Removes the oldest events of partners whose events, deliveries and answers exceed half of their storage for traffic. @returns how many */
  async makeRoom(batches = new Batches()): Promise<number> {
    const bound = this.storageLimit.boundOf('traffic') * HISTORY_SHARE;
    const find = (after: string, limit: number): Promise<{ id: string; due: boolean }[]> =>
      this.store.query(FIND_FULL, [after, limit, String(bound)]);
    return batches.runEach(PARTNERS_A_PAGE, find, (id) =>
      batches.run(async (rows) => {
        const [row] = await this.store.query(READ_TRAFFIC, [id]);
        const surplus = row!.traffic - bound;
        return surplus > 0 ? this.store.change(FORGET_EVENTS, [id, rows, surplus]) : 0;
      }),
    );
  }

  /** Removes expired events without deliveries. All are read, so a run that reaches its limit is continued by the next one. @returns how many */
  async pruneEvents(batches = new Batches()): Promise<number> {
    const { eventsDays: days } = this.settings.constants.retention;
    let sum = 0;
    await batches.run(async (rows) => {
      const [page] = await this.store.query(PRUNE_EVENTS, [this.reached.at, this.reached.id, days, rows]);
      this.reached = page && page.seen === rows ? page : BEGINNING;
      sum += page?.removed ?? 0;
      return page?.seen ?? 0;
    });
    return sum;
  }
}
