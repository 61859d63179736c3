import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import type { TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { differencesOf } from '../support/differences.js';
import { Account, startSandboxAt } from '../sandbox/account.js';

const SHARED = 'ledger_entries_shared';
const WALL = Date.UTC(2026, 10, 30, 22);

/** Partitions by name, oldest month first. */
const partitionsOf = async (database: TestDatabase, schema: 'live' | 'sandbox'): Promise<string[]> => {
  const rows = await database.query<{ name: string }>(
    schema,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ledger_entries'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

describe('monthly ledger partitions of the sandbox', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startSandboxAt(new Date(WALL).toISOString());
  });
  afterAll(() => app?.close());

  /** Sets an account without holdings to an hour, as if it had been advanced there, and deposits an hour later. */
  const jump = async (account: Account, to: number): Promise<void> => {
    await app.sql('UPDATE markets SET hours_ahead = $2, ticked_hour = $3 WHERE id = $1', [
      account.id,
      (to - WALL) / HOUR_MS,
      new Date(to),
    ]);
    await account.advance(1);
    await account.deposit(1_000);
  };
  const partitions = (): Promise<string[]> => partitionsOf(app.database, 'sandbox');

  it('Monthly ledger partitions of the sandbox ahead of the wall clock share one partition, however far accounts go', async () => {
    const before = await partitions();
    expect(before).toContain(SHARED);
    const accounts = await Promise.all(Array.from({ length: 3 }, () => Account.open(app)));
    for (const turn of [Date.UTC(2027, 1, 1), Date.UTC(2036, 1, 1)]) {
      for (const account of accounts) await jump(account, turn - 4 * HOUR_MS);
      for (const advance of await Promise.all(accounts.map((account) => account.advance(6))))
        expect(advance.hours).toBe(6);
      for (const account of accounts)
        for (const { id, status } of await account.list('/positions'))
          if (status === 'active') await account.withdraw(id);
    }
    // An account without holdings goes on for years.
    const empty = await Account.open(app);
    for (let month = 0; month < 4; month++) await empty.advance(744);
    expect(await partitions()).toEqual(before);
    const [{ last, shared }] = await app.sql<any>(
      `SELECT max(at) AS last, (SELECT count(*)::int FROM ${SHARED}) AS shared FROM ledger_entries`,
    );
    expect(last.getUTCFullYear()).toBe(2036);
    expect(shared).toBeGreaterThan(0);
    expect(await differencesOf(app.application)).toEqual([]);
  }, 120_000);

  it('Monthly ledger partitions of the sandbox are append-only there as well', async () => {
    for (const change of [`UPDATE ${SHARED} SET at = at`, `DELETE FROM ${SHARED}`, `TRUNCATE ${SHARED}`])
      await expect(app.sql(change)).rejects.toThrow(`${SHARED} is append-only`);
  });

  it('Monthly ledger partitions of the sandbox have no entry of an account after its reset', async () => {
    const account = await Account.open(app);
    await jump(account, Date.UTC(2030, 1, 1));
    const entries = await account.list(`/users/${account.userId}/ledger`);
    expect(entries).toHaveLength(1);
    await account.reset();
    const remainingEntries = await app.sql('SELECT FROM ledger_entries WHERE user_id = $1', [account.userId]);
    expect(remainingEntries).toEqual([]);
  });
});

describe('monthly ledger partitions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());

  it('Monthly ledger partitions are created once by concurrent processes', async () => {
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = new Client({ connectionString: database.url, options: '-c search_path=live' });
        await client.connect();
        return client;
      }),
    );
    for (let month = 0; month < 24; month += 2) {
      const at = new Date(Date.UTC(2031, month, 15));
      // The months are requested within transactions of callers, as in production.
      await Promise.all(
        clients.map(async (client) => {
          await client.query('BEGIN');
          await client.query('SELECT prepare_ledger($1)', [at]);
          await client.query('COMMIT');
        }),
      );
    }
    await Promise.all(clients.map((client) => client.end()));
    const made = (await partitionsOf(database, 'live')).filter((name) => /_203[12]_/.test(name));
    expect(made).toHaveLength(24);
  }, 60_000);
});
