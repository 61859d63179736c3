import { isIP } from 'node:net';
import { ConfigError } from './config-error.js';
import { misspelt } from './misspelt.js';
import { shownText } from './shown-value.js';

export const CONTRACTS = ['partner', 'sandbox'] as const;
export type Contract = (typeof CONTRACTS)[number];

/** What a process of a deployment does: it answers requests, runs jobs, or both, its jobs in a thread of their own. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** Where the live contract's yields come from. */
export const YIELDS = ['live', 'simulated'] as const;

/** How the books learn that a move was made: at once, as the decision is the move; or by the reports of whoever carries it out. */
export const SETTLEMENTS = ['instant', 'reported'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** What a connection to the database keeps from one transaction to the next: all that was said on it, or nothing, as behind PgBouncer in transaction mode. */
const POOLINGS = ['session', 'transaction'] as const;
export type Pooling = (typeof POOLINGS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** As OpenTelemetry names them. What a caller says of its own trace decides nothing, so each of the second three is as the one before it. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type Sampler = (typeof SAMPLERS)[number];

/** How one environment variable is read: `parse` answers undefined for a value that is not allowed. */
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

/** A base URL that is shown to others: in the document, in log lines. */
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

/** Where nothing is said is not where nothing is meant. */
const orNone = (listed: Variable<readonly string[]>): Variable<readonly string[]> => ({
  parse: (raw) => (raw === 'none' ? [] : listed.parse(raw)),
  allowed: `none, or ${listed.allowed}`,
});

/** @param widest the fewest bits that it must fix */
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

/** Most URLs that one chain is read by: each is asked in every pass. */
const MOST_RPC_URLS = 8;

/** They often carry a key in their path: none is shown. */
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

/** Its host is named: without one the driver would look for some database on this machine. */
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

/** 32 bytes in base64. */
export const SECRETS_KEY_FORM = /^[A-Za-z0-9+/]{43}=$/;

/** Every setting that is read from the environment, in the order in which the operations page lists them. */
const VARIABLES = {
  CONTRACT: oneOf(CONTRACTS),
  ROLE: oneOf(ROLES),
  HOST: listenAddress,
  PORT: wholeNumber(0, 65_535),
  PARTNER_PORT: wholeNumber(1, 65_535),
  SANDBOX_PORT: wholeNumber(1, 65_535),
  DATABASE_URL: postgres,
  DATABASE_MIGRATION_URL: postgres,
  DATABASE_POOLING: oneOf(POOLINGS),
  DATABASE_DIRECT_URL: postgres,
  DATABASE_POOL_SIZE: wholeNumber(2, 500),
  DATABASE_REPLICA_URL: postgres,
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
  OTEL_SERVICE_NAME: text(/^[\w.:-]{1,100}$/, 'up to 100 letters, digits and . : - _'),
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS),
  OTEL_TRACES_SAMPLER_ARG: fraction,
  OTEL_SDK_DISABLED: flag,
  // Another word would mean a server without what production protects, whatever whoever set it had in mind.
  NODE_ENV: oneOf(['production', 'development', 'test']),
} as const;

type Key = keyof typeof VARIABLES;
export type Environment = {
  [K in Key]: (typeof VARIABLES)[K] extends Variable<infer T> ? T | undefined : never;
};

/**
 * Reads every known variable; an empty one counts as absent.
 *
 * @param required what may not be absent
 * @throws ConfigError naming all keys whose value is not allowed or missing, and names that look like a misspelt key.
 */
export function readEnvironment(env: NodeJS.ProcessEnv, required: readonly Key[] = []): Environment {
  const problems: string[] = unsupportedNode();
  const values: Partial<Record<Key, unknown>> = {};
  for (const key of Object.keys(VARIABLES) as Key[]) {
    const raw = env[key];
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

const OLDEST_NODE = [22, 12] as const;

/** On an older one much seems to work. It is met where install scripts are off, since one of them brings the Node that npm's scripts use. */
function unsupportedNode(version: string = process.versions.node): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return [];
  return [
    `Node.js is ${version}; ${OLDEST_NODE.join('.')} or later is needed. \`npm ci\` with install scripts brings one for npm's own scripts.`,
  ];
}
