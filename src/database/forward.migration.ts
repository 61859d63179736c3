import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A step that is never taken back: data that a newer version wrote would not survive it. */
export abstract class ForwardMigration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
