import type { Command } from 'commander';
import { ConfigError } from '../config/config-error.js';
import { loadSettings, type Settings } from '../config/settings.js';
import { NotMigratedError } from '../database/migrate.js';
import { isSqlState } from '../database/refusal.js';
import { DomainError } from '../domain/kernel/domain-error.js';
import { explain } from '../start-failure.js';

export const PAGE = 500;

/** Environment of a command: source of its settings, and destination of its output. */
export class Terminal {
  exitCode = 0;

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    readonly write: (text: string) => void,
    readonly writeError: (text: string) => void,
  ) {}

  print(text: string): void {
    this.write(`${text}\n`);
  }

  /** Settings of the command's deployment. @throws ConfigError */
  settings(program: Command): Settings {
    const { contract } = program.opts<{ contract?: string }>();
    return loadSettings(
      contract === undefined ? this.environment : { ...this.environment, CONTRACT: contract },
    );
  }

  fail(error: unknown): void {
    this.writeError(`${messageOf(error, this.environment)}\n`);
    this.exitCode = 1;
  }
}

/** The API's rules for texts: length in code points, not blank. @throws ConfigError */
export function checkedText(option: string, text: string, max: number): string {
  if ([...text].length > max || !/\S/.test(text)) {
    throw new ConfigError([`${option} must have 1 to ${max} characters and not be blank.`]);
  }
  return text;
}

function messageOf(error: unknown, env: NodeJS.ProcessEnv): string {
  if (error instanceof NotMigratedError) return error.message;
  if (error instanceof DomainError) {
    return [error.message, ...error.details.map(({ field, message }) => `  ${field} ${message}`)].join('\n');
  }
  const { code, message } = error as { code?: string; message: string };
  if (code && !isSqlState(code)) return `The database does not answer (${code}): ${message}`;
  return explain(error, env) ?? message;
}

/** @throws ConfigError unless it is a time in UTC */
export function checkedTime(option: string, text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) || Number.isNaN(time.getTime())) {
    throw new ConfigError([
      `${option} is ${JSON.stringify(text)}; it must be a time such as 2026-01-31T12:00:00Z.`,
    ]);
  }
  return time;
}
