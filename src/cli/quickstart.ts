import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.js';
import { type Contract, CONTRACTS } from '../config/deployments.js';
import { replaceFlushed } from '../config/flushed-file.js';
import { deploymentEnvironment, loadQuickstartSettings } from '../config/quickstart.js';
import type { EmbeddedServer } from '../database/embedded/embedded-server.js';
import { refuseArguments } from '../start-failure.js';
import { DeploymentProcess } from './deployment.process.js';
import type { DeploymentKeys, Links } from './prepared.js';

type Quickstart = Record<Contract, { url: string } & DeploymentKeys>;

try {
  refuseArguments('npm start', process.argv.slice(2));
  // Explicit exit: promises that wait for a process to become ready are pending.
  process.exit(await quickstart());
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : String((error as Error).message)}\n`,
  );
  process.exit(1);
}

/** Runs both deployments until one exits or a signal comes. @returns the exit code */
async function quickstart(): Promise<number> {
  const settings = loadQuickstartSettings(process.env);
  if (settings.reportedSettlement)
    process.stderr.write('SETTLEMENT is "reported" in the partner contract; the sandbox ignores it.\n');
  const stop = stopSignal();
  mkdirSync(settings.dataDir, { recursive: true });
  const path = join(settings.dataDir, 'quickstart.json');
  const earlierStart = readQuickstart(path);
  await refuseSecond(earlierStart, path);
  const deployments = CONTRACTS.map((contract) => ({
    contract,
    url: `http://127.0.0.1:${settings.ports[contract]}`,
    child: new DeploymentProcess(deploymentEnvironment(process.env, contract, settings)),
  }));
  const databaseOpening = database(settings.databaseUrl, settings.dataDir);
  let stopping = false;
  try {
    const ended = Promise.race(deployments.map((deployment) => deployment.child.ended)).then((code) => {
      if (code !== 0 && !stopping)
        process.stderr.write('One of the two servers has ended; stopping the other. The data are kept.\n');
      return code;
    });
    const starting = databaseOpening.then((server) => {
      const databaseUrl = settings.databaseUrl === null ? server.url : null;
      return Promise.all(
        deployments.map(async (deployment) => ({
          ...deployment,
          ...(await deployment.child.start({
            databaseUrl,
            earlierKeys: earlierStart?.[deployment.contract] ?? {},
          })),
        })),
      );
    });
    const started = await Promise.race([starting, ended, stop]);
    if (typeof started === 'number') return started;
    const endpoints = byContract(started, ({ url, keys }) => ({ url, ...keys }));
    // Written atomically, so that a script that polls for the file never reads half of it.
    replaceFlushed(path, `${JSON.stringify(endpoints, null, 2)}\n`);
    const links = byContract(started, (deployment) => deployment.links);
    process.stdout.write(welcome(endpoints, links, path, settings.docs));
    const { lost } = await databaseOpening;
    return await Promise.race([ended, stop, lost.then(databaseLost)]);
  } finally {
    stopping = true;
    await Promise.all(deployments.map((deployment) => deployment.child.stop()));
    await databaseOpening.then(
      (server) => server.release(),
      () => undefined,
    );
  }
}

function byContract<Deployment extends { contract: Contract }, Value>(
  deployments: readonly Deployment[],
  value: (deployment: Deployment) => Value,
): Record<Contract, Value> {
  return Object.fromEntries(
    deployments.map((deployment) => [deployment.contract, value(deployment)]),
  ) as Record<Contract, Value>;
}

type Database = Pick<EmbeddedServer, 'url' | 'lost' | 'release'>;

async function database(url: string | null, dataDir: string): Promise<Database> {
  if (url !== null) return { url, lost: new Promise(() => undefined), release: async () => undefined };
  const { acquireEmbeddedServer } = await import('../database/embedded/embedded-server.js');
  return acquireEmbeddedServer({ dataDir });
}

function databaseLost(): number {
  process.stderr.write('The embedded PostgreSQL has stopped; stopping. The data are kept.\n');
  return 1;
}

function readQuickstart(path: string): Partial<Quickstart> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Quickstart>;
  } catch {
    return null;
  }
}

/** @throws ConfigError when a deployment of an earlier start still answers: a second one would overwrite its addresses */
async function refuseSecond(earlierStart: Partial<Quickstart> | null, path: string): Promise<void> {
  for (const contract of CONTRACTS) {
    const url = earlierStart?.[contract]?.url;
    const answer = url && (await fetch(`${url}/health/live`).catch(() => null));
    if (answer)
      throw new ConfigError([
        `Another npm start still runs at ${url} (see ${path}). Stop it first, or set DATA_DIR to another folder.`,
      ]);
  }
}

/** Resolves at Ctrl-C or SIGTERM. Children of a terminal receive Ctrl-C themselves; signalling them again is harmless. */
function stopSignal(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(0));
  });
}

function welcome(
  { partner, sandbox }: Quickstart,
  links: Record<Contract, Links>,
  path: string,
  docs: boolean,
): string {
  const section = (name: string, { url, admin_key }: Quickstart[Contract]): string =>
    [
      name,
      `  API root            ${url}/api/v1`,
      ...(docs ? [`  Docs                ${url}/docs`] : []),
      `  Administrator key   ${admin_key}\n`,
    ].join('\n');
  const demo = (name: string, key: string | undefined): string =>
    key === undefined ? '' : `  ${name.padEnd(20)}${key}\n`;
  const consoles = ({ admin, demo: account }: Links): string =>
    demo('Console', account ?? undefined) + demo('Console, as admin', admin ?? undefined);
  const isReal = partner.account_key === undefined;
  return `
Vaultline is ready.

${section(isReal ? 'Partner contract (live)' : 'Partner contract (live, on simulated yields; for real yields: YIELDS=live npm start)', partner)}${demo('Demo partner key', partner.account_key)}${demo('Demo executor key', partner.executor_key)}${consoles(links.partner)}
${section('Sandbox contract (simulated)', sandbox)}${demo('Demo account key', sandbox.account_key)}${consoles(links.sandbox)}
${consoles(links.sandbox) === '' ? '' : 'A console link signs in once, within ten minutes; `vaultline console code` prints another one.\n'}URLs and keys are also in ${path}. Ctrl-C stops everything; the data stay.

`;
}
