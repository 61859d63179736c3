import { isIP } from 'node:net';
import { ConfigError } from './config-error.js';

export const CONTRACTS = ['partner', 'sandbox'] as const;
export type Contract = (typeof CONTRACTS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

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

const flag: Variable<boolean> = {
  parse: (raw) => ({ true: true, '1': true, false: false, '0': false })[raw.toLowerCase()],
  allowed: 'true or false',
};

const address = (protocols: readonly string[], example: string, secret: boolean): Variable<string> => ({
  parse: (raw) => (URL.canParse(raw) && protocols.includes(new URL(raw).protocol) ? raw : undefined),
  allowed: `a URL such as ${example}`,
  secret,
});

const text = (pattern: RegExp, allowed: string, secret = false): Variable<string> => ({
  parse: (raw) => (pattern.test(raw) ? raw : undefined),
  allowed,
  secret,
});

const networks: Variable<readonly string[]> = {
  parse: (raw) => {
    const entries = raw.split(/[\s,]+/).filter(Boolean);
    return entries.every(isNetwork) ? entries : undefined;
  },
  allowed: 'networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd12::/48',
};

function isNetwork(entry: string): boolean {
  const [base = '', bits = '', ...rest] = entry.split('/');
  const widest = { 4: 32, 6: 128 }[isIP(base)];
  return rest.length === 0 && widest !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= widest;
}

const postgres = address(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/vaultline', true);

/** Every setting that is read from the environment, in the order in which the operations page lists them. */
const VARIABLES = {
  CONTRACT: oneOf(CONTRACTS),
  HOST: text(/^[\w.:-]{1,253}$/, 'an address or host name to listen on'),
  PORT: wholeNumber(0, 65_535),
  PARTNER_PORT: wholeNumber(1, 65_535),
  SANDBOX_PORT: wholeNumber(1, 65_535),
  DATABASE_URL: postgres,
  DATABASE_POOL_SIZE: wholeNumber(2, 500),
  DATABASE_REPLICA_URL: postgres,
  DATA_DIR: text(/^.+$/s, 'a folder'),
  BOOTSTRAP_ADMIN_KEY: text(/^.+$/s, 'a full API key of this environment', true),
  SECRETS_KEY: text(/^[A-Za-z0-9+/]{43}=$/, '32 bytes in base64 (openssl rand -base64 32)', true),
  PUBLIC_URL: address(['http:', 'https:'], 'https://api.example.com', false),
  DEFILLAMA_BASE_URL: address(['http:', 'https:'], 'https://yields.llama.fi', false),
  WEBHOOK_ALLOWED_NETWORKS: networks,
  WEBHOOK_REQUIRE_HTTPS: flag,
  WEBHOOK_TIMEOUT_MS: wholeNumber(100, 60_000),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000),
  MANAGEMENT_PORT: wholeNumber(1, 65_535),
  LOG_LEVEL: oneOf(LOG_LEVELS),
  NODE_ENV: text(/^[\w-]*$/, 'a word such as production, development or test'),
} as const;

type Key = keyof typeof VARIABLES;
export type Environment = {
  [K in Key]: (typeof VARIABLES)[K] extends Variable<infer T> ? T | undefined : never;
};

/**
 * Reads every known variable; an empty one counts as absent.
 *
 * @throws ConfigError naming all keys whose value is not allowed, and names that look like a misspelt key.
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const problems: string[] = unsupportedNode();
  const values: Partial<Record<Key, unknown>> = {};
  for (const key of Object.keys(VARIABLES) as Key[]) {
    const raw = env[key];
    if (raw === undefined || raw === '') continue;
    const variable: Variable<unknown> = VARIABLES[key];
    values[key] = variable.parse(raw);
    if (values[key] === undefined) {
      const shown = variable.secret ? 'is not valid' : `is ${JSON.stringify(raw)}`;
      problems.push(`${key} ${shown}; allowed is ${variable.allowed}.`);
    }
  }
  problems.push(...misspelt(Object.keys(env)));
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

/** A setting that is ignored because of a typo is worse than one that stops the boot. Short names are left alone: they are too near to others. */
function misspelt(names: readonly string[]): string[] {
  const keys = Object.keys(VARIABLES).filter((key) => key.includes('_') && key.length >= 8);
  return names
    .filter((name) => !(name in VARIABLES))
    .flatMap((name) => {
      const meant = keys.find((key) => key !== 'NODE_ENV' && distance(name, key) <= 2);
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });
}

/** Levenshtein distance, given up at 3. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
