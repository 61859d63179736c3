import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settlements: chain status of each reported transfer, resolutions of contradicted ones, and ledger entries that reverse transfers. */
export class Settlements1000000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SETTLEMENTS);
    await runner.query(LEDGER);
    await runner.query(POSITIONS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * Rows from before, and from processes of the older version, have no partner: the checks fill it in first (`settlements.adopt`). Their ids are
 * generated here, from the time and random digits in the alphabet of all ids. tx_hash becomes null when the transfer is voided: its hash can then be
 * reported again.
 */
const SETTLEMENTS = `
CREATE FUNCTION new_settlement_id() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT 'set_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC)
         || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS moment, generate_series(0, 9) AS place
$$;

-- due_at: time of the next check; null: never. found_amount: amount moved according to the chain. block: block of the transaction.
ALTER TABLE settlements
  DROP CONSTRAINT settlements_pkey,
  ALTER COLUMN tx_hash DROP NOT NULL,
  ADD CONSTRAINT settlements_tx_hash_once UNIQUE (tx_hash),
  ADD COLUMN id text COLLATE "C" NOT NULL DEFAULT new_settlement_id() PRIMARY KEY,
  ADD COLUMN partner_id text COLLATE "C",
  ADD COLUMN asset text,
  ADD COLUMN chain text,
  ADD COLUMN status text NOT NULL DEFAULT 'unchecked' CHECK (status IN ('unchecked', 'seen', 'confirmed', 'mismatch', 'not_found')),
  ADD COLUMN reason text,
  ADD COLUMN block bigint,
  ADD COLUMN found_amount numeric,
  ADD COLUMN checked_at timestamptz(3),
  ADD COLUMN due_at timestamptz(3) DEFAULT clock_timestamp(),
  ADD COLUMN resolution text CHECK (resolution IN ('accept', 'void')),
  ADD COLUMN note text,
  ADD COLUMN resolved_at timestamptz(3),
  ADD COLUMN voided_tx_hash text COLLATE "C",
  ADD CHECK ((resolution IS NULL) = (resolved_at IS NULL) AND (resolution IS NULL) = (note IS NULL)),
  ADD CHECK ((resolution IS NOT DISTINCT FROM 'void') = (tx_hash IS NULL)),
  ADD CHECK ((voided_tx_hash IS NULL) = (tx_hash IS NOT NULL)),
  ADD CHECK (status NOT IN ('seen', 'confirmed', 'mismatch') OR block IS NOT NULL);
CREATE INDEX settlements_by_time ON settlements (recorded_at, id);
CREATE INDEX settlements_by_status ON settlements (status, recorded_at, id);
CREATE INDEX settlements_by_position ON settlements (position_id, recorded_at, id);
CREATE INDEX settlements_unresolved ON settlements (position_id) WHERE status IN ('mismatch', 'not_found') AND resolution IS NULL;
CREATE INDEX settlements_due ON settlements (chain, asset, partner_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX settlements_of_nobody ON settlements (id) WHERE partner_id IS NULL;`;

/** voids: hash of the transfer that an entry reverses. */
const LEDGER = `
ALTER TABLE ledger_entries ADD COLUMN voids text COLLATE "C";`;

/** Of a voided deposit only what was withdrawn remains. */
const POSITIONS = `
ALTER TABLE positions DROP CONSTRAINT positions_deposited_check, ADD CONSTRAINT positions_deposited_check CHECK (deposited >= 0);`;
