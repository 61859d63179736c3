import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/**
 * Partners with their rules and terms, their keys and sessions, their end-users, and what callers may repeat. Tables are created in the deployment's
 * own schema, which is first (and only) in the search path. Ids compare bytewise (`COLLATE "C"`), so they sort by time.
 */
export class Tenants1100000000000 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [REFUSAL, PARTNERS, TERMS, KEYS, SESSIONS, USERS, IDEMPOTENCY]) await runner.query(sql);
  }
}

/** For triggers that refuse every change of a row. */
const REFUSAL = `
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
`;

/** events_from: the partner's events before it are gone, removed early or by a reset. */
const PARTNERS = `
CREATE TABLE partners (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  contact_email text,
  performance_fee_bps int NOT NULL CHECK (performance_fee_bps BETWEEN 0 AND 10000),
  revenue_share_bps int NOT NULL CHECK (revenue_share_bps BETWEEN 0 AND 10000),
  metadata jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  disabled_at timestamptz(3),
  events_from timestamptz(3),
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

-- Partners' own rules for their funds: a row for each change. own: the partner's rules; bounds: an administrator's bounds; in_force: both combined,
-- identified by digest.
CREATE TABLE partner_policies (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  version int NOT NULL CHECK (version > 0),
  at timestamptz(3) NOT NULL,
  own jsonb NOT NULL,
  bounds jsonb NOT NULL,
  in_force jsonb NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (partner_id, version)
);
CREATE TRIGGER partner_policies_are_final BEFORE UPDATE ON partner_policies FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

/** Terms of partners (share) and campaigns (multiplier) by their beginning: settlements look them up, so that changes never apply retroactively. */
const TERMS = `
CREATE TABLE partner_terms (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  from_at timestamptz(3) NOT NULL,
  performance_fee_bps int NOT NULL CHECK (performance_fee_bps BETWEEN 0 AND 10000),
  revenue_share_bps int NOT NULL CHECK (revenue_share_bps BETWEEN 0 AND 10000),
  PRIMARY KEY (partner_id, from_at)
);
CREATE INDEX partner_terms_by_time ON partner_terms (from_at);

CREATE TABLE campaign_terms (
  campaign_id text COLLATE "C" NOT NULL REFERENCES campaigns,
  from_at timestamptz(3) NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  multiplier_hundredths int NOT NULL CHECK (multiplier_hundredths BETWEEN 100 AND 1000),
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3),
  PRIMARY KEY (campaign_id, from_at)
);
`;

/** No key is bound to the partner that holds the deployment's own endpoints. */
const KEYS = `
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
  expires_at timestamptz(3),
  CONSTRAINT scopes_known CHECK (scopes <@ '{read,write,keys:admin,partner:admin,partner:read}'),
  CONSTRAINT scopes_not_empty CHECK (cardinality(scopes) > 0),
  CONSTRAINT scopes_unique CHECK (all_distinct(scopes)),
  CONSTRAINT partner_read_is_bound CHECK (partner_id IS NOT NULL OR NOT 'partner:read' = ANY (scopes)),
  CONSTRAINT bound_keys_read_only CHECK (partner_id IS NULL OR scopes <@ '{partner:read,read}'),
  CONSTRAINT partner_is_not_the_deployment CHECK (partner_id <> 'deployment')
);
CREATE INDEX api_keys_by_time ON api_keys (created_at, id);
CREATE INDEX api_keys_of_partner ON api_keys (partner_id) WHERE revoked_at IS NULL;
-- Revoked ones too: they count towards what their partner stores.
CREATE INDEX api_keys_by_partner ON api_keys (partner_id) WHERE partner_id IS NOT NULL;
`;

/** No keys of their own: revocation, disabling or expiry of the key applies to its sessions because they read it, without a write. */
const SESSIONS = `
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys,
  secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sessions_of_key ON sessions (key_id, created_at, id);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- One-time codes that open a session.
CREATE TABLE sign_in_codes (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX sign_in_codes_by_end ON sign_in_codes (expires_at);
`;

/**
 * Names are unique within their owner: a wallet within a partner, an external id within a scope, which is '' for all partners and otherwise the
 * partner's id. The external id comes first in its key, because operators search by it.
 */
const USERS = `
CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  external_id text COLLATE "C" NOT NULL CHECK (char_length(external_id) BETWEEN 1 AND 255),
  label text NOT NULL,
  email text,
  metadata jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  status text NOT NULL CHECK (status IN ('active', 'blocked')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  external_scope text COLLATE "C" NOT NULL DEFAULT '' CHECK (external_scope IN ('', partner_id)),
  UNIQUE (external_id, external_scope)
);
CREATE INDEX users_by_partner ON users (partner_id, created_at, id);

CREATE TABLE wallets (
  address text COLLATE "C" NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  position int NOT NULL,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  PRIMARY KEY (partner_id, address),
  UNIQUE (user_id, position)
);
`;

/**
 * Claims of an `Idempotency-Key`. scope: the partner, whichever of its keys sent the claim, so that replacing a key loses none; for a key without
 * partner, that key. key_id: the key that made the claim, for which its answer is sealed. packed: an answer without what its request repeats.
 */
const IDEMPOTENCY = `
CREATE TABLE idempotency_claims (
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys,
  route text NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  answer bytea,
  subject_id text COLLATE "C",
  claimed_at timestamptz(3) NOT NULL,
  scope text COLLATE "C" NOT NULL,
  packed bytea,
  PRIMARY KEY (scope, route, key),
  CHECK (answer IS NULL OR packed IS NULL)
);
CREATE INDEX idempotency_claims_by_time ON idempotency_claims (claimed_at);
-- Only effects in two halves have such a row, so there are few.
CREATE INDEX idempotency_claims_by_subject ON idempotency_claims (subject_id) WHERE subject_id IS NOT NULL;
`;
