import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What all processes of a deployment share, and every change of it. */
export class Identity1000000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CHANGES);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** identity: settings by name, of which the newest row is in force. */
const CHANGES = `
CREATE TABLE deployment_changes (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  identity jsonb NOT NULL,
  reason text NOT NULL CHECK (length(reason) <= 500),
  changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER deployment_changes_are_final BEFORE UPDATE OR DELETE ON deployment_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deployment_changes_stay BEFORE TRUNCATE ON deployment_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;
