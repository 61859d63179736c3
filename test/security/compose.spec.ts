import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, escapeLiteral } from 'pg';
import { parse } from 'yaml';
import { CONTRACTS } from '../../src/config/deployments.js';
import { SETTING_NAMES } from '../../src/config/read-environment.js';
import { loadSettings } from '../../src/config/settings.js';
import { migrate } from '../../src/database/migrate.js';
import { QUEUE_CONNECTIONS } from '../../src/jobs/worker.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import { administrate, SERVER_URL } from '../support/database.js';

const FOLDER = fileURLToPath(new URL('../../docker/', import.meta.url));
const SOURCE = readFileSync(`${FOLDER}compose.yaml`, 'utf8');
const PASSWORDS = [
  'POSTGRES',
  'PARTNER_MIGRATION',
  'PARTNER_DATABASE',
  'SANDBOX_MIGRATION',
  'SANDBOX_DATABASE',
];
/** The secrets that the head of the file tells to create; no other variable is set. */
const SECRETS: Record<string, string> = {
  ...Object.fromEntries(PASSWORDS.map((name) => [`${name}_PASSWORD`, `secret-of-${name.toLowerCase()}`])),
  PARTNER_SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  SANDBOX_SECRETS_KEY: Buffer.alloc(32, 2).toString('base64'),
};

/** Substitutes `${NAME:-default}` and `${NAME:?message}` in every string of the parsed YAML, as Compose does. */
const interpolate = (text: string, env: Record<string, string>): string =>
  text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    if (env[name]) return env[name];
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
const compose = (env: Record<string, string> = SECRETS): any =>
  parse(SOURCE, (_key, value) => (typeof value === 'string' ? interpolate(value, env) : value), {
    merge: true,
  });

/** Processes that run jobs beside one that answers requests, for which the limits are made. */
const WORKERS = 2;
/** Connections of a migration, which a start is as well. */
const OF_A_START = 3;
/** What PostgreSQL keeps free for the superuser (`superuser_reserved_connections`). */
const OF_SUPERUSER = 3;

const bytes = (size: string): number =>
  Number.parseInt(size, 10) * { m: 2 ** 20, g: 2 ** 30 }[size.at(-1) as 'm' | 'g'];

describe('docker/compose.yaml', () => {
  const { services, networks } = compose();
  const servers = ['partner', 'sandbox'] as const;

  it.each(Object.keys(services))('docker/compose.yaml confines the container %s', (name) => {
    const service = services[name];
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.cap_add).toBeUndefined();
    expect(service.privileged).toBeUndefined();
    expect(bytes(service.mem_limit)).toBeLessThanOrEqual(2 * 2 ** 30);
    expect(service.memswap_limit).toBe(service.mem_limit);
    expect(service.pids_limit).toBeGreaterThan(0);
    // The health check kills a server that hangs, which it can where that is not process 1.
    if (service.healthcheck?.test.includes('docker/health.mjs')) expect(service.init).toBe(true);
    expect(service.pids_limit).toBeLessThanOrEqual(256);
    expect(service.cpus).toBeGreaterThan(0);
    expect(service.logging.options).toEqual({
      'max-size': expect.any(String),
      'max-file': expect.any(String),
    });
  });

  it('docker/compose.yaml runs servers as node and the database as postgres, not as root', () => {
    expect(services.database.user).toBe('postgres');
    expect(readFileSync(`${FOLDER}Dockerfile`, 'utf8')).toMatch(/^USER node$/m);
    const writable = services.database.tmpfs.map((mount: string) => mount.split(':')[0]);
    expect(writable).toEqual(['/var/run/postgresql', '/tmp']);
    for (const mount of services.database.tmpfs) expect(mount).toMatch(/:size=\d+m$/);
    expect(services.database.volumes).toContain('./database:/docker-entrypoint-initdb.d:ro');
  });

  it('docker/compose.yaml publishes the two APIs alone, on loopback or on BIND_ADDRESS', () => {
    const ports = (of: any): unknown => Object.entries(of).map(([name, { ports }]: any) => [name, ports]);
    const published = (address: string): unknown => [
      ['database', undefined],
      ['partner-migration', undefined],
      ['partner', [`${address}:3000:3000`]],
      ['partner-worker', undefined],
      ['sandbox-migration', undefined],
      ['sandbox', [`${address}:3001:3000`]],
      ['sandbox-worker', undefined],
      ['executor', undefined],
    ];
    expect(ports(services)).toEqual(published('127.0.0.1'));
    expect(ports(compose({ ...SECRETS, BIND_ADDRESS: '10.0.0.5' }).services)).toEqual(published('10.0.0.5'));
  });

  it('docker/compose.yaml connects the networks of the two deployments at the database alone', () => {
    expect(Object.keys(networks)).toEqual(['partner', 'sandbox']);
    for (const name of servers) {
      expect(services[name].networks).toEqual([name]);
      for (const otherService of ['migration', 'worker'])
        expect(services[`${name}-${otherService}`].networks).toEqual([name]);
    }
    expect(services.database.networks).toEqual(['partner', 'sandbox']);
  });

  it('docker/compose.yaml gives each server its own database password and secrets key, and no other secret', () => {
    for (const name of servers) {
      const mine = [`${name.toUpperCase()}_DATABASE_PASSWORD`, `${name.toUpperCase()}_SECRETS_KEY`];
      for (const [service, role] of Object.entries({ [name]: 'api', [`${name}-worker`]: 'worker' })) {
        const [environment, text] = [services[service].environment, JSON.stringify(services[service])];
        for (const [secret, value] of Object.entries(SECRETS))
          expect([service, secret, text.includes(value)]).toEqual([service, secret, mine.includes(secret)]);
        expect(environment.DATABASE_MIGRATION_URL).toBeUndefined();
        expect(environment.ROLE).toBe(role);
        expect(services[service].depends_on).toEqual({
          [`${name}-migration`]: { condition: 'service_completed_successfully' },
        });
      }
    }
    const [live, sandbox] = servers.map((name) => services[name].environment);
    expect(live.SECRETS_KEY).not.toBe(sandbox.SECRETS_KEY);
    expect(live.DATABASE_URL).not.toBe(sandbox.DATABASE_URL);
  });

  it.each(Object.keys(SECRETS))('docker/compose.yaml does not start without %s', (name) => {
    expect(() => compose({ ...SECRETS, [name]: '' })).toThrow(`${name}: see the head of docker/compose.yaml`);
    expect(SOURCE).toContain(`\${${name}:?`);
  });

  it('docker/compose.yaml has only known settings, with valid values', () => {
    for (const name of servers) {
      for (const service of [name, `${name}-worker`, `${name}-migration`]) {
        const { environment } = services[service];
        const env = Object.fromEntries(
          Object.entries(environment).map(([key, value]) => [key, String(value)]),
        );
        expect(loadSettings({ ...env, NODE_ENV: 'production' })).toMatchObject({
          contract: name,
          managementPort: null,
          managementHost: '0.0.0.0',
        });
        // An empty variable counts as unset, and an unknown setting would be refused.
        const given = Object.keys(env).filter((key) => env[key] !== '');
        expect(given.filter((key) => !SETTING_NAMES.includes(key))).toEqual([]);
      }
    }
  });
});

/** The script that the database's container runs when it is created. */
describe('docker/database/roles.sql', () => {
  const server = process.env[SERVER_URL]!;
  const { services } = compose();
  /** A URL of the compose file, at the test's server. */
  const here = (url: string): string => {
    const there = new URL(url);
    there.host = new URL(server).host;
    return there.href;
  };

  beforeAll(async () => {
    for (const statement of statements(SECRETS)) await administrate(server, statement);
  });
  afterAll(async () => {
    for (const name of ['live', 'sandbox']) {
      await administrate(server, `DROP DATABASE IF EXISTS vaultline_${name} WITH (FORCE)`);
      for (const role of ['owner', 'server'])
        await administrate(server, `DROP ROLE IF EXISTS ${name}_${role}`);
    }
    await administrate(
      server,
      'GRANT CONNECT, TEMPORARY ON DATABASE vaultline, postgres, template1 TO PUBLIC',
    );
  });

  it('docker/database/roles.sql creates the roles and databases with which migrations and servers connect', async () => {
    for (const contract of CONTRACTS) {
      const { environment } = services[`${contract}-migration`];
      const settings = loadSettings({
        CONTRACT: contract,
        SECRETS_KEY: environment.SECRETS_KEY,
        DATABASE_URL: here(environment.DATABASE_URL),
        DATABASE_MIGRATION_URL: here(environment.DATABASE_MIGRATION_URL),
      });
      const silent = silentLogger();
      await migrate(settings, settings.databaseUrl!, silent);
      const served = { ...settings, databaseMigrationUrl: null };
      await migrate(served, settings.databaseUrl!, silent);
      const schema = settings.databaseSchema;
      expect(await ask(settings.databaseUrl!, `SELECT id FROM ${schema}.partners`)).toEqual([
        { id: 'deployment' },
      ]);
    }
  });

  it('docker/database/roles.sql creates roles without rights outside their own database', async () => {
    const databases = ['vaultline_live', 'vaultline_sandbox', 'vaultline', 'postgres', 'template1'];
    for (const contract of CONTRACTS) {
      const url = new URL(here(services[contract].environment.DATABASE_URL));
      const databaseName = url.pathname.slice(1);
      for (const name of databases) {
        url.pathname = `/${name}`;
        const answer = await ask(url.href, 'SELECT 1').then(
          () => 'connected',
          (error: { code: string }) => error.code,
        );
        expect([databaseName, name, answer]).toEqual([
          databaseName,
          name,
          name === databaseName ? 'connected' : '42501',
        ]);
      }
      url.pathname = `/${databaseName}`;
      for (const sql of [
        'CREATE TEMPORARY TABLE mine (id int)',
        'CREATE TABLE public.mine (id int)',
        'CREATE SCHEMA mine',
      ])
        await expect(ask(url.href, sql)).rejects.toMatchObject({ code: '42501' });
      await expect(ask(url.href, `SET temp_file_limit = '10GB'`)).rejects.toMatchObject({ code: '42501' });
      const [role] = await ask(
        url.href,
        'SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS powers, rolconnlimit FROM pg_roles WHERE rolname = current_user',
      );
      expect(role).toEqual({ powers: false, rolconnlimit: 50 });
    }
  });

  it.each(CONTRACTS)(
    'docker/database/roles.sql permits %s at least the connections that a start of its processes needs',
    (contract) => {
      const { databasePoolSize } = loadSettings(services[contract].environment);
      const ofApi = databasePoolSize;
      const ofWorker = databasePoolSize + QUEUE_CONNECTIONS;
      expect(limitOf(contract === 'partner' ? 'live_server' : 'sandbox_server')).toBeGreaterThanOrEqual(
        ofApi + WORKERS * ofWorker + OF_A_START,
      );
    },
  );

  it('docker/database/roles.sql limits roles so that neither deployment can exhaust connections of the other or the superuser', () => {
    const roles = ['live_owner', 'live_server', 'sandbox_owner', 'sandbox_server'];
    const limits = roles.reduce((sum, role) => sum + limitOf(role), 0);
    const [, maxConnections] = /^max_connections=(\d+)$/.exec(services.database.command.at(-1)) ?? [];
    expect(limits + OF_SUPERUSER).toBeLessThanOrEqual(Number(maxConnections));
    for (const role of ['live_owner', 'sandbox_owner'])
      expect(limitOf(role)).toBeGreaterThanOrEqual(OF_A_START);
  });

  const limitOf = (role: string): number =>
    Number(new RegExp(`^CREATE ROLE ${role} .* CONNECTION LIMIT (\\d+)$`).exec(created(role))![1]);
  const created = (role: string): string =>
    statements(SECRETS).find((statement) => statement.startsWith(`CREATE ROLE ${role} `))!;

  /** The statements of the script. The test substitutes the variables of psql, so that psql is not needed. */
  function statements(env: Record<string, string>): string[] {
    const variables = new Map<string, string>();
    const lines = readFileSync(`${FOLDER}database/roles.sql`, 'utf8').split('\n');
    const sql = lines.filter((line) => {
      const [, name, from] = /^\\getenv (\w+) (\w+)$/.exec(line) ?? [];
      if (name && from) {
        if (!env[from]) throw new Error(`${from} is not set.`);
        variables.set(name, env[from]);
      }
      return !/^(\\|--)/.test(line);
    });
    return sql
      .join('\n')
      .replace(/:'(\w+)'/g, (_, name: string) => escapeLiteral(variables.get(name)!))
      .split(';')
      .map((statement) => statement.trim())
      .filter(Boolean);
  }

  async function ask(url: string, sql: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
});
