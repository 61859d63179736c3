import { once } from 'node:events';
import type { DeploymentKeys, PreparedDeployment } from './prepared.js';

/** Message of `npm start` to the process of a deployment, once the database runs. */
export interface StartRequest {
  /** The embedded server's; null: the environment names one. */
  databaseUrl: string | null;
  /** Keys from an earlier start. */
  earlierKeys: Partial<DeploymentKeys>;
}

/** Answer of that process; the server sends `ready` afterwards. */
export type Reply = { prepared: PreparedDeployment } | { failed: string };

// Modules are loaded while the database is created, and both deployments are prepared in parallel.
const exitWithParent = (): never => process.exit(0);
process.on('disconnect', exitWithParent);
const startMessage = once(process, 'message') as Promise<[StartRequest]>;
try {
  const [{ loadSettings }, { prepare }] = await Promise.all([
    import('../config/settings.js'),
    import('./prepared.js'),
    import('../application.js'),
  ]);
  const [{ databaseUrl, earlierKeys }] = await startMessage;
  if (databaseUrl !== null) Object.assign(process.env, { DATABASE_URL: databaseUrl });
  reply({ prepared: await prepare(loadSettings(process.env), earlierKeys) });
  process.off('disconnect', exitWithParent);
  // The regular server, with the modules that are loaded already.
  await import(new URL('../main.js', import.meta.url).href);
} catch (error) {
  // The parent ends this process: it could notice an exit before the message.
  reply({ failed: (error as Error).message });
}

function reply(message: Reply): void {
  process.send!(message);
}
