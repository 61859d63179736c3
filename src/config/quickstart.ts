import { resolve } from 'node:path';
import { type Contract, readEnvironment } from './environment.js';

/** Where `npm start` puts what it runs. */
export interface QuickstartSettings {
  /** null: the embedded server. */
  databaseUrl: string | null;
  dataDir: string;
  ports: Record<Contract, number>;
}

/** @throws ConfigError */
export function loadQuickstartSettings(env: NodeJS.ProcessEnv): QuickstartSettings {
  // CONTRACT means nothing here: both are started.
  const read = readEnvironment({ ...env, CONTRACT: undefined });
  return {
    databaseUrl: read.DATABASE_URL ?? null,
    dataDir: resolve(read.DATA_DIR ?? '.data'),
    ports: { partner: read.PARTNER_PORT ?? 3000, sandbox: read.SANDBOX_PORT ?? 3001 },
  };
}

/** The environment of one deployment that `npm start` runs: the caller's, with what tells the two apart. */
export function deploymentEnvironment(
  env: NodeJS.ProcessEnv,
  contract: Contract,
  quickstart: QuickstartSettings,
  databaseUrl: string,
): NodeJS.ProcessEnv {
  const { BOOTSTRAP_ADMIN_KEY: bootstrapKey, ...rest } = env;
  // One environment serves both, so a bootstrap key in it is meant for the one that it fits.
  const fits = bootstrapKey?.startsWith(contract === 'partner' ? 'vl_live_' : 'vl_sandbox_');
  return {
    // Above info, so that what is printed here is not lost between log lines.
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    ...rest,
    ...(fits && { BOOTSTRAP_ADMIN_KEY: bootstrapKey }),
    CONTRACT: contract,
    PORT: String(quickstart.ports[contract]),
    DATABASE_URL: databaseUrl,
    DATA_DIR: quickstart.dataDir,
  };
}
