import { once } from 'node:events';
import type { DeploymentKeys, Prepared } from './prepared.js';

/** What `npm start` tells the process of a deployment, once there is a database. */
export interface Order {
  databaseUrl: string;
  /** Keys of an earlier start. */
  known: Partial<DeploymentKeys>;
}

/** What that process answers; the server in it says `ready` after it. */
export type Reply = { prepared: Prepared } | { failed: string };

// Two cores: modules are loaded while the database is made, and both deployments are prepared at once.
const orphaned = (): never => process.exit(0);
process.on('disconnect', orphaned);
const ordered = once(process, 'message') as Promise<[Order]>;
try {
  const [{ loadSettings }, { prepare }] = await Promise.all([
    import('../config/settings.js'),
    import('./prepared.js'),
    import('../application.js'),
  ]);
  const [{ databaseUrl, known }] = await ordered;
  Object.assign(process.env, { DATABASE_URL: databaseUrl });
  reply({ prepared: await prepare(loadSettings(process.env), known) });
  process.off('disconnect', orphaned);
  // As any other start of a server, with the modules that are there.
  await import(new URL('../main.js', import.meta.url).href);
} catch (error) {
  // Whoever started this ends it: its exit might be seen before what it said.
  reply({ failed: (error as Error).message });
}

function reply(message: Reply): void {
  process.send!(message);
}
