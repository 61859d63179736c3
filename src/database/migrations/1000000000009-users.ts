import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names are unique within their owner: a wallet within a partner, an external id within a scope. */
export class Users1000000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT current_schema() AS schema')) as [{ schema: string }];
    await runner.query(SCOPES);
    // Each sandbox account has a scope of its own from now on, existing ones too.
    if (schema === 'sandbox') await runner.query('UPDATE users SET external_scope = partner_id');
    await runner.query(EXTERNAL_IDS);
    await runner.query(WALLETS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const SCOPES = `
-- external_scope '': all partners. Otherwise the partner's id.
ALTER TABLE users
  ADD COLUMN external_scope text COLLATE "C" NOT NULL DEFAULT '' CHECK (external_scope IN ('', partner_id)),
  DROP CONSTRAINT users_external_id_key;
`;

/** The external id comes first, because operators search by it. */
const EXTERNAL_IDS = `
ALTER TABLE users ADD UNIQUE (external_id, external_scope);
`;

const WALLETS = `
ALTER TABLE wallets ADD COLUMN partner_id text COLLATE "C" REFERENCES partners;
UPDATE wallets w SET partner_id = u.partner_id FROM users u WHERE u.id = w.user_id;
ALTER TABLE wallets
  ALTER COLUMN partner_id SET NOT NULL,
  DROP CONSTRAINT wallets_pkey,
  ADD PRIMARY KEY (partner_id, address);
`;
