import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** asset: of the campaign from then on, like its other terms; null: every asset. Earlier changes of it were not kept: older terms get the present one. */
export class TermsOfCampaigns1200000000140 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE campaign_terms ADD COLUMN asset text`);
    await runner.query(
      `UPDATE campaign_terms t SET asset = c.asset FROM campaigns c WHERE c.id = t.campaign_id AND c.asset IS NOT NULL`,
    );
  }
}
