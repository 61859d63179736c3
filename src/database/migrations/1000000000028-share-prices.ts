import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vaults that are followed by their share price on a chain. */
export class SharePrices1000000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STATES);
    await runner.query('ALTER TABLE markets ADD COLUMN booked_hour timestamptz(3)');
    await runner.query(PRICES);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** Last observed price. A single price gives no yield, so an hour may be observed without one. */
const STATES = `
ALTER TABLE vault_states
  DROP CONSTRAINT vault_states_check,
  ADD CHECK (last_apy IS NULL OR observed_hour IS NOT NULL),
  ADD COLUMN price_source text COLLATE "C",
  ADD COLUMN price numeric(78, 0) CHECK (price >= 0),
  ADD COLUMN price_target numeric(60, 0) CHECK (price_target > 0),
  ADD COLUMN price_block numeric(20, 0),
  ADD COLUMN price_at timestamptz(3),
  ADD COLUMN week_apy double precision,
  ADD COLUMN other_apy double precision,
  ADD CHECK (num_nonnulls(price_source, price, price_target, price_block, price_at) IN (0, 5))`;

/** Share prices by the hour in which they were the newest on the chain: of the deployment's own hours, and of earlier hours that were read later. */
const PRICES = `
CREATE TABLE share_prices (
  vault_id text COLLATE "C" NOT NULL,
  hour timestamptz(3) NOT NULL CHECK (date_trunc('hour', hour, 'UTC') = hour),
  source text COLLATE "C" NOT NULL,
  price numeric(78, 0) NOT NULL CHECK (price >= 0),
  tvl numeric(40, 0) CHECK (tvl >= 0),
  block_number numeric(20, 0) NOT NULL,
  block_hash text COLLATE "C" NOT NULL,
  block_at timestamptz(3) NOT NULL,
  PRIMARY KEY (vault_id, source, hour)
);
CREATE TRIGGER share_prices_are_final BEFORE UPDATE ON share_prices FOR EACH ROW EXECUTE FUNCTION refuse_change();`;
