import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Claims and records of sends: functions that cost what their own rows cost, however many deliveries wait. */
export class Sends1100000000006 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [FIND, HAVE, ROOM, CLAIM, RECORD]) await runner.query(sql);
  }
}

/**
 * Pinned plans: the tables of a queue grow from nothing to thousands of rows between two looks of the statistics, and a cached plan that was made while
 * they were small joins by scans of whole tables. With 50,000 queued deliveries, a claim of 100 took 1.4 s. `LATERAL` with `OFFSET 0` fixes the order
 * of the joins, and `IS NOT FALSE` hides a condition from partial indexes: the statistics usually say that no row is queued, and a scan of all queued
 * rows then seems to cost nothing.
 */
const PINNED =
  'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

/** Queued deliveries of each endpoint, oldest first, up to a number and a size; the first one whatever its size. */
const FIND = `
CREATE FUNCTION find_queued_deliveries(ids text[], most int, most_bytes int)
RETURNS TABLE (
  webhook_id text, delivery_id text, secret_sealed bytea, previous_sealed bytea, previous_expires_at timestamptz, event_id text, body text,
  number int, rows_read int
) LANGUAGE plpgsql STABLE ${PINNED} AS $$
BEGIN
  RETURN QUERY
  SELECT w.id, d.id, w.secret_sealed, w.previous_sealed, w.previous_expires_at, d.event_id, d.body, d.number, d.read
    FROM unnest(ids) AS asked(id)
   CROSS JOIN LATERAL (SELECT one.* FROM webhook_endpoints one WHERE one.id = asked.id AND one.active OFFSET 0) AS w
   CROSS JOIN LATERAL (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active' OFFSET 0) AS p
   CROSS JOIN LATERAL (
     SELECT next.id, next.event_id, next.body, (row_number() OVER (ORDER BY next.at, next.id))::int AS number,
            sum(octet_length(next.body)) OVER (ORDER BY next.at, next.id) AS bytes, (count(*) OVER ())::int AS read
       FROM (
         SELECT one.id, one.at, one.event_id, e.body FROM deliveries one
          CROSS JOIN LATERAL (
            SELECT e.envelope::text AS body FROM events e WHERE e.id = one.event_id AND (e.type = ANY(w.events)) IS NOT FALSE OFFSET 0) AS e
          WHERE one.webhook_id = w.id AND one.status = 'queued'
          ORDER BY one.at, one.id
          LIMIT most) AS next) AS d
   WHERE d.bytes <= most_bytes OR d.number = 1
   ORDER BY w.id, d.number;
END $$;
`;

/** Endpoints that have a queued delivery. */
const HAVE = `
CREATE FUNCTION have_queued_deliveries(ids text[]) RETURNS SETOF text LANGUAGE plpgsql STABLE ${PINNED} AS $$
BEGIN
  RETURN QUERY
  SELECT asked.id FROM unnest(ids) AS asked(id)
   CROSS JOIN LATERAL (SELECT FROM deliveries d WHERE d.webhook_id = asked.id AND d.status = 'queued' ORDER BY d.at, d.id LIMIT 1) AS one;
END $$;
`;

/**
 * Sends that a partner may begin now at a host: `places` less those in flight, and `per_second` less those that began within the last second. None
 * while another transaction counts them: its claims would be missed. The counts need a snapshot that is younger than the lock, which each query of a
 * volatile function has.
 */
const ROOM = `
CREATE FUNCTION room_at_host(partner text, receiver text, places int, per_second int) RETURNS int LANGUAGE plpgsql ${PINNED} AS $$
DECLARE
  since timestamptz;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('sends of ' || current_schema() || '.' || partner || ' to ' || receiver, 0)) THEN
    RETURN 0;
  END IF;
  since := clock_timestamp() - interval '1 second';
  RETURN least(
    places - (SELECT count(*) FROM deliveries d WHERE d.partner_id = partner AND d.host = receiver AND d.status = 'pending'),
    per_second - (SELECT count(*) FROM deliveries d
                   WHERE d.partner_id = partner AND d.host = receiver AND d.status IN ('pending', 'delivered', 'failed') AND d.claimed_at > since));
END $$;
`;

/**
 * Claims queued deliveries, as many for each endpoint as it has free slots: `places` less its sends in flight, and as many at each host as it has room
 * for. It is a function in order to get a second snapshot: one older than the endpoints' locks would miss claims that another process committed just
 * before. An endpoint whose row is locked is skipped, so that it does not hold up the others. A claim only succeeds when its signature was made with
 * the endpoint's present secret, for its present URL; it is stale otherwise, and a receiver that knows only the new secret would refuse it. A row is
 * returned when it is still wanted.
 */
const CLAIM = `
CREATE FUNCTION claim_deliveries(
  ids text[], signatures text[], secrets bytea[], urls text[], hosts text[], moment timestamptz, places int, host_places int, host_rate int
) RETURNS TABLE (delivery_id text, is_claimed boolean, is_stale boolean) LANGUAGE plpgsql ${PINNED} AS $$
DECLARE
  held text[] := ARRAY(
    SELECT w.id FROM webhook_endpoints w
     WHERE w.id = ANY(ARRAY(SELECT d.webhook_id FROM deliveries d WHERE d.id = ANY(ids))) ORDER BY w.id FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  RETURN QUERY
  WITH wanted AS MATERIALIZED (
    SELECT d.id, d.partner_id, d.at, new.signature, new.url, new.host, w.secret_sealed <> new.secret OR w.url <> new.url AS stale,
           w.id = ANY(held) AND row_number() OVER (PARTITION BY w.id ORDER BY d.at, d.id)
             + (SELECT count(*) FROM deliveries f WHERE f.webhook_id = w.id AND f.status = 'pending') <= places AS fits
      FROM unnest(ids, signatures, secrets, urls, hosts) AS new(id, signature, secret, url, host)
     CROSS JOIN LATERAL (
       SELECT one.* FROM deliveries one WHERE one.id = new.id AND (one.status = 'queued') IS NOT FALSE OFFSET 0) AS d
     CROSS JOIN LATERAL (SELECT one.* FROM webhook_endpoints one WHERE one.id = d.webhook_id AND one.active OFFSET 0) AS w
     CROSS JOIN LATERAL (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active' OFFSET 0) AS p
     CROSS JOIN LATERAL (SELECT FROM events e WHERE e.id = d.event_id AND (e.type = ANY(w.events)) IS NOT FALSE OFFSET 0) AS e
  ), rooms AS MATERIALIZED (
    SELECT crowd.*, room_at_host(crowd.partner_id, crowd.host, host_places, host_rate) AS room
      FROM (SELECT DISTINCT w.partner_id, w.host FROM wanted w WHERE w.fits AND NOT w.stale AND w.host IS NOT NULL) AS crowd
  ), placed AS MATERIALIZED (
    SELECT w.*, w.fits AND NOT w.stale AND (w.host IS NULL
             OR row_number() OVER (PARTITION BY w.partner_id, w.host, w.fits AND NOT w.stale ORDER BY w.at, w.id) <= r.room) AS goes
      FROM wanted w LEFT JOIN rooms r ON r.partner_id = w.partner_id AND r.host = w.host
  ), claimed AS (
    UPDATE deliveries d
       SET status = 'pending', attempts = 1, url = placed.url, host = placed.host, signature = placed.signature, at = moment,
           claimed_at = clock_timestamp()
      FROM placed
     WHERE d.id = ANY(ARRAY[placed.id]) AND (d.status = 'queued') IS NOT FALSE AND placed.goes
    RETURNING d.id
  )
  SELECT claimed.id, true, false FROM claimed
   UNION ALL
  SELECT placed.id, false, placed.stale FROM placed WHERE NOT placed.goes;
END $$;
`;

/** Records the outcomes of sends, in the log and in the health of their endpoints. */
const RECORD = `
CREATE FUNCTION record_deliveries(
  ids text[], statuses text[], tries int[], answers int[], failures text[], latencies int[], moment timestamptz
) RETURNS void LANGUAGE plpgsql ${PINNED} AS $$
BEGIN
  WITH recorded AS (
    UPDATE deliveries d
       SET status = ended.status, attempts = ended.attempts, response_status = ended.response_status, failure = ended.failure,
           latency_ms = ended.latency_ms
      FROM unnest(ids, statuses, tries, answers, failures, latencies)
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
     SET last_success_at = CASE WHEN tried.succeeded THEN moment ELSE h.last_success_at END,
         consecutive_failures = CASE WHEN tried.succeeded THEN 0 ELSE h.consecutive_failures END + tried.failed,
         failing_since = CASE WHEN tried.failed = 0 THEN NULL
                              WHEN tried.succeeded THEN moment ELSE coalesce(h.failing_since, moment) END
    FROM tried
   WHERE h.webhook_id = ANY(ARRAY[tried.webhook_id]);
END $$;
`;
