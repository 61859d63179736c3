import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortMarkets, type TestApp } from '../support/app.js';
import { createPartner } from '../support/partner.js';
import { differencesOf } from '../support/differences.js';
import { expectReplay } from '../support/posts.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';
import { Account, startSandboxAt } from './account.js';

/** Tables whose rows belong to a partner. */
const BY_PARTNER = [
  ...['positions', 'decisions', 'book_shares', 'book_totals', 'book_points', 'deliveries'],
  ...['daily_closings', 'closed_books', 'closed_months'],
];
const STAYING = ['users', 'campaigns', 'webhook_endpoints', 'book_users', 'api_keys'];

/** An account that begins anew, alone. */
describe('a reset', () => {
  let app: TestApp;
  let receiver: Receiver;

  beforeAll(async () => {
    app = await startSandboxAt('2026-11-29T12:00:00Z', shortMarkets);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const rowsOf = async (tables: string[], column: string, id: string): Promise<Record<string, unknown[]>> =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => [
          table,
          await app.sql<unknown>(`SELECT t::text FROM ${table} t WHERE ${column} = $1 ORDER BY 1`, [id]),
        ]),
      ),
    );
  const night = (): Promise<string[]> => differencesOf(app.application);
  const ledgerOf = (id: string) =>
    app.sql(
      `SELECT e::text FROM ledger_entries e JOIN users u ON u.id = e.user_id WHERE u.partner_id = $1 ORDER BY 1`,
      [id],
    );
  /** An account in which all happened that may. */
  const lived = async (seed: string): Promise<{ account: Account; webhookId: string }> => {
    const account = await Account.open(app, seed);
    await app.admin.post(`/partners/${account.id}/campaigns`, { name: 'Spring', points_multiplier: 2 });
    const { body } = await account.api.post('/webhooks', { url: receiver.url });
    const positions = [await account.deposit(50_000), await account.deposit(50_000, 'USDT')];
    await account.bend('volatile');
    await account.advance(40);
    await account.withdraw(positions[0].id, 10);
    await account.api.post('/simulation/events', { type: 'system.status' });
    await app.admin.patch(`/partners/${account.id}`, { revenue_share_bps: 5_000 });
    await until(async () => (await account.list('/webhooks/events')).length > 5);
    await untilSettled(app);
    return { account, webhookId: body.data.id };
  };

  it('A reset deletes positions, ledger, decisions, deliveries, clock and market, and keeps partner, keys and users', async () => {
    const { account, webhookId } = await lived('forgotten');
    const before = await rowsOf(STAYING, 'partner_id', account.id);
    expect(await ledgerOf(account.id)).not.toEqual([]);
    expect(await app.sql('SELECT FROM decision_markets WHERE market_id = $1', [account.id])).not.toEqual([]);
    expect(await rowsOf(['closed_months'], 'partner_id', account.id)).not.toEqual({ closed_months: [] });
    const clock = await account.reset();
    expect(clock).toMatchObject({ hours_ahead: 0, scenario: null, scenario_from: null, seed: 'forgotten' });
    expect(clock.now).toBe(clock.wall_time);
    for (const [table, rows] of Object.entries(await rowsOf(BY_PARTNER, 'partner_id', account.id)))
      expect([table, rows]).toEqual([table, []]);
    expect(await ledgerOf(account.id)).toEqual([]);
    expect(await app.sql('SELECT FROM decision_markets WHERE market_id = $1', [account.id])).toEqual([]);
    for (const path of ['/positions', '/analytics/decisions', '/webhooks/events'])
      expect([path, await account.list(path)]).toEqual([path, []]);
    expect(await account.list(`/users/${account.userId}/ledger`)).toEqual([]);
    expect(await account.read('/partner/summary')).toMatchObject({
      users: 1,
      totals: { deposits: 0, withdrawals: 0, net_tvl: 0, yield: 0 },
      points: 0,
    });
    // Only that the key was used may be noted meanwhile.
    const kept = ({ api_keys: _, ...rest }: Record<string, unknown[]>) => rest;
    expect(kept(await rowsOf(STAYING, 'partner_id', account.id))).toEqual(kept(before));
    expect((await account.list('/webhooks')).map(({ id }) => id)).toEqual([webhookId]);
  });

  it('A reset starts with the history of its seed, like a new account', async () => {
    const [old, fresh] = [await Account.open(app, 'one'), await Account.open(app, 'two')];
    await old.advance(30);
    await old.bend('falling');
    await old.advance(30);
    expect(await old.reset('two')).toMatchObject({ seed: 'two' });
    const figures = async (account: Account) => [
      await account.list('/vaults'),
      await account.list('/analytics/signals'),
      await account.read('/analytics/regime'),
      await account.read('/yield/history/USDT'),
    ];
    expect(await figures(old)).toEqual(await figures(fresh));
  });

  it('A reset leaves a usable account, with the terms of its partner from the new start on', async () => {
    const { account } = await lived('again');
    expect(await night()).toEqual([]);
    await account.reset();
    await account.deposit(1_000);
    await account.advance(48);
    // The checkpoint covers positions that were forgotten.
    expect(await night()).toEqual([]);
    expect(await account.read('/partner/revenue')).toMatchObject({ revenue_share_bps: 5_000 });
    expect((await account.read('/partner/points')).total).toBeGreaterThan(3_900);
    expect(await differencesOf(app.application)).toEqual([]);
  });

  it('A reset replays the response for its Idempotency-Key, and those of requests before it, whose records are deleted', async () => {
    const account = await Account.open(app);
    const deposit = { user_id: account.userId, asset: 'USDC', amount: 5 };
    const opened = await account.api.post('/positions', deposit, { 'idempotency-key': 'before' });
    const first = await account.api.post('/simulation/reset', undefined, { 'idempotency-key': 'reset' });
    expect(first.status).toBe(200);
    expectReplay(await account.api.post('/positions', deposit, { 'idempotency-key': 'before' }), opened);
    expect(await account.list('/positions')).toEqual([]);
    await account.deposit(7);
    expectReplay(await account.api.post('/simulation/reset', {}, { 'idempotency-key': 'reset' }), first);
    expect(await account.list('/positions')).toHaveLength(1);
  });

  it('A reset during sends lets claimed deliveries end, and sends nothing twice', async () => {
    const account = await Account.open(app);
    const slow = await Receiver.start((response) => setTimeout(() => response.end(), 150));
    await account.api.post('/webhooks', { url: slow.url });
    for (let round = 0; round < 2; round++) {
      await Promise.all(
        Array.from({ length: 12 }, () => account.api.post('/simulation/events', { type: 'yield.threshold' })),
      );
      await slow.waitFor(1);
      const answers = await Promise.all([
        account.api.post('/simulation/reset'),
        account.api.post('/simulation/events', { type: 'system.status' }),
        account.api.post('/positions', { user_id: account.userId, asset: 'USDC', amount: 1 }),
      ]);
      for (const { status, body } of answers)
        expect([200, 201, 'advance_in_progress']).toContain(status < 300 ? status : body.error.code);
    }
    await untilSettled(app);
    const ids = slow.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    const before = slow.received.length;
    await account.api.post('/simulation/events', { type: 'position.closed' });
    await slow.waitFor(before + 1);
    await slow.close();
    expect(await differencesOf(app.application)).toEqual([]);
  }, 30_000);

  describe('deletes immutable rows, which no other statement can', () => {
    const refused = async (text: string, setting?: string) => {
      const set = setting === undefined ? '' : `SET vaultline.forgotten_market = '${setting}';`;
      return app.sql(`BEGIN; ${set} ${text}; COMMIT`).then(
        () => 'done',
        (error: Error) => error.message,
      );
    };

    it('UPDATE, DELETE and TRUNCATE are refused without the name of that market', async () => {
      const account = await Account.open(app);
      await account.deposit(10);
      const { id: other } = await createPartner(app.admin);
      for (const table of ['ledger_entries', 'decisions']) {
        for (const setting of [undefined, '', 'base', other])
          expect(await refused(`DELETE FROM ${table}`, setting)).toMatch(
            new RegExp(`^${table}\\w* is append-only$`),
          );
        for (const setting of [undefined, account.id]) {
          expect(await refused(`UPDATE ${table} SET at = at`, setting)).toMatch(/is append-only$/);
          expect(await refused(`TRUNCATE ${table} CASCADE`, setting)).toMatch(/is append-only$/);
        }
      }
    });
  });
});
