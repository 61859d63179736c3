import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns and indexes for round-robin by partner, and for counting an endpoint's sends in flight over all processes. */
export class SendsInFlight1000000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INDEXES);
    await runner.query(CLAIM);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** events_to_fan_out stays: replicas of the older version find overdue events by it. */
const INDEXES = `
CREATE INDEX events_to_fan_out_of_partner ON events (partner_id, recorded_at, id) WHERE NOT fanned_out;
CREATE INDEX deliveries_in_flight ON deliveries (webhook_id) WHERE status = 'pending';
`;

/**
 * Claims queued deliveries, as many for each endpoint as it has free slots: `places` less its sends in flight. It is a function in order to get a
 * second snapshot: one older than the endpoints' locks would miss claims that another process committed just before. An endpoint whose row is locked
 * is skipped, so that it does not hold up the others. A row is returned when it is still wanted: with its url when it was claimed, without one when
 * there is no free slot.
 */
const CLAIM = `
CREATE FUNCTION claim_deliveries(ids text[], signatures text[], moment timestamptz, places int)
RETURNS TABLE (delivery_id text, receiver text) LANGUAGE plpgsql AS $$
DECLARE
  held text[] := ARRAY(
    SELECT w.id FROM webhook_endpoints w
     WHERE w.id IN (SELECT d.webhook_id FROM deliveries d WHERE d.id = ANY(ids)) ORDER BY w.id FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  RETURN QUERY
  WITH wanted AS (
    SELECT d.id, new.signature, w.url, w.id = ANY(held) AND row_number() OVER (PARTITION BY w.id ORDER BY d.at, d.id)
             + (SELECT count(*) FROM deliveries f WHERE f.webhook_id = w.id AND f.status = 'pending') <= places AS fits
      FROM unnest(ids, signatures) AS new(id, signature)
      JOIN deliveries d ON d.id = new.id AND d.status = 'queued'
      JOIN webhook_endpoints w ON w.id = d.webhook_id AND w.active
      JOIN partners p ON p.id = w.partner_id AND p.status = 'active'
      JOIN events e ON e.id = d.event_id AND e.type = ANY(w.events)
  ), claimed AS (
    UPDATE deliveries d
       SET status = 'pending', attempts = 1, url = wanted.url, signature = wanted.signature, at = moment, claimed_at = clock_timestamp()
      FROM wanted
     WHERE d.id = wanted.id AND d.status = 'queued' AND wanted.fits
    RETURNING d.id, d.url
  )
  SELECT wanted.id, claimed.url FROM wanted LEFT JOIN claimed ON claimed.id = wanted.id
   WHERE claimed.id IS NOT NULL OR NOT wanted.fits;
END $$;
`;
