import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** A failure for a request that was sent whole and not answered, and the owner of the administrators' alerts, which are kept without a receiver too. */
export class OutcomesAndOwner1200000000010 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [FAILURES, OWNER]) await runner.query(sql);
  }
}

const FAILURES = `
ALTER TABLE deliveries DROP CONSTRAINT deliveries_failure_check, ADD CONSTRAINT deliveries_failure_check CHECK (failure IN
  ('blocked_address', 'dns_error', 'connect_error', 'tls_error', 'response_error', 'timeout', 'http_status', 'interrupted', 'dropped'));
`;

const OWNER = `
INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at)
VALUES ('deployment', 'The deployment', 'active', 0, 0, '{}', now(), now()) ON CONFLICT DO NOTHING;
`;
