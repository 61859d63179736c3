import { statement } from '../store/statement.js';

/** The columns of a `Delivery`; the envelope's text is kept byte for byte in a `json` column. */
const DELIVERY = `d.id, d.webhook_id AS "webhookId", d.partner_id AS "partnerId", d.url, e.type AS event, e.envelope AS payload,
  d.signature, d.status, d.attempts, d.response_status AS "responseStatus", d.failure, d.at, d.latency_ms AS "latencyMs"`;

/** $1 event ids, $2/$3 endpoint and event to go on after, $4 batch size. One row an (endpoint, event) that subscribed. */
export const FIND_SUBSCRIBERS = statement(
  'webhooks.find_subscribers',
  `SELECT e.id AS "eventId", w.id AS "webhookId", w.partner_id AS "partnerId"
     FROM webhook_endpoints w
     JOIN partners p ON p.id = w.partner_id AND p.status = 'active'
     JOIN events e ON e.id = ANY($1) AND NOT e.fanned_out AND e.type = ANY(w.events) AND (e.partner_id IS NULL OR e.partner_id = w.partner_id)
    WHERE w.active AND (w.id, e.id) > ($2, $3)
    ORDER BY w.id, e.id
    LIMIT $4`,
);

/** The same for events that all belong to one partner ($5): by its index, not over every endpoint. */
export const FIND_SUBSCRIBERS_OF_PARTNER = statement(
  'webhooks.find_subscribers_of_partner',
  `SELECT e.id AS "eventId", w.id AS "webhookId", w.partner_id AS "partnerId"
     FROM webhook_endpoints w
     JOIN partners p ON p.id = w.partner_id AND p.status = 'active'
     JOIN events e ON e.id = ANY($1) AND NOT e.fanned_out AND e.type = ANY(w.events)
    WHERE w.active AND w.partner_id = $5 AND (w.id, e.id) > ($2, $3)
    ORDER BY w.id, e.id
    LIMIT $4`,
);

export const END_FAN_OUT = statement(
  'webhooks.end_fan_out',
  `UPDATE events SET fanned_out = true WHERE id = ANY($1)`,
);

/** Events whose fan-out is overdue: its process died, or its database went away, with the job in hand. */
export const FIND_OVERDUE_EVENTS = statement(
  'webhooks.find_overdue_events',
  `SELECT id, partner_id AS "partnerId" FROM events
    WHERE NOT fanned_out AND recorded_at < clock_timestamp() - $1 * interval '1 second'
    ORDER BY recorded_at LIMIT $2`,
);

/**
 * Queues deliveries; an (event, endpoint) is queued once, however often the fan-out runs. The unique constraint holds while the row is kept; once
 * the event is fanned out, after which rows may be pruned, its mark does. The share lock orders this against that mark.
 */
export const QUEUE_DELIVERIES = statement(
  'webhooks.queue_deliveries',
  `INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
   SELECT new.id, e.id, new.webhook_id, new.partner_id, 'queued', 0, $5
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS new(id, event_id, webhook_id, partner_id)
     JOIN events e ON e.id = new.event_id AND NOT e.fanned_out
      FOR SHARE OF e
   ON CONFLICT (event_id, webhook_id) DO NOTHING
   RETURNING webhook_id AS "webhookId"`,
);

/**
 * Takes endpoints' leases: one process drains an endpoint at a time. $2: how long, in milliseconds; $3: who. A lease counts on the database's clock,
 * which all processes share; one of which only the end, or the answer, was lost is its holder's. An endpoint that is being changed at this moment is passed over: whoever waits for it would hold up the others.
 */
export const TAKE_LEASES = statement(
  'webhooks.take_leases',
  `UPDATE webhook_endpoints w SET drained_until = clock_timestamp() + $2 * interval '1 millisecond', drained_by = $3
     FROM (SELECT id FROM webhook_endpoints
            WHERE id = ANY($1) AND active AND (drained_until IS NULL OR drained_until < clock_timestamp() OR drained_by = $3)
            ORDER BY id FOR UPDATE SKIP LOCKED) AS free
    WHERE w.id = free.id AND EXISTS (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active')
   RETURNING w.id`,
);

export const RENEW_LEASE = statement(
  'webhooks.renew_lease',
  `UPDATE webhook_endpoints SET drained_until = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE id = $1 AND drained_by = $3
   RETURNING id`,
);

/** In order: two processes that write the same rows must not wait for each other. */
export const END_LEASES = statement(
  'webhooks.end_leases',
  `UPDATE webhook_endpoints w SET drained_until = NULL, drained_by = NULL
     FROM (SELECT id FROM webhook_endpoints WHERE id = ANY($1) AND drained_by = $2 ORDER BY id FOR UPDATE) AS held
    WHERE w.id = held.id`,
);

/** The oldest $2 queued deliveries of each endpoint, where it and its partner still want them. */
export const FIND_QUEUED = statement(
  'webhooks.find_queued',
  `SELECT w.id AS "webhookId", d.id, w.secret_sealed AS "secretSealed", d.event_id AS "eventId", d.body
     FROM unnest($1::text[]) AS asked(id)
     JOIN webhook_endpoints w ON w.id = asked.id AND w.active
     JOIN partners p ON p.id = w.partner_id AND p.status = 'active'
    CROSS JOIN LATERAL (
       SELECT d.id, d.event_id, e.envelope::text AS body
         FROM deliveries d
         JOIN events e ON e.id = d.event_id AND e.type = ANY(w.events)
        WHERE d.webhook_id = w.id AND d.status = 'queued'
        ORDER BY d.at, d.id
        LIMIT $2) AS d`,
);

/** Which of the endpoints have something queued, wanted or not. */
export const HAVE_QUEUED = statement(
  'webhooks.have_queued',
  `SELECT id FROM unnest($1::text[]) AS asked(id)
    WHERE EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = asked.id AND d.status = 'queued')`,
);

/** Endpoints with queued deliveries that nobody drains: their process died, or their wake-up was lost. Any of them: some may never be drained. */
export const FIND_FORGOTTEN = statement(
  'webhooks.find_forgotten',
  `SELECT w.id AS "webhookId" FROM webhook_endpoints w
    WHERE (w.drained_until IS NULL OR w.drained_until < clock_timestamp())
      AND EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'queued')
    ORDER BY random()
    LIMIT $1`,
);

/**
 * The claim: of any number of processes, one gets a row, and only where endpoint and partner still want it. The address is the endpoint's at
 * this moment, whatever it was when the row was read. $1 ids, $2 signatures, $3 when.
 */
export const CLAIM = statement(
  'webhooks.claim',
  `UPDATE deliveries d
      SET status = 'pending', attempts = 1, url = w.url, signature = new.signature, at = $3, claimed_at = clock_timestamp()
     FROM unnest($1::text[], $2::text[]) AS new(id, signature), webhook_endpoints w, partners p, events e
    WHERE d.id = new.id AND d.status = 'queued' AND w.id = d.webhook_id AND w.active AND p.id = w.partner_id
      AND p.status = 'active' AND e.id = d.event_id AND e.type = ANY(w.events)
   RETURNING d.id, d.url`,
);

/**
 * Queued deliveries that nobody wants any more: the endpoint is gone, off or no longer subscribed, or its partner is disabled. Nothing was
 * attempted, so nothing is recorded.
 */
export const DROP_UNWANTED = statement(
  'webhooks.drop_unwanted',
  `DELETE FROM deliveries d WHERE d.webhook_id = $1 AND d.status = 'queued'
      AND NOT EXISTS (
        SELECT FROM webhook_endpoints w
          JOIN partners p ON p.id = w.partner_id AND p.status = 'active'
          JOIN events e ON e.id = d.event_id AND e.type = ANY(w.events)
         WHERE w.id = d.webhook_id AND w.active)`,
);

/** A test send's row is born claimed. */
export const INSERT_CLAIMED = statement(
  'webhooks.insert_claimed',
  `INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, at, claimed_at)
   VALUES ($1, $2, $3, $4, 'pending', 1, $5, $6, $7, clock_timestamp())`,
);

/** Outcomes. One that was given up as interrupted, while the database was away from who knew better, is put right; what else ended stays as it ended. */
export const RECORD = statement(
  'webhooks.record',
  `UPDATE deliveries d
      SET status = ended.status, attempts = ended.attempts, response_status = ended.response_status, failure = ended.failure,
          latency_ms = ended.latency_ms
     FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::int[])
       AS ended(id, status, attempts, response_status, failure, latency_ms)
    WHERE d.id = ended.id AND (d.status = 'pending' OR d.failure = 'interrupted')`,
);

/** $1: milliseconds after which a claim without an outcome counts as interrupted. */
export const CLOSE_INTERRUPTED = statement(
  'webhooks.close_interrupted',
  `UPDATE deliveries SET status = 'failed', failure = 'interrupted'
    WHERE status = 'pending' AND claimed_at < clock_timestamp() - $1 * interval '1 millisecond'
   RETURNING id`,
);

export const FIND_DELIVERY = statement(
  'webhooks.find_delivery',
  `SELECT ${DELIVERY} FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.id = $1 AND d.partner_id = $2 AND d.status <> 'queued'`,
);

/**
 * $1 partner, $2 rows kept, $3 limit + 1, $4/$5 after; $6 endpoint, $7 status, $8 event type: null is any. Newest first. The endpoint is compared in a
 * form that no index serves: by it, rows of another partner's endpoint would be read before they are dropped.
 */
export const LIST_DELIVERIES = statement(
  'webhooks.list_deliveries',
  `SELECT ${DELIVERY} FROM deliveries d JOIN events e ON e.id = d.event_id
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
);
