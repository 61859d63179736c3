import { ConfigError } from './config-error.js';
import { DEPLOYMENTS, keyPrefixOf } from './deployments.js';
import type { Contract } from './deployments.js';
import { readVariables, variableOf } from './read-environment.js';
import { missingServersUrl } from './settings.js';

export interface QuickstartSettings {
  /** null: the embedded server. */
  databaseUrl: string | null;
  dataDir: string;
  managementPort: number | null;
  ports: Record<Contract, number>;
  /** Whether the live contract runs on simulated yields, so that it works on any machine. */
  simulatedYields: boolean;
  /** Whether moves of the partner contract are settled by reports. */
  reportedSettlement: boolean;
  docs: boolean;
  /** API key of an administrator; its prefix says of which deployment. */
  bootstrapAdminKey: string | null;
}

/** @throws ConfigError */
export function loadQuickstartSettings(env: NodeJS.ProcessEnv): QuickstartSettings {
  // CONTRACT is ignored, because both contracts are started.
  const { values: read, given, problems } = readVariables({ ...env, CONTRACT: undefined });
  if (read.nodeEnv === 'production' && !given.has('databaseUrl'))
    problems.push('DATABASE_URL is missing; it is required under NODE_ENV=production.');
  problems.push(...missingServersUrl(given));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    managementPort: read.managementPort,
    databaseUrl: read.databaseUrl,
    dataDir: read.dataDir,
    ports: { partner: read.partnerPort, sandbox: read.sandboxPort },
    // Demo data are not written to a configured database unless requested.
    simulatedYields: (read.yields ?? (given.has('databaseUrl') ? 'live' : 'simulated')) === 'simulated',
    reportedSettlement: read.settlement === 'reported',
    docs: read.docs,
    bootstrapAdminKey: read.bootstrapAdminKey,
  };
}

/**
 * Environment of one deployment of `npm start`: the caller's, with the differences between the two, and without the database, which may not exist
 * yet.
 */
export function deploymentEnvironment(
  env: NodeJS.ProcessEnv,
  contract: Contract,
  quickstart: QuickstartSettings,
): NodeJS.ProcessEnv {
  const { BOOTSTRAP_ADMIN_KEY: _, BOOTSTRAP_ADMIN_KEY_FILE: __, SETTLEMENT, ...rest } = env;
  const { managementPort, bootstrapAdminKey: bootstrapKey } = quickstart;
  // One environment serves both deployments, so a bootstrap key is passed to the one whose prefix it has.
  const fits = bootstrapKey?.startsWith(keyPrefixOf(DEPLOYMENTS[contract].environment));
  return {
    // Less than info, so that the printed summary is not lost between log lines.
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    ...rest,
    // The sandbox settles at once, whatever the partner contract does.
    ...(!DEPLOYMENTS[contract].simulated && { SETTLEMENT }),
    YIELDS: quickstart.simulatedYields ? 'simulated' : 'live',
    ...(bootstrapKey !== null && fits && { BOOTSTRAP_ADMIN_KEY: bootstrapKey }),
    CONTRACT: contract,
    ROLE: 'all',
    PORT: String(quickstart.ports[contract]),
    ...(managementPort !== null && {
      MANAGEMENT_PORT: String(managementPort + DEPLOYMENTS[contract].start.managementOffset),
    }),
    DATA_DIR: quickstart.dataDir,
  };
}

/** Setting of a port that is taken. @param started by `npm start`, which has settings of its own for the two API ports */
export function portSetting(env: NodeJS.ProcessEnv, port: number | undefined, started: boolean): string {
  if (String(port) === env['MANAGEMENT_PORT']) return 'MANAGEMENT_PORT';
  if (!started) return 'PORT';
  return variableOf(DEPLOYMENTS[env['CONTRACT'] as Contract].start.setting);
}
