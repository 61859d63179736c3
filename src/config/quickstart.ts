import { resolve } from 'node:path';
import { ConfigError } from './config-error.js';
import { DEPLOYMENTS, keyPrefixOf } from './deployments.js';
import { type Contract, CONTRACTS, readEnvironment } from './environment.js';
import { requireServersUrl } from './settings.js';

/** Where `npm start` puts what it runs. */
export interface QuickstartSettings {
  /** null: the embedded server. */
  databaseUrl: string | null;
  dataDir: string;
  /** The partner contract's; the sandbox has the next one. null: none. */
  managementPort: number | null;
  ports: Record<Contract, number>;
  /** Whether the live contract runs on simulated yields, so that it works on any machine. */
  simulatedYields: boolean;
  /** Whether both serve their documentation. */
  docs: boolean;
}

/** @throws ConfigError */
export function loadQuickstartSettings(env: NodeJS.ProcessEnv): QuickstartSettings {
  // CONTRACT means nothing here: both are started.
  const read = readEnvironment({ ...env, CONTRACT: undefined });
  if (read.NODE_ENV === 'production' && read.DATABASE_URL === undefined) {
    throw new ConfigError(['DATABASE_URL is missing; it is required under NODE_ENV=production.']);
  }
  requireServersUrl(read);
  return {
    managementPort: read.MANAGEMENT_PORT ?? null,
    databaseUrl: read.DATABASE_URL ?? null,
    dataDir: resolve(read.DATA_DIR ?? '.data'),
    ports: Object.fromEntries(
      CONTRACTS.map((contract) => {
        const { setting, port } = DEPLOYMENTS[contract].start;
        return [contract, read[setting] ?? port];
      }),
    ) as Record<Contract, number>,
    // A database of its own is somebody's: nothing is invented there unasked.
    simulatedYields:
      (read.YIELDS ?? (read.DATABASE_URL === undefined ? 'simulated' : 'live')) === 'simulated',
    docs: read.DOCS !== 'off',
  };
}

/** The environment of one deployment that `npm start` runs: the caller's, with what tells the two apart, and without the database, which may not be there yet. */
export function deploymentEnvironment(
  env: NodeJS.ProcessEnv,
  contract: Contract,
  quickstart: QuickstartSettings,
): NodeJS.ProcessEnv {
  const { BOOTSTRAP_ADMIN_KEY: bootstrapKey, ...rest } = env;
  const { managementPort } = quickstart;
  // One environment serves both, so a bootstrap key in it is meant for the one that it fits.
  const fits = bootstrapKey?.startsWith(keyPrefixOf(DEPLOYMENTS[contract].environment));
  return {
    // Above info, so that what is printed here is not lost between log lines.
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    ...rest,
    YIELDS: quickstart.simulatedYields ? 'simulated' : 'live',
    ...(fits && { BOOTSTRAP_ADMIN_KEY: bootstrapKey }),
    CONTRACT: contract,
    ROLE: 'all',
    PORT: String(quickstart.ports[contract]),
    ...(managementPort !== null && {
      MANAGEMENT_PORT: String(managementPort + DEPLOYMENTS[contract].start.managementOffset),
    }),
    DATA_DIR: quickstart.dataDir,
  };
}

/**
 * Which setting names a port that is taken.
 *
 * @param started by `npm start`, which has settings of its own for the two API ports
 */
export function portSetting(env: NodeJS.ProcessEnv, port: number | undefined, started: boolean): string {
  if (String(port) === env['MANAGEMENT_PORT']) return 'MANAGEMENT_PORT';
  if (!started) return 'PORT';
  return DEPLOYMENTS[env['CONTRACT'] as Contract].start.setting;
}
