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
 * Takes an endpoint's lease: one process drains it at a time. $2: how long, in milliseconds; $3: who. The lease counts on the database's clock, which
 * all processes share.
 */
export const TAKE_LEASE = statement(
  'webhooks.take_lease',
  `UPDATE webhook_endpoints w SET drained_until = clock_timestamp() + $2 * interval '1 millisecond', drained_by = $3
    WHERE w.id = $1 AND w.active AND (w.drained_until IS NULL OR w.drained_until < clock_timestamp())
      AND EXISTS (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active')
   RETURNING id`,
);

export const RENEW_LEASE = statement(
  'webhooks.renew_lease',
  `UPDATE webhook_endpoints SET drained_until = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE id = $1 AND drained_by = $3
   RETURNING id`,
);

export const END_LEASE = statement(
  'webhooks.end_lease',
  `UPDATE webhook_endpoints SET drained_until = NULL, drained_by = NULL WHERE id = $1 AND drained_by = $2`,
);

/** The oldest $2 queued deliveries of an endpoint, where it and its partner still want them. */
export const FIND_QUEUED = statement(
  'webhooks.find_queued',
  `SELECT d.id, w.secret_sealed AS "secretSealed", e.id AS "eventId", e.envelope::text AS body
     FROM deliveries d
     JOIN webhook_endpoints w ON w.id = d.webhook_id AND w.active
     JOIN partners p ON p.id = d.partner_id AND p.status = 'active'
     JOIN events e ON e.id = d.event_id AND e.type = ANY(w.events)
    WHERE d.webhook_id = $1 AND d.status = 'queued'
    ORDER BY d.at, d.id
    LIMIT $2`,
);

export const HAS_QUEUED = statement(
  'webhooks.has_queued',
  `SELECT id FROM deliveries WHERE webhook_id = $1 AND status = 'queued' LIMIT 1`,
);

/** Endpoints with queued deliveries that nobody drains: their process died, or their wake-up was lost. */
export const FIND_FORGOTTEN = statement(
  'webhooks.find_forgotten',
  `SELECT w.id AS "webhookId" FROM webhook_endpoints w
    WHERE (w.drained_until IS NULL OR w.drained_until < clock_timestamp())
      AND EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'queued')
    LIMIT $1`,
);

/**
 * The claim: of any number of processes, one gets the row, and only where endpoint and partner still want it. The address is the endpoint's at
 * this moment, whatever it was when the row was read.
 */
export const CLAIM = statement(
  'webhooks.claim',
  `UPDATE deliveries d
      SET status = 'pending', attempts = 1, url = w.url, signature = $2, at = $3, claimed_at = clock_timestamp()
     FROM webhook_endpoints w, partners p, events e
    WHERE d.id = $1 AND d.status = 'queued' AND w.id = d.webhook_id AND w.active AND p.id = w.partner_id
      AND p.status = 'active' AND e.id = d.event_id AND e.type = ANY(w.events)
   RETURNING d.url`,
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

/** The outcome, unless the sweep has given the row up already: what ended stays as it ended. */
export const RECORD = statement(
  'webhooks.record',
  `UPDATE deliveries SET status = $2, attempts = $3, response_status = $4, failure = $5, latency_ms = $6
    WHERE id = $1 AND status = 'pending'`,
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

/** $1 partner, $2 rows kept, $3 limit + 1, $4/$5 after; $6 endpoint, $7 status, $8 event type: null is any. Newest first. */
export const LIST_DELIVERIES = statement(
  'webhooks.list_deliveries',
  `SELECT ${DELIVERY} FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.partner_id = $1 AND d.status <> 'queued'
      AND (d.at, d.id) >= (
        SELECT coalesce(min(oldest.at), '-infinity'), coalesce(min(oldest.id), '')
          FROM (SELECT at, id FROM deliveries WHERE partner_id = $1 AND status <> 'queued'
                 ORDER BY at DESC, id DESC OFFSET $2 - 1 LIMIT 1) AS oldest)
      AND ($4::timestamptz IS NULL OR (d.at, d.id) < ($4, $5))
      AND ($6::text IS NULL OR d.webhook_id = $6)
      AND ($7::text IS NULL OR d.status = $7)
      AND ($8::text IS NULL OR e.type = $8)
    ORDER BY d.at DESC, d.id DESC
    LIMIT $3`,
);

/**
 * Removes what lies beyond the newest $1 of a partner: a walk down its index, no sort, and once a partner: joined without MATERIALIZED, the planner
 * may walk anew for every row. Queued and pending rows stay: they are owed an end.
 */
export const PRUNE_DELIVERIES = statement(
  'webhooks.prune_deliveries',
  `WITH oldest AS MATERIALIZED (
     SELECT p.id AS partner_id, kept.at, kept.id
       FROM partners p
       CROSS JOIN LATERAL (
         SELECT at, id FROM deliveries WHERE partner_id = p.id AND status <> 'queued'
          ORDER BY at DESC, id DESC OFFSET $1 - 1 LIMIT 1) AS kept
   )
   DELETE FROM deliveries d
    USING oldest
    WHERE d.partner_id = oldest.partner_id AND (d.at, d.id) < (oldest.at, oldest.id) AND d.status IN ('delivered', 'failed')
      AND NOT EXISTS (SELECT FROM events e WHERE e.id = d.event_id AND NOT e.fanned_out)`,
);

/** Queued deliveries whose endpoint is deleted: nobody drains it any more. */
export const DROP_ORPHANS = statement(
  'webhooks.drop_orphans',
  `DELETE FROM deliveries d WHERE d.status = 'queued'
      AND NOT EXISTS (SELECT FROM webhook_endpoints w WHERE w.id = d.webhook_id)`,
);

/** Removes events that no delivery shows any more; a day's grace lets a fan-out that is late find them. */
export const PRUNE_EVENTS = statement(
  'webhooks.prune_events',
  `DELETE FROM events e WHERE e.recorded_at < clock_timestamp() - interval '1 day'
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)`,
);
