import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Data of charts: a vault's risk-adjusted APY by hour, and a partner's books at the end of each day. */
export class Histories1000000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SNAPSHOTS);
    await runner.query(CLOSINGS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const SNAPSHOTS = `ALTER TABLE snapshots ADD COLUMN risk_adjusted_apy double precision;`;

/**
 * as_of: moment of the figures, which is the day's end when the market's hours are on time. lending_value, hold_value: values of the baselines.
 * statements.closed_at: when the day's closings were written, or skipped.
 */
const CLOSINGS = `
ALTER TABLE statements ADD COLUMN closed_at timestamptz(3);
UPDATE statements SET closed_at = done_at;
CREATE INDEX statements_to_close ON statements (market_id, day_end) WHERE closed_at IS NULL;

CREATE TABLE daily_closings (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  asset text NOT NULL,
  day timestamptz(3) NOT NULL CHECK (date_trunc('day', day, 'UTC') = day),
  as_of timestamptz(3) NOT NULL,
  net_tvl numeric(40, 0) NOT NULL,
  deposits numeric(40, 0) NOT NULL,
  withdrawals numeric(40, 0) NOT NULL,
  costs numeric(40, 0) NOT NULL,
  revenue numeric(40, 0) NOT NULL,
  grains numeric NOT NULL,
  lending_value numeric(40, 0) NOT NULL,
  hold_value numeric(40, 0) NOT NULL,
  settled_lending numeric(40, 0) NOT NULL,
  settled_hold numeric(40, 0) NOT NULL,
  PRIMARY KEY (partner_id, asset, day)
);
CREATE TRIGGER daily_closings_are_final BEFORE UPDATE ON daily_closings FOR EACH ROW EXECUTE FUNCTION refuse_change();`;
