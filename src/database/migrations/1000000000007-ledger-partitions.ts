import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ledger partitions are created by one process at a time and never for an account ahead of wall time: where accounts have clocks of their own, a
 * default partition takes all entries that no month's does.
 */
export class LedgerPartitions1000000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PREPARE);
    await runner.query(SHARE);
    await runner.query(MERGE);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * The lock is on a relation: after waiting for it, a process sees what was created meanwhile, which an advisory lock does not ensure. It does not
 * block writes. Replicas of the older version ask for a month for each hour of an account: with a default partition none is created.
 */
const PREPARE = `
CREATE OR REPLACE FUNCTION has_table(name text) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace)
$$;

CREATE OR REPLACE FUNCTION prepare_ledger(moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamptz;
  partition text;
BEGIN
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  FOR month IN SELECT date_trunc('month', moment, 'UTC') + n * interval '1 month' FROM generate_series(0, 1) AS n LOOP
    partition := 'ledger_entries_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
    CONTINUE WHEN has_table(partition);
    LOCK TABLE ledger_entries IN SHARE UPDATE EXCLUSIVE MODE;
    CONTINUE WHEN has_table(partition);
    EXECUTE format('CREATE TABLE %I (LIKE ledger_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
    EXECUTE format('ALTER TABLE ledger_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      partition, month, date_trunc('month', month, 'UTC') + interval '1 month');
  END LOOP;
END $$;
`;

/** From then on no month is created: attaching one would read the whole default partition while writes are blocked. */
const SHARE = `
CREATE OR REPLACE FUNCTION share_ledger() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  LOCK TABLE ledger_entries IN SHARE UPDATE EXCLUSIVE MODE;
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  CREATE TABLE ledger_entries_shared (LIKE ledger_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON ledger_entries_shared FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ALTER TABLE ledger_entries ATTACH PARTITION ledger_entries_shared DEFAULT;
END $$;
`;

/** Months that accounts created ahead of wall time are merged into the default partition: their entries are the same rows elsewhere. */
const MERGE = `
DO $$
DECLARE
  partition name;
BEGIN
  IF NOT EXISTS (SELECT FROM markets WHERE owner_id IS NOT NULL) THEN RETURN; END IF;
  PERFORM share_ledger();
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'ledger_entries'::regclass AND c.relname ~ '^ledger_entries_[0-9]{4}_[0-9]{2}$'
       AND c.relname > 'ledger_entries_' || to_char(now() AT TIME ZONE 'UTC' + interval '1 month', 'YYYY_MM')
     ORDER BY c.relname
  LOOP
    EXECUTE format('ALTER TABLE ledger_entries DETACH PARTITION %I', partition);
    EXECUTE format('INSERT INTO ledger_entries SELECT * FROM %I', partition);
    EXECUTE format('DROP TABLE %I', partition);
  END LOOP;
END $$;
`;
