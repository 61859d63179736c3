import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Expiry of keys, sessions that depend on them, and one-time codes that open a session. */
export class Sessions1000000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(KEYS);
    await runner.query(SESSIONS);
    await runner.query(CODES);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const KEYS = `
ALTER TABLE api_keys ADD COLUMN expires_at timestamptz(3);`;

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
CREATE INDEX sessions_by_end ON sessions (expires_at);`;

const CODES = `
CREATE TABLE sign_in_codes (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX sign_in_codes_by_end ON sign_in_codes (expires_at);`;
