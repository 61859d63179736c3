import { bool, double, listOf, orNull, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** Endpoint subscribed to an event, and whether it is sent: endpoint and partner are active. One that is not is marked as undelivered. */
const SUBSCRIBED = { webhookId: text(), partnerId: text(), isSent: bool() };

/** Endpoints that subscribed to an event for all partners, and whether each is sent to. $1 event, $2 endpoint to continue after, $3 limit. */
export const FIND_SUBSCRIBERS = statement(
  'webhooks.find_subscribers',
  { values: [text(), text(), rowCount()], row: { eventId: text(), ...SUBSCRIBED } },
  `SELECT e.id AS "eventId", w.id AS "webhookId", w.partner_id AS "partnerId", w.active AND p.status = 'active' AS "isSent"
     FROM webhook_endpoints w
     JOIN partners p ON p.id = w.partner_id
     JOIN events e ON e.id = $1 AND NOT e.fanned_out AND e.partner_id IS NULL AND e.type = ANY(w.events)
    WHERE w.id > $2
    ORDER BY w.id
    LIMIT $3`,
);

/** The oldest event for all partners (announcements among them) that awaits its fan-out. */
export const FIND_BROADCAST = statement(
  'webhooks.find_broadcast',
  { values: [], row: { id: text() } },
  `SELECT id FROM events WHERE partner_id IS NULL AND NOT fanned_out ORDER BY recorded_at, id LIMIT 1`,
);

/**
 * Locks the oldest $2 events of partner $1 that await their fan-out, skipping those that another process has locked, and lists the endpoints that
 * subscribed to them, and whether each is sent to. An event without subscribers has one row without endpoint. In order of the events.
 */
export const TAKE_EVENTS = statement(
  'webhooks.take_events',
  { values: [text(), rowCount()], row: { eventId: text() }, joined: SUBSCRIBED },
  `WITH taken AS MATERIALIZED (
     SELECT id, type, recorded_at FROM events WHERE partner_id = $1 AND NOT fanned_out ORDER BY recorded_at, id LIMIT $2
        FOR NO KEY UPDATE SKIP LOCKED
   )
   SELECT e.id AS "eventId", w.id AS "webhookId", w.partner_id AS "partnerId", w.active AND p.status = 'active' AS "isSent"
     FROM taken e
     LEFT JOIN (webhook_endpoints w JOIN partners p ON p.id = w.partner_id)
       ON w.partner_id = $1 AND e.type = ANY(w.events)
    ORDER BY e.recorded_at, e.id, w.id`,
);

export const END_FAN_OUT = statement(
  'webhooks.end_fan_out',
  { values: [listOf(text())], row: {} },
  `UPDATE events SET fanned_out = true WHERE id = ANY($1)`,
);

/** Partners with events that await their fan-out, and for how long; null: events for all partners. One index probe for each partner. */
export const FIND_PENDING = statement(
  'webhooks.find_pending',
  { values: [], row: { partnerId: orNull(text()), seconds: double() } },
  `WITH RECURSIVE pending AS (
     (SELECT partner_id, recorded_at FROM events WHERE NOT fanned_out AND partner_id IS NOT NULL ORDER BY partner_id, recorded_at LIMIT 1)
     UNION ALL
     SELECT next.* FROM pending CROSS JOIN LATERAL (
       SELECT e.partner_id, e.recorded_at FROM events e
        WHERE NOT e.fanned_out AND e.partner_id > pending.partner_id ORDER BY e.partner_id, e.recorded_at LIMIT 1) AS next
   ), oldest AS (
     SELECT partner_id, recorded_at FROM pending
     UNION ALL
     (SELECT NULL, recorded_at FROM events WHERE NOT fanned_out AND partner_id IS NULL ORDER BY recorded_at LIMIT 1)
   )
   SELECT partner_id AS "partnerId", date_part('epoch', clock_timestamp() - recorded_at) AS seconds FROM oldest ORDER BY recorded_at`,
);

/**
 * Queues a delivery for each (event, endpoint) where $6 says that it is sent, and marks each event as undelivered to the endpoint. It is idempotent:
 * the unique constraint prevents a duplicate while the delivery row exists; after the fan-out, when rows may be pruned, the event's own mark does.
 * The share lock orders this statement against setting that mark.
 */
export const QUEUE_DELIVERIES = statement(
  'webhooks.queue_deliveries',
  {
    values: [listOf(text()), listOf(text()), listOf(text()), listOf(text()), time(), listOf(bool())],
    row: { webhookId: text(), partnerId: text() },
  },
  `WITH raised AS MATERIALIZED (
     SELECT id, type, recorded_at FROM events WHERE id = ANY($2) AND (NOT fanned_out) IS NOT FALSE ORDER BY id FOR SHARE
   ), wanted AS MATERIALIZED (
     SELECT new.*, raised.type, raised.recorded_at
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $6::boolean[]) AS new(id, event_id, webhook_id, partner_id, is_sent)
       JOIN raised ON raised.id = new.event_id
      WHERE is_sent OR NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = new.event_id AND d.webhook_id = new.webhook_id)
   ), queued AS (
     INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
     SELECT id, event_id, webhook_id, partner_id, 'queued', 0, $5 FROM wanted WHERE is_sent
     ON CONFLICT (event_id, webhook_id) DO NOTHING
     RETURNING event_id, webhook_id, partner_id
   ), marked AS (
     INSERT INTO undelivered (event_id, webhook_id, partner_id, type, raised_at)
     SELECT q.event_id, q.webhook_id, q.partner_id, raised.type, raised.recorded_at FROM queued q JOIN raised ON raised.id = q.event_id
      UNION ALL
     SELECT event_id, webhook_id, partner_id, type, recorded_at FROM wanted WHERE NOT is_sent
     ON CONFLICT DO NOTHING
   )
   SELECT webhook_id AS "webhookId", partner_id AS "partnerId" FROM queued`,
);
