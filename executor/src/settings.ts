import { readFileSync } from 'node:fs';
import { closest, distance } from 'fastest-levenshtein';
import * as z from 'zod';
import { ConfigError } from './problem.js';

/** Chains that may be served, with their ids (https://chainlist.org). */
export const CHAIN_IDS = { ethereum: 1, arbitrum: 42161, base: 8453, plasma: 9745 } as const;
export type ChainName = keyof typeof CHAIN_IDS;

const MOST_RPC_URLS = 8;
const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/]/.test(text) && URL.canParse(text);

const webAddress = (example: string) =>
  z.string().refine(isWebAddress, `it must be an http or https URL, such as ${example}`);
const text = (allowed: string) => z.string().regex(/^\S.*$/s, `it must be ${allowed}`);
const apiKey = () => z.string().regex(/^[\x21-\x7e]{1,200}$/, 'it must be an API key');
const listOf = (item: z.ZodType<string, string>, most: number, allowed: string) =>
  z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(z.array(item, allowed).min(1).max(most, allowed));
const whole = (min: number, max: number) => {
  const allowed = `it must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, allowed)
    .transform(Number)
    .pipe(z.number().min(min, allowed).max(max, allowed));
};
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `it must be one of ${values.join(', ')}`);
const rpcUrls = () =>
  listOf(
    webAddress('https://eth.example.com/v2/KEY'),
    MOST_RPC_URLS,
    `it must be up to ${MOST_RPC_URLS} http or https URLs, separated by commas`,
  )
    .refine(
      (urls) => new Set(urls).size === urls.length,
      'it must be different URLs: each provider has one vote',
    )
    .optional();

/** Settings of the environment. Those marked `secret` are read from a file, too: `<NAME>_FILE`. */
const SETTINGS = {
  VAULTLINE_URL: webAddress('https://yield.example.com'),
  VAULTLINE_API_KEY: apiKey().meta({ secret: true }),
  DEPOSITS_API_KEY: apiKey().optional().meta({ secret: true }),
  PARTNER_API_KEYS: listOf(apiKey(), 1000, 'it must be API keys, separated by commas').meta({ secret: true }),
  ALLOWLIST: text('the path of the allowlist'),
  JOURNAL: text('the path of the journal').default('executor.db'),
  KEYSTORE: text('the path of an encrypted keystore').optional(),
  KEYSTORE_PASSWORD: z.string().min(1, 'it must be a password').optional().meta({ secret: true }),
  SIGNER_URL: webAddress('http://127.0.0.1:8550').optional().meta({ secret: true }),
  SIGNER_METHOD: oneOf(['eth_signTransaction', 'eth_sendTransaction']).default('eth_signTransaction'),
  INSECURE_RAW_KEY_FOR_TESTS: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/i, 'it must be 0x and 64 hexadecimal digits')
    .optional()
    .meta({ secret: true }),
  RPC_URL_ETHEREUM: rpcUrls().meta({ secret: true }),
  RPC_URL_ARBITRUM: rpcUrls().meta({ secret: true }),
  RPC_URL_BASE: rpcUrls().meta({ secret: true }),
  RPC_URL_PLASMA: rpcUrls().meta({ secret: true }),
  POLL_MS: whole(50, 600_000).default(5000),
  STUCK_SECONDS: whole(1, 86_400).default(180),
  GIVE_UP_SECONDS: whole(1, 86_400).default(3600),
  HOST: text('an address to listen on').default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3300),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

const SCHEMA = z.object(SETTINGS);
export type Settings = z.infer<typeof SCHEMA>;
type Name = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as Name[];
const SIGNERS = ['KEYSTORE', 'SIGNER_URL', 'INSECURE_RAW_KEY_FOR_TESTS'] as const;
const isSecret = (name: Name): boolean => SETTINGS[name].meta()?.['secret'] === true;
const FILES = SETTING_NAMES.filter(isSecret).map((name) => `${name}_FILE`);

/** @throws ConfigError with all problems at once */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  // An empty variable counts as absent.
  const given = Object.keys(environment).filter((name) => environment[name]);
  for (const name of given) {
    const meant = meantBy(name, [...SETTING_NAMES, ...FILES]);
    if (meant !== undefined) problems.push(`${name} is no setting: did you mean ${meant}?`);
  }
  const input = Object.fromEntries(SETTING_NAMES.map((name) => [name, valueOf(name, environment, problems)]));
  const { data, error } = SCHEMA.safeParse(input);
  for (const { path, message } of error?.issues ?? []) {
    const name = path[0] as Name;
    const value = input[name];
    const shown = isSecret(name) ? 'set' : JSON.stringify(value?.slice(0, 100));
    problems.push(value === undefined ? `${name} is required.` : `${name} is ${shown}: ${message}.`);
  }
  const signers = SIGNERS.filter((name) => input[name] !== undefined);
  if (signers.length !== 1)
    problems.push(`${signers.join(' and ') || 'No signer'} is set: set one of ${SIGNERS.join(', ')}.`);
  if (input['KEYSTORE'] !== undefined && input['KEYSTORE_PASSWORD'] === undefined)
    problems.push('KEYSTORE_PASSWORD is required with KEYSTORE.');
  if (data === undefined || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return data;
}

export const rpcUrlsOf = (settings: Settings, chain: ChainName): string[] | undefined =>
  settings[`RPC_URL_${chain.toUpperCase() as Uppercase<ChainName>}`];

function valueOf(
  name: Name,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | undefined {
  const value = environment[name] || undefined;
  const path = isSecret(name) && environment[`${name}_FILE`];
  if (!path) return value;
  if (value !== undefined) problems.push(`${name} and ${name}_FILE are both set: set one of them.`);
  try {
    return readFileSync(path, 'utf8').trimEnd() || undefined;
  } catch (error) {
    problems.push(`${name}_FILE names ${path}, which cannot be read (${(error as { code?: string }).code}).`);
    return '';
  }
}

/** The setting that a name misspells, abbreviates or names of another chain; undefined for a setting, and for what other programs read. */
function meantBy(given: string, settings: readonly string[]): string | undefined {
  if (settings.includes(given)) return undefined;
  const name = given.toUpperCase().replace(/_FILE$/, '');
  const near = settings.filter(
    (setting) =>
      distance(name, setting) <= Math.floor(setting.length / 5) ||
      (name.includes('_') && setting.startsWith(`${name}_`)) ||
      (name.startsWith('RPC_URL') && setting.startsWith('RPC_URL')),
  );
  return near.length === 0 ? undefined : closest(name, near);
}
