import { copyFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/config/config-error.js';
import { loadSettings } from '../../src/config/settings.js';
import { checkPaths } from '../../src/database/connection.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { vaultline } from '../support/command.js';
import { Replica } from '../support/replica.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { until } from '../support/until.js';
import { DatabaseServer } from './database-server.js';

/** Certificates of a private CA, made by the server's account: its own, one of another host, an expired one, a client's. */
const CERTIFY = `cd "$0"
if [ ! -e ca.crt ]; then
  ec='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  make() { name=$1; shift; openssl req -x509 $ec -days 2 -subj "/CN=$name" -keyout $name.key -out $name.crt "$@"; }
  make ca
  make stranger
  make server -CA ca.crt -CAkey ca.key -addext subjectAltName=DNS:localhost
  make elsewhere -CA ca.crt -CAkey ca.key -addext subjectAltName=DNS:db.internal
  make client -CA ca.crt -CAkey ca.key
  openssl req $ec -subj /CN=expired -addext subjectAltName=DNS:localhost -keyout expired.key -out csr
  openssl x509 -req -in csr -CA ca.crt -CAkey ca.key -copy_extensions copy -days -1 -out expired.crt
  for kind in crt key; do cp server.$kind shown.$kind; done
  for name in postgres vaultline; do echo "host $name all all scram-sha-256"; done >hba
  echo 'hostssl encrypted all all scram-sha-256' >>hba
  echo 'hostssl certified all all scram-sha-256 clientcert=verify-ca' >>hba
fi 2>/dev/null
exec "$@" -c ssl_cert_file="$0/shown.crt" -c ssl_key_file="$0/shown.key" -c ssl_ca_file="$0/ca.crt" -c hba_file="$0/hba"`;

describe('a database over TLS', () => {
  let server: DatabaseServer;
  const running: Replica[] = [];

  beforeAll(async () => {
    server = await DatabaseServer.start({
      wrap: (command, folder) => ['/bin/sh', '-c', CERTIFY, folder, ...command],
    });
    for (const name of ['vaultline', 'encrypted', 'certified']) await server.query(`CREATE DATABASE ${name}`);
    await server.query('ALTER SYSTEM SET ssl = on');
    await reload();
  }, 120_000);
  afterEach(async () => {
    await Promise.all(running.splice(0).map((replica) => replica.kill()));
  });
  afterAll(() => server?.close());

  /** The postmaster reads its certificate before it takes the connection that sees the new time. */
  const reload = async (): Promise<void> => {
    const loaded = async () =>
      (await server.query<{ at: Date }>('SELECT pg_conf_load_time() AS at'))[0]!.at.getTime();
    const before = await loaded();
    await server.query('SELECT pg_reload_conf()');
    await until(async () => (await loaded()) > before, 10_000);
  };
  const present = async (name: string): Promise<void> => {
    for (const kind of ['crt', 'key'])
      copyFileSync(`${server.folder}/${name}.${kind}`, `${server.folder}/shown.${kind}`);
    await reload();
  };
  const at = (database: string, parameters: string, hostname = 'localhost'): string => {
    const url = Object.assign(new URL(server.url), { hostname, pathname: database });
    return `${url.href}?${parameters.replaceAll('@', server.folder)}`;
  };
  const check = async (url: string): Promise<string> => {
    const settings = loadSettings({ CONTRACT: 'partner', SECRETS_KEY, DATABASE_URL: url });
    const refused = await checkPaths(settings, settings.databaseUrl!).then(
      () => null,
      (error: Error) => error,
    );
    if (refused !== null && !(refused instanceof ConfigError)) throw refused;
    return refused?.message ?? 'accepted';
  };

  const ROOT = 'sslrootcert=@/ca.crt';
  const CLIENT = 'sslcert=@/client.crt&sslkey=@/client.key';
  const STRANGER = 'sslcert=@/stranger.crt&sslkey=@/stranger.key';
  const OTHER_CA =
    /^DATABASE_URL: .+; set sslrootcert to a file with the certificate of the CA that signed the server's\.\n?$/;
  const OTHER_NAME =
    /^DATABASE_URL: Hostname.+; connect by a name in the server's certificate, or set sslmode=verify-ca/;
  const EXPIRED =
    /^DATABASE_URL: certificate has expired; renew the server's certificate or that of its CA, or set the clock/;

  it.each<[string, [database: string, parameters: string, hostname?: string][], RegExp | 'accepted']>([
    [
      'server',
      [
        ['vaultline', `sslmode=verify-full&${ROOT}`],
        ['vaultline', `sslmode=require&${ROOT}`],
      ],
      'accepted',
    ],
    [
      'server',
      [
        ['vaultline', 'sslmode=no-verify'],
        ['vaultline', 'sslmode=disable'],
        ['vaultline', ''],
      ],
      'accepted',
    ],
    ['server', [['vaultline', `sslmode=verify-ca&${ROOT}`, '127.0.0.1']], 'accepted'],
    [
      'server',
      [
        ['vaultline', 'sslmode=require'],
        ['vaultline', 'sslmode=verify-ca'],
      ],
      OTHER_CA,
    ],
    [
      'server',
      [
        ['vaultline', 'sslrootcert=@/stranger.crt'],
        ['vaultline', 'sslrootcert=system'],
      ],
      OTHER_CA,
    ],
    ['server', [['vaultline', `sslmode=verify-full&${ROOT}`, '127.0.0.1']], OTHER_NAME],
    [
      'server',
      [
        ['encrypted', 'sslmode=disable'],
        ['encrypted', ''],
      ],
      /no encryption; if the server requires TLS, set sslmode/,
    ],
    ['server', [['certified', `${ROOT}&${CLIENT}`]], 'accepted'],
    [
      'server',
      [['certified', ROOT]],
      /valid client certificate; set sslcert and sslkey to the certificate of this client/,
    ],
    [
      'server',
      [['certified', `${ROOT}&${STRANGER}`]],
      /unknown ca.*; the server refuses TLS with this client: correct sslcert/,
    ],
    [
      'elsewhere',
      [
        ['vaultline', `sslmode=verify-full&${ROOT}`],
        ['vaultline', ROOT],
      ],
      OTHER_NAME,
    ],
    ['elsewhere', [['vaultline', `sslmode=verify-ca&${ROOT}`]], 'accepted'],
    [
      'stranger',
      [
        ['vaultline', `sslmode=verify-ca&${ROOT}`],
        ['vaultline', 'sslmode=require'],
      ],
      OTHER_CA,
    ],
    [
      'expired',
      [
        ['vaultline', `sslmode=verify-full&${ROOT}`],
        ['vaultline', `sslmode=verify-ca&${ROOT}`],
      ],
      EXPIRED,
    ],
  ])('A database over TLS with the certificate "%s" answers to %j: %s', async (certificate, urls, told) => {
    await present(certificate);
    for (const url of urls) {
      const answer = await check(at(...url));
      if (told === 'accepted') expect(answer).toBe(told);
      else expect(answer).toMatch(told);
    }
  });

  it('A database over TLS that offers none is refused, unless sslmode=disable', async () => {
    await server.query('ALTER SYSTEM SET ssl = off');
    await reload();
    try {
      for (const parameters of ['sslmode=require', `sslmode=verify-full&${ROOT}`, 'ssl=true'])
        expect(await check(at('vaultline', parameters))).toMatch(
          /^DATABASE_URL: The server does not support SSL connections; sslmode asks for TLS: turn it on at the server/,
        );
      expect(await check(at('vaultline', 'sslmode=disable'))).toBe('accepted');
    } finally {
      await server.query('ALTER SYSTEM SET ssl = on');
      await reload();
    }
  });

  it('A database over TLS ends the process and the command when its certificate is refused, which no wait mends', async () => {
    await present('server');
    const url = at('encrypted', 'sslmode=verify-full');
    const replica = await Replica.spawn('partner', { DATABASE_URL: url });
    running.push(replica);
    expect(await replica.exit()).toBe(1);
    expect(replica.logs).toContain('set sslrootcert to a file with the certificate of the CA');
    for (const args of [['migrate'], ['keys', 'list']]) {
      const told = await vaultline(['--contract', 'partner', ...args], { SECRETS_KEY, DATABASE_URL: url });
      expect(told).toMatchObject({ code: 1, stderr: expect.stringMatching(OTHER_CA) });
    }
  }, 60_000);

  it('A database over TLS that asks for a certificate gets it on every connection: of the migration, requests, jobs and commands', async () => {
    await present('server');
    const env = { DATABASE_URL: at('certified', `sslmode=verify-full&${ROOT}&${CLIENT}`), SECRETS_KEY };
    const migrated = await vaultline(['--contract', 'partner', 'migrate'], env);
    expect(migrated.output).toBe('The database is up to date.\n');
    const replica = await Replica.start('partner', env);
    running.push(replica);
    const sessions = await server.query<{ ssl: boolean }>(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = 'certified'`,
    );
    expect(sessions.length).toBeGreaterThan(1);
    expect(new Set(sessions.map(({ ssl }) => ssl))).toEqual(new Set([true]));
  }, 60_000);

  it('A database over TLS whose certificate expires while a process runs makes requests fail with 503, until it is renewed', async () => {
    await present('server');
    const adminKey = newKeySecret('live');
    const replica = await Replica.start('partner', {
      DATABASE_URL: at('vaultline', `sslmode=verify-full&${ROOT}`),
      BOOTSTRAP_ADMIN_KEY: adminKey,
    });
    running.push(replica);
    const status = async () => (await replica.api(adminKey).get('/keys')).status;
    await present('expired');
    await server.endConnections();
    await until(async () => (await status()) === 503);
    await present('server');
    await until(async () => (await status()) === 200);
  }, 60_000);
});
