import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A text that was sealed at the first start: whoever cannot open it has another key. */
export class Canary1000000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CANARY);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const CANARY = `
-- One row at most.
CREATE TABLE secrets_canary (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  sealed bytea NOT NULL,
  sealed_at timestamptz(3) NOT NULL
);
`;
