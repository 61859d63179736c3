import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reason of a hold beside its record: each hour looks at the reasons of three days, and a record of 40 KB is decompressed and parsed to find one.
 * null in rows of the version before, whose records are looked into.
 */
export class Blocked1000000000046 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decisions ADD COLUMN blocked text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
