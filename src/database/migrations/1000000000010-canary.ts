import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Canary: a text sealed at the first start, by which a different encryption key is recognised. */
export class Canary1000000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CANARY);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const CANARY = `
-- At most one row.
CREATE TABLE secrets_canary (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  sealed bytea NOT NULL,
  sealed_at timestamptz(3) NOT NULL
);
`;
