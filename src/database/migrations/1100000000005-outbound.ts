import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Events, the endpoints that want them, deliveries, and alerts. */
export class Outbound1100000000005 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ENDPOINTS, EVENTS, DELIVERIES, UNDELIVERED, ALERTS]) await runner.query(sql);
  }
}

/**
 * previous_sealed: the previous secret, encrypted like the present one, while sends are signed with both.
 */
const ENDPOINTS = `
CREATE TABLE webhook_endpoints (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  url text NOT NULL CHECK (char_length(url) <= 2048),
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  description text,
  secret_sealed bytea NOT NULL,
  secret_masked text NOT NULL,
  active boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  previous_sealed bytea,
  previous_expires_at timestamptz(3),
  CHECK ((previous_sealed IS NULL) = (previous_expires_at IS NULL))
);
CREATE INDEX webhook_endpoints_by_partner ON webhook_endpoints (partner_id, created_at, id);
CREATE INDEX webhook_endpoints_of_partner ON webhook_endpoints (partner_id, id) WHERE active;
CREATE INDEX webhook_endpoints_rotating ON webhook_endpoints (previous_expires_at) WHERE previous_expires_at IS NOT NULL;

-- Health of an endpoint's receiver. Hot row, written with each outcome: separate from the endpoint's own row, which claims skip while it is locked. It
-- is created with the endpoint, so that outcomes of a deleted endpoint create none.
CREATE TABLE endpoint_health (
  webhook_id text COLLATE "C" PRIMARY KEY REFERENCES webhook_endpoints ON DELETE CASCADE,
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  consecutive_failures int NOT NULL DEFAULT 0,
  CHECK ((failing_since IS NULL) = (consecutive_failures = 0))
) WITH (fillfactor = 50);
`;

/**
 * envelope is json, not jsonb: the signed text is kept byte for byte. envelope_bytes: its size, by which a page ends before it reads large values. An
 * index range for each type, so that a rare type is found without reading the others.
 */
const EVENTS = `
CREATE TABLE events (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" REFERENCES partners,
  type text NOT NULL,
  envelope json NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  fanned_out boolean NOT NULL,
  envelope_bytes int
);
CREATE INDEX events_by_recording ON events (recorded_at);
CREATE INDEX events_to_fan_out_of_partner ON events (partner_id, recorded_at, id) WHERE NOT fanned_out;
CREATE INDEX events_of_partner ON events (partner_id, recorded_at, id) INCLUDE (type);
CREATE INDEX events_of_partner_by_type ON events (partner_id, type, recorded_at, id);
`;

/**
 * No foreign key to the endpoint: a deleted endpoint's deliveries stay in the log. A queued row is no delivery yet: it has no url and no signature.
 * host: by which a send is bounded; null for an unbounded one, which costs the index nothing.
 */
const DELIVERIES = `
CREATE TABLE deliveries (
  id text COLLATE "C" PRIMARY KEY,
  event_id text COLLATE "C" NOT NULL REFERENCES events,
  webhook_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  status text NOT NULL CHECK (status IN ('queued', 'pending', 'delivered', 'failed')),
  attempts int NOT NULL CHECK (attempts IN (0, 1)),
  url text,
  signature text,
  response_status int,
  failure text CHECK (failure IN
    ('blocked_address', 'dns_error', 'connect_error', 'tls_error', 'timeout', 'http_status', 'interrupted', 'dropped')),
  at timestamptz(3) NOT NULL,
  claimed_at timestamptz(3),
  latency_ms int,
  host text COLLATE "C",
  UNIQUE (event_id, webhook_id),
  CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CHECK (status = 'queued' OR (url IS NOT NULL AND signature IS NOT NULL AND claimed_at IS NOT NULL))
);
CREATE INDEX deliveries_by_partner ON deliveries (partner_id, at, id) WHERE status <> 'queued';
CREATE INDEX deliveries_queued ON deliveries (webhook_id, at, id) WHERE status = 'queued';
CREATE INDEX deliveries_pending ON deliveries (claimed_at) WHERE status = 'pending';
-- An endpoint's sends in flight are counted over all processes.
CREATE INDEX deliveries_in_flight ON deliveries (webhook_id) WHERE status = 'pending';
CREATE INDEX deliveries_to_host ON deliveries (partner_id, host, status, claimed_at) WHERE host IS NOT NULL;
`;

/**
 * One row for each endpoint that subscribed to an event, active or not, from the event's fan-out until delivery. It marks what is missing: however a
 * send fails or never begins, the row is still there. No foreign key to the endpoint: its check would lock the endpoint's row, and claims skip locked
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
CREATE INDEX undelivered_by_endpoint ON undelivered (webhook_id, type, raised_at, event_id);
`;

/**
 * A row exists from the beginning of a fact until everybody was notified of its end: at most two for each vault and market, and one more for each market.
 * subject: the vault, or '' for the market as a whole.
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

-- Who was notified of it.
CREATE TABLE alerted_partners (
  market_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  PRIMARY KEY (market_id, kind, subject, partner_id),
  FOREIGN KEY (market_id, kind, subject) REFERENCES alerts
);
`;
