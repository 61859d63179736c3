import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** suspended_at: refused since then, until the operator resumes the key. */
export class SuspendedKeys1200000000020 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN suspended_at timestamptz(3)');
  }
}
