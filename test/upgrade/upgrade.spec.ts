import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DecisionLog } from '../../src/domain/routing/allocation/decision-log.js';
import { repeatDecision } from '../../src/domain/routing/allocation/decision-verifier.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { onDatabase } from '../faults/load/audit.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Api } from '../support/api.js';
import { vaultline } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { anotherKey } from '../support/partner.js';
import { shapeOf } from '../support/schema-shape.js';

const SECRETS_KEY = Buffer.alloc(32).toString('base64');
/** Partitions of the months in which a database was made and used. */
const MONTHLY = /ledger_entries_\d{4}_\d{2}/;

/**
 * A release's data, restored and brought up to date: what was kept under it is still there, and right. The dump of 1.0.0 stays as it is from the
 * release on; a migration that changes the baseline instead of following it fails here.
 */
describe('the database of 1.0.0', () => {
  let database: TestDatabase;
  let app: TestApp;
  let first: Api;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase('template1');
    env = { DATABASE_URL: database.url, SECRETS_KEY };
    await onDatabase(database.url, (client) => client.sql(readFileSync('test/upgrade/1.0.0.sql', 'utf8')));
    expect(await vaultline(['--contract', 'partner', 'migrate'], env)).toMatchObject({ code: 0 });
    // A process that ticks would add the hours since the dump.
    app = await startApp('partner', { SECRETS_KEY, ROLE: 'api' }, database);
    const partners = (await app.admin.get('/partners')).body.data;
    const { id } = partners.find(({ name }: { name: string }) => name === 'Partner 1');
    first = (await anotherKey(app.admin, { id })).api;
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await database?.drop();
  });

  it('The database of 1.0.0 is migrated to the schema of a new one', async () => {
    const made = await createTestDatabase();
    const [upgraded, empty] = await Promise.all([shapeOf(database.url), shapeOf(made.url)]);
    await made.drop();
    // A partition has the checks of its table, by the same names.
    const lasting = (shape: string[]) => [...new Set(shape)].filter((part) => !MONTHLY.test(part));
    expect(lasting(upgraded)).toEqual(lasting(empty));
  });

  it('The database of 1.0.0 passes ledger verify with 0 differences', async () => {
    const { code, output } = await vaultline(['--contract', 'partner', 'ledger', 'verify'], env);
    expect(output).toMatch(/^3 positions, 22 entries, .+ checked: 0 differences\.\n/);
    expect(code).toBe(0);
  });

  it('The database of 1.0.0 is served over HTTP', async () => {
    const { totals } = (await first.get('/partner/summary')).body.data;
    expect(totals.deposits).toBe(50_300);
    expect(totals.withdrawals).toBeGreaterThan(20_299);
    const positions = (await first.get('/positions')).body.data;
    const statuses = positions.map(({ status }: { status: string }) => status);
    expect(statuses.sort()).toEqual(['active', 'closed']);
    const [user] = (await first.get('/partner/users')).body.data;
    const ledger = (await first.get(`/users/${user.id}/ledger`)).body.data;
    const types = new Set(ledger.map(({ type }: { type: string }) => type));
    expect([...types].sort()).toEqual(['deposit', 'rebalance', 'withdrawal', 'yield_accrual']);
    for (const path of ['/analytics/decisions', '/webhooks', '/partner/tvl'])
      expect([path, (await first.get(path)).status]).toEqual([path, 200]);
  });

  it('The database of 1.0.0 accepts new records', async () => {
    expect((await first.post('/users', { external_id: 'after the upgrade' })).status).toBe(201);
  });

  it('The database of 1.0.0 shows and replays decisions as they were stored, beside new ones that share their market', async () => {
    const stored = await app.sql<{ id: string; record: string }>(
      'SELECT id, record::text FROM decisions WHERE decision_market_id IS NULL ORDER BY id',
    );
    expect(stored.length).toBeGreaterThan(2);
    const log = app.application.get(DecisionLog);
    for (const { id, record } of stored) {
      const decision = await log.find(id);
      expect(JSON.stringify(decision.record)).toBe(JSON.stringify(JSON.parse(record)));
      expect([id, repeatDecision(decision.record).isSame]).toEqual([id, true]);
    }
    const { id: userId } = dataOf(await first.post('/users', { external_id: 'beside' }), 201);
    const deposit = { userId, asset: 'USDC', amount: 100_000_000n, txHash: newTxHash(), partnerId: null };
    await app.application.get(DepositService).deposit(deposit);
    const listed = (await first.get('/analytics/decisions')).body.data;
    const summaries = (await first.get('/analytics/decisions?view=summary')).body.data;
    expect(summaries.map(({ id }: { id: string }) => id)).toEqual(listed.map(({ id }: { id: string }) => id));
    const old = listed.filter(({ id }: { id: string }) => stored.some((item) => item.id === id));
    expect([old.length > 0, listed.length - old.length]).toEqual([true, 1]);
    for (const { inputs, alternatives } of listed)
      expect(alternatives.length).toBeGreaterThanOrEqual(inputs.candidates.length);
  });
});
