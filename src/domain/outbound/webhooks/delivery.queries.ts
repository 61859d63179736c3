import { WEIGHED, withinPage } from '../../kernel/store/page.js';
import {
  bool,
  bytes,
  columnsOf,
  double,
  integer,
  json,
  listOf,
  orNull,
  rowCount,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { Delivery, DeliveryStatus, Failure } from './delivery.js';
import type { EventType } from './event-type.js';

/** Whole milliseconds since a delivery was claimed, by the database's clock. */
const sinceClaim = (delivery: string): string =>
  `greatest(0, floor(date_part('epoch', clock_timestamp() - ${delivery}.claimed_at) * 1000))`;

/** Milliseconds from dispatch to the outcome, so far while it is pending; 0 when nothing was sent. */
export const latencyOf = (delivery: string): string =>
  `CASE ${delivery}.status WHEN 'pending' THEN ${sinceClaim(delivery)} ELSE coalesce(${delivery}.latency_ms, 0) END`;

const OWN = {
  id: text(),
  webhookId: text(),
  partnerId: text(),
  url: text(),
  signature: text(),
  status: text<DeliveryStatus>(),
  attempts: integer(),
  responseStatus: orNull(integer()),
  failure: orNull(text<Failure>()),
  at: time(),
};
const DELIVERY = {
  ...OWN,
  latencyMs: double(),
  event: text<EventType>(),
  payload: json<Delivery['payload']>(),
};
/** The `json` column keeps the envelope's text byte for byte. */
const COLUMNS = `${columnsOf(OWN, 'd')}, ${latencyOf('d')} AS "latencyMs", e.type AS event, e.envelope AS payload`;

/** Endpoint subscribed to an event, and whether deliveries are sent to it now. */
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

/**
 * Partners with events that await their fan-out for longer than $1 seconds (null: the events for all partners). One index probe for each partner,
 * however many events it has.
 */
export const FIND_OWED = statement(
  'webhooks.find_owed',
  { values: [double()], row: { partnerId: orNull(text()) } },
  `WITH RECURSIVE owed AS (
     (SELECT partner_id, recorded_at FROM events WHERE NOT fanned_out AND partner_id IS NOT NULL ORDER BY partner_id, recorded_at LIMIT 1)
     UNION ALL
     SELECT next.* FROM owed CROSS JOIN LATERAL (
       SELECT e.partner_id, e.recorded_at FROM events e
        WHERE NOT e.fanned_out AND e.partner_id > owed.partner_id ORDER BY e.partner_id, e.recorded_at LIMIT 1) AS next
   ), oldest AS (
     SELECT partner_id, recorded_at FROM owed
     UNION ALL
     (SELECT NULL, recorded_at FROM events WHERE NOT fanned_out AND partner_id IS NULL ORDER BY recorded_at LIMIT 1)
   )
   SELECT partner_id AS "partnerId" FROM oldest
    WHERE recorded_at < clock_timestamp() - $1 * interval '1 second' ORDER BY recorded_at`,
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

/**
 * The oldest $2 queued deliveries of each endpoint that endpoint and partner still want; fewer when their bodies exceed $3 bytes, but at least one.
 * `read`: how many there were before that cut. `LATERAL` with `OFFSET 0` fixes the order of the joins, and `IS NOT FALSE` hides a condition from partial
 * indexes: the statistics usually say that no row is queued, and a scan of all queued rows then seems to cost nothing.
 */
export const FIND_QUEUED = statement(
  'webhooks.find_queued',
  {
    values: [listOf(text()), integer(), integer()],
    row: {
      webhookId: text(),
      id: text(),
      url: text(),
      secretSealed: bytes(),
      previousSealed: orNull(bytes()),
      previousExpiresAt: orNull(time()),
      eventId: text(),
      body: text(),
      read: integer(),
    },
  },
  `SELECT w.id AS "webhookId", d.id, w.url, w.secret_sealed AS "secretSealed", w.previous_sealed AS "previousSealed",
          w.previous_expires_at AS "previousExpiresAt", d.event_id AS "eventId", d.body, d.read
     FROM unnest($1::text[]) AS asked(id)
    CROSS JOIN LATERAL (SELECT one.* FROM webhook_endpoints one WHERE one.id = asked.id AND one.active OFFSET 0) AS w
    CROSS JOIN LATERAL (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active' OFFSET 0) AS p
    CROSS JOIN LATERAL (
      SELECT next.id, next.event_id, next.body, row_number() OVER (ORDER BY next.at, next.id) AS number,
             sum(octet_length(next.body)) OVER (ORDER BY next.at, next.id) AS bytes, (count(*) OVER ())::int AS read
        FROM (
          SELECT one.id, one.at, one.event_id, e.body FROM deliveries one
           CROSS JOIN LATERAL (
             SELECT e.envelope::text AS body FROM events e WHERE e.id = one.event_id AND (e.type = ANY(w.events)) IS NOT FALSE OFFSET 0) AS e
           WHERE one.webhook_id = w.id AND one.status = 'queued'
           ORDER BY one.at, one.id
           LIMIT $2::int) AS next) AS d
    WHERE d.bytes <= $3::int OR d.number = 1
    ORDER BY w.id, d.number`,
);

/**
 * Of partners $1: queued deliveries beyond the newest $2 are recorded as dropped, at $3, up to $4 of each partner. Their events stay marked as
 * undelivered. A locked row is skipped: it is being claimed and will be sent.
 */
export const DROP_OLDEST = statement(
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

/**
 * Endpoints with queued deliveries and none in flight: their process died, or their wake-up was lost. Returned in no order, since some can never be
 * drained.
 */
export const FIND_FORGOTTEN = statement(
  'webhooks.find_forgotten',
  { values: [rowCount()], row: { webhookId: text(), partnerId: text() } },
  `SELECT w.id AS "webhookId", w.partner_id AS "partnerId" FROM webhook_endpoints w
    WHERE EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'queued')
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending')
    ORDER BY random()
    LIMIT $1`,
);

/**
 * Claim: exactly one process gets a row, and only while endpoint and partner still want it. $1 ids, $2 signatures, $3 sealed secrets that signed, $4
 * URLs and $5 their hosts (null: unbounded), $6 time. Bounds, test sends included: $7 sends in flight to an endpoint; $8 in flight, and $9 that begin
 * in a second, of a partner to a host. A row that is not claimed is over a bound, or stale: its secret or URL was replaced.
 */
export const CLAIM = statement(
  'webhooks.claim',
  {
    values: [
      listOf(text()),
      listOf(text()),
      listOf(bytes()),
      listOf(text()),
      listOf(orNull(text())),
      time(),
      integer(),
      integer(),
      integer(),
    ],
    row: { id: text(), isClaimed: bool(), isStale: bool() },
  },
  `SELECT delivery_id AS id, is_claimed AS "isClaimed", is_stale AS "isStale"
     FROM claim_deliveries($1, $2, $3::bytea[], $4, $5, $6, $7, $8, $9)`,
);

/**
 * Queued deliveries that are no longer wanted: the endpoint is deleted, inactive or no longer subscribed, or its partner is disabled. Nothing was
 * attempted, so nothing is recorded.
 */
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
      orNull(text()),
      integer(),
      integer(),
    ],
    row: { id: text() },
  },
  `INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, at, host, claimed_at)
   SELECT $1, $2, $3, $4, 'pending', 1, $5, $6, $7, $9, clock_timestamp()
    WHERE (SELECT count(*) FROM deliveries WHERE webhook_id = $3 AND status = 'pending') < $8
      AND ($9::text IS NULL OR room_at_host($4, $9, $10, $11) > 0)
   RETURNING id`,
);

/**
 * Records outcomes in the order in which they came: a delivered event loses its undelivered mark, and the endpoints' health is updated; $7 time. A
 * row that was closed as interrupted while this process could not reach the database is corrected; any other final row stays unchanged. Endpoints are
 * locked in order of id, so that two processes that write the same rows cannot deadlock.
 */
export const RECORD = statement(
  'webhooks.record',
  {
    values: [
      listOf(text()),
      listOf(text<DeliveryStatus>()),
      listOf(integer()),
      listOf(orNull(integer())),
      listOf(orNull(text<Failure>())),
      listOf(orNull(integer())),
      time(),
    ],
    row: {},
  },
  `WITH recorded AS (
     UPDATE deliveries d
        SET status = ended.status, attempts = ended.attempts, response_status = ended.response_status, failure = ended.failure,
            latency_ms = ended.latency_ms
       FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::int[])
            WITH ORDINALITY AS ended(id, status, attempts, response_status, failure, latency_ms, place)
      WHERE d.id = ANY(ARRAY[ended.id]) AND (d.status = 'pending' OR d.failure = 'interrupted')
     RETURNING d.event_id, d.webhook_id, d.status, ended.place
   ), arrived AS (
     DELETE FROM undelivered u WHERE u.ctid = ANY(ARRAY(
       SELECT mark.ctid FROM recorded
        CROSS JOIN LATERAL (
          SELECT m.ctid FROM undelivered m WHERE m.event_id = recorded.event_id AND m.webhook_id = recorded.webhook_id OFFSET 0) AS mark
        WHERE recorded.status = 'delivered'))
   ), tried AS (
     SELECT webhook_id, bool_or(status = 'delivered') AS succeeded, (count(*) FILTER (WHERE place > success))::int AS failed
       FROM (SELECT *, coalesce(max(place) FILTER (WHERE status = 'delivered') OVER (PARTITION BY webhook_id), 0) AS success
               FROM recorded) AS placed
      GROUP BY webhook_id
      ORDER BY webhook_id OFFSET 0
   )
   UPDATE endpoint_health h
      SET last_success_at = CASE WHEN tried.succeeded THEN $7 ELSE h.last_success_at END,
          consecutive_failures = CASE WHEN tried.succeeded THEN 0 ELSE h.consecutive_failures END + tried.failed,
          failing_since = CASE WHEN tried.failed = 0 THEN NULL
                               WHEN tried.succeeded THEN $7 ELSE coalesce(h.failing_since, $7) END
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
 * 700 bytes beside its URL and payload.
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
  withinPage(
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
