import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How large the rows of long lists are. A statement that ends a page by its bytes adds them up before it reads what is large: PostgreSQL would have to
 * unpack a json to tell its length. Null in rows of before and of replicas of the version before, which are measured when they are listed.
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
