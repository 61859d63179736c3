import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { shortMarkets, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { differencesOf } from '../support/differences.js';
import { Account, startSandboxAt } from './account.js';

const DAY_MS = 24 * HOUR_MS;

/** An account's clock, which only the account advances, and the effects of advancing it. */
describe("the account's clock", () => {
  let app: TestApp;
  /** Most tests share this account, because each account costs a month of its market. */
  let account: Account;

  beforeAll(async () => {
    app = await startSandboxAt('2026-11-20T12:00:00Z');
    account = await Account.open(app, 'an-hour-each');
    // A month is asked of the first account alone.
    shortMarkets(app.settings.constants, app.settings);
  });
  afterAll(() => app.close());

  const hoursOf = (account: Account): Promise<{ hour: Date }[]> =>
    app.sql(`SELECT DISTINCT hour FROM snapshots WHERE market_id = $1 ORDER BY hour DESC`, [account.id]);

  it("The account's clock starts at wall-clock time, with a month of history and no scenario", async () => {
    const clock = await account.read('/simulation/clock');
    expect(clock).toMatchObject({ hours_ahead: 0, scenario: null, scenario_from: null });
    expect(clock.now).toBe(clock.wall_time);
    expect(await hoursOf(account)).toHaveLength(720);
  });

  it("The account's clock has a market of its own, seeded by the account’s id", async () => {
    const account = await Account.open(app);
    expect(await account.read('/simulation/clock')).toMatchObject({ hours_ahead: 0, seed: account.id });
  });

  it("The account's clock writes each day’s closing once, when the clock passes its end; a reset deletes it", async () => {
    const closing = await Account.open(app, 'closings');
    const { id } = await closing.deposit(1_000);
    await closing.deposit(2_000, 'USDT');
    const history = async (): Promise<any[]> => (await closing.read('/partner/history')).points;
    await closing.advance(12);
    const rows = await history();
    expect(rows.map(({ at, as_of, asset }) => [at, as_of, asset])).toEqual(
      ['USDC', 'USDT'].map((asset) => ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z', asset]),
    );
    await closing.withdraw(id, 100);
    await closing.advance(60);
    const later = await history();
    expect(later.slice(0, 2)).toEqual(rows);
    expect(later.slice(2).map(({ at, withdrawals }) => [at.slice(0, 10), withdrawals])).toEqual([
      ['2026-11-21', 100],
      ['2026-11-21', 0],
      ['2026-11-22', 100],
      ['2026-11-22', 0],
    ]);
    await closing.reset();
    expect(await history()).toEqual([]);
  });

  it("The account's clock advances by whole hours, each once and in order, and returns a summary", async () => {
    const position = await account.deposit(1_000);
    const before = await account.read('/simulation/clock');
    const advance = await account.advance(50);
    expect(advance).toMatchObject({ object: 'simulation_advance', hours: 50 });
    expect(Date.parse(advance.to) - Date.parse(advance.from)).toBe(50 * HOUR_MS);
    const clock = await account.read('/simulation/clock');
    expect(clock.hours_ahead).toBe(50);
    expect(Date.parse(clock.hour) - Date.parse(before.hour)).toBe(50 * HOUR_MS);
    const hours = (await hoursOf(account)).slice(0, 51).map(({ hour }) => hour.getTime());
    expect(hours).toEqual(hours.map((_, index) => Date.parse(clock.hour) - index * HOUR_MS));
    // A statement at each midnight within, and a value that has grown.
    const entries = await account.list(`/users/${account.userId}/ledger`);
    const statements = entries.filter(({ type }) => type === 'yield_accrual').map(({ at }) => Date.parse(at));
    const midnights = hours.filter((hour) => hour % DAY_MS === 0 && hour > Date.parse(before.hour));
    expect([...new Set(statements)].filter((at) => at % DAY_MS === 0)).toEqual(midnights);
    expect(advance.accruals).toBe(midnights.length);
    expect((await account.read(`/positions/${position.id}`)).value).toBeGreaterThan(1_000);
  });

  it("The account's clock is unchanged if an advance fails in the middle; a retry with its key runs every hour", async () => {
    const interrupted = await Account.open(app);
    await interrupted.deposit(40_000);
    const stored = () =>
      Promise.all(
        ['positions', 'ledger_entries', 'decisions', 'snapshots', 'markets'].map((table) =>
          app.sql(`SELECT t::text FROM ${table} t ORDER BY 1`),
        ),
      );
    const before = await stored();
    const { hour } = await interrupted.read('/simulation/clock');
    const middle = new Date(Date.parse(hour) + 20 * HOUR_MS).toISOString();
    await app.sql(`CREATE TRIGGER broken BEFORE INSERT ON snapshots FOR EACH ROW
      WHEN (NEW.market_id = '${interrupted.id}' AND NEW.hour > '${middle}') EXECUTE FUNCTION refuse_change()`);
    const advance = () =>
      interrupted.api.post('/simulation/clock/advance', { hours: 40 }, { 'idempotency-key': 'for-days' });
    expectError(await advance(), 500, 'internal_error');
    expect(await stored()).toEqual(before);
    await app.sql('DROP TRIGGER broken ON snapshots');
    const retried = await advance();
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect((await interrupted.read('/simulation/clock')).hours_ahead).toBe(40);
    expect((await hoursOf(interrupted)).slice(0, 41).at(-1)!.hour).toEqual(new Date(hour));
  });

  it("The account's clock answers reads during an advance; deposits and withdrawals are booked before or after it, exactly", async () => {
    const positions = await Promise.all([1, 2, 3, 4].map((count) => account.deposit(count * 1_000)));
    let over = false;
    const advance = account.api.post('/simulation/clock/advance', { hours: 60 }).finally(() => (over = true));
    const statuses = new Map<string, Set<string>>();
    const note = (what: string, { status, body }: { status: number; body: any }): void => {
      statuses.set(what, (statuses.get(what) ?? new Set()).add(`${status} ${body.error?.code ?? ''}`.trim()));
    };
    const deposit = { user_id: account.userId, asset: 'USDT', amount: 10 };
    let rounds = 0;
    for (; !over; rounds++) {
      note('read', await account.api.get('/positions'));
      note('read', await account.api.get('/vaults'));
      note('read', await account.api.get('/partner/summary'));
      note('deposit', await account.api.post('/positions', deposit));
      const id = positions[rounds % positions.length].id;
      note('withdrawal', await account.api.post(`/positions/${id}/withdrawals`, { amount: 1 }));
    }
    expect((await advance).status).toBe(200);
    expect(rounds).toBeGreaterThan(0);
    expect([...statuses.get('read')!]).toEqual(['200']);
    for (const what of ['deposit', 'withdrawal'])
      for (const status of statuses.get(what)!) expect(['201', '409 advance_in_progress']).toContain(status);
    expect((await account.api.post('/positions', deposit)).status).toBe(201);
    expect(await differencesOf(app.application)).toEqual([]);
  }, 60_000);

  it("The account's clock refuses a deposit and a withdrawal at once while another request moves it", async () => {
    const { id } = await account.deposit(100);
    const mover = new Client({ connectionString: app.database.url });
    await mover.connect();
    await mover.query(`SELECT pg_advisory_lock(hashtextextended('transfers of sandbox.' || $1, 0))`, [
      account.id,
    ]);
    const took: number[] = [];
    for (let round = 0; round < 3; round++) {
      const from = performance.now();
      const deposit = { user_id: account.userId, asset: 'USDC', amount: 10 };
      expectError(await account.api.post('/positions', deposit), 409, 'advance_in_progress');
      expectError(await account.api.post(`/positions/${id}/withdrawals`), 409, 'advance_in_progress');
      took.push(performance.now() - from);
    }
    await mover.end();
    // The quickest of them: a busy machine may be slow once.
    expect(Math.min(...took)).toBeLessThan(1_000);
    await account.withdraw(id);
  });

  it("The account's clock advances at most ten years ahead", async () => {
    await app.sql('UPDATE markets SET hours_ahead = 87600 - 10 WHERE id = $1', [account.id]);
    const refused = await account.api.post('/simulation/clock/advance', { hours: 11 });
    expectError(refused, 400, 'validation_failed');
    expect(refused.body.error.details[0].message).toContain('reset it first');
  });
});
