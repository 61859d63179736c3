import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Scenarios of an account in which moves wait, arrive late or are refused. */
export class ScenariosOfMoves1200000000050 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCENARIOS);
  }
}

const SCENARIOS = `
ALTER TABLE markets DROP CONSTRAINT markets_scenario_check, ADD CONSTRAINT markets_scenario_check CHECK (scenario IN
  ('calm', 'rising', 'falling', 'volatile', 'outage', 'loss', 'run', 'failing', 'stalled', 'queue', 'full'));
`;
