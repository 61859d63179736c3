import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/**
 * Exception to append-only tables: the reset of a simulated market by its owner. The transaction has to name the market, and a shared market cannot
 * be deleted, whatever is named.
 */
export class Accounts1100000000007 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FORGETTING);
  }
}

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
CREATE TRIGGER ledger_is_kept BEFORE DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_entry();

-- The argument is the column with the market, or with the partner, whose simulated market has its id.
CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF may_forget(to_jsonb(OLD) ->> TG_ARGV[0]) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_deletion('market_id');
CREATE TRIGGER daily_closings_are_kept BEFORE DELETE ON daily_closings FOR EACH ROW EXECUTE FUNCTION refuse_deletion('partner_id');
CREATE TRIGGER closed_books_are_kept BEFORE DELETE ON closed_books FOR EACH ROW EXECUTE FUNCTION refuse_deletion('partner_id');
`;
