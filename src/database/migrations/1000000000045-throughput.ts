import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reduces what hours and the statement of a day cost beyond their rows. */
export class Throughput1000000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STAMP);
    await runner.query(ROOM);
    await runner.query(COUNTING);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * Stamp of the process that added the newest hours of a market: a process that finds its own stamp has them in memory and need not read them. null:
 * they have to be read.
 */
const STAMP = `ALTER TABLE markets ADD COLUMN hours_stamp uuid;`;

/**
 * HOT updates: the statement of a day changes every open position, and a new row version without room in its page is written to all eight indexes.
 */
const ROOM = `ALTER TABLE positions SET (fillfactor = 50);`;

/** A statement of a day adds entries of many partners at once: all are counted by one statement, in slots that are found as \`add_stored_bytes\` finds them. */
const COUNTING = `
CREATE OR REPLACE FUNCTION count_ledger_entries_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH changes AS (
    SELECT p.partner_id, sum(CASE r.type WHEN 'deposit' THEN 3072 ELSE 768 END)::bigint AS bytes
      FROM come r JOIN positions p ON p.id = r.position_id GROUP BY p.partner_id
  ), slots AS MATERIALIZED (
    SELECT changes.*, free.slot
      FROM changes
      LEFT JOIN LATERAL (
        SELECT s.slot FROM stored_bytes s WHERE s.partner_id = changes.partner_id ORDER BY s.slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS free ON true
  ), added AS (
    UPDATE stored_bytes s SET book = s.book + slots.bytes FROM slots WHERE s.partner_id = slots.partner_id AND s.slot = slots.slot
  )
  INSERT INTO stored_bytes (partner_id, records, traffic, book) SELECT partner_id, 0, 0, bytes FROM slots WHERE slot IS NULL;
  RETURN NULL;
END $$;`;
