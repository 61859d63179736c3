import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { childEnvironment, ENDS } from '../support/child-environment.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { vaultline } from '../support/command.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { freePort, Replica } from '../support/replica.js';
import { until } from '../support/until.js';

/** How a real process starts, survives the loss of its database, and stops. */
describe('one process', () => {
  const adminKey = newKeySecret('live');
  let database: TestDatabase;
  const running: { kill(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((replica) => replica.kill()));
  });
  afterAll(() => database.drop());

  const spawn = async (
    env: Record<string, string> = {},
    contract: 'partner' | 'sandbox' | null = 'partner',
  ) => {
    const replica = await Replica.spawn(contract ?? undefined, {
      DATABASE_URL: database.url,
      ...(contract === 'partner' && { BOOTSTRAP_ADMIN_KEY: adminKey }),
      ...env,
    });
    running.push(replica);
    return replica;
  };

  /** The only line of a process that ended with status 1. */
  const lastLine = async (replica: Replica): Promise<any> => {
    expect(await replica.exit()).toBe(1);
    await until(() => Promise.resolve(replica.logs.endsWith('\n')));
    return JSON.parse(replica.logs.trimEnd().split('\n').at(-1)!);
  };

  describe('refuses to start, and names the cause in one log line of level fatal, with', () => {
    const PROXIES =
      'TRUSTED_PROXIES is missing; it is required under NODE_ENV=production: the networks of the proxies in front, or the word none where callers connect directly.';
    it.each<[string, 'partner' | null, () => Record<string, string>, unknown]>([
      ['no CONTRACT', null, () => ({}), 'CONTRACT is missing; it must be partner or sandbox.'],
      [
        'a database without its scheme',
        'partner',
        () => ({ DATABASE_URL: 'u:hunter2@db/vaultline' }),
        'DATABASE_URL is not valid; it must be a URL such as postgres://user:password@host:5432/vaultline.',
      ],
      ['no word on proxies in production', 'partner', () => ({ NODE_ENV: 'production' }), PROXIES],
      [
        'two mistakes and no log level to speak of',
        'partner',
        () => ({ PORT: 'eighty', CONSOL: 'off', LOG_LEVEL: 'silent' }),
        'PORT is "eighty"; it must be a whole number from 0 to 65535.\nCONSOL is not a setting; did you mean CONSOLE? Its value is "off".',
      ],
      [
        'a database that refuses its password',
        'partner',
        () => ({
          DATABASE_URL: Object.assign(new URL(database.url), { password: 'wrong' }).href,
          ROLE: 'worker',
        }),
        'DATABASE_URL: password authentication failed for user "vaultline".',
      ],
      [
        'an address of another machine',
        'partner',
        () => ({ HOST: '192.0.2.1' }),
        expect.stringContaining('HOST and MANAGEMENT_HOST must be addresses of this machine'),
      ],
    ])(
      'One process refuses to start, and names the cause in one log line of level fatal, with %s',
      async (_, contract, env, msg) => {
        const replica = await spawn(env(), contract);
        expect(await lastLine(replica)).toEqual({
          level: 60,
          time: expect.any(String),
          ...(contract && { contract }),
          msg,
        });
      },
    );

    it('One process refuses to start, and names the cause in one log line of level fatal, with a port in use', async () => {
      const first = await spawn();
      await first.untilReady();
      const second = await spawn({ PORT: new URL(first.url).port });
      expect((await lastLine(second)).msg).toContain('set PORT to another one');
    });
  });

  it('A process names the setting of a database that does not answer a command', async () => {
    const DATABASE_URL = 'postgres://u:hunter2@localhost:1/vaultline';
    const run = await vaultline(['--contract', 'partner', 'migrate'], { SECRETS_KEY, DATABASE_URL });
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL: no database answers: .*ECONNREFUSED.*\.\n$/),
    });
  }, 60_000);

  it('One process shows a terminal why it ends as plain text', () => {
    const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
    const program = ['-qec', `${process.execPath} ${main}`, '/dev/null'];
    const { status, stdout } = spawnSync('script', program, {
      ...ENDS,
      env: childEnvironment(),
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, 'CONTRACT is missing; it must be partner or sandbox.\r\n']);
  });

  it('One process takes no arguments, which would be ignored', () => {
    for (const program of ['main', 'cli/quickstart']) {
      const path = fileURLToPath(new URL(`../../dist/bundle/${program}.js`, import.meta.url));
      const args = [path, '--database-url=postgres://u:hunter2@db/x'];
      const run = spawnSync(process.execPath, args, { ...ENDS, env: childEnvironment(), encoding: 'utf8' });
      expect(run.status).toBe(1);
      expect(run.stdout + run.stderr).toMatch(
        /takes no arguments, and got .*--database-url.*variables of the environment/,
      );
      expect(run.stdout + run.stderr).not.toContain('hunter2');
    }
  });

  it('One process serves metrics on the management port alone', async () => {
    const port = String(await freePort());
    const replica = await spawn({ MANAGEMENT_PORT: port });
    await replica.untilReady();
    await replica.api(adminKey).get('/keys');
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(
      /vaultline_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/keys",status="200"\} 1/,
    );
    expect((await fetch(`${replica.url}/metrics`)).status).toBe(404);
  });

  it('One process survives CONNECT requests, and closes their connections', async () => {
    const replica = await spawn();
    await replica.untilReady();
    const { hostname, port } = new URL(replica.url);
    const tunnel = (): Socket =>
      connect({ port: Number(port), host: hostname })
        .on('error', () => undefined)
        .resume();
    for (let turn = 0; turn < 5; turn++) {
      const socket = tunnel();
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    const waiting = tunnel();
    waiting.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(waiting, 'close');
    expect((await replica.api(adminKey).get('/keys')).status).toBe(200);
    expect(await replica.kill()).toBe(0);
  });

  it('One process records the outcome of a send that ended during a loss of the database, once that is back', async () => {
    const proxy = await DatabaseProxy.open(database.url);
    const env = { BOOTSTRAP_ADMIN_KEY: adminKey, LOG_LEVEL: 'warn', WEBHOOK_TIMEOUT_MS: '1000' };
    const replica = await Replica.start('partner', { DATABASE_URL: proxy.url, ...env });
    running.push(replica);
    // Another process never loses the database, and releases sends whose outcome is not recorded in time.
    const other = await Replica.start('partner', { DATABASE_URL: database.url, ...env });
    running.push(other);
    let answer = (): void => undefined;
    const receiver = await Receiver.start((response) => (answer = () => void response.end()));
    const partner = await createPartner(replica.api(adminKey));
    const { id } = (await partner.api.post('/webhooks', { url: receiver.url })).body.data;
    const sent = partner.api.post(`/webhooks/${id}/test`).catch(() => null);
    await receiver.waitFor(1);
    await proxy.cut();
    answer();
    const outcome = async () =>
      (
        await database.query<{ outcome: string }>(
          'live',
          'SELECT coalesce(failure, status) AS outcome FROM deliveries',
        )
      )[0]!.outcome;
    await until(async () => (await outcome()) === 'interrupted', 15_000);
    await proxy.restore();
    await until(async () => (await outcome()) === 'delivered', 15_000);
    await sent;
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
    await replica.kill();
    await proxy.cut();
  }, 60_000);
});
