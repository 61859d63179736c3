import { ConfigError } from './config/config-error.js';
import { portSetting } from './config/quickstart.js';
import { databaseSettings } from './config/settings.js';
import { isSqlState } from './database/refusal.js';

/** Error message for whoever started the process. @param spawned by `npm start` */
export function explain(error: unknown, env: NodeJS.ProcessEnv, spawned = false): string {
  if (error instanceof ConfigError) return error.message;
  const { code, stack, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `${message}. Stop what listens there, or set ${portSetting(env, port, spawned)} to another one.`;
  // PostgreSQL refused for good (a wrong password, an unknown database); its own message is the clearest.
  if (isSqlState(code)) return `${databaseSettings(env)}: ${message}.`;
  return stack ?? message;
}
