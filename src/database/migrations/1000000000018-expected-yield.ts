import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Averages of a vault's observed APY and the expected APY; simulated TVLs, and the hour from which a market's random draws are counted. */
export class ExpectedYield1000000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE vault_states ADD COLUMN recent_apy double precision, ADD COLUMN long_apy double precision,
        ADD CHECK ((recent_apy IS NULL) = (long_apy IS NULL))`);
    await runner.query('ALTER TABLE signals ADD COLUMN expected_apy double precision');
    await runner.query(MARKETS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** simulated_size: state of a simulated vault's TVL. Null in rows from replicas of the older version. */
const MARKETS = `
ALTER TABLE vault_states ADD COLUMN simulated_size double precision;
ALTER TABLE markets ADD COLUMN begun_hour timestamptz(3) CHECK (date_trunc('hour', begun_hour, 'UTC') = begun_hour);
UPDATE markets m SET begun_hour = (SELECT min(s.hour) FROM snapshots s WHERE s.market_id = m.id);
ALTER TABLE markets DROP CONSTRAINT markets_scenario_check,
  ADD CONSTRAINT markets_scenario_check
    CHECK (scenario IN ('calm', 'rising', 'falling', 'volatile', 'outage', 'loss', 'run'));`;
