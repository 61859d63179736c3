import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { Account, startSandboxAt } from './account.js';

/** A reset deletes what the database keeps from everybody; the door that it uses is open to nothing else. */
describe('ledger and decisions beside a reset', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startSandboxAt('2026-11-20T12:00:00Z');
  });
  afterAll(() => app.close());

  const refused = async (text: string, setting?: string, schema: 'live' | 'sandbox' = 'sandbox') => {
    const set = setting === undefined ? '' : `SET vaultline.forgotten_market = '${setting}';`;
    return app.database.query(schema, `BEGIN; ${set} ${text}; COMMIT`).then(
      () => 'done',
      (error: Error) => error.message,
    );
  };

  it('UPDATE, DELETE and TRUNCATE are refused, also where another market, or none, is named', async () => {
    const [account, other] = [await Account.open(app), await Account.open(app)];
    await account.deposit(10);
    for (const table of ['ledger_entries', 'decisions']) {
      for (const setting of [undefined, '', 'base', other.id])
        expect(await refused(`DELETE FROM ${table}`, setting)).toMatch(
          new RegExp(`^${table}\\w* is append-only$`),
        );
      for (const setting of [undefined, account.id]) {
        expect(await refused(`UPDATE ${table} SET at = at`, setting)).toMatch(/is append-only$/);
        expect(await refused(`TRUNCATE ${table} CASCADE`, setting)).toMatch(/is append-only$/);
      }
    }
  });

  it('in the live deployment nothing that is named opens it', async () => {
    await app.database.query(
      'live',
      `INSERT INTO markets (id) VALUES ('base');
       INSERT INTO partners VALUES ('ptn_x', 'x', 'active', null, 0, '{}', now(), now(), null);
       INSERT INTO users VALUES ('usr_x', 'ptn_x', 'x', 'x', null, '{}', 'active', now(), now());
       INSERT INTO positions (id, market_id, partner_id, user_id, asset, status, vault_id, origin_vault_id, lending_vault_id, slot, shares, lending_shares,
              hold_shares, deposited, withdrawn, accrued, costs, settled_lending, settled_hold, withdrawals, campaign_moment, plain_moment, capital_moment,
              opened_at, active_at, accrued_at)
       SELECT 'pos_x', 'base', 'ptn_x', 'usr_x', 'USDC', 'active', 'v', 'v', 'v', 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, now(), now(), now();
       INSERT INTO ledger_entries (id, at, type, user_id, position_id, asset, vault_id, amount, cost, apy, share_index, lending_index, hold_index)
       VALUES ('evt_x', now(), 'deposit', 'usr_x', 'pos_x', 'USDC', 'v', 1, 0, 0.1, 1, 1, 1);
       INSERT INTO decisions VALUES ('dec_x', 'base', 'ptn_x', 'hold', 'USDC', null, null, 0, null, null, now(), '{}', now())`,
    );
    for (const table of ['ledger_entries', 'decisions'])
      for (const setting of [undefined, 'base', 'ptn_x'])
        expect(await refused(`DELETE FROM ${table}`, setting, 'live')).toMatch(
          new RegExp(`^${table}\\w* is append-only$`),
        );
  });
});
