import { WEIGHED, limitPage } from '../../kernel/store/page.js';
import {
  assigned,
  columnsOf,
  double,
  integer,
  json,
  orNull,
  rowCount,
  rowsIn,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { DELIVERY, STORED_DELIVERY } from './delivery.js';

/** Whole milliseconds since a delivery was claimed, by the database's clock. */
const sinceClaim = (delivery: string): string =>
  `greatest(0, floor(date_part('epoch', clock_timestamp() - ${delivery}.claimed_at) * 1000))`;

/** Milliseconds from dispatch to the outcome, so far while it is pending; 0 when nothing was sent. */
export const latencyOf = (delivery: string): string =>
  `CASE ${delivery}.status WHEN 'pending' THEN ${sinceClaim(delivery)} ELSE coalesce(${delivery}.latency_ms, 0) END`;

/** The `json` column keeps the envelope's text byte for byte. */
const COLUMNS = `${columnsOf(STORED_DELIVERY, 'd')}, ${latencyOf('d')} AS "latencyMs", e.type AS event, e.envelope AS payload`;

/** Endpoints with queued deliveries and none in flight: their process died, or their wake-up was lost. In random order, since some can never be drained. */
export const FIND_FORGOTTEN = statement(
  'webhooks.find_forgotten',
  { values: [rowCount()], row: { webhookId: text(), partnerId: text() } },
  `SELECT w.id AS "webhookId", w.partner_id AS "partnerId" FROM webhook_endpoints w
    WHERE EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'queued')
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending')
    ORDER BY random()
    LIMIT $1`,
);

/** Queued deliveries that endpoint or partner no longer want. Nothing was attempted, so nothing is recorded. */
export const DROP_UNWANTED = statement(
  'webhooks.drop_unwanted',
  { values: [text()], row: {} },
  `DELETE FROM deliveries d WHERE d.webhook_id = $1 AND d.status = 'queued'
      AND NOT EXISTS (
        SELECT FROM webhook_endpoints w
          JOIN partners p ON p.id = w.partner_id AND p.status = 'active'
          JOIN events e ON e.id = d.event_id AND e.type = ANY(w.events)
         WHERE w.id = d.webhook_id AND w.active)`,
);

/** Inserts the row of a test send as claimed, within the bounds of a claim: $8 of its endpoint; of host $9, $10 in flight and $11 a second. */
export const INSERT_CLAIMED = statement(
  'webhooks.insert_claimed',
  {
    values: [
      text(),
      text(),
      text(),
      text(),
      text(),
      text(),
      time(),
      rowCount(),
      text(),
      integer(),
      integer(),
    ],
    row: { id: text() },
  },
  `INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, at, host, claimed_at)
   SELECT $1, $2, $3, $4, 'pending', 1, $5, $6, $7, $9, clock_timestamp()
    WHERE (SELECT count(*) FROM deliveries WHERE webhook_id = $3 AND status = 'pending') < $8
      AND room_at_host($4, $9, $10, $11) > 0
   RETURNING id`,
);

const ENDED = {
  id: text(),
  status: text(),
  attempts: integer(),
  responseStatus: integer(),
  failure: text(),
  latencyMs: integer(),
  place: integer(),
};
/**
 * Records outcomes in the order in which they came: a delivered event loses its undelivered mark, and the endpoints' health is updated; $2 time. A
 * row that was closed as interrupted while this process could not reach the database is corrected; any other final row stays unchanged. Endpoints are
 * locked in order of id, so that two processes that write the same rows cannot deadlock.
 */
export const RECORD = statement(
  'webhooks.record',
  { values: [json<string>(), time()], row: {} },
  `WITH recorded AS (
     UPDATE deliveries d
        SET ${assigned(['status', 'attempts', 'responseStatus', 'failure', 'latencyMs'], (_, name) => `new."${name}"`)}
       FROM ${rowsIn('$1', ENDED)}
      WHERE d.id = ANY(ARRAY[new.id]) AND (d.status = 'pending' OR d.failure = 'interrupted')
     RETURNING d.event_id, d.webhook_id, d.status, new.place
   ), arrived AS (
     DELETE FROM undelivered u WHERE u.ctid = ANY(ARRAY(
       SELECT mark.ctid FROM recorded
        CROSS JOIN LATERAL (
          SELECT m.ctid FROM undelivered m WHERE m.event_id = recorded.event_id AND m.webhook_id = recorded.webhook_id OFFSET 0) AS mark
        WHERE recorded.status = 'delivered'))
   ), tried AS (
     SELECT webhook_id, bool_or(status = 'delivered') AS succeeded, (count(*) FILTER (WHERE place > success))::int AS failed
       FROM (SELECT *, coalesce(max(place) FILTER (WHERE status = 'delivered') OVER (PARTITION BY webhook_id), -1) AS success
               FROM recorded) AS placed
      GROUP BY webhook_id
      ORDER BY webhook_id OFFSET 0
   )
   UPDATE endpoint_health h
      SET last_success_at = CASE WHEN tried.succeeded THEN $2 ELSE h.last_success_at END,
          consecutive_failures = CASE WHEN tried.succeeded THEN 0 ELSE h.consecutive_failures END + tried.failed,
          failing_since = CASE WHEN tried.failed = 0 THEN NULL
                               WHEN tried.succeeded THEN $2 ELSE coalesce(h.failing_since, $2) END
     FROM tried
    WHERE h.webhook_id = ANY(ARRAY[tried.webhook_id])`,
);

/** $1: milliseconds after which a claim without an outcome counts as interrupted. */
export const CLOSE_INTERRUPTED = statement(
  'webhooks.close_interrupted',
  { values: [double()], row: {} },
  `UPDATE deliveries d SET status = 'failed', failure = 'interrupted', latency_ms = least(${sinceClaim('d')}, 2147483647)
    WHERE status = 'pending' AND claimed_at < clock_timestamp() - $1 * interval '1 millisecond'`,
);

/** Closes up to $1 deliveries that are queued or in flight, with an unknown outcome: a restored database lacks it. $2: time. */
export const ABANDON = statement(
  'webhooks.abandon',
  { values: [rowCount(), time()], row: {} },
  `UPDATE deliveries d
      SET status = 'failed', failure = 'interrupted', attempts = 1, at = $2, signature = coalesce(d.signature, ''),
          url = coalesce(d.url, (SELECT w.url FROM webhook_endpoints w WHERE w.id = d.webhook_id), ''),
          claimed_at = coalesce(d.claimed_at, clock_timestamp())
    WHERE d.id IN (SELECT id FROM deliveries WHERE status IN ('queued', 'pending') LIMIT $1)`,
);

export const FIND_DELIVERY = statement(
  'webhooks.find_delivery',
  { values: [text(), text()], row: DELIVERY },
  `SELECT ${COLUMNS} FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.id = $1 AND d.partner_id = $2 AND d.status <> 'queued'`,
);

/**
 * $1 partner, $2 rows kept, $3 limit + 1, $4/$5 keyset position; $6 endpoint, $7 status, $8 event type: null is any. Newest first. The endpoint is
 * compared in a form that no index supports: through an index on it, rows of other partners' endpoints would be read and discarded. A row has some
 * 700 bytes besides its URL and payload.
 */
export const LIST_DELIVERIES = statement(
  'webhooks.list_deliveries',
  {
    values: [
      text(),
      integer(),
      rowCount(),
      orNull(time()),
      orNull(text()),
      orNull(text()),
      orNull(text()),
      orNull(text()),
    ],
    row: { ...DELIVERY, ...WEIGHED },
  },
  limitPage(
    `SELECT ${COLUMNS}, 700 + octet_length(d.url) + coalesce(e.envelope_bytes, octet_length(e.envelope::text)) AS bytes
     FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.partner_id = $1 AND d.status <> 'queued'
      AND (d.at, d.id) >= (
        SELECT coalesce(min(oldest.at), '-infinity'), coalesce(min(oldest.id), '')
          FROM (SELECT at, id FROM deliveries WHERE partner_id = $1 AND status <> 'queued'
                 ORDER BY at DESC, id DESC OFFSET $2 - 1 LIMIT 1) AS oldest)
      AND ($4::timestamptz IS NULL OR (d.at, d.id) < ($4, $5))
      AND (d.webhook_id = $6::text) IS NOT FALSE
      AND ($7::text IS NULL OR d.status = $7)
      AND ($8::text IS NULL OR e.type = $8)
    ORDER BY d.at DESC, d.id DESC
    LIMIT $3`,
    'at DESC, id DESC',
  ),
);

/** Whether partner $1 has endpoint $2, or deliveries to it from when it had. Compared as above. */
export const FIND_KNOWN_ENDPOINT = statement(
  'webhooks.find_known_endpoint',
  { values: [text(), text()], row: { id: text() } },
  `SELECT id FROM webhook_endpoints WHERE id = $2 AND partner_id = $1
   UNION ALL
   (SELECT webhook_id FROM deliveries WHERE partner_id = $1 AND status <> 'queued' AND (webhook_id = $2) IS NOT FALSE LIMIT 1)`,
);
