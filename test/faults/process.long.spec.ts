import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { freePort, Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { DatabaseServer } from './database-server.js';

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

  describe('refuses to start with bad settings, and says which', () => {
    it.each([
      ['no CONTRACT', null, {}, 'CONTRACT is missing; it must be partner or sandbox.'],
      ['another CONTRACT', null, { CONTRACT: 'live' }, 'CONTRACT is "live"; it must be partner or sandbox.'],
      [
        'a value that is none',
        'partner',
        { RATE_LIMIT_PER_MINUTE: 'lots' },
        'RATE_LIMIT_PER_MINUTE is "lots"; it must be a whole number from 0 to 10000000.',
      ],
      [
        'a misspelt name',
        'partner',
        { WEBHOOK_ALOWED_NETWORKS: '10.0.0.0/8' },
        'WEBHOOK_ALOWED_NETWORKS is not a setting; did you mean WEBHOOK_ALLOWED_NETWORKS?',
      ],
      [
        'a network that is none',
        'partner',
        { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/33' },
        'WEBHOOK_ALLOWED_NETWORKS is "10.0.0.0/33"; it must be networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd12::/48.',
      ],
      [
        'no database in production',
        'partner',
        { NODE_ENV: 'production', DATABASE_URL: '', TRUSTED_PROXIES: 'none' },
        'DATABASE_URL is missing; it is required under NODE_ENV=production.',
      ],
      [
        'no word on proxies in production',
        'partner',
        { NODE_ENV: 'production' },
        'TRUSTED_PROXIES is missing; it is required under NODE_ENV=production: the networks of the proxies in front, or the word none where callers connect directly.',
      ],
    ] as const)('%s', async (_, contract, env, line) => {
      const replica = await spawn(env, contract);
      expect(await replica.exit()).toBe(1);
      expect(replica.logs.trim()).toBe(line);
    });

    it('a secret of the wrong form, without showing it', async () => {
      const replica = await spawn({ SECRETS_KEY: 'c2hvcnQ=', BOOTSTRAP_ADMIN_KEY: adminKey });
      expect(await replica.exit()).toBe(1);
      expect(replica.logs).toBe(
        'SECRETS_KEY is not valid; it must be 32 bytes in base64 (openssl rand -base64 32).\n',
      );
    });

    it("the other environment's bootstrap key, or half a key", async () => {
      for (const key of [newKeySecret('sandbox'), adminKey.slice(0, -1)]) {
        const replica = await spawn({ BOOTSTRAP_ADMIN_KEY: key });
        expect(await replica.exit()).toBe(1);
        expect(replica.logs).toMatch(/^BOOTSTRAP_ADMIN_KEY is not valid; it must be a whole key/);
        expect(replica.logs).not.toContain(key);
      }
    });

    it('a port that is taken', async () => {
      const first = await spawn();
      await first.untilReady();
      const second = await spawn({ PORT: new URL(first.url).port });
      expect(await second.exit()).toBe(1);
      expect(second.logs).toContain('set PORT to another one');
    });

    it('a database that refuses its password', async () => {
      const url = new URL(database.url);
      url.password = 'wrong';
      const replica = await spawn({ DATABASE_URL: url.href });
      expect(await replica.exit()).toBe(1);
      expect(replica.logs).toContain('password authentication failed');
    });

    it('a certificate that is not there', async () => {
      const replica = await spawn({
        DATABASE_URL: `${database.url}?sslmode=require&sslcert=/nowhere/client.crt`,
      });
      expect(await replica.exit()).toBe(1);
      expect(replica.logs).toContain(
        'DATABASE_URL names the file "/nowhere/client.crt", which cannot be read (ENOENT)',
      );
    });
  });

  it('encrypts every connection to a database of verify-full, and takes no other certificate or host', async () => {
    const certify =
      'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key -out crt';
    const server = await DatabaseServer.start({
      wrap: (command, folder) => [
        '/bin/sh',
        '-c',
        `cd "$0" && ${certify} 2>/dev/null && chmod 600 key && exec "$@" -c ssl=on -c ssl_cert_file="$0/crt" -c ssl_key_file="$0/key"`,
        folder,
        ...command,
      ],
    });
    try {
      const url = new URL((await server.createDatabase('vaultline')).url);
      const at = (hostname: string, query: string): string =>
        Object.assign(new URL(url), { hostname, search: `sslmode=verify-full${query}` }).href;
      const root = `&sslrootcert=${server.folder}/crt`;
      for (const [refused, why] of [
        [at('localhost', ''), 'self-signed certificate'],
        [at('127.0.0.1', root), "does not match certificate's altnames"],
      ] as const) {
        const replica = await spawn({ DATABASE_URL: refused });
        await until(() => Promise.resolve(replica.logs.includes(why)), 60_000);
      }
      await (await spawn({ DATABASE_URL: at('localhost', root) })).untilReady();
      const sessions = await server.query<{ ssl: boolean }>(
        `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = 'vaultline'`,
      );
      expect(sessions.length).toBeGreaterThan(1);
      expect(new Set(sessions.map(({ ssl }) => ssl))).toEqual(new Set([true]));
    } finally {
      await Promise.all(running.splice(0).map((replica) => replica.kill()));
      await server.close();
    }
  }, 120_000);

  it('starts while the database is down: live, not ready, 503; and serves once it is there', async () => {
    const proxy = await DatabaseProxy.open(database.url);
    await proxy.cut();
    const replica = await spawn({ DATABASE_URL: proxy.url });
    const status = (path: string): Promise<number> =>
      fetch(replica.url + path).then(
        (response) => response.status,
        () => 0,
      );
    while ((await status('/health/live')) === 0) await sleep(25);
    expect(await status('/health/live')).toBe(200);
    expect(await status('/health/ready')).toBe(503);
    const refused = await replica.api(adminKey).get('/keys');
    expect(refused.status).toBe(503);
    expect(refused.body.error.code).toBe('service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('2');
    await proxy.restore();
    await replica.untilReady();
    expect((await replica.api(adminKey).get('/keys')).status).toBe(200);
    await replica.kill();
    await proxy.cut();
  });

  it('outlives a database that ends all its connections', async () => {
    const replica = await spawn();
    await replica.untilReady();
    const api = replica.api(adminKey);
    for (let round = 0; round < 3; round++) {
      await database.query(
        'live',
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      while ((await api.get('/keys')).status === 503) await sleep(25);
      expect((await api.get('/keys')).status).toBe(200);
    }
    expect(replica.child.exitCode).toBeNull();
  });

  it('finishes on SIGTERM what is in flight, a send included, takes nothing new, and exits 0', async () => {
    const receiver = await Receiver.start((response) => setTimeout(() => response.end(), 700));
    const replica = await spawn();
    await replica.untilReady();
    const partner = await createPartner(replica.api(adminKey));
    const { id } = (await partner.api.post('/webhooks', { url: receiver.url })).body.data;
    const sending = partner.api.post(`/webhooks/${id}/test`);
    await receiver.waitFor(1);
    replica.child.kill('SIGTERM');
    const { status, body } = await sending;
    expect(status).toBe(201);
    expect(body.data.status).toBe('delivered');
    expect(await replica.exit()).toBe(0);
    await expect(replica.api(adminKey).get('/keys')).rejects.toThrow();
    await receiver.close();
  });

  it('serves figures on the management port alone', async () => {
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

  it('outlives a stranger that asks for a tunnel and resets, and closes the connection of one that asks and waits', async () => {
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
});
