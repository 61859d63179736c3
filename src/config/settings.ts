import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ReadableChain } from './chains.js';
import { ConfigError } from './config-error.js';
import { consoleBuild } from './version.js';
import { readConstants } from './constants.js';
import { DEPLOYMENTS } from './deployments.js';
import { type Environment, type PoolingMode, SECRETS_KEY_FORM } from './environment.js';
import { type Contract } from './deployments.js';
import { DomainSettings } from './domain-settings.js';
import { writeFlushedOnce } from './flushed-file.js';
import { idleVault, reached, simulated } from './vault-catalogue.js';
import { allowedOf, type ReadEnvironment, readVariables, variableOf } from './read-environment.js';
import { tracingOf, type TracingSettings } from './tracing.js';

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
    /** State that connections of `url` keep between transactions. */
    pooling: PoolingMode;
    /** URL that bypasses the pooler in `url`, with the same role, for LISTEN and session state. null: `url` is the database itself. */
    directUrl: string | null;
    /** Files that hold these URLs, read again for each connection: a changed password takes effect without a restart. null: the URL was set itself. */
    files: Record<'url' | 'directUrl', string | null>;
    /** Total size of the database from which writes are refused; null: unlimited. */
    maxBytes: number | null;
    poolSize: number;
    /** PostgreSQL schema of this deployment's tables; `<schema>_jobs` has its job queue. */
    schema: string;
  };
  /** 32 bytes; encrypts what must be read back: signing secrets, stored answers. */
  secretsKey: Buffer;
  /** Previous key, while a rotation goes on; null: there is none. */
  secretsKeyPrevious: Buffer | null;
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

/**
 * Reads the environment and `config/*.yaml`.
 * @throws ConfigError with a line for each problem of both: the key, the value (never a secret), what is allowed.
 */
export function loadSettings(env: NodeJS.ProcessEnv, options: { configFolder?: string } = {}): Settings {
  const variables = readVariables(env);
  const { values: read, files } = variables;
  const problems = [...contradictions(variables), ...variables.problems];
  const { contract } = read;
  if (contract === undefined) throw new ConfigError(problems);
  const yaml = readYaml(contract, options.configFolder, problems);
  if (yaml === null || problems.length > 0) throw new ConfigError(problems);
  const { constants, vaults, bridgeCosts, tokens } = yaml;
  const production = read.nodeEnv === 'production';
  const { environment, simulated: isSimulated } = DEPLOYMENTS[contract];
  const simulatedYields = !isSimulated && read.yields === 'simulated';
  const rpcUrls = !isSimulated && !simulatedYields ? rpcUrlsOf(read) : {};
  const dataDir = resolve(read.dataDir);
  return Object.assign(new Settings(), {
    contract,
    role: read.role,
    environment,
    production,
    apiRoot: 'api/v1',
    host: read.host,
    port: read.port,
    publicUrl: read.publicUrl === undefined ? null : withoutSlash(read.publicUrl),
    managementPort: read.managementPort ?? null,
    managementHost: read.managementHost,
    logLevel: read.logLevel,
    tracing: tracingOf(read),
    dataDir,
    database: {
      url: read.databaseUrl ?? null,
      migrationUrl: read.databaseMigrationUrl ?? null,
      pooling: read.databasePooling,
      directUrl: read.databaseDirectUrl ?? null,
      files: {
        url: files.databaseUrl ?? null,
        directUrl: files.databaseDirectUrl ?? null,
      },
      maxBytes: read.databaseMaxBytes ?? null,
      poolSize: read.databasePoolSize,
      schema: environment,
    },
    secretsKey: Buffer.from(read.secretsKey ?? keyMadeOnce(dataDir), 'base64'),
    secretsKeyPrevious:
      read.secretsKeyPrevious === undefined ? null : Buffer.from(read.secretsKeyPrevious, 'base64'),
    secretsKeySource:
      read.secretsKey !== undefined && files.secretsKey === undefined
        ? variableOf('secretsKey')
        : JSON.stringify(files.secretsKey ?? keyFile(dataDir)),
    bootstrapAdminKey: read.bootstrapAdminKey ?? null,
    docs: read.docs === 'on',
    console: { served: read.console === 'on', folder: consoleBuild() },
    rateLimitPerMinute: read.rateLimitPerMinute,
    requestsAtOnce: read.requestsAtOnce,
    authFailuresPerMinute: read.authFailuresPerMinute,
    trustedProxies: read.trustedProxies,
    webhooks: {
      allowedNetworks: read.webhookAllowedNetworks,
      requireHttps: read.webhookRequireHttps ?? production,
      timeoutMs: read.webhookTimeoutMs,
    },
    simulatedYields,
    // On real yields executors with the keys move funds on chains.
    settlement: read.settlement ?? (isSimulated || simulatedYields ? 'instant' : 'reported'),
    feeds: { defillamaBaseUrl: withoutSlash(read.defillamaBaseUrl) },
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

/** Adds the problems of the files to those of the environment, so that all are reported at once. */
function readYaml(
  contract: Contract,
  folder: string | undefined,
  problems: string[],
): ReturnType<typeof readConstants> | null {
  try {
    return readConstants(contract, folder);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return null;
  }
}

const PROXIES_HINT =
  ': the networks of the proxies in front, or the word none where callers connect directly';

/** Problems between variables that are each valid, and those that are missing. */
function contradictions({ values, given }: ReadEnvironment): string[] {
  const { contract, databasePooling, settlement, yields } = values;
  const problems: string[] = [];
  if (!given.has('contract')) problems.push(`CONTRACT is missing; it must be ${allowedOf('contract')}.`);
  if (values.nodeEnv === 'production') {
    for (const key of ['databaseUrl', 'secretsKey', 'trustedProxies'] as const)
      if (!given.has(key))
        problems.push(
          `${variableOf(key)} is missing; it is required under NODE_ENV=production${key === 'trustedProxies' ? PROXIES_HINT : ''}.`,
        );
    if (yields === 'simulated' && contract !== undefined && !DEPLOYMENTS[contract].simulated)
      problems.push('YIELDS is "simulated"; it must be live under NODE_ENV=production.');
  }
  problems.push(...missingServersUrl(given));
  if (given.has('databaseDirectUrl') && !given.has('databaseUrl'))
    problems.push('DATABASE_URL is missing; with DATABASE_DIRECT_URL it is the URL of the pooler.');
  if (databasePooling?.startsWith('transaction') && !given.has('databaseDirectUrl'))
    problems.push(
      `DATABASE_DIRECT_URL is missing; with DATABASE_POOLING=${databasePooling} it is the URL of the database itself, for what listens and what migrates.`,
    );
  if (contract !== undefined && DEPLOYMENTS[contract].simulated && settlement === 'reported')
    problems.push(`SETTLEMENT is "reported"; it must be instant under CONTRACT=${contract}.`);
  return problems;
}

/** The embedded server has a single role, so that an owner's URL alone is a mistake. */
export const missingServersUrl = (given: ReadEnvironment['given']): string[] =>
  given.has('databaseMigrationUrl') && !given.has('databaseUrl')
    ? [
        'DATABASE_URL is missing; with DATABASE_MIGRATION_URL it is the URL of the role that the server itself connects as.',
      ]
    : [];

function rpcUrlsOf(read: Environment): Settings['rpcUrls'] {
  const all = {
    ethereum: read.rpcUrlEthereum,
    arbitrum: read.rpcUrlArbitrum,
    base: read.rpcUrlBase,
    plasma: read.rpcUrlPlasma,
  } satisfies Record<ReadableChain, readonly string[] | undefined>;
  return Object.fromEntries(Object.entries(all).filter(([, urls]) => urls !== undefined));
}

/** Names of the settings that may be wrong when PostgreSQL refuses a connection for good. */
export const databaseSettings = (env: NodeJS.ProcessEnv): string =>
  ['DATABASE_URL', ...['DATABASE_DIRECT_URL', 'DATABASE_MIGRATION_URL'].filter((name) => env[name])].join(
    ' or ',
  );

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

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
    `${JSON.stringify(path)} ${held}; it must be 32 bytes in base64. Put back the key that it held, or remove the file where nothing was sealed yet: a new one is made.`,
  ]);
}
