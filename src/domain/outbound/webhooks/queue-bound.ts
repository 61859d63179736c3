import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { Store } from '../../kernel/store/store.js';
import { integer, listOf, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/**
 * Of partners $1: queued deliveries beyond the newest $2 are recorded as dropped, at $3, up to $4 of each partner. Their events stay marked as
 * undelivered. A locked row is skipped: it is being claimed and will be sent.
 */
const DROP_OLDEST = statement(
  'webhooks.drop_oldest',
  {
    values: [listOf(text()), rowCount(), time(), rowCount()],
    row: { partnerId: text(), dropped: integer() },
  },
  `WITH crowded AS MATERIALIZED (
     SELECT p.id, least(queued.rows - $2, $4) AS surplus FROM unnest($1::text[]) AS p(id)
      CROSS JOIN LATERAL (
        SELECT count(*) AS rows FROM webhook_endpoints w JOIN deliveries d ON d.webhook_id = w.id AND d.status = 'queued'
         WHERE w.partner_id = p.id) AS queued
      WHERE queued.rows > $2
   ), oldest AS MATERIALIZED (
     SELECT old.* FROM crowded CROSS JOIN LATERAL (
       SELECT d.id, w.url FROM webhook_endpoints w
        CROSS JOIN LATERAL (
          SELECT d.id, d.at FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'queued'
           ORDER BY d.at, d.id LIMIT crowded.surplus) AS d
        WHERE w.partner_id = crowded.id
        ORDER BY d.at, d.id LIMIT crowded.surplus) AS old
   ), free AS MATERIALIZED (
     SELECT d.id FROM deliveries d WHERE d.id IN (SELECT id FROM oldest) AND d.status = 'queued' ORDER BY d.id FOR UPDATE SKIP LOCKED
   ), dropped AS (
     UPDATE deliveries d
        SET status = 'failed', failure = 'dropped', url = oldest.url, signature = '', at = $3, claimed_at = clock_timestamp()
       FROM oldest JOIN free ON free.id = oldest.id
      WHERE d.id = oldest.id AND d.status = 'queued'
     RETURNING d.partner_id
   )
   SELECT partner_id AS "partnerId", count(*)::int AS dropped FROM dropped GROUP BY partner_id`,
);

/** Partners that one statement checks: a broadcast adds to every partner's queue. */
const PARTNERS_AT_ONCE = 200;
/** Deliveries of a partner that are dropped at once, so that the statement stays within its timeout. The rest is dropped in the next rounds. */
const DROPPED_AT_ONCE = 10_000;

/** Share of the limit by which a queue may grow in this process between two checks. */
const UNCHECKED_SHARE = 0.01;

/**
 * Limit on a partner's queued deliveries: receivers that are too slow cost their partner its oldest events, instead of filling the disk. It is
 * checked periodically, and only once this process has queued a hundredth of the limit, since counting a queue reads every row.
 */
@Injectable()
export class QueueBound {
  private readonly queued = new Map<string, number>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {}

  countQueued(partnerIds: Iterable<string>): void {
    for (const id of partnerIds) this.queued.set(id, (this.queued.get(id) ?? 0) + 1);
  }

  /** Records the oldest deliveries beyond the limit as dropped. @returns how many, by partner */
  async dropExcess(): Promise<{ partnerId: string; dropped: number }[]> {
    const maxQueued = this.settings.constants.webhooks.queuedPerPartner;
    const all = [...this.queued].filter(([, rows]) => rows >= maxQueued * UNCHECKED_SHARE);
    const dropped: { partnerId: string; dropped: number }[] = [];
    for (let from = 0; from < all.length; from += PARTNERS_AT_ONCE) {
      const partners = all.slice(from, from + PARTNERS_AT_ONCE);
      const values = [partners.map(([id]) => id), maxQueued, this.clock.now(), DROPPED_AT_ONCE] as const;
      const rows = await this.store.query(DROP_OLDEST, values);
      dropped.push(...rows);
      const crowded = new Set(rows.flatMap((row) => (row.dropped >= DROPPED_AT_ONCE ? [row.partnerId] : [])));
      // What was queued meanwhile is counted again.
      for (const [id, counted] of partners)
        if (!crowded.has(id)) this.queued.set(id, this.queued.get(id)! - counted);
    }
    return dropped;
  }
}
