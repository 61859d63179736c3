import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { StorageWatch } from '../../src/domain/kernel/store/storage-watch.js';
import { Worker } from '../../src/jobs/worker.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { administrate, databaseUrl, SERVER_URL } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { vaultline } from '../support/command.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { DatabaseServer } from './database-server.js';
import { onDatabase } from './load/audit.js';

const AT_ONCE = 12;
let count = 0;

/** A database with a role of its own, so that the operator can change the settings of either. */
class Place {
  private readonly server = process.env[SERVER_URL]!;
  readonly name = `test_${randomBytes(6).toString('hex')}`;
  readonly url = `postgres://${this.name}:right@${new URL(this.server).host}/${this.name}`;

  async make(): Promise<void> {
    await this.operate(`CREATE ROLE ${this.name} LOGIN PASSWORD 'right'`);
    await this.operate(`CREATE DATABASE ${this.name} OWNER ${this.name}`);
  }

  /** Runs SQL as the server's owner, in another database. */
  operate(sql: string): Promise<void> {
    return administrate(this.server, sql);
  }

  /** Runs SQL as the server's owner, in this database. */
  inside<Row>(sql: string): Promise<Row[]> {
    const url = new URL(databaseUrl(this.server, this.name));
    // The owner's connection is writable, whatever the database's default is.
    url.searchParams.set('options', '-c default_transaction_read_only=off -c search_path=live');
    return onDatabase(url.href, (database) => database.sql<Row>(sql));
  }

  /** Changed settings apply to new connections only, so existing ones are ended. */
  endConnections(): Promise<void> {
    return this.operate(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${this.name}'`,
    );
  }

  async remove(): Promise<void> {
    await this.operate(`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`);
    await this.operate(`DROP ROLE IF EXISTS ${this.name}`);
  }
}

/** Errors about PostgreSQL's own state, rather than about the request, are 503: the caller should retry. */
describe('a database that refuses work', () => {
  const database = new Place();
  let app: TestApp;
  let partner: TestPartner;

  beforeAll(async () => {
    await database.make();
    app = await startApp('partner', {
      DATABASE_URL: database.url,
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      LOG_LEVEL: 'warn',
    });
    partner = await createPartner(app.admin);
    await database.inside(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the secret of % is %', NEW.id, NEW.external_id USING ERRCODE = TG_ARGV[0]; END $$;
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await database.remove();
  });

  const createUser = (key = `state-${++count}`): Promise<Answer> =>
    partner.api.post('/users', { external_id: key }, { 'idempotency-key': key });
  const ready = async (): Promise<number> => (await fetch(`${app.url}/health/ready`)).status;
  const READY = { status: 'ready', role: 'all', worker: 'running' };
  const readiness = async (): Promise<[number, any]> => {
    const response = await fetch(`${app.url}/health/ready`);
    return [response.status, await response.json()];
  };
  const isUnavailable = (answer: Answer): void => {
    expectError(answer, 503, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('2');
  };
  const users = async (): Promise<number> =>
    (await database.inside<{ rows: number }>('SELECT count(*)::int AS rows FROM users'))[0]!.rows;

  describe('makes a request fail, by the code of PostgreSQL, with', () => {
    afterEach(() => database.inside('DROP TRIGGER refuse ON users'));
    const says = async (code: string): Promise<Answer> => {
      await database.inside(
        `CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse('${code}')`,
      );
      const before = await users();
      const answer = await createUser();
      expect(await users()).toBe(before);
      expect(answer.text).not.toContain('secret');
      return answer;
    };

    it.each([
      ...['08000', '08001', '08003', '08004', '08006', '53000', '53100', '53200', '53300', '53400'],
      ...['58000', '58030', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '55P03', '55000', '25P03'],
      ...['25P04', '25006', '26000', '28000', '28P01', '3D000', '40001', '40P01'],
    ])(
      'A database that refuses work makes a request fail, by the code of PostgreSQL, with 503 and Retry-After for %s',
      async (code) => {
        isUnavailable(await says(code));
      },
    );

    it.each(['22012', '23514', '42501', '42P01', '0A000', 'XX000', 'XX001', 'P0001'])(
      'A database that refuses work makes a request fail, by the code of PostgreSQL, with 500, without details, to %s: a retry does not help',
      async (code) => {
        expectError(await says(code), 500, 'internal_error');
      },
    );
  });

  /** Runs work while a setting of new connections holds. */
  const during = async (trouble: string, end: string, work: () => Promise<void>): Promise<void> => {
    await database.operate(trouble);
    try {
      await database.endConnections();
      await work();
    } finally {
      await database.operate(end);
    }
  };
  const isServedAgain = async (): Promise<void> => {
    await until(async () => (await ready()) === 200);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => createUser()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  };

  it.each([
    ['it has no connection left', 'ALTER ROLE @ CONNECTION LIMIT 0', 'ALTER ROLE @ CONNECTION LIMIT -1'],
    ['the password was changed', `ALTER ROLE @ PASSWORD 'other'`, `ALTER ROLE @ PASSWORD 'right'`],
    ['the account is locked', 'ALTER ROLE @ NOLOGIN', 'ALTER ROLE @ LOGIN'],
    [
      'it takes no connections',
      'ALTER DATABASE @ ALLOW_CONNECTIONS false',
      'ALTER DATABASE @ ALLOW_CONNECTIONS true',
    ],
  ])(
    'A database that refuses work makes requests fail with 503 while %s, and succeed afterwards',
    async (_, trouble, end) => {
      const [begin, finish] = [trouble, end].map((sql) => sql.replace('@', database.name)) as [
        string,
        string,
      ];
      await during(begin, finish, async () => {
        isUnavailable(await createUser());
        const read = await partner.api.get('/partner/summary');
        isUnavailable(read);
        expect(read.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres|database|terminated/i);
        expect(await ready()).toBe(503);
        expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
        // What needs no database is refused as ever.
        expectError(await app.admin.as(undefined).get('/keys'), 401, 'missing_api_key');
        expectError(await app.admin.get('/nowhere'), 404, 'route_not_found');
      });
      await isServedAgain();
    },
  );

  it('A database that refuses work answers reads, and writes with 503, while the database is read-only', async () => {
    const set = `ALTER DATABASE ${database.name} SET default_transaction_read_only`;
    await during(`${set} = on`, `${set} = off`, async () => {
      await until(async () => (await partner.api.get('/partner/summary')).status === 200);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => createUser()));
      answers.forEach(isUnavailable);
      const reads = await Promise.all(
        Array.from({ length: AT_ONCE }, () => partner.api.get('/partner/summary')),
      );
      expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    });
    // Stale connections would keep their old settings: each is discarded, without a failed request.
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => createUser()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });

  it('A database that refuses work makes a process unready as read_only while it is read-only, and ready again without a write', async () => {
    const set = `ALTER DATABASE ${database.name} SET default_transaction_read_only`;
    await during(`${set} = on`, `${set} = off`, async () => {
      await until(async () => (await readiness())[1].degraded === 'read_only');
      expect(await readiness()).toMatchObject([503, { status: 'degraded' }]);
    });
    await until(async () => (await readiness())[1].worker === 'running', 20_000);
    expect(await readiness()).toEqual([200, READY]);
  }, 60_000);

  it('A database that refuses work makes new connections fail while triggers do not fire, and names the setting in the log', async () => {
    const set = `ALTER DATABASE ${database.name} SET session_replication_role`;
    await during(`${set} = replica`, `${set} = origin`, async () => {
      const said = 'session_replication_role is \\"replica\\" and must be \\"origin\\"';
      await until(async () => {
        isUnavailable(await createUser());
        return app.logs().includes(said);
      });
      expect(await readiness()).toEqual([503, { status: 'database_unavailable' }]);
    });
    await isServedAgain();
  }, 60_000);

  it('A database that refuses work makes a process unready as disk_full while its disk is full, and ready again without a write', async () => {
    const tables = ['users', 'replicas'];
    for (const table of tables)
      await database.inside(
        `CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`,
      );
    isUnavailable(await createUser());
    expect(await readiness()).toEqual([503, { ...READY, status: 'degraded', degraded: 'disk_full' }]);
    for (const table of tables) await database.inside(`DROP TRIGGER refuse ON ${table}`);
    expect(await readiness()).toEqual([200, READY]);
    expect((await createUser()).status).toBe(201);
  });

  it('A database that refuses work is unreachable to a probe that it does not answer in the time of the probe, and writable right after', async () => {
    const watch = app.application.get(StorageWatch);
    const tableLock = database.inside(`DO $$ BEGIN LOCK TABLE replicas; PERFORM pg_sleep(2); END $$`);
    // Before the lock the answer is `writable`; a probe that outlasted its time would say so again after it.
    await until(async () => (await watch.state(100)) === 'unreachable', 4_000);
    await tableLock;
    expect(await watch.state(1_000)).toBe('writable');
  });

  it('A database that refuses work has one listener for jobs, also when a start that was interrupted is repeated', async () => {
    const listening = `SELECT pid FROM pg_stat_activity WHERE usename = '${database.name}' AND query LIKE 'LISTEN%'`;
    await until(async () => (await database.inside(listening)).length > 0);
    const before = await database.inside(listening);
    await app.application.get(Worker).start();
    expect(await database.inside(listening)).toEqual(before);
  });

  it('A database that refuses work continues to serve while a migration changes a column of prepared statements', async () => {
    const read = (): Promise<Answer[]> =>
      Promise.all(Array.from({ length: AT_ONCE }, () => partner.api.get('/partner/users?limit=3')));
    const [before] = await read();
    await database.inside(
      'ALTER TABLE users ALTER COLUMN external_id TYPE varchar(400), ALTER COLUMN label TYPE varchar(400)',
    );
    const after = await read();
    expect(after.map(({ status, body }) => [status, body.data])).toEqual(
      after.map(() => [200, before!.body.data]),
    );
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => createUser()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });
});

describe('a password that is changed while a process runs', () => {
  const database = new Place();
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-password-'));
  const file = join(folder, 'url');
  let app: TestApp;

  beforeAll(async () => {
    await database.make();
    writeFileSync(file, database.url);
    app = await startApp('partner', { DATABASE_URL: '', DATABASE_URL_FILE: file, LOG_LEVEL: 'fatal' });
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await database.remove();
    rmSync(folder, { recursive: true });
  });

  it('A password that is changed while a process runs is read again from DATABASE_URL_FILE, so that requests and jobs continue without a restart', async () => {
    const readiness = async (): Promise<any> => (await fetch(`${app.url}/health/ready`)).json();
    await database.operate(`ALTER ROLE ${database.name} PASSWORD 'other'`);
    await database.endConnections();
    expectError(await app.admin.post('/partners', { name: 'Later' }), 503, 'service_unavailable');
    // A secret that is being written is not taken over.
    writeFileSync(file, '');
    expect(await readiness()).toEqual({ status: 'database_unavailable' });
    writeFileSync(file, `${database.url.replace(':right@', ':other@')}\n`);
    expect((await app.admin.post('/partners', { name: 'Now' })).status).toBe(201);
    await until(async () => (await readiness()).worker === 'running', 20_000);
    expect(await readiness()).toEqual({ status: 'ready', role: 'all', worker: 'running' });
  }, 60_000);
});

describe('a database whose dates, numbers and zone are those of another country', () => {
  const database = new Place();
  const NOTHING_NEW = { code: 0, stdout: 'The market already has this hour.\n' };
  let app: TestApp;

  beforeAll(async () => {
    await database.make();
    for (const setting of [
      `datestyle = 'German, DMY'`,
      'extra_float_digits = -10',
      `timezone = 'Asia/Kolkata'`,
    ])
      await database.operate(`ALTER DATABASE ${database.name} SET ${setting}`);
    app = await startApp('sandbox', { DATABASE_URL: database.url });
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await database.remove();
  });

  it('A database whose dates, numbers and zone are those of another country gets no hour twice, and its books say what was booked', async () => {
    const { api } = await createPartner(app.admin);
    const user = (await api.post('/users', { external_id: 'abroad' })).body.data.id;
    const deposit = { user_id: user, asset: 'USDC', amount: 100 };
    const { status, body } = await api.post('/positions', deposit);
    expect([status, Date.now() - Date.parse(body.data.opened_at) < 60_000]).toEqual([201, true]);
    const environment = { CONTRACT: 'sandbox', DATABASE_URL: database.url, SECRETS_KEY };
    expect(await vaultline(['tick'], environment)).toMatchObject(NOTHING_NEW);
    expect((await vaultline(['ledger', 'verify'], environment)).stdout).toMatch(
      /^1 positions, 1 entries, .*: 0 differences\./,
    );
  });
});

describe('a server that is a standby', () => {
  it('A server that is a standby keeps a process from being ready until it is promoted', async () => {
    const server = await DatabaseServer.start();
    const database = await server.createDatabase('vaultline');
    const adminKey = newKeySecret('live');
    const env = { DATABASE_URL: database.url, BOOTSTRAP_ADMIN_KEY: adminKey, LOG_LEVEL: 'warn' };
    let replica = await Replica.start('partner', env);
    try {
      await replica.kill();
      await server.stop('fast');
      await server.standBy();
      await server.start();
      replica = await Replica.spawn('partner', env);
      await until(async () => replica.logs.includes('is a standby'), 20_000);
      expect((await fetch(`${replica.url}/health/ready`)).status).toBe(503);
      await server.query('SELECT pg_promote()');
      await replica.untilReady();
      await server.stop('fast');
      await server.standBy();
      await server.start();
      // The process was connected before.
      expect((await replica.api(adminKey).get('/partners')).status).toBe(503);
      const answer = await fetch(`${replica.url}/health/ready`);
      expect([answer.status, await answer.json()]).toMatchObject([503, { degraded: 'read_only' }]);
    } finally {
      await replica.kill();
      await server.close();
    }
  }, 90_000);
});

describe('a process that starts', () => {
  it('A process that starts waits for a database that has no free connection or is read-only', async () => {
    const database = new Place();
    await database.make();
    await database.operate(`ALTER ROLE ${database.name} CONNECTION LIMIT 0`);
    await database.operate(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`);
    const replica = await Replica.spawn('partner', { DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
    const tried = (what: string): Promise<void> => until(async () => replica.logs.includes(what), 20_000);
    try {
      await tried('"code":"53300"');
      expect((await fetch(`${replica.url}/health/live`)).status).toBe(200);
      const answer = await fetch(`${replica.url}/health/ready`);
      expect([answer.status, await answer.json()]).toEqual([503, { status: 'starting' }]);
      await database.operate(`ALTER ROLE ${database.name} CONNECTION LIMIT -1`);
      await tried('"code":"25006"');
      await database.operate(`ALTER DATABASE ${database.name} RESET default_transaction_read_only`);
      await replica.untilReady();
    } finally {
      await replica.kill();
      await database.remove();
    }
  }, 60_000);
});
