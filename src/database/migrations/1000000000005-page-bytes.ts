import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sizes of the rows of long lists. A statement that ends a page by bytes adds them up before it reads large values; without them, PostgreSQL would
 * have to decompress a json to know its length. Null in rows from before, and from replicas of the older version, which are measured when they are
 * listed.
 */
export class PageBytes1000000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decisions ADD COLUMN record_bytes int');
    await runner.query('ALTER TABLE events ADD COLUMN envelope_bytes int');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
