import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Policies: partners' own rules for their funds. */
export class Policies1000000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(POLICIES);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** One row for each change. own: the partner's rules; bounds: an administrator's bounds; in_force: both combined, identified by digest. */
const POLICIES = `
CREATE TABLE partner_policies (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  version int NOT NULL CHECK (version > 0),
  at timestamptz(3) NOT NULL,
  own jsonb NOT NULL,
  bounds jsonb NOT NULL,
  in_force jsonb NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (partner_id, version)
);
CREATE TRIGGER partner_policies_are_final BEFORE UPDATE ON partner_policies FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;
