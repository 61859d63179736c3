import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Averages of a vault's observed APY, carried from hour to hour, and what is expected of them. */
export class ExpectedYield1000000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE vault_states ADD COLUMN recent_apy double precision, ADD COLUMN long_apy double precision,
        ADD CHECK ((recent_apy IS NULL) = (long_apy IS NULL))`);
    await runner.query('ALTER TABLE signals ADD COLUMN expected_apy double precision');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
