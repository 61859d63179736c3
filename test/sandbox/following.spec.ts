import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModuleRef } from '@nestjs/core';
import { Client } from 'pg';
import { AccountService } from '../../src/domain/cycle/accounts/account.service.js';
import { Clock, HOUR_MS } from '../../src/domain/kernel/clock.js';
import { shortMarkets, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { Account, startSandboxAt } from './account.js';

const WALL = Date.parse('2026-11-20T12:20:00Z');

/** Between advances, an account's clock follows the wall clock. */
describe('an account without advances', () => {
  let app: TestApp;
  let hours = 0;

  beforeAll(async () => {
    app = await startSandboxAt(new Date(WALL).toISOString(), shortMarkets);
    app.application.get(Clock).now = () => new Date(WALL + hours * HOUR_MS);
  });
  afterAll(() => app.close());

  const tickedHour = async ({ id }: Account): Promise<number> => {
    const [row] = await app.sql<{ hour: Date }>('SELECT ticked_hour AS hour FROM markets WHERE id = $1', [
      id,
    ]);
    return row!.hour.getTime();
  };
  const hourNow = (ahead = 0): number => Math.floor((WALL + (hours + ahead) * HOUR_MS) / HOUR_MS) * HOUR_MS;

  it('An account without advances is caught up hour by hour at its next use, with the closings of the days between', async () => {
    const account = await Account.open(app);
    await account.deposit(10_000);
    await account.advance(5);
    hours += 30;
    expect(await tickedHour(account)).toBe(hourNow(5 - 30));
    const clock = await account.read('/simulation/clock');
    expect(clock).toMatchObject({ hours_ahead: 5, hour: new Date(hourNow(5)).toISOString() });
    const entries = await account.list(`/users/${account.userId}/ledger`);
    const days = entries.filter(({ type, at }) => type === 'yield_accrual' && at.includes('T00:00:00'));
    // A move also posts a statement, at whatever hour it happens.
    expect(days.map(({ at }) => at)).toEqual(['2026-11-21T00:00:00.000Z']);
  });

  it('An account without advances is caught up every hour while it has funds, used or not', async () => {
    const [holding, empty] = [await Account.open(app), await Account.open(app)];
    await holding.deposit(100);
    hours += 3;
    await app.application.get(AccountService).followAll();
    expect(await tickedHour(holding)).toBe(hourNow());
    expect(await tickedHour(empty)).toBe(hourNow(-3));
  });

  it('An account without advances is not caught up beyond its own time, whichever process tries', async () => {
    const account = await Account.open(app);
    await account.deposit(100);
    hours += 1;
    await app.application.get(AccountService).followAll();
    const other = await app.application.get(ModuleRef).create(AccountService);
    await other.followAll();
    expect(await tickedHour(account)).toBe(hourNow());
    hours += 1;
    await other.followAll();
    expect(await tickedHour(account)).toBe(hourNow());
  });

  it('An account without advances delays no other account when its catch-up fails', async () => {
    const [first, second] = [await Account.open(app), await Account.open(app)];
    for (const account of [first, second]) await account.deposit(100);
    await app.sql(`CREATE TRIGGER broken BEFORE INSERT ON snapshots FOR EACH ROW WHEN (NEW.market_id = '${first.id}')
       EXECUTE FUNCTION refuse_change()`);
    hours += 2;
    await expect(app.application.get(AccountService).followAll()).rejects.toThrow('snapshots is append-only');
    expect(await tickedHour(first)).toBe(hourNow(-2));
    expect(await tickedHour(second)).toBe(hourNow());
    await app.sql('DROP TRIGGER broken ON snapshots');
    await app.application.get(AccountService).followAll();
    expect(await tickedHour(first)).toBe(hourNow());
  });

  it('An account without advances shows its last whole hour and refuses an advance while a catch-up runs', async () => {
    const account = await Account.open(app);
    const moving = new Client({ connectionString: app.database.url, options: '-c search_path=sandbox' });
    await moving.connect();
    try {
      await moving.query('BEGIN');
      await moving.query('UPDATE markets SET hours_ahead = hours_ahead + 1 WHERE id = $1', [account.id]);
      hours += 1;
      expect(await account.read('/simulation/clock')).toMatchObject({ hours_ahead: 0 });
      expectError(
        await account.api.post('/simulation/clock/advance', { hours: 1 }),
        409,
        'advance_in_progress',
      );
    } finally {
      await moving.end();
    }
  });
});
