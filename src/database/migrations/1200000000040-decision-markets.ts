import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** What the decisions of an hour share, stored once. */
export class DecisionMarkets1200000000040 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MARKETS);
  }
}

/**
 * id: digest of the record, which is text to stay as it is digested. whole_bytes: size of the first decision that refers to it with all that is here,
 * by which a page of them ends. decision_market_id: null: the decision's record is whole, as before this table. No foreign key: each decision would
 * lock the row that all of its hour refer to; both tables are append-only.
 */
const MARKETS = `
CREATE TABLE decision_markets (
  id text COLLATE "C" PRIMARY KEY,
  market_id text COLLATE "C" NOT NULL,
  hour timestamptz(3) NOT NULL,
  record text NOT NULL,
  whole_bytes int NOT NULL
);
CREATE INDEX decision_markets_by_hour ON decision_markets (market_id, hour);
CREATE TRIGGER decision_markets_are_final BEFORE UPDATE ON decision_markets FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_markets_stay BEFORE TRUNCATE ON decision_markets FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_markets_are_kept BEFORE DELETE ON decision_markets FOR EACH ROW EXECUTE FUNCTION refuse_deletion('market_id');
ALTER TABLE decisions ADD COLUMN decision_market_id text COLLATE "C";
`;
