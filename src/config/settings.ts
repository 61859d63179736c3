import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ReadableChain } from './chains.js';
import { ConfigError } from './config-error.js';
import { consoleBuild } from './console-build.js';
import { type Constants, readConstants } from './constants.js';
import { DEPLOYMENTS } from './deployments.js';
import {
  type Contract,
  type Environment,
  type Pooling,
  readEnvironment,
  SECRETS_KEY_FORM,
  type SettlementMode,
} from './environment.js';
import { DomainSettings } from './domain-settings.js';
import { writeFlushedOnce } from './flushed-file.js';
import { idleVault } from './idle-vault.js';
import { tracingOf, type TracingSettings } from './tracing.js';
import type { Vault } from './vault-catalogue.js';

/** All settings of one process, validated. They are passed in and never read at import, so that a test can boot both contracts in one process. */
export class Settings extends DomainSettings {
  contract: Contract;
  production: boolean;
  /** Path prefix of the API version, without leading and trailing slashes. */
  apiRoot: string;
  host: string;
  port: number;
  /** Base URL in the OpenAPI document; null: the address that the server listens on. */
  publicUrl: string | null;
  managementPort: number | null;
  /** Listen address of the management port, which requires no key. */
  managementHost: string;
  logLevel: string;
  /** Collector of traces; null: tracing is off. */
  tracing: TracingSettings | null;
  /** Folder of generated data: the embedded database, the secrets key. */
  dataDir: string;
  database: {
    /** null: the embedded server under `dataDir`. */
    url: string | null;
    /** URL with the role that owns the schemas, when `url` uses another role; null: `url` migrates. */
    migrationUrl: string | null;
    /** State that connections of `url` and `replicaUrl` keep between transactions. */
    pooling: Pooling;
    /** URL that bypasses the pooler in `url`, with the same role, for LISTEN and session state. null: `url` is the database itself. */
    directUrl: string | null;
    replicaUrl: string | null;
    /** Files that hold these URLs, read again for each connection: a changed password takes effect without a restart. null: the URL was set itself. */
    files: Record<'url' | 'directUrl' | 'replicaUrl', string | null>;
    /** Total size of the database from which writes are refused; null: unlimited. */
    maxBytes: number | null;
    poolSize: number;
    /** PostgreSQL schema of this deployment's tables; `<schema>_jobs` has its job queue. */
    schema: string;
  };
  /** 32 bytes; encrypts what must be read back: signing secrets, stored answers. */
  secretsKey: Buffer;
  /** Source of the key: the setting's name, or the file. */
  secretsKeySource: string;
  bootstrapAdminKey: string | null;
  /** Whether the contract's document and its pages are served. */
  docs: boolean;
  /** Whether the console is served, and the folder of its build; null: it was not built. */
  console: { served: boolean; folder: string | null };
  /** Points a minute for each partner or key without partner; 0 is off. */
  rateLimitPerMinute: number;
  /** Failed authentications a minute for each address; 0 is off. */
  authFailuresPerMinute: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[];
  /** Base URL of the DefiLlama yields API, without trailing slash. */
  feeds: { defillamaBaseUrl: string };
  /** RPC URLs by chain; a chain without any is not read. Never shown, because they often contain an API key. Empty on simulated yields. */
  rpcUrls: Partial<Record<ReadableChain, readonly string[]>>;
}

/** Advice for missing settings. */
const HINTS: Partial<Record<string, string>> = {
  TRUSTED_PROXIES: ': the networks of the proxies in front, or the word none where callers connect directly',
};

/**
 * Reads the environment and `config/*.yaml`. `contract` overrides `CONTRACT` for commands that name it.
 * @throws ConfigError with a line for each problem: the key, the value (never a secret), what is allowed.
 */
export function loadSettings(env: NodeJS.ProcessEnv, options: { configFolder?: string } = {}): Settings {
  const read = readEnvironment(env, ['CONTRACT']);
  const production = read.NODE_ENV === 'production';
  const missing = (['DATABASE_URL', 'SECRETS_KEY', 'TRUSTED_PROXIES'] as const).filter(
    (key) => production && !read[key],
  );
  if (missing.length > 0) {
    throw new ConfigError(
      missing.map((key) => `${key} is missing; it is required under NODE_ENV=production${HINTS[key] ?? ''}.`),
    );
  }
  requireServersUrl(read);
  requirePastPooler(read);
  const contract = read.CONTRACT!;
  const deployment = DEPLOYMENTS[contract];
  const simulatedYields = !deployment.simulated && read.YIELDS === 'simulated';
  if (production && simulatedYields)
    throw new ConfigError(['YIELDS is "simulated"; allowed under NODE_ENV=production is live.']);
  const { constants, vaults, bridgeCosts, tokens } = readConstants(contract, options.configFolder);
  const rpcUrls = !deployment.simulated && !simulatedYields ? rpcUrlsOf(read) : {};
  const settlement = settlementOf(read, simulatedYields, constants);
  const { environment } = deployment;
  const dataDir = resolve(read.DATA_DIR ?? '.data');
  return Object.assign(new Settings(), {
    contract,
    role: read.ROLE ?? 'all',
    environment,
    production,
    apiRoot: 'api/v1',
    host: read.HOST ?? '0.0.0.0',
    port: read.PORT ?? 3000,
    publicUrl: read.PUBLIC_URL === undefined ? null : withoutSlash(read.PUBLIC_URL),
    managementPort: read.MANAGEMENT_PORT ?? null,
    managementHost: read.MANAGEMENT_HOST ?? '127.0.0.1',
    logLevel: read.LOG_LEVEL ?? 'info',
    tracing: tracingOf(read),
    dataDir,
    database: {
      url: read.DATABASE_URL ?? null,
      migrationUrl: read.DATABASE_MIGRATION_URL ?? null,
      pooling: read.DATABASE_POOLING ?? 'session',
      directUrl: read.DATABASE_DIRECT_URL ?? null,
      replicaUrl: read.DATABASE_REPLICA_URL ?? null,
      files: {
        url: read.DATABASE_URL_FILE ?? null,
        directUrl: read.DATABASE_DIRECT_URL_FILE ?? null,
        replicaUrl: read.DATABASE_REPLICA_URL_FILE ?? null,
      },
      maxBytes: read.DATABASE_MAX_BYTES ?? null,
      poolSize: read.DATABASE_POOL_SIZE ?? 10,
      schema: environment,
    },
    secretsKey: Buffer.from(read.SECRETS_KEY ?? keyMadeOnce(dataDir), 'base64'),
    secretsKeySource: read.SECRETS_KEY === undefined ? JSON.stringify(keyFile(dataDir)) : 'SECRETS_KEY',
    bootstrapAdminKey: read.BOOTSTRAP_ADMIN_KEY ?? null,
    docs: read.DOCS !== 'off',
    console: { served: read.CONSOLE !== 'off', folder: consoleBuild() },
    rateLimitPerMinute: read.RATE_LIMIT_PER_MINUTE ?? 6000,
    requestsAtOnce: read.REQUESTS_AT_ONCE ?? 4,
    authFailuresPerMinute: read.AUTH_FAILURES_PER_MINUTE ?? 300,
    trustedProxies: read.TRUSTED_PROXIES ?? [],
    webhooks: {
      allowedNetworks: read.WEBHOOK_ALLOWED_NETWORKS ?? [],
      requireHttps: read.WEBHOOK_REQUIRE_HTTPS ?? production,
      timeoutMs: read.WEBHOOK_TIMEOUT_MS ?? 5000,
    },
    simulatedYields,
    settlement,
    feeds: {
      defillamaBaseUrl: withoutSlash(read.DEFILLAMA_BASE_URL ?? constants.feeds.defillamaBaseUrl),
    },
    rpcUrls,
    constants,
    vaults: [
      ...(simulatedYields ? vaults.map(simulated) : reached(vaults, rpcUrls)),
      ...constants.assets.map(idleVault),
    ],
    bridgeCosts,
    tokens,
  } satisfies Settings);
}

/**
 * A vault whose chain has no RPC URL is fed by its second source.
 * @throws ConfigError for a vault without one
 */
function reached(vaults: readonly Vault[], rpcUrls: Settings['rpcUrls']): Vault[] {
  const problems: string[] = [];
  const all = vaults.map((vault) => {
    const { feed, chain, id } = vault;
    if (feed.kind !== 'chain' || Object.hasOwn(rpcUrls, chain!)) return vault;
    if (feed.opinion === null)
      problems.push(
        `RPC_URL_${chain!.toUpperCase()} is missing; ${id} has no other source than that chain: set it, or give the vault's feed a defillama pool.`,
      );
    return { ...vault, feed: feed.opinion ?? feed };
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return all;
}

function rpcUrlsOf(read: Environment): Settings['rpcUrls'] {
  const { RPC_URL_ETHEREUM, RPC_URL_ARBITRUM, RPC_URL_BASE, RPC_URL_PLASMA } = read;
  const all = {
    ethereum: RPC_URL_ETHEREUM,
    arbitrum: RPC_URL_ARBITRUM,
    base: RPC_URL_BASE,
    plasma: RPC_URL_PLASMA,
  } satisfies Record<ReadableChain, readonly string[] | undefined>;
  return Object.fromEntries(Object.entries(all).filter(([, urls]) => urls !== undefined));
}

/** @throws ConfigError for `reported` on simulated yields: no funds move on a chain, so nobody could report it */
function settlementOf(
  { CONTRACT, SETTLEMENT }: Environment,
  simulatedYields: boolean,
  { routing }: Constants,
): SettlementMode {
  const name = SETTLEMENT === undefined ? 'routing.settlement' : 'SETTLEMENT';
  const value = SETTLEMENT ?? (simulatedYields ? 'instant' : routing.settlement);
  if (DEPLOYMENTS[CONTRACT!].simulated && value === 'reported')
    throw new ConfigError([`${name} is "reported"; allowed under CONTRACT=${CONTRACT} is instant.`]);
  return value;
}

/** Deposits do not change a simulated rate, so there is no dilution. */
const simulated = (vault: Vault): Vault => ({
  ...vault,
  dilution: 'none',
  feed: { kind: 'simulated' },
});

/** @throws ConfigError for an owner's URL alone: the embedded server has a single role */
export function requireServersUrl(read: Environment): void {
  if (read.DATABASE_MIGRATION_URL === undefined || read.DATABASE_URL !== undefined) return;
  throw new ConfigError([
    'DATABASE_URL is missing; with DATABASE_MIGRATION_URL it is the URL of the role that the server itself connects as.',
  ]);
}

/** @throws ConfigError when only one of a pooler's two URLs is set */
function requirePastPooler(read: Environment): void {
  const { DATABASE_URL, DATABASE_POOLING, DATABASE_DIRECT_URL } = read;
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined)
    throw new ConfigError(['DATABASE_URL is missing; with DATABASE_DIRECT_URL it is the URL of the pooler.']);
  if (DATABASE_POOLING?.startsWith('transaction') && DATABASE_DIRECT_URL === undefined)
    throw new ConfigError([
      `DATABASE_DIRECT_URL is missing; with DATABASE_POOLING=${DATABASE_POOLING} it is the URL of the database itself, for what listens and what migrates.`,
    ]);
}

/** Names of the settings that may be wrong when PostgreSQL refuses a connection for good. */
export const databaseSettings = (env: NodeJS.ProcessEnv): string =>
  ['DATABASE_URL', ...['DATABASE_DIRECT_URL', 'DATABASE_MIGRATION_URL'].filter((name) => env[name])].join(
    ' or ',
  );

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const keyFile = (dataDir: string): string => join(dataDir, 'secrets.key');

/** Generated key for a machine without `SECRETS_KEY`. */
function keyMadeOnce(dataDir: string): string {
  const path = keyFile(dataDir);
  if (!existsSync(path)) {
    try {
      mkdirSync(dataDir, { recursive: true });
      writeFlushedOnce(path, randomBytes(32).toString('base64'));
    } catch (error) {
      // Another process may have been faster; then its key is used.
      if (!existsSync(path)) {
        throw new ConfigError([`DATA_DIR is ${JSON.stringify(dataDir)}: ${(error as Error).message}.`]);
      }
    }
  }
  return keyIn(path);
}

/** @throws ConfigError for a file that is empty, truncated, or otherwise invalid: it is not replaced, because secrets may be sealed with its key */
function keyIn(path: string): string {
  const text = readFileSync(path, 'utf8').trim();
  if (SECRETS_KEY_FORM.test(text)) return text;
  const held = text === '' ? 'is empty' : `holds ${text.length} characters that are no key`;
  throw new ConfigError([
    `${JSON.stringify(path)} ${held}; allowed is 32 bytes in base64. Put back the key that it held, or remove the file where nothing was sealed yet: a new one is made.`,
  ]);
}
