import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { createDemoAccount } from '../../src/cli/demo-account.js';
import { loadSettings } from '../../src/config/settings.js';
import { DAY_MS } from '../../src/domain/kernel/clock.js';
import type { Api } from '../support/api.js';
import { withDomain } from '../../src/cli/context.js';
import { startApp, type TestApp } from '../support/app.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const REPORTS = [
  '/partner/summary',
  '/partner/users',
  '/partner/deposits',
  '/partner/withdrawals',
  '/partner/tvl',
  '/partner/yield',
  '/partner/yield/history/USDC',
  '/partner/yield/history/USDT',
  '/partner/points',
  '/partner/revenue',
  '/yield/history/USDC',
  '/analytics/uplift',
  '/analytics/signals',
  '/analytics/regime',
  '/analytics/advisor',
];
/** Fields that are null where they have nothing to name: an unset filter, a position without a campaign, the reason of a known regime. */
const NAMES = new Set(['asset', 'from', 'campaign_id', 'reason']);

/** The database of a data folder that was unused for months, without an account: no partition of the ledger was created since. */
async function oldDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await database.query(
    'sandbox',
    `DO $$ DECLARE partition regclass; BEGIN
       FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'ledger_entries'::regclass LOOP
         EXECUTE format('DROP TABLE %s', partition);
       END LOOP;
     END $$;
     SELECT prepare_ledger(now() - interval '3 months')`,
  );
  return database;
}

/** The demo account that `npm start` creates before the server starts, so that the first request shows figures. */
describe('the demo account', () => {
  let database: TestDatabase;
  let app: TestApp;
  let key: string;
  let api: Api;

  beforeAll(async () => {
    database = await oldDatabase();
    const settings = loadSettings({ CONTRACT: 'sandbox', DATABASE_URL: database.url, SECRETS_KEY });
    key = await withDomain(settings, (context) => createDemoAccount(context, undefined));
    app = await startApp('sandbox', {}, database);
    api = app.admin.as(key);
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('The demo account has ledger partitions in a data folder that was unused for months', () =>
    expect(key).toMatch(/^vl_sandbox_/));

  it('The demo account has four users; three of them have eight positions of 40 days', async () => {
    const users = (await api.get('/partner/users')).body.data;
    expect(users).toHaveLength(4);
    const { now } = (await api.get('/simulation/clock')).body.data;
    const positions = (await api.get('/positions')).body.data;
    expect(positions).toHaveLength(8);
    for (const { opened_at, status, value } of positions) {
      expect(Date.parse(now) - Date.parse(opened_at)).toBeGreaterThanOrEqual(40 * DAY_MS);
      expect([status, value > 0]).toEqual(['active', true]);
    }
    // One is on its way to another vault.
    expect(positions.filter(({ apy }: { apy: number }) => apy === 0)).toHaveLength(1);
    expect(new Set(positions.map(({ asset }: { asset: string }) => asset)).size).toBe(2);
  });

  it.each(REPORTS)('GET %s has no null, and a figure above 0', async (path) => {
    const { status, body } = await api.get(path);
    expect(status).toBe(200);
    const figures: number[] = [];
    const nulls: string[] = [];
    JSON.stringify(body.data, (name, value: unknown) => {
      if (value === null && !NAMES.has(name)) nulls.push(name);
      if (typeof value === 'number') figures.push(value);
      return value;
    });
    expect(nulls).toEqual([]);
    expect(figures.some((figure) => figure > 0)).toBe(true);
  });

  it('The demo account has decisions, a ledger of every day, points and a share of the revenue', async () => {
    const decided = async (kind: string): Promise<unknown[]> =>
      (await api.get(`/analytics/decisions?kind=${kind}`)).body.data;
    expect(await decided('route')).toHaveLength(8);
    for (const kind of ['hold', 'rebalance']) expect((await decided(kind)).length).toBeGreaterThan(0);
    const [{ id }] = (await api.get('/partner/users')).body.data;
    expect((await api.get(`/users/${id}/ledger`)).body.data.length).toBeGreaterThanOrEqual(40);
    const { totals, points, revenue } = (await api.get('/partner/summary')).body.data;
    for (const figure of [totals.deposits, totals.withdrawals, totals.yield, points, revenue])
      expect(figure).toBeGreaterThan(0);
  });

  it('The demo account has moves with their promise and outcome', async () => {
    const { data } = (await api.get('/analytics/decisions?kind=rebalance')).body;
    const moves = data.filter(({ reason }: { reason: string }) => reason === 'all_gates_passed').toReversed();
    const ways = moves.map((move: { from_vault_id: string; to_vault_id: string }) => [
      move.from_vault_id,
      move.to_vault_id,
    ]);
    expect(ways).toEqual([
      ['vlt_lantern_usdc', 'vlt_meridian_usdc'],
      ['vlt_harbor_lend_usdt', 'vlt_meridian_usdt'],
      ['vlt_meridian_usdt', 'vlt_harbor_lend_usdt'],
      ['vlt_harbor_lend_usdt', 'vlt_meridian_usdt'],
    ]);
    for (const { outcome } of moves.slice(1, 3)) {
      expect(outcome.promised).toBeGreaterThan(5);
      expect(outcome.realised / outcome.promised).toBeGreaterThan(0.5);
    }
  });

  it('The demo account is kept while its key is valid, and created again once that is revoked', async () => {
    const context = app.application as unknown as INestApplicationContext;
    expect(await createDemoAccount(context, key)).toBe(key);
    const { data } = (await app.admin.get('/keys')).body;
    const campaign = data.find(({ partner_id }: { partner_id: string | null }) => partner_id !== null);
    await app.admin.delete(`/keys/${campaign.id}`);
    const other = await createDemoAccount(context, key);
    expect(other).not.toBe(key);
    expect((await app.admin.as(other).get('/positions')).body.data).toHaveLength(8);
  });
});
