import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Growth factor of a vault's index within an hour, fixed when the hour begins: scale 1e18, 0 while the index rests. */
export class HourlyFactors1000000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Snapshots never change: for earlier hours, every moment counts as the hour's beginning, as before.
    await runner.query('ALTER TABLE snapshots ADD COLUMN factor numeric(40, 0) NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE vault_states ADD COLUMN factor numeric(40, 0) NOT NULL DEFAULT 0');
    await runner.query(BACKFILL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** The current hour continues at the newest observation, as the next tick would have accrued it. */
const BACKFILL = `
UPDATE vault_states s
   SET factor = round((exp(ln((1 + s.last_apy)::numeric(60, 40)) / 8760) - 1) * 1e18)
  FROM markets m
 WHERE m.id = s.market_id AND s.last_apy > -1 AND m.ticked_hour - s.observed_hour < interval '24 hours'`;
