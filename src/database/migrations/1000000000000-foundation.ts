import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys, partners, campaigns, users, webhooks, idempotency. Tables are created in the deployment's own schema, which is first (and only) in the search
 * path. Ids compare bytewise (`COLLATE "C"`), so they sort by time.
 */
export class Foundation1000000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT current_schema() AS schema')) as [{ schema: string }];
    await runner.query(PARTNERS);
    await runner.query(ACCESS);
    await runner.query(USERS);
    await runner.query(WEBHOOKS);
    await runner.query(IDEMPOTENCY);
    await runner.query(queue(`"${schema}_jobs"`));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const PARTNERS = `
CREATE TABLE partners (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  contact_email text,
  revenue_share_bps int NOT NULL CHECK (revenue_share_bps BETWEEN 0 AND 10000),
  metadata jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  disabled_at timestamptz(3),
  CHECK ((status = 'disabled') = (disabled_at IS NOT NULL))
);
CREATE INDEX partners_by_time ON partners (created_at, id);

CREATE TABLE campaigns (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  asset text,
  multiplier_hundredths int NOT NULL CHECK (multiplier_hundredths BETWEEN 100 AND 1000),
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) CHECK (ends_at > starts_at),
  metadata jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX campaigns_by_partner ON campaigns (partner_id, created_at, id);
`;

const ACCESS = `
CREATE FUNCTION all_distinct(items text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT count(*) = count(DISTINCT item) FROM unnest(items) AS item $$;

CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 120),
  prefix text NOT NULL CHECK (char_length(prefix) = 12),
  secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
  scopes text[] NOT NULL,
  partner_id text COLLATE "C" REFERENCES partners,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT scopes_known CHECK (scopes <@ '{read,write,keys:admin,partner:admin,partner:read}'),
  CONSTRAINT scopes_not_empty CHECK (cardinality(scopes) > 0),
  CONSTRAINT scopes_unique CHECK (all_distinct(scopes)),
  CONSTRAINT partner_read_is_bound CHECK (partner_id IS NOT NULL OR NOT 'partner:read' = ANY (scopes)),
  CONSTRAINT bound_keys_read_only CHECK (partner_id IS NULL OR scopes <@ '{partner:read,read}')
);
CREATE INDEX api_keys_by_time ON api_keys (created_at, id);
CREATE INDEX api_keys_of_partner ON api_keys (partner_id) WHERE revoked_at IS NULL;
`;

const USERS = `
CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  external_id text COLLATE "C" NOT NULL UNIQUE CHECK (char_length(external_id) BETWEEN 1 AND 255),
  label text NOT NULL,
  email text,
  metadata jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  status text NOT NULL CHECK (status IN ('active', 'blocked')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX users_by_partner ON users (partner_id, created_at, id);

CREATE TABLE wallets (
  address text COLLATE "C" PRIMARY KEY CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  position int NOT NULL,
  UNIQUE (user_id, position)
);
`;

const WEBHOOKS = `
CREATE TABLE webhook_endpoints (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  url text NOT NULL CHECK (char_length(url) <= 2048),
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  description text,
  secret_sealed bytea NOT NULL,
  secret_masked text NOT NULL,
  active boolean NOT NULL,
  drained_until timestamptz(3),
  drained_by text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX webhook_endpoints_by_partner ON webhook_endpoints (partner_id, created_at, id);
CREATE INDEX webhook_endpoints_of_partner ON webhook_endpoints (partner_id, id) WHERE active;

-- envelope is json, not jsonb: the signed text is kept byte for byte.
CREATE TABLE events (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" REFERENCES partners,
  type text NOT NULL,
  envelope json NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  fanned_out boolean NOT NULL
);
CREATE INDEX events_by_recording ON events (recorded_at);
CREATE INDEX events_to_fan_out ON events (recorded_at) WHERE NOT fanned_out;

-- No foreign key to the endpoint: a deleted endpoint's deliveries stay in the log. A queued row is no delivery yet: it has no url and no signature.
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
    ('blocked_address', 'dns_error', 'connect_error', 'tls_error', 'timeout', 'http_status', 'interrupted')),
  at timestamptz(3) NOT NULL,
  claimed_at timestamptz(3),
  latency_ms int,
  UNIQUE (event_id, webhook_id),
  CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CHECK (status = 'queued' OR (url IS NOT NULL AND signature IS NOT NULL AND claimed_at IS NOT NULL))
);
CREATE INDEX deliveries_by_partner ON deliveries (partner_id, at, id) WHERE status <> 'queued';
CREATE INDEX deliveries_queued ON deliveries (webhook_id, at, id) WHERE status = 'queued';
CREATE INDEX deliveries_pending ON deliveries (claimed_at) WHERE status = 'pending';
`;

const IDEMPOTENCY = `
CREATE TABLE idempotency_claims (
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys,
  route text NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  answer bytea,
  subject_id text COLLATE "C",
  claimed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (key_id, route, key)
);
CREATE INDEX idempotency_claims_by_time ON idempotency_claims (claimed_at);
`;

/** Function that gives our statements access to the queue's schema, whose name differs by deployment. */
const queue = (jobs: string): string => `
CREATE FUNCTION enqueue(specs json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${jobs}.add_jobs(array_agg(spec)) FROM json_populate_recordset(null::${jobs}.job_spec, specs) AS spec;
END $$;
`;
