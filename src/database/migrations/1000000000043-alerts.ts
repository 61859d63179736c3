import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Open alerts and who was told of them, and an index on events by type. */
export class Alerts1000000000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ALERTS);
    await runner.query(BY_TYPE);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * A row exists from the beginning of a fact until everybody was told of its end: at most two for each vault and market, and one more for each market.
 * subject: the vault, or '' for the market as a whole. No key is bound to the deployment's own endpoints.
 */
const ALERTS = `
CREATE TABLE alerts (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  kind text NOT NULL CHECK (kind IN ('vault_evicted', 'vault_silent', 'tick_late')),
  subject text COLLATE "C" NOT NULL,
  why text NOT NULL,
  since timestamptz(3) NOT NULL,
  until timestamptz(3),
  PRIMARY KEY (market_id, kind, subject)
);

CREATE TABLE alerted_partners (
  market_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  PRIMARY KEY (market_id, kind, subject, partner_id),
  FOREIGN KEY (market_id, kind, subject) REFERENCES alerts
);

ALTER TABLE api_keys ADD CONSTRAINT partner_is_not_the_deployment CHECK (partner_id <> 'deployment');
`;

/** An index range for each type, so that a rare type is found without reading the others. */
const BY_TYPE = `
CREATE INDEX events_of_partner_by_type ON events (partner_id, type, recorded_at, id);
DROP INDEX undelivered_by_endpoint;
CREATE INDEX undelivered_by_endpoint ON undelivered (webhook_id, type, raised_at, event_id);
`;
