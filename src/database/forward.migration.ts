import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Migration that is never reverted: data written by a newer version would not survive it. */
export abstract class ForwardMigration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
