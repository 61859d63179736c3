import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { vaultline } from '../../test/support/command.js';
import { administrate, databaseUrl, SERVER_URL } from '../../test/support/database.js';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { SECRETS_KEY } from '../../test/support/secrets-key.js';
import { loadSettings } from '../config/settings.js';
import {
  createDataSource,
  createMigrationPool,
  createMigrationSource,
  createQueuePool,
} from './data-source.js';

const server = process.env[SERVER_URL]!;
const name = `test_${randomBytes(6).toString('hex')}`;
const url = `postgres://${name}:right@${new URL(server).host}/${name}`;

/** Settings under which the same statements would read or write something else, and those of a session. */
const SETTINGS: Record<string, [other: string, own: string]> = {
  search_path: ['public', 'live'],
  TimeZone: ['Asia/Kolkata', 'UTC'],
  DateStyle: ['German, DMY', 'ISO, MDY'],
  IntervalStyle: ['sql_standard', 'postgres'],
  bytea_output: ['escape', 'hex'],
  extra_float_digits: ['-10', '1'],
  standard_conforming_strings: ['off', 'on'],
  transform_null_equals: ['on', 'off'],
  array_nulls: ['off', 'on'],
  default_transaction_isolation: ['serializable', 'read committed'],
  row_security: ['off', 'on'],
};
const names = Object.keys(SETTINGS);
const ownValues = Object.fromEntries(
  Object.entries(SETTINGS).map(([setting, [, value]]) => [setting, value]),
);
const otherValues = Object.entries(SETTINGS).map(([setting, [other]]) => [setting, other] as const);

beforeAll(async () => {
  await administrate(server, `CREATE ROLE ${name} LOGIN PASSWORD 'right'`);
  await administrate(server, `CREATE DATABASE ${name} OWNER ${name}`);
});
afterAll(async () => {
  await administrate(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await administrate(server, `DROP ROLE ${name}`);
});

const settingsAt = (DATABASE_URL: string) => loadSettings({ CONTRACT: 'partner', DATABASE_URL, SECRETS_KEY });
const set = async (target: string, to: string): Promise<void> => {
  for (const [setting, other] of otherValues)
    await administrate(server, `ALTER ${target} ${name} SET ${setting} = ${to || `'${other}'`}`);
};

describe('a session has settings of its own', () => {
  const withOptions = new URL(url);
  withOptions.searchParams.set(
    'options',
    otherValues.map(([setting, other]) => `-c ${setting}=${other.replaceAll(' ', '\\ ')}`).join(' '),
  );
  withOptions.searchParams.set('statement_timeout', '1');

  it.each([
    ['the database', url, 'DATABASE'],
    ['the role', url, 'ROLE'],
    ['the URL', withOptions.href, null],
  ])('A session has settings of its own whatever those of %s are', async (_, at, target) => {
    if (target !== null) await set(target, '');
    const settings = settingsAt(at);
    const query = `SELECT json_object_agg(name, current_setting(name)) AS values, current_setting('statement_timeout') AS timeout FROM unnest($1::text[]) AS name`;
    const sources = [createDataSource(settings), createMigrationSource(settings, at)];
    const pools: Pool[] = [createQueuePool(settings, at, 1), createMigrationPool(settings, at, 1)];
    try {
      const sessions = [];
      for (const source of sources) sessions.push(await (await source.initialize()).query(query, [names]));
      for (const pool of pools) sessions.push((await pool.query(query, [names])).rows);
      expect(sessions).toEqual(['30s', '0', '30s', '0'].map((timeout) => [{ values: ownValues, timeout }]));
    } finally {
      await Promise.all([...sources.map((source) => source.destroy()), ...pools.map((pool) => pool.end())]);
      if (target !== null) await set(target, 'DEFAULT');
    }
  });
});

describe('a session is refused, with the setting, its value and the remedy', () => {
  const migrate = (at: string) =>
    vaultline(['migrate'], { CONTRACT: 'partner', DATABASE_URL: at, SECRETS_KEY });

  it.each([
    ['session_replication_role', 'replica', 'origin'],
    ['zero_damaged_pages', 'on', 'off'],
    ['ignore_checksum_failure', 'on', 'off'],
  ])(
    'A session where %s is %s is refused, with the setting, its value and the remedy',
    async (setting, value, right) => {
      await administrate(server, `ALTER DATABASE ${name} SET ${setting} = ${value}`);
      const { code, stderr } = await migrate(url);
      await administrate(server, `ALTER DATABASE ${name} RESET ${setting}`);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          `${setting} is "${value}" and must be "${right}". As a superuser run ALTER ROLE "${name}" IN DATABASE "${name}" SET ${setting} = '${right}';`,
        ),
      ]);
    },
  );

  it('A session on a PostgreSQL before 15 is refused with the remedy, and nothing is written there', async () => {
    const proxy = await DatabaseProxy.open(url);
    const [version] = await query<{ number: string }>(
      `SELECT current_setting('server_version_num') AS number`,
    );
    // The server is a newer one that says it is an older one.
    proxy.trouble({
      rewrite: (bytes) =>
        Buffer.from(bytes.toString('latin1').replaceAll(version!.number, '140011'), 'latin1'),
    });
    const { code, stderr } = await migrate(proxy.url);
    await proxy.cut();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/is on PostgreSQL .*; the oldest supported version is 15: upgrade/),
    ]);
    expect(await query(`SELECT FROM pg_namespace WHERE nspname = 'live'`)).toEqual([]);
  });
});

async function query<Row>(sql: string): Promise<Row[]> {
  const pool = createMigrationPool(settingsAt(url), databaseUrl(server, name), 1);
  try {
    return (await pool.query(sql)).rows as Row[];
  } finally {
    await pool.end();
  }
}
