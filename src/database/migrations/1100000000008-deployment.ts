import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** What operators see of a deployment, who changed what, what its partners store, and functions that reach its queue. */
export class Deployment1100000000008 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT current_schema() AS schema')) as [{ schema: string }];
    for (const sql of [REPLICAS, CHANGES, AUDIT, AUDIT_RETENTION, CANARY, STORED_BYTES])
      await runner.query(sql);
    await runner.query(queue(`"${schema}_jobs"`));
  }
}

/** sends: number of the process's sends by outcome since its start. */
const REPLICAS = `
CREATE TABLE replicas (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) <= 253),
  role text NOT NULL,
  version text NOT NULL,
  sends jsonb NOT NULL,
  secrets_keys text[] NOT NULL DEFAULT '{}',
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL
);
`;

/** Changes of what all processes share. identity: settings by name, of which the newest row is in force. */
const CHANGES = `
CREATE TABLE deployment_changes (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  identity jsonb NOT NULL,
  reason text NOT NULL CHECK (length(reason) <= 500),
  changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER deployment_changes_are_final BEFORE UPDATE OR DELETE ON deployment_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deployment_changes_stay BEFORE TRUNCATE ON deployment_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

/**
 * Audit log: a row of each change, written in the transaction of the change. audit_queue: entries that the chain lacks. audit_links: the chain, in
 * the order in which it took entries up. audit_chain: its ends; first is the newest link that a retention removed.
 */
const AUDIT = `
CREATE TABLE audit_entries (
  id text COLLATE "C" PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  kind text NOT NULL CHECK (kind IN ('key', 'session', 'cli', 'system')),
  key_id text COLLATE "C",
  session_id text COLLATE "C",
  label text,
  "user" text,
  partner_id text COLLATE "C",
  address text,
  operation text NOT NULL,
  subjects text[] NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  CHECK ((kind IN ('key', 'session')) = (key_id IS NOT NULL))
);
CREATE INDEX audit_entries_by_time ON audit_entries (at, id);
CREATE INDEX audit_entries_by_partner ON audit_entries (partner_id, at, id) WHERE partner_id IS NOT NULL;
CREATE INDEX audit_entries_by_key ON audit_entries (key_id, at, id) WHERE key_id IS NOT NULL;
CREATE INDEX audit_entries_by_operation ON audit_entries (operation, at, id);
CREATE INDEX audit_entries_by_subject ON audit_entries USING gin (subjects);

CREATE TABLE audit_queue (entry_id text COLLATE "C" PRIMARY KEY);

CREATE TABLE audit_links (
  number bigint PRIMARY KEY,
  entry_id text COLLATE "C" NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);

CREATE TABLE audit_chain (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  first bigint NOT NULL DEFAULT 0,
  first_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  last bigint NOT NULL DEFAULT 0,
  last_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  CHECK (first <= last)
);
INSERT INTO audit_chain DEFAULT VALUES;
`;

/** Only links before the chain's first one, and their entries, can be deleted. */
const AUDIT_RETENTION = `
CREATE FUNCTION refuse_deletion_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM audit_links l JOIN audit_chain c ON l.number <= c.first WHERE l.entry_id = to_jsonb(OLD) ->> TG_ARGV[0]) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_audit('id');
CREATE TRIGGER audit_stays BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_links_are_final BEFORE UPDATE ON audit_links FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_links_are_kept BEFORE DELETE ON audit_links FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_audit('entry_id');
CREATE TRIGGER audit_links_stay BEFORE TRUNCATE ON audit_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Removes up to most entries from the beginning of the chain, as far as they are older than a time.
CREATE FUNCTION forget_audit(older_than timestamptz, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  gone text[];
BEGIN
  UPDATE audit_chain SET first = newest.number, first_hash = newest.hash
    FROM (SELECT number, hash FROM (
            SELECT l.number, l.hash, bool_and(e.at < older_than) OVER (ORDER BY l.number) AS aged
              FROM (SELECT * FROM audit_links ORDER BY number LIMIT most) AS l JOIN audit_entries e ON e.id = l.entry_id) AS oldest
           WHERE aged ORDER BY number DESC LIMIT 1) AS newest;
  gone := ARRAY(SELECT entry_id FROM audit_links JOIN audit_chain ON number <= first);
  DELETE FROM audit_entries WHERE id = ANY(gone);
  DELETE FROM audit_links WHERE entry_id = ANY(gone);
  RETURN cardinality(gone);
END $$;
`;

/** A text sealed at the first start, by which a different encryption key is recognised. former_sealed: under the previous key, during a rotation. */
const CANARY = `
-- At most one row.
CREATE TABLE secrets_canary (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  sealed bytea NOT NULL,
  former_sealed bytea,
  sealed_at timestamptz(3) NOT NULL
);
`;

/**
 * Bytes stored for each partner, counted by a job: a row of each partner that has written. due_at: when it is counted next. rest_until: it is not
 * counted earlier, however much it writes.
 */
const STORED_BYTES = `
CREATE TABLE stored_bytes (
  partner_id text COLLATE "C" PRIMARY KEY,
  records bigint NOT NULL DEFAULT 0,
  traffic bigint NOT NULL DEFAULT 0,
  book bigint NOT NULL DEFAULT 0,
  rest_until timestamptz NOT NULL DEFAULT '-infinity',
  due_at timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
CREATE INDEX stored_bytes_due ON stored_bytes (due_at);
CREATE INDEX stored_bytes_by_records ON stored_bytes (records);
CREATE INDEX stored_bytes_by_traffic ON stored_bytes (traffic);
CREATE INDEX stored_bytes_by_book ON stored_bytes (book);
`;

/** Functions that give our statements access to the queue's schema, whose name differs by deployment. */
const queue = (jobs: string): string => `
CREATE FUNCTION enqueue(specs json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${jobs}.add_jobs(array_agg(spec)) FROM json_populate_recordset(null::${jobs}.job_spec, specs) AS spec;
END $$;

-- run_at: time of the next retry, some time after the last failure. A running job is locked.
CREATE FUNCTION remove_failed_jobs(kept_hours int, most int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM ${jobs}.complete_jobs(ARRAY(
      SELECT id FROM ${jobs}.jobs
       WHERE attempts >= max_attempts AND locked_at IS NULL AND run_at < now() - kept_hours * interval '1 hour'
       ORDER BY id LIMIT most)));
END $$;

-- Due jobs that nobody has taken, by task; a job that has failed for good does not count.
CREATE FUNCTION waiting_jobs() RETURNS TABLE (task text, waiting int, oldest_seconds float8) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
    SELECT task_identifier, count(*)::int, extract(epoch FROM clock_timestamp() - min(run_at))::float8
      FROM ${jobs}.jobs
     WHERE run_at <= clock_timestamp() AND locked_at IS NULL AND attempts < max_attempts
     GROUP BY task_identifier;
END $$;
`;
