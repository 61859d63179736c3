import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Markets of accounts: a seed, a clock ahead of wall time, and a scenario. */
export class Accounts1000000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ACCOUNTS);
    await runner.query(FORGETTING);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const ACCOUNTS = `
-- owner_id: partner that has the market to itself; null: shared. seed null: the market's id is the seed.
ALTER TABLE markets
  ADD COLUMN owner_id text COLLATE "C" REFERENCES partners,
  ADD COLUMN seed text CHECK (char_length(seed) BETWEEN 1 AND 64),
  ADD COLUMN hours_ahead int NOT NULL DEFAULT 0 CHECK (hours_ahead >= 0),
  ADD COLUMN scenario text CHECK (scenario IN ('calm', 'rising', 'falling', 'volatile', 'outage')),
  ADD COLUMN scenario_from timestamptz(3),
  ADD CHECK (owner_id IS NOT NULL OR (hours_ahead = 0 AND seed IS NULL AND scenario IS NULL)),
  ADD CHECK ((scenario IS NULL) = (scenario_from IS NULL));
CREATE INDEX markets_by_owner ON markets (owner_id) WHERE owner_id IS NOT NULL;
`;

/**
 * Exception to append-only tables: the reset of a simulated market by its owner. The transaction has to name the market, and a shared market cannot
 * be deleted, whatever is named.
 */
const FORGETTING = `
CREATE FUNCTION may_forget(market text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_setting('vaultline.forgotten_market', true) = market
     AND EXISTS (SELECT FROM markets WHERE id = market AND owner_id IS NOT NULL)
$$;

CREATE FUNCTION refuse_deletion_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF may_forget((SELECT market_id FROM positions WHERE id = OLD.position_id)) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
DROP TRIGGER ledger_is_final ON ledger_entries;
CREATE TRIGGER ledger_is_final BEFORE UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_is_kept BEFORE DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_entry();

CREATE FUNCTION refuse_deletion_of_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF may_forget(OLD.market_id) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
DROP TRIGGER decisions_are_final ON decisions;
CREATE TRIGGER decisions_are_final BEFORE UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_decision();
`;
