import type { Command } from 'commander';
import { ConfigError } from '../config/config-error.js';
import { loadSettings, type Settings } from '../config/settings.js';
import { NotMigratedError } from '../database/migrate.js';
import { DomainError } from '../domain/domain-error.js';

/** Rows that a command reads at once. */
export const PAGE = 500;

/** @throws ConfigError */
export function settingsOf(program: Command): Settings {
  const { contract } = program.opts<{ contract?: string }>();
  return loadSettings(contract === undefined ? process.env : { ...process.env, CONTRACT: contract });
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The API's rule for texts: characters are code points, and blank is none. @throws ConfigError */
export function checkedText(option: string, text: string, max: number): string {
  if ([...text].length > max || !/\S/.test(text)) {
    throw new ConfigError([`${option} must have 1 to ${max} characters and not be blank.`]);
  }
  return text;
}

export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof NotMigratedError) return error.message;
  if (error instanceof DomainError) {
    return [error.message, ...error.details.map(({ field, message }) => `  ${field} ${message}`)].join('\n');
  }
  const { code, message } = error as { code?: string; message: string };
  return code ? `The database does not answer (${code}): ${message}` : message;
}
