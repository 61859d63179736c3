import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rotation of signing secrets with an overlap, and the health of an endpoint's receiver. */
export class Rotation1000000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SECRETS);
    await runner.query(HEALTH);
    await runner.query(CLAIM);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** previous_sealed: the previous secret, encrypted like the present one, while sends are signed with both. */
const SECRETS = `
ALTER TABLE webhook_endpoints
  ADD COLUMN previous_sealed bytea,
  ADD COLUMN previous_expires_at timestamptz(3),
  ADD CHECK ((previous_sealed IS NULL) = (previous_expires_at IS NULL));
CREATE INDEX webhook_endpoints_rotating ON webhook_endpoints (previous_expires_at) WHERE previous_expires_at IS NOT NULL;
`;

/**
 * Hot row, written with each outcome: separate from the endpoint's own row, which claims skip while it is locked. It is created with the endpoint, so
 * that outcomes of a deleted endpoint create none.
 */
const HEALTH = `
CREATE TABLE endpoint_health (
  webhook_id text COLLATE "C" PRIMARY KEY REFERENCES webhook_endpoints ON DELETE CASCADE,
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  consecutive_failures int NOT NULL DEFAULT 0,
  CHECK ((failing_since IS NULL) = (consecutive_failures = 0))
) WITH (fillfactor = 50);
INSERT INTO endpoint_health (webhook_id) SELECT id FROM webhook_endpoints;
`;

/**
 * Same function, which replicas of the older version call too: a claim only succeeds when its signature was made with the endpoint's present secret.
 * A row that was read before a rotation, and signed with the old secret alone, would be refused by a receiver that knows only the new one.
 */
const CLAIM = `
CREATE FUNCTION claim_deliveries(ids text[], signatures text[], secrets bytea[], moment timestamptz, places int)
RETURNS TABLE (delivery_id text, receiver text, is_stale boolean) LANGUAGE plpgsql AS $$
DECLARE
  held text[] := ARRAY(
    SELECT w.id FROM webhook_endpoints w
     WHERE w.id IN (SELECT d.webhook_id FROM deliveries d WHERE d.id = ANY(ids)) ORDER BY w.id FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  RETURN QUERY
  WITH wanted AS (
    SELECT d.id, new.signature, w.url, w.secret_sealed <> new.secret AS stale,
           w.id = ANY(held) AND row_number() OVER (PARTITION BY w.id ORDER BY d.at, d.id)
             + (SELECT count(*) FROM deliveries f WHERE f.webhook_id = w.id AND f.status = 'pending') <= places AS fits
      FROM unnest(ids, signatures, secrets) AS new(id, signature, secret)
      JOIN deliveries d ON d.id = new.id AND d.status = 'queued'
      JOIN webhook_endpoints w ON w.id = d.webhook_id AND w.active
      JOIN partners p ON p.id = w.partner_id AND p.status = 'active'
      JOIN events e ON e.id = d.event_id AND e.type = ANY(w.events)
  ), claimed AS (
    UPDATE deliveries d
       SET status = 'pending', attempts = 1, url = wanted.url, signature = wanted.signature, at = moment, claimed_at = clock_timestamp()
      FROM wanted
     WHERE d.id = wanted.id AND d.status = 'queued' AND wanted.fits AND NOT wanted.stale
    RETURNING d.id, d.url
  )
  SELECT wanted.id, claimed.url, wanted.stale FROM wanted LEFT JOIN claimed ON claimed.id = wanted.id
   WHERE claimed.id IS NOT NULL OR wanted.stale OR NOT wanted.fits;
END $$;
`;
