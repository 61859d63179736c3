import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Times of real observations: the newest observation behind a regime, whose age can be shown at any moment; and a key's last use, never before its
 * creation.
 */
export class Observed1000000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE regimes ADD COLUMN observed_hour timestamptz(3)');
    // A rate was stored when one had been observed within three hours.
    await runner.query('UPDATE regimes SET observed_hour = hour WHERE apy IS NOT NULL');
    // Uses were rounded down to the minute, which may begin before the key's creation.
    await runner.query('UPDATE api_keys SET last_used_at = created_at WHERE last_used_at < created_at');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
