import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that are kept for a month, and the endpoints that have not received them. */
export class EventHistory1000000000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(EVENTS);
    await runner.query(UNDELIVERED);
    await runner.query(COUNTING);
    // After the triggers, which count these rows.
    await runner.query(WHAT_THERE_IS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** events_from: the partner's events before it are gone, removed early or by a reset. */
const EVENTS = `
CREATE INDEX events_of_partner ON events (partner_id, recorded_at, id) INCLUDE (type);
ALTER TABLE partners ADD COLUMN events_from timestamptz(3);
`;

/**
 * One row for each endpoint that subscribed to an event, active or not, from the event's fan-out until delivery. It marks what is missing: however a
 * send fails or never begins, the row is still there. No foreign key to the endpoint: its check would lock the endpoint's row, and leases skip locked
 * ones.
 */
const UNDELIVERED = `
CREATE TABLE undelivered (
  event_id text COLLATE "C" NOT NULL REFERENCES events,
  webhook_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  raised_at timestamptz(3) NOT NULL,
  PRIMARY KEY (event_id, webhook_id)
);
CREATE INDEX undelivered_by_endpoint ON undelivered (webhook_id, raised_at, event_id) INCLUDE (type);
`;

/** Counted like other tables. */
const COUNTING = (['INSERT', 'DELETE'] as const)
  .map((change) => {
    const [rows, named, sign] = change === 'INSERT' ? ['come', 'NEW', ''] : ['gone', 'OLD', '-'];
    const name = `count_undelivered_${change.toLowerCase()}`;
    return `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored_bytes(owner, 0, bytes, 0)
     FROM (SELECT r.partner_id AS owner, ${sign}384 * count(*) AS bytes FROM ${rows} r GROUP BY r.partner_id) AS changes;
  RETURN NULL;
END $$;
CREATE TRIGGER ${name} AFTER ${change} ON undelivered REFERENCING ${named} TABLE AS ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
  })
  .join('\n');

/** Backfill for earlier events, as far as deliveries show. */
const WHAT_THERE_IS = `
INSERT INTO undelivered (event_id, webhook_id, partner_id, type, raised_at)
SELECT e.id, w.id, w.partner_id, e.type, e.recorded_at
  FROM deliveries d JOIN events e ON e.id = d.event_id JOIN webhook_endpoints w ON w.id = d.webhook_id
 WHERE d.status <> 'delivered';
`;
