import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountService } from '../../src/domain/cycle/accounts/account.service.js';
import { AccountTime } from '../../src/domain/cycle/accounts/account-time.service.js';
import { Clock, HOUR_MS } from '../../src/domain/kernel/clock.js';
import type { TestApp } from '../support/app.js';
import { Account, startSandboxAt } from '../sandbox/account.js';
import { startEngine } from './rows.js';

const WALL = Date.parse('2026-11-20T12:20:00Z');
const WEEK = 168;

/** Catching up after a long time without any process: a deployment that was off, a worker that was down. */
describe('an account that was unused for weeks', () => {
  let app: TestApp;
  let hours = 0;
  const tickedHours = async ({ id }: Account): Promise<number> => {
    const [row] = await app.sql<{ hour: Date }>('SELECT ticked_hour AS hour FROM markets WHERE id = $1', [
      id,
    ]);
    return (row!.hour.getTime() - Math.floor(WALL / HOUR_MS) * HOUR_MS) / HOUR_MS;
  };
  const statements = async ({ id }: Account): Promise<number> =>
    (await app.sql('SELECT FROM statements WHERE market_id = $1', [id])).length;
  const accounts = (): AccountService => app.application.get(AccountService);
  const time = (): AccountTime => app.application.get(AccountTime);

  beforeAll(async () => {
    app = await startSandboxAt(new Date(WALL).toISOString());
    app.application.get(Clock).now = () => new Date(WALL + hours * HOUR_MS);
  });
  afterAll(() => app.close());

  it('An account that was unused for weeks is caught up week by week: finished weeks remain if a later one fails', async () => {
    hours = 0;
    const account = await Account.open(app, 'months');
    await account.deposit(1_000);
    hours = WEEK + 20;
    await app.sql(
      `CREATE TRIGGER broken BEFORE INSERT ON snapshots FOR EACH ROW
         WHEN (NEW.market_id = '${account.id}' AND NEW.hour > '${new Date(WALL + (WEEK + 9) * HOUR_MS).toISOString()}')
       EXECUTE FUNCTION refuse_change()`,
    );
    await expect(accounts().follow(account.id)).rejects.toThrow('append-only');
    expect(await tickedHours(account)).toBe(WEEK);
    await app.sql('DROP TRIGGER broken ON snapshots');
    await accounts().follow(account.id);
    expect(await tickedHours(account)).toBe(hours);
  });

  it('An account that was unused for weeks accepts no deposit, advance or scenario before it is caught up', async () => {
    hours = 0;
    const account = await Account.open(app);
    await account.deposit(1_000);
    hours = WEEK + 2;
    const inProgress = { code: 'advance_in_progress' };
    await expect(time().lockTime(account.id, async () => undefined)).rejects.toMatchObject(inProgress);
    await expect(accounts().advance(account.id, 1)).rejects.toMatchObject(inProgress);
    await expect(accounts().applyScenario(account.id, 'calm')).rejects.toMatchObject(inProgress);
    await accounts().follow(account.id);
    await time().lockTime(account.id, async () => undefined);
    hours += 1; // The hour has just turned; that is no reason to wait.
    await time().lockTime(account.id, async () => undefined);
  });

  it('An account that was unused for weeks gets no closings for days without funds', async () => {
    hours = 0;
    const account = await Account.open(app);
    const { id } = await account.deposit(1_000);
    await account.advance(24);
    await account.withdraw(id);
    expect(await statements(account)).toBe(1);
    hours = 31 * 24;
    await account.deposit(500);
    await account.advance(24);
    expect(await statements(account)).toBe(2);
  });
});

describe('the shared market after weeks without a process', () => {
  it('After weeks without a process, the shared market gets a closing for each day with funds and a single one for the days without', async () => {
    const engine = await startEngine();
    try {
      const statements = async (): Promise<number> => (await engine.sql('SELECT FROM statements')).length;
      engine.sights = Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: 0.05 }]));
      await engine.hours(1);
      const user = await engine.createUser(await engine.createPartner());
      const { id } = await engine.deposit(user, 1_000_000_000n);
      expect(await statements()).toBe(1); // The statement of the midnight at which the market began.
      await engine.skip(72);
      expect(await statements()).toBe(4);
      await engine.withdraw(id, null);
      await engine.skip(240);
      expect(await statements()).toBe(5);
    } finally {
      await engine.stop();
    }
  });
});
