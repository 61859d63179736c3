import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Role } from '../../src/config/environment.js';
import type { Contract } from '../../src/config/deployments.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { rulesFor } from '../conformance/rules.js';
import { Session, told } from '../conformance/session.js';
import { startApp } from '../support/app.js';
import {
  administrate,
  createTestDatabase,
  schemaOf,
  SERVER_URL,
  TEMPLATE,
  type TestDatabase,
  TICKED_TEMPLATE,
} from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createPartner } from '../support/partner.js';
import { overPooler, Pooler } from '../support/pooler.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';

const POOL_SIZE = 3;
/** Subjects of the rules of conformance that write. */
const ASKED = /^(idempotency|partners|users|webhooks|positions|policies|simulation|reports)\./;

/** How prepared statements are sent through the pooler, and the setting for it. */
const POOLING = { unnamed: 'transaction', named: 'transaction_named' } as const;

describe.each(['unnamed', 'named'] as const)('%s statements', (statements) => {
  overPooler(`PgBouncer in transaction mode, ${statements} statements`, statements, (path) =>
    suite(path, statements),
  );
});

function suite(path: string, statements: 'unnamed' | 'named'): void {
  const server = process.env[SERVER_URL]!;
  const databases: TestDatabase[] = [];
  let pooler: Pooler;

  beforeAll(async () => {
    pooler = await Pooler.start(path, server, POOL_SIZE, statements);
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    await pooler.close();
  });

  const openPool = async (
    contract: Contract,
  ): Promise<{ database: TestDatabase; env: Record<string, string> }> => {
    const database = await createTestDatabase(contract === 'sandbox' ? TICKED_TEMPLATE : TEMPLATE);
    databases.push(database);
    const env = {
      DATABASE_URL: pooler.url(database.url),
      DATABASE_POOLING: POOLING[statements],
      DATABASE_DIRECT_URL: database.url,
    };
    return { database, env };
  };
  /** The settings that the start asks the operator to make. */
  const setUp = async (url: string, schema: string): Promise<void> => {
    const { username, pathname } = new URL(url);
    for (const [name, value] of Object.entries({
      search_path: schema,
      timezone: 'UTC',
      statement_timeout: '30s',
      lock_timeout: '10s',
      idle_in_transaction_session_timeout: '30s',
    }))
      await administrate(
        server,
        `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)} SET ${name} = '${value}'`,
      );
  };
  const setUpPlace = async (contract: Contract): ReturnType<typeof openPool> => {
    const made = await openPool(contract);
    await setUp(made.database.url, schemaOf(contract));
    return made;
  };

  // Each contract over one form: the statements are the store's, which both share.
  it.each<Contract>(statements === 'named' ? ['sandbox'] : ['partner'])(
    '%s contract: the rules of conformance hold over the pooler',
    async (contract) => {
      const { database, env } = await setUpPlace(contract);
      const app = await startApp(contract, env, database);
      const session = await Session.open({ url: app.url, contract, adminKey: app.adminKey });
      try {
        for (const rule of rulesFor(contract).filter(({ id }) => ASKED.test(id))) await session.run(rule);
      } finally {
        expect(await session.close()).toEqual([]);
        await app.close();
      }
      expect(session.results.filter(({ outcome }) => outcome === 'fail').map(told)).toEqual([]);
      expect(session.results.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(40);
    },
    60_000,
  );

  it('Without the role settings that a pooler prevents, the start fails and prints the SQL for them', async () => {
    const { database, env } = await openPool('partner');
    const { username, pathname } = new URL(database.url);
    const statement = `ALTER ROLE "${username}" IN DATABASE "${pathname.slice(1)}" SET`;
    const start = startApp('partner', env, database);
    await expect(start).rejects.toThrow(
      new RegExp(
        `DATABASE_POOLING is "${POOLING[statements]}", and sessions of the role ${username} lack the settings that it requires: search_path is .* and must be "live", .*As a superuser run ${statement} search_path = 'live';`,
      ),
    );
    await expect(start).rejects.toThrow(`${statement} lock_timeout = '10000';`);
  });

  it('A setting of the role that changes what is read stops the start, and later fails requests on new connections', async () => {
    const { database, env } = await setUpPlace('partner');
    const { username, pathname } = new URL(database.url);
    const role = `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)}`;
    const refusal = `extra_float_digits is "-5" and must be "1". As a superuser run ALTER ROLE "${username}" IN DATABASE "${pathname.slice(1)}" SET extra_float_digits = '1';`;
    await administrate(server, `${role} SET extra_float_digits = -5`);
    await expect(startApp('partner', env, database)).rejects.toThrow(refusal);
    await administrate(server, `${role} RESET extra_float_digits`);
    await endConnections(database);
    const app = await startApp('partner', { ...env, REQUESTS_AT_ONCE: '0' }, database);
    const atOnce = async (): Promise<number[]> =>
      (await Promise.all(Array.from({ length: 12 }, () => app.admin.get('/partners')))).map(
        ({ status }) => status,
      );
    try {
      await administrate(server, `${role} SET extra_float_digits = -5`);
      await endConnections(database);
      await until(async () => {
        const statuses = await atOnce();
        return statuses.includes(503) && app.logs().includes(JSON.stringify(refusal).slice(1, -1));
      });
      await administrate(server, `${role} RESET extra_float_digits`);
      await endConnections(database);
      await until(async () => (await atOnce()).every((status) => status === 200));
    } finally {
      await app.close();
    }
  });

  if (statements === 'unnamed')
    it('With DATABASE_POOLING=transaction_named the start fails if the pooler does not support named statements', async () => {
      const { database, env } = await setUpPlace('partner');
      await expect(
        startApp('partner', { ...env, DATABASE_POOLING: 'transaction_named' }, database),
      ).rejects.toThrow(
        'DATABASE_POOLING is "transaction_named", but the pooler of DATABASE_URL does not support named statements.',
      );
    });

  it.each<[string, Record<string, string>]>([
    ['DATABASE_POOLING is "session", but DATABASE_URL', { DATABASE_POOLING: 'session' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'pooled' }],
  ])('If %s is the URL of a pooler, the start fails and takes no lock through it', async (named, wrong) => {
    const { database, env } = await setUpPlace('partner');
    const settings = { ...env, ...wrong };
    if (settings.DATABASE_DIRECT_URL === 'pooled') settings.DATABASE_DIRECT_URL = env['DATABASE_URL']!;
    await expect(startApp('partner', settings, database)).rejects.toThrow(
      `${named} refuses session settings (options), as poolers`,
    );
    // A session's lock would stay with the pooler's connection, and block every later migration.
    const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect(await database.query('live', locks)).toEqual([]);
  });

  describe('processes', () => {
    const adminKey = newKeySecret('sandbox');
    const running: Replica[] = [];
    const closing: (() => Promise<unknown>)[] = [];
    let env: Record<string, string>;

    beforeAll(async () => {
      ({ env } = await setUpPlace('sandbox'));
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((replica) => replica.kill()));
      for (const close of closing.splice(0)) await close();
    });
    const start = async (role: Role, direct = env['DATABASE_DIRECT_URL']!): Promise<Replica> => {
      const settings = { ...env, DATABASE_DIRECT_URL: direct, BOOTSTRAP_ADMIN_KEY: adminKey, ROLE: role };
      const replica = await Replica.start('sandbox', settings);
      running.push(replica);
      return replica;
    };
    const worker = async ({ url }: Replica): Promise<string> =>
      ((await (await fetch(`${url}/health/ready`)).json()) as { worker: string }).worker;

    it('Processes of the roles api and worker send events of each other', async () => {
      const receiver = await Receiver.start();
      closing.push(() => receiver.close());
      const api = await start('api');
      const partner = await createPartner(api.api(adminKey));
      expect((await partner.api.post('/webhooks', { url: receiver.url })).status).toBe(201);
      const raise = async (): Promise<string> => {
        const { status, body } = await partner.api.post('/simulation/events', { type: 'position.closed' });
        expect(status).toBe(201);
        return body.data.id;
      };
      const ids = [await raise()];
      expect(receiver.received).toEqual([]);
      // The first waits for the worker; the second is told to it by LISTEN.
      expect(await worker(await start('worker'))).toBe('running');
      await receiver.waitFor(1);
      ids.push(await raise());
      await receiver.waitFor(2);
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(ids);
    });

    it('Processes send statements of jobs through it as well', async () => {
      const direct = await DatabaseProxy.open(env['DATABASE_DIRECT_URL']!);
      closing.push(() => direct.cut());
      let isDirect = false;
      // A process with jobs writes its heartbeat at its start.
      void direct.meet({ said: 'INTO replicas', reaches: true, how: 'reset' }).then(() => (isDirect = true));
      const all = await start('all', direct.url);
      await until(async () => (await worker(all)) === 'running');
      expect(direct.connections).toBeGreaterThan(0);
      expect(isDirect).toBe(false);
    });
  });

  it('A pooler serves more callers than it has connections, each transaction on one of them', async () => {
    const { database, env } = await setUpPlace('partner');
    const app = await startApp('partner', { ...env, REQUESTS_AT_ONCE: '0' }, database);
    try {
      const partners = await Promise.all(Array.from({ length: 4 }, () => createPartner(app.admin)));
      const created = await Promise.all(
        Array.from({ length: 60 }, (_, turn) =>
          partners[turn % 4]!.api.post(
            '/users',
            { external_id: `pooled:${turn % 30}` },
            { 'idempotency-key': `${turn % 30}` },
          ),
        ),
      );
      // Two partners create each user: in the live contract an external id belongs to one partner.
      const statuses = Object.groupBy(created, ({ status }) => status);
      expect(statuses[201]).toHaveLength(30);
      expect(statuses[409]).toHaveLength(30);
      const [open] = await database.query<{ count: number }>(
        'live',
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'vaultline-partner'`,
      );
      expect(open!.count).toBeLessThanOrEqual(POOL_SIZE);
      expect((await preparedStatements(pooler.url(database.url))) > 0).toBe(statements === 'named');
    } finally {
      await app.close();
    }
  });
}

/** Ends the pooler's connections to a database. Settings of a role count from the next one on. */
const endConnections = (database: TestDatabase): Promise<unknown> =>
  database.query(
    'live',
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'vaultline%' AND datname = current_database()`,
  );

/** The number of named statements that a connection of the pooler to the database has. */
async function preparedStatements(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_prepared_statements',
    );
    return rows[0]!.count;
  } finally {
    await client.end();
  }
}
