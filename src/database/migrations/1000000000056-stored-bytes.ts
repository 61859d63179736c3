import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A job counts what each partner stores: the triggers on tables that requests write to go. */
export class StoredBytes1000000000056 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NO_TRIGGERS);
    await runner.query(ONE_ROW);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const NO_TRIGGERS = `
DO $$
DECLARE
  counting regprocedure;
BEGIN
  FOR counting IN
    SELECT oid::regprocedure FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname ~ '^count_.*_(insert|update|delete)$' AND prorettype = 'trigger'::regtype
  LOOP
    EXECUTE 'DROP FUNCTION ' || counting || ' CASCADE';
  END LOOP;
END $$;
DROP FUNCTION add_stored_bytes(text, bigint, bigint, bigint);
`;

/**
 * A row of each partner that has written. due_at: when it is counted next. rest_until: it is not counted earlier, however much it writes. The names of
 * the sums stay, which processes of the version before read.
 */
const ONE_ROW = `
CREATE TEMPORARY TABLE sums ON COMMIT DROP AS
SELECT partner_id, sum(records) AS records, sum(traffic) AS traffic, sum(book) AS book FROM stored_bytes GROUP BY partner_id;
TRUNCATE stored_bytes;
ALTER TABLE stored_bytes
  DROP COLUMN slot,
  ADD PRIMARY KEY (partner_id),
  ALTER records SET DEFAULT 0, ALTER traffic SET DEFAULT 0, ALTER book SET DEFAULT 0,
  ADD COLUMN rest_until timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT '-infinity';
INSERT INTO stored_bytes SELECT * FROM sums;
CREATE INDEX stored_bytes_due ON stored_bytes (due_at);
CREATE INDEX stored_bytes_by_records ON stored_bytes (records);
CREATE INDEX stored_bytes_by_traffic ON stored_bytes (traffic);
CREATE INDEX stored_bytes_by_book ON stored_bytes (book);
CREATE INDEX api_keys_by_partner ON api_keys (partner_id) WHERE partner_id IS NOT NULL;
`;
