import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** With separate custody a partner has accounts of its own, and reserves. */
export class SeparateCustody1200000000110 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PARTNERS, RESERVES]) await runner.query(sql);
  }
}

/** custody_accounts: lists of addresses by chain, in lower case. */
const PARTNERS = `
ALTER TABLE partners ADD COLUMN custody_accounts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(custody_accounts) = 'object');
`;

/** partner_id: partner whose accounts were read; null: they hold everybody's funds. */
const RESERVES = `
ALTER TABLE reserves ADD COLUMN partner_id text COLLATE "C" REFERENCES partners;
ALTER TABLE reserves DROP CONSTRAINT reserves_pkey;
CREATE UNIQUE INDEX reserves_of_hour ON reserves (hour, vault_id, partner_id) NULLS NOT DISTINCT;
CREATE INDEX reserves_by_partner ON reserves (partner_id, hour) WHERE partner_id IS NOT NULL;
`;
