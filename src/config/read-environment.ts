import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { tlsProblems } from './database-tls.js';
import { ENVIRONMENT, type Environment } from './environment.js';
import { meantBy, shownText, snakeCase } from './spelling.js';
import { SDK_VARIABLES } from './tracing.js';

export type SettingKey = keyof typeof ENVIRONMENT;

const KEYS = Object.keys(ENVIRONMENT) as SettingKey[];

export const variableOf = (key: SettingKey): string => snakeCase(key).toUpperCase();

export const isSecret = (key: SettingKey): boolean => ENVIRONMENT[key].meta()?.secret ?? false;

const isDatabaseUrl = (key: SettingKey): boolean => /^database.*Url$/.test(key);

const fileOf = (key: SettingKey): string => `${variableOf(key)}_FILE`;

export const SETTING_NAMES: readonly string[] = KEYS.flatMap((key) =>
  isSecret(key) ? [variableOf(key), fileOf(key)] : [variableOf(key)],
);

export interface ReadEnvironment {
  values: Environment;
  given: ReadonlySet<SettingKey>;
  files: Partial<Record<SettingKey, string>>;
  /** A line for each variable with an invalid value, and each name that looks like a misspelt setting. */
  problems: string[];
}

/** Reads every known variable; an empty one counts as absent. */
export function readVariables(env: NodeJS.ProcessEnv): ReadEnvironment {
  const problems = unsupportedNode();
  const values: Record<string, unknown> = {};
  const files: ReadEnvironment['files'] = {};
  const given = new Set<SettingKey>();
  for (const key of KEYS) {
    const path = (isSecret(key) && env[fileOf(key)]) || undefined;
    const raw = isServiceLink(env[variableOf(key)]) ? undefined : env[variableOf(key)] || undefined;
    if (raw !== undefined || path !== undefined) given.add(key);
    if (path !== undefined) files[key] = path;
    if (path !== undefined && raw !== undefined)
      problems.push(`${variableOf(key)} and ${fileOf(key)} are both set; set one of them.`);
    const text = path === undefined ? raw : textIn(path);
    const parsed = ENVIRONMENT[key].safeParse(text);
    if (parsed.success && !(path !== undefined && text === undefined)) values[key] = parsed.data;
    else problems.push(refusal(key, raw, path));
    if (isDatabaseUrl(key) && parsed.success && text)
      problems.push(...tlsProblems(path === undefined ? variableOf(key) : fileOf(key), text));
  }
  problems.push(...misspelt(env));
  return { values: values as Environment, given, files, problems };
}

/** Kubernetes sets `<SERVICE>_PORT` for each service of a namespace: one called `sandbox` is not meant for `SANDBOX_PORT`. */
const isServiceLink = (value: string | undefined): boolean => /^(tcp|udp|sctp):\/\//.test(value ?? '');

/** A line for each variable whose name looks like a misspelt setting, with its value unless that may be a secret. */
function misspelt(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const meant = isServiceLink(value) ? undefined : meantBy(name, [...SETTING_NAMES, ...SDK_VARIABLES]);
    if (meant === undefined) return [];
    const isShown = value && !mayBeSecret(name) && !mayBeSecret(meant);
    const shown = isShown ? ` Its value is ${shownText(JSON.stringify(value))}.` : '';
    return [`${name} is not a setting; did you mean ${meant}?${shown}`];
  });
}

const mayBeSecret = (name: string): boolean =>
  /KEY|SECRET|TOKEN|PASS|CRED|HEADER/i.test(name) ||
  KEYS.some((key) => isSecret(key) && name.startsWith(variableOf(key)));

/** URL of a database in a file; undefined: the file is not readable, or holds none. */
export const databaseUrlIn = (path: string): string | undefined =>
  ENVIRONMENT.databaseUrl.safeParse(textIn(path)).data ?? undefined;

/** Allowed values as text, also of the type within one that may be null or has a default. */
export const allowedOf = (key: SettingKey): string => {
  const allowed = (type: z.ZodType): string =>
    type.meta()?.allowed ?? allowed((type as z.ZodOptional<z.ZodType>).unwrap());
  return allowed(ENVIRONMENT[key]);
};

function refusal(key: SettingKey, raw: string | undefined, path: string | undefined): string {
  if (path !== undefined)
    return `${fileOf(key)} is ${JSON.stringify(path)}, which does not hold a valid value or cannot be read; it must be the path of a file that holds ${allowedOf(key)}.`;
  const shown = isSecret(key) ? 'is not valid' : `is ${shownText(JSON.stringify(raw))}`;
  return `${variableOf(key)} ${shown}; it must be ${allowedOf(key)}.`;
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

const OLDEST_NODE = [22, 15] as const;

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
