import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Claims and records cost what their own rows cost, however many deliveries wait. */
export class PinnedPlans1000000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FIND);
    await runner.query(HAVE);
    await runner.query(CLAIM);
    await runner.query(RECORD);
    await runner.query(ROOM);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * Pinned plans: the tables of a queue grow from nothing to thousands of rows between two looks of the statistics, and a cached plan that was made while
 * they were small joins by scans of whole tables. With 50,000 queued deliveries, a claim of 100 took 1.4 s.
 */
const PINNED =
  'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

/** The statement of the version before, as a function. */
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

/** The statement of the version before, as a function. */
const HAVE = `
CREATE FUNCTION have_queued_deliveries(ids text[]) RETURNS SETOF text LANGUAGE plpgsql STABLE ${PINNED} AS $$
BEGIN
  RETURN QUERY
  SELECT asked.id FROM unnest(ids) AS asked(id)
   CROSS JOIN LATERAL (SELECT FROM deliveries d WHERE d.webhook_id = asked.id AND d.status = 'queued' ORDER BY d.at, d.id LIMIT 1) AS one;
END $$;
`;

/**
 * Same function, which replicas of the older version call too. `LATERAL` with `OFFSET 0` fixes the order of the joins, and `IS NOT FALSE` hides a
 * condition from partial indexes: the statistics usually say that no row is queued, and a scan of all queued rows then seems to cost nothing.
 */
const CLAIM = `
CREATE OR REPLACE FUNCTION claim_deliveries(ids text[], signatures text[], secrets bytea[], moment timestamptz, places int)
RETURNS TABLE (delivery_id text, receiver text, is_stale boolean) LANGUAGE plpgsql ${PINNED} AS $$
DECLARE
  held text[] := ARRAY(
    SELECT w.id FROM webhook_endpoints w
     WHERE w.id = ANY(ARRAY(SELECT d.webhook_id FROM deliveries d WHERE d.id = ANY(ids))) ORDER BY w.id FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  RETURN QUERY
  WITH wanted AS MATERIALIZED (
    SELECT d.id, new.signature, w.url, w.secret_sealed <> new.secret AS stale,
           w.id = ANY(held) AND row_number() OVER (PARTITION BY w.id ORDER BY d.at, d.id)
             + (SELECT count(*) FROM deliveries f WHERE f.webhook_id = w.id AND f.status = 'pending') <= places AS fits
      FROM unnest(ids, signatures, secrets) AS new(id, signature, secret)
     CROSS JOIN LATERAL (
       SELECT one.* FROM deliveries one WHERE one.id = new.id AND (one.status = 'queued') IS NOT FALSE OFFSET 0) AS d
     CROSS JOIN LATERAL (SELECT one.* FROM webhook_endpoints one WHERE one.id = d.webhook_id AND one.active OFFSET 0) AS w
     CROSS JOIN LATERAL (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active' OFFSET 0) AS p
     CROSS JOIN LATERAL (SELECT FROM events e WHERE e.id = d.event_id AND (e.type = ANY(w.events)) IS NOT FALSE OFFSET 0) AS e
  ), claimed AS (
    UPDATE deliveries d
       SET status = 'pending', attempts = 1, url = wanted.url, signature = wanted.signature, at = moment, claimed_at = clock_timestamp()
      FROM wanted
     WHERE d.id = ANY(ARRAY[wanted.id]) AND (d.status = 'queued') IS NOT FALSE AND wanted.fits AND NOT wanted.stale
    RETURNING d.id, d.url
  )
  SELECT claimed.id, claimed.url, false FROM claimed
   UNION ALL
  SELECT wanted.id, NULL, wanted.stale FROM wanted WHERE wanted.stale OR NOT wanted.fits;
END $$;
`;

/** The statement of the version before, as a function. */
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

/** HOT updates: a drain takes and ends a lease in its endpoint's row, and a row version without room in its page is written to all four indexes. */
const ROOM = `ALTER TABLE webhook_endpoints SET (fillfactor = 50);`;
