import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigError } from './config-error.js';
import { misspelt } from './misspelt.js';
import { RESOURCE_ATTRIBUTES_FORM, resourceAttributes } from './resource-attributes.js';
import { shownText } from './shown-value.js';

export const CONTRACTS = ['partner', 'sandbox'] as const;
export type Contract = (typeof CONTRACTS)[number];

/** Role of a process: it answers requests, runs jobs, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** Source of the live contract's yields. */
export const YIELDS = ['live', 'simulated'] as const;

/** How moves are settled in the books: `instant`, by the decision itself; or `reported`, by reports of the executor. */
export const SETTLEMENTS = ['instant', 'reported'] as const;
export type SettlementMode = (typeof SETTLEMENTS)[number];

/** State that a database connection keeps between transactions: `session` all of it, `transaction` none, as behind PgBouncer in transaction mode. */
const POOLINGS = ['session', 'transaction', 'transaction_named'] as const;
export type Pooling = (typeof POOLINGS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Samplers by OpenTelemetry's names. A caller's trace context never decides, so the parent-based ones equal the others. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type Sampler = (typeof SAMPLERS)[number];

/** Protocols by OpenTelemetry's names, of which traces are sent by the last one. */
const PROTOCOLS = ['grpc', 'http/protobuf', 'http/json'] as const;

/** Definition of an environment variable: `parse` returns undefined for a value that is not allowed. */
interface Variable<T> {
  parse(raw: string): T | undefined;
  allowed: string;
  secret?: boolean;
}

const oneOf = <T extends string>(values: readonly T[]): Variable<T> => ({
  parse: (raw) => values.find((value) => value === raw),
  allowed: values.join(' or '),
});

const wholeNumber = (min: number, max: number): Variable<number> => ({
  parse: (raw) =>
    /^\d{1,9}$/.test(raw) && Number(raw) >= min && Number(raw) <= max ? Number(raw) : undefined,
  allowed: `a whole number from ${min} to ${max}`,
});

const bytes = (min: number, max: number): Variable<number> => ({
  parse: (raw) =>
    /^\d{1,15}$/.test(raw) && Number(raw) >= min && Number(raw) <= max ? Number(raw) : undefined,
  allowed: `a whole number of bytes from ${min} to ${max}`,
});

const flag: Variable<boolean> = {
  parse: (raw) => ({ true: true, '1': true, false: false, '0': false })[raw.toLowerCase()],
  allowed: 'true or false',
};

const fraction: Variable<number> = {
  parse: (raw) => (/^\d(\.\d{1,9})?$/.test(raw) && Number(raw) <= 1 ? Number(raw) : undefined),
  allowed: 'a fraction from 0 to 1',
};

/** Base URL that is shown to others, in the document and in log lines. */
const webAddress = (example: string): Variable<string> => ({
  parse: (raw) => (URL.canParse(raw) && isPlainWeb(new URL(raw)) ? raw : undefined),
  allowed: `a URL such as ${example}, without a user or password`,
});

const isPlainWeb = ({ protocol, username, password }: URL): boolean =>
  ['http:', 'https:'].includes(protocol) && username + password === '';

const text = (pattern: RegExp, allowed: string, secret = false): Variable<string> => ({
  parse: (raw) => (pattern.test(raw) ? raw : undefined),
  allowed,
  secret,
});

const networks = (widest: number): Variable<readonly string[]> => ({
  parse: (raw) => {
    const entries = raw.split(/[\s,]+/).filter(Boolean);
    return entries.every((entry) => isNetwork(entry, widest)) ? entries : undefined;
  },
  allowed:
    'networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd12::/48' +
    (widest > 0 ? ', but not all there are' : ''),
});

/** An empty variable counts as absent, so the word `none` means an empty list. */
const orNone = (listed: Variable<readonly string[]>): Variable<readonly string[]> => ({
  parse: (raw) => (raw === 'none' ? [] : listed.parse(raw)),
  allowed: `none, or ${listed.allowed}`,
});

/** @param widest smallest allowed prefix length */
function isNetwork(entry: string, widest: number): boolean {
  const [base = '', bits = '', ...rest] = entry.split('/');
  const most = base.includes('%') ? undefined : { 4: 32, 6: 128 }[isIP(base)];
  return (
    rest.length === 0 &&
    most !== undefined &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) >= widest &&
    Number(bits) <= most
  );
}

/** Limit on RPC URLs of a chain: each is asked in every pass. */
const MOST_RPC_URLS = 8;

/** Never shown, because they often contain an API key. */
const rpcUrls: Variable<readonly string[]> = {
  parse: (raw) => {
    const urls = raw.split(/[\s,]+/).filter(Boolean);
    const usable = urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
    return usable && urls.length > 0 && urls.length <= MOST_RPC_URLS && new Set(urls).size === urls.length
      ? urls
      : undefined;
  },
  allowed: `up to ${MOST_RPC_URLS} different URLs of http or https, separated by commas`,
  secret: true,
};

const listenAddress = text(/^[\w.:-]{1,253}$/, 'an address or host name to listen on');

/** The host is required: without one the driver would connect to this machine. */
const postgres: Variable<string> = {
  parse: (raw) =>
    URL.canParse(raw) &&
    ['postgres:', 'postgresql:'].includes(new URL(raw).protocol) &&
    (new URL(raw).hostname !== '' || new URL(raw).searchParams.has('host'))
      ? raw
      : undefined,
  allowed: 'a URL such as postgres://user:password@host:5432/vaultline',
  secret: true,
};

/** Settings that may stand in a file, which `<name>_FILE` names: passwords change while a server runs. */
const IN_FILES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const;

const file = text(/^.+$/s, 'the path of a file that holds the value');

/** 32 bytes in base64. */
export const SECRETS_KEY_FORM = /^[A-Za-z0-9+/]{43}=$/;

/** All environment variables, in the order of the operations page. */
const VARIABLES = {
  CONTRACT: oneOf(CONTRACTS),
  ROLE: oneOf(ROLES),
  HOST: listenAddress,
  PORT: wholeNumber(0, 65_535),
  PARTNER_PORT: wholeNumber(1, 65_535),
  SANDBOX_PORT: wholeNumber(1, 65_535),
  DATABASE_URL: postgres,
  DATABASE_URL_FILE: file,
  DATABASE_MIGRATION_URL: postgres,
  DATABASE_POOLING: oneOf(POOLINGS),
  DATABASE_DIRECT_URL: postgres,
  DATABASE_DIRECT_URL_FILE: file,
  DATABASE_POOL_SIZE: wholeNumber(2, 500),
  DATABASE_REPLICA_URL: postgres,
  DATABASE_REPLICA_URL_FILE: file,
  DATABASE_MAX_BYTES: bytes(1_000_000, 100_000_000_000_000),
  DATA_DIR: text(/^.+$/s, 'a folder'),
  BOOTSTRAP_ADMIN_KEY: text(/^.+$/s, 'a full API key of this environment', true),
  SECRETS_KEY: text(SECRETS_KEY_FORM, '32 bytes in base64 (openssl rand -base64 32)', true),
  PUBLIC_URL: webAddress('https://api.example.com'),
  DOCS: oneOf(['on', 'off']),
  CONSOLE: oneOf(['on', 'off']),
  YIELDS: oneOf(YIELDS),
  SETTLEMENT: oneOf(SETTLEMENTS),
  DEFILLAMA_BASE_URL: webAddress('https://yields.llama.fi'),
  RPC_URL_ETHEREUM: rpcUrls,
  RPC_URL_ARBITRUM: rpcUrls,
  RPC_URL_BASE: rpcUrls,
  RPC_URL_PLASMA: rpcUrls,
  WEBHOOK_ALLOWED_NETWORKS: networks(0),
  WEBHOOK_REQUIRE_HTTPS: flag,
  WEBHOOK_TIMEOUT_MS: wholeNumber(100, 60_000),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000),
  REQUESTS_AT_ONCE: wholeNumber(0, 10_000),
  AUTH_FAILURES_PER_MINUTE: wholeNumber(0, 10_000_000),
  TRUSTED_PROXIES: orNone(networks(1)),
  MANAGEMENT_PORT: wholeNumber(1, 65_535),
  MANAGEMENT_HOST: listenAddress,
  LOG_LEVEL: oneOf(LOG_LEVELS),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress('http://collector:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress('http://collector:4318/v1/traces'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(PROTOCOLS),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: oneOf(PROTOCOLS),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none']),
  OTEL_SERVICE_NAME: text(/^[\w.:-]{1,100}$/, 'up to 100 letters, digits and . : - _'),
  OTEL_RESOURCE_ATTRIBUTES: { parse: resourceAttributes, allowed: RESOURCE_ATTRIBUTES_FORM },
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS),
  OTEL_TRACES_SAMPLER_ARG: fraction,
  OTEL_SDK_DISABLED: flag,
  // An unknown word would start a server without production's protections, contrary to what was meant.
  NODE_ENV: oneOf(['production', 'development', 'test']),
} as const;

/** Names of all environment variables that are read. */
export const SETTING_NAMES: readonly string[] = Object.keys(VARIABLES);

type Key = keyof typeof VARIABLES;
export type Environment = {
  [K in Key]: (typeof VARIABLES)[K] extends Variable<infer T> ? T | undefined : never;
};

/**
 * Reads every known variable; an empty one counts as absent.
 * @param required variables that must be set
 * @throws ConfigError naming all keys with an invalid or missing value, and names that look like a misspelt key.
 */
export function readEnvironment(env: NodeJS.ProcessEnv, required: readonly Key[] = []): Environment {
  const problems: string[] = unsupportedNode();
  const values: Partial<Record<Key, unknown>> = {};
  const given = { ...env };
  for (const key of IN_FILES) {
    const path = env[`${key}_FILE`];
    if (!path) continue;
    if (env[key]) problems.push(`${key} and ${key}_FILE are both set; allowed is one of them.`);
    given[key] = databaseUrlIn(path);
    if (given[key] === undefined)
      problems.push(
        `${key}_FILE is ${JSON.stringify(path)}, which does not hold a valid value or cannot be read; allowed is the path of a file that holds ${postgres.allowed}.`,
      );
  }
  for (const key of Object.keys(VARIABLES) as Key[]) {
    const raw = given[key];
    const variable: Variable<unknown> = VARIABLES[key];
    if (raw === undefined || raw === '') {
      if (required.includes(key)) problems.push(`${key} is missing; allowed is ${variable.allowed}.`);
      continue;
    }
    values[key] = variable.parse(raw);
    if (values[key] === undefined) {
      const shown = variable.secret ? 'is not valid' : `is ${shownText(JSON.stringify(raw))}`;
      problems.push(`${key} ${shown}; allowed is ${variable.allowed}.`);
    }
  }
  problems.push(...misspelt(Object.keys(env), Object.keys(VARIABLES)));
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Environment;
}

/** URL of a database in a file; undefined: the file is not readable, or holds none. */
export function databaseUrlIn(path: string): string | undefined {
  try {
    return postgres.parse(readFileSync(path, 'utf8').trim());
  } catch {
    return undefined;
  }
}

const OLDEST_NODE = [22, 12] as const;

/**
 * Many things seem to work on an older Node. It occurs when install scripts are disabled, because one of them installs the Node that npm's scripts
 * use.
 */
function unsupportedNode(version: string = process.versions.node): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return [];
  return [
    `Node.js is ${version}; ${OLDEST_NODE.join('.')} or later is needed. \`npm ci\` with install scripts brings one for npm's own scripts.`,
  ];
}
