import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableChain } from './chains.js';
import { ConfigError } from './config-error.js';
import { consoleBuild } from './version.js';
import { readConstants } from './constants.js';
import { DEPLOYMENTS } from './deployments.js';
import type { Environment, ExecutionMode } from './environment.js';
import { type Contract } from './deployments.js';
import { DomainSettings } from './domain-settings.js';
import { writeFlushedOnce } from './flushed-file.js';
import { idleVault, withReadableFeeds, simulated } from './vault-catalogue.js';
import { allowedOf, type ReadEnvironment, readVariables, variableOf } from './read-environment.js';
import { SECRETS_KEY_FORM } from './setting-kinds.js';
import { tracingOf, type TracingSettings } from './tracing.js';

/** The domain's settings, and every variable as `ENVIRONMENT` names and explains it. */
const Given = DomainSettings as new () => DomainSettings & Environment;

/** All settings of one process, validated. They are passed in and never read at import, so that a test can boot both contracts in one process. */
export class Settings extends Given {
  declare contract: Contract;
  declare settlement: ExecutionMode;
  declare webhookRequireHttps: boolean;
  declare secretsKey: Buffer<ArrayBuffer>;
  /** Where the key is from: the variable or a file. */
  secretsKeySource: string;
  production: boolean;
  /** Path prefix of the API version, without leading and trailing slashes. */
  apiRoot: string;
  /** Collector of traces; null: tracing is off. */
  tracing: TracingSettings | null;
  /** PostgreSQL schema of this deployment's tables; `<schema>_jobs` has its job queue. */
  databaseSchema: string;
  /** Files of secrets by variable. The ones of database URLs are read again for each connection: a changed password takes effect without a restart. */
  files: ReadEnvironment['files'];
  /** Folder of the console's build; null: it was not built. */
  consoleFolder: string | null;
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
  const { contract, dataDir } = read;
  if (!contract) throw new ConfigError(problems);
  const yaml = readYaml(contract, options.configFolder, problems);
  if (yaml === null || problems.length > 0) throw new ConfigError(problems);
  const { constants, vaults, bridgeCosts, tokens } = yaml;
  const production = read.nodeEnv === 'production';
  const { environment, simulated: isSimulated } = DEPLOYMENTS[contract];
  const simulatedYields = !isSimulated && read.yields === 'simulated';
  const chains = !isSimulated && !simulatedYields;
  const rpcUrls = chains ? rpcUrlsOf(read) : {};
  return Object.assign(new Settings(), read, {
    contract,
    environment,
    production,
    apiRoot: 'api/v1',
    tracing: tracingOf(read),
    databaseSchema: environment,
    files,
    secretsKey: read.secretsKey ?? keyMadeOnce(dataDir),
    secretsKeySource:
      read.secretsKey !== null && files.secretsKey === undefined
        ? variableOf('secretsKey')
        : JSON.stringify(files.secretsKey ?? keyFile(dataDir)),
    consoleFolder: consoleBuild(),
    webhookRequireHttps: read.webhookRequireHttps ?? production,
    simulatedYields,
    // On real yields executors with the keys move funds on chains.
    settlement: read.settlement ?? (isSimulated || simulatedYields ? 'instant' : 'reported'),
    rpcUrls,
    custodyAccounts: chains ? custodyAccountsOf(read) : {},
    constants,
    vaults: [
      ...(simulatedYields ? vaults.map(simulated) : withReadableFeeds(vaults, rpcUrls)),
      ...constants.assets.map(idleVault),
    ],
    bridgeCosts,
    tokens,
  } satisfies Omit<Settings, keyof Environment> & Partial<Settings>);
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
    if (yields === 'simulated' && contract && !DEPLOYMENTS[contract].simulated)
      problems.push('YIELDS is "simulated"; it must be live under NODE_ENV=production.');
  }
  problems.push(...missingServersUrl(given));
  if (given.has('databaseDirectUrl') && !given.has('databaseUrl'))
    problems.push('DATABASE_URL is missing; with DATABASE_DIRECT_URL it is the URL of the pooler.');
  if (databasePooling?.startsWith('transaction') && !given.has('databaseDirectUrl'))
    problems.push(
      `DATABASE_DIRECT_URL is missing; with DATABASE_POOLING=${databasePooling} it is the URL of the database itself, for what listens and what migrates.`,
    );
  if (contract && DEPLOYMENTS[contract].simulated && settlement === 'reported')
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
  } satisfies Record<ReadableChain, readonly string[] | null>;
  return withoutNulls(all);
}

function custodyAccountsOf(read: Environment): Settings['custodyAccounts'] {
  return withoutNulls({
    ethereum: read.custodyAccountsEthereum,
    arbitrum: read.custodyAccountsArbitrum,
    base: read.custodyAccountsBase,
    plasma: read.custodyAccountsPlasma,
  } satisfies Record<ReadableChain, readonly string[] | null>);
}

const withoutNulls = <T>(all: Record<ReadableChain, T | null>): Partial<Record<ReadableChain, T>> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));

/** Names of the settings that may be wrong when PostgreSQL refuses a connection for good. */
export const databaseSettings = (env: NodeJS.ProcessEnv): string =>
  ['DATABASE_URL', ...['DATABASE_DIRECT_URL', 'DATABASE_MIGRATION_URL'].filter((name) => env[name])].join(
    ' or ',
  );

const keyFile = (dataDir: string): string => join(dataDir, 'secrets.key');

/** Generated key for a machine without `SECRETS_KEY`. */
function keyMadeOnce(dataDir: string): Buffer<ArrayBuffer> {
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
function keyIn(path: string): Buffer<ArrayBuffer> {
  const text = readFileSync(path, 'utf8').trim();
  if (SECRETS_KEY_FORM.test(text)) return Buffer.from(text, 'base64');
  const held = text === '' ? 'is empty' : `holds ${text.length} characters that are no key`;
  throw new ConfigError([
    `${JSON.stringify(path)} ${held}; it must be 32 bytes in base64. Put back the key that it held, or remove the file where nothing was sealed yet: a new one is made.`,
  ]);
}
