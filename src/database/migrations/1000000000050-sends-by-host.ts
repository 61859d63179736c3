import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bounds a partner's sends by host, over all its endpoints. */
export class SendsByHost1000000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(HOST);
    await runner.query(ROOM);
    await runner.query(CLAIM);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** Host by which a send is bounded; null for an unbounded one, which costs the index nothing. */
const HOST = `
ALTER TABLE deliveries ADD COLUMN host text COLLATE "C";
CREATE INDEX deliveries_to_host ON deliveries (partner_id, host, status, claimed_at) WHERE host IS NOT NULL;
`;

/** Pinned plans: see the migration of that name. */
const PINNED =
  'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

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
 * The function of the version before, which replicas of it still call, with the receivers that the claims were made for. A claim is stale as well
 * when the endpoint has another URL by now.
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
