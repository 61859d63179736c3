import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Claims of sends, which cost what their own rows cost, however many deliveries wait. */
export class Sends1100000000006 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ROOM, CLAIM]) await runner.query(sql);
  }
}

/**
 * Sends that a partner may begin now at a host: `places` less those in flight, and `per_second` less those that began within the last second. None
 * while another transaction counts them: its claims would be missed. The counts need a snapshot that is younger than the lock, which each query of a
 * volatile function has.
 */
const ROOM = `
CREATE FUNCTION room_at_host(partner text, receiver text, places int, per_second int) RETURNS int LANGUAGE plpgsql AS $$
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
 * returned when it is still wanted. `LATERAL` with `OFFSET 0` fixes the order of the joins, and `IS NOT FALSE` hides a condition from partial indexes: the
 * statistics usually say that no row is queued, and a scan of all queued rows then seems to cost nothing.
 */
const CLAIM = `
CREATE FUNCTION claim_deliveries(
  ids text[], signatures text[], secrets bytea[], urls text[], hosts text[], moment timestamptz, places int, host_places int, host_rate int
) RETURNS TABLE (delivery_id text, is_claimed boolean, is_stale boolean) LANGUAGE plpgsql AS $$
DECLARE
  locked text[] := ARRAY(
    SELECT w.id FROM webhook_endpoints w
     WHERE w.id = ANY(ARRAY(SELECT d.webhook_id FROM deliveries d WHERE d.id = ANY(ids))) ORDER BY w.id FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  RETURN QUERY
  WITH wanted AS MATERIALIZED (
    SELECT d.id, d.partner_id, d.at, new.signature, new.url, new.host, w.secret_sealed <> new.secret OR w.url <> new.url AS stale,
           w.id = ANY(locked) AND row_number() OVER (PARTITION BY w.id ORDER BY d.at, d.id)
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
