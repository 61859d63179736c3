import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { databaseAt } from '../faults/database-server.js';
import { verifierTroubles } from '../faults/load/audit.js';
import { Trial } from '../faults/load/trial.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';
import { PG_BIN, runAsPostgres, whereInstalled } from './debian-postgres.js';

const RESTORE = resolve('deploy/backup/restore.sh');
const CLI = resolve('dist/bundle/cli/main.js');
const run = promisify(execFile);

jest.setTimeout(600_000);

whereInstalled(['pgbackrest', 'setpriv'], 'no backup is restored')('a backup by pgBackRest', () => {
  let root: string;
  let port: string;
  let url: string;
  let data: string;
  let trial: Trial;

  const config = (): string => `${data}.conf`;
  const backrest = (...args: string[]): Promise<string> =>
    runAsPostgres(['pgbackrest', '--stanza=vaultline', ...args], { PGBACKREST_CONFIG: config() });
  const control = (...args: string[]): Promise<string> =>
    runAsPostgres([`${PG_BIN}/pg_ctl`, '-D', data, '-w', ...args], { PGBACKREST_CONFIG: config() });
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  /** The folder of a further machine: the configuration differs in the path alone. */
  const moveTo = (name: string): void => {
    data = join(root, name);
    const text = readFileSync('deploy/backup/pgbackrest.conf', 'utf8')
      .replace(/^repo1-path=.*/m, `repo1-path=${root}/repo\nlog-path=${root}\nlock-path=${root}/lock`)
      .replace(/^pg1-path=.*/m, `pg1-path=${data}\npg1-port=${port}\npg1-socket-path=${root}`);
    writeFileSync(config(), text);
    chmodSync(config(), 0o644);
  };
  /** @returns the output of the runbook, and how long it took */
  const restore = async (moment?: string): Promise<{ output: string; ms: number }> => {
    await runAsPostgres(['mkdir', '-m', '700', data]);
    const began = performance.now();
    const { stdout } = await run(RESTORE, moment ? [moment] : [], {
      env: {
        ...process.env,
        PG_BIN,
        PGBACKREST_CONFIG: config(),
        DATABASE_URL: url,
        CONTRACT: 'partner',
        SECRETS_KEY: Buffer.alloc(32).toString('base64'),
        SETTLEMENT: 'instant',
        VAULTLINE: `${process.execPath} ${CLI}`,
      },
      timeout: 300_000,
    });
    return { output: stdout, ms: performance.now() - began };
  };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'vaultline-backup-'));
    chmodSync(root, 0o777);
    port = String(await freePort());
    url = `postgres://postgres@127.0.0.1:${port}/vaultline`;
    moveTo('first');
    await runAsPostgres([`${PG_BIN}/initdb`, '-D', data, '-A', 'trust', '-U', 'postgres']);
    appendFileSync(
      join(data, 'postgresql.conf'),
      [
        `port = ${port}`,
        `listen_addresses = '127.0.0.1'`,
        `unix_socket_directories = '${root}'`,
        'archive_mode = on',
        `archive_command = 'pgbackrest --stanza=vaultline archive-push %p'`,
        'archive_timeout = 5',
        `work_mem = '5MB'`,
        '',
      ].join('\n'),
    );
    await control('-l', join(root, 'first.log'), 'start');
    const session = new Client({ connectionString: url.replace('/vaultline', '/postgres') });
    await session.connect();
    await session.query('CREATE DATABASE vaultline');
    await session.query('CREATE ROLE auditor LOGIN CONNECTION LIMIT 3');
    await session.end();
    await backrest('stanza-create');
    trial = await Trial.start({
      database: databaseAt(url),
      roles: ['all'],
      env: { SECRETS_KEY: Buffer.alloc(32).toString('base64') },
    });
  });
  afterAll(async () => {
    await trial?.close();
    await control('-m', 'immediate', 'stop').catch(() => undefined);
    rmSync(root, { recursive: true, force: true });
  });

  it('A database is restored to its end and to a point in time, on another server, with roles and settings; nothing is sent twice', async () => {
    const load = await trial.load({ seed: 1, writers: 4 });
    load.start();
    await sleep(2_000);
    await backrest('--type=full', 'backup');
    await sleep(3_000);
    const acknowledged = load.journal
      .of('deposit')
      .filter(({ outcomes }) => outcomes.some(({ kind }) => kind === 'acknowledged'))
      .map(({ body }: any) => body.tx_hash as string);
    const [{ moment }] = await query<any>('SELECT clock_timestamp()::text AS moment');
    await sleep(8_000);

    // The machine is lost under load, and with it what was not archived.
    const lostAt = Date.now();
    await control('-m', 'immediate', 'stop');
    await load.stop();
    await trial.deployment.replicas[0]!.kill();
    moveTo('latest');
    const latest = await restore();
    const [{ newest }] = await query<any>('SELECT max(recorded_at) AS newest FROM live.events');
    const lostMs = lostAt - newest.getTime();
    expect(lostMs).toBeLessThan(30_000);
    await control('-m', 'fast', 'stop');

    moveTo('moment');
    const atMoment = await restore(moment);
    process.stderr.write(
      `restored to the end in ${(latest.ms / 1000).toFixed(1)} s, ${(lostMs / 1000).toFixed(1)} s of work lost with archive_timeout 5 s; to a moment in ${(atMoment.ms / 1000).toFixed(1)} s\n`,
    );
    expect(atMoment.output).toMatch(/^[1-9]\d* deliveries are closed as interrupted/m);
    expect(atMoment.output).toMatch(/^\d+ partners and \d+ keys \(.* are active again as in the backup/m);
    expect(atMoment.output).toContain(': 0 differences.');
    expect(await query(`SELECT rolconnlimit FROM pg_roles WHERE rolname = 'auditor'`)).toEqual([
      { rolconnlimit: 3 },
    ]);
    expect(await query('SHOW work_mem')).toEqual([{ work_mem: '5MB' }]);
    const [{ late }] = await query<any>(
      `SELECT count(*)::int AS late FROM live.events WHERE recorded_at > '${moment}'`,
    );
    expect(late).toBe(0);
    const rows = await query<{ tx_hash: string }>(
      `SELECT tx_hash FROM live.ledger_entries WHERE type = 'deposit'`,
    );
    const kept = new Set(rows.map((row) => row.tx_hash));
    expect(acknowledged.length).toBeGreaterThan(5);
    expect(acknowledged.filter((hash) => !kept.has(hash))).toEqual([]);

    // It goes on: what was lost is reported anew with its key, and nothing that a receiver has is sent again.
    await trial.deployment.replace(0);
    const users = load.accounts.flatMap(({ userIds }) => userIds);
    const lost = load.journal
      .of('deposit')
      .filter(({ body }: any) => !kept.has(body.tx_hash) && users.includes(body.user_id));
    expect(lost.length).toBeGreaterThan(0);
    for (const { secret, body, idempotencyKey } of lost.slice(-5)) {
      const api = trial.deployment.replicas[0]!.api(secret);
      expect((await api.post('/positions', body, { 'idempotency-key': idempotencyKey })).status).toBe(201);
    }
    await until(
      async () =>
        (await query(`SELECT FROM live.deliveries WHERE status IN ('queued', 'pending')`)).length === 0,
      60_000,
    );
    const received = trial.hooks.received.map(
      ({ path, body }) => `${path} ${JSON.parse(body.toString()).id}`,
    );
    expect(received.length).toBeGreaterThan(20);
    expect(received.filter((item, index) => received.indexOf(item) !== index)).toEqual([]);
    expect(await verifierTroubles(url)).toEqual([]);
  });
});
