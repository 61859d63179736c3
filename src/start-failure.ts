import { ConfigError } from './config/config-error.js';
import { portSetting } from './config/quickstart.js';
import { databaseSettings } from './config/settings.js';
import { isSqlState } from './database/refusal.js';

/** @throws ConfigError for arguments, which would be ignored: settings are variables */
export function refuseArguments(program: string, [argument]: readonly string[]): void {
  if (argument === undefined) return;
  throw new ConfigError([
    `${program} takes no arguments, and got ${JSON.stringify(argument.split('=')[0])}: settings are variables of the environment, such as PORT (docs/settings.md).`,
  ]);
}

/**
 * Error message for whoever started the process; null: the error is not theirs.
 * @param spawned by `npm start`
 */
export function explain(error: unknown, env: NodeJS.ProcessEnv, spawned = false): string | null {
  if (error instanceof ConfigError) return error.message;
  const { code, message, port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `${message}. Stop what listens there, or set ${portSetting(env, port, spawned)} to another one.`;
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `${message}. HOST and MANAGEMENT_HOST must be addresses of this machine, and ports must be open to its account.`;
  // PostgreSQL refused for good; its own message is the clearest.
  if (isSqlState(code)) return `${databaseSettings(env)}: ${message}.`;
  return null;
}
