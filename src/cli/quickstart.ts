import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INestApplicationContext } from '@nestjs/common';
import { ConfigError } from '../config/config-error.js';
import { type Contract, CONTRACTS } from '../config/environment.js';
import { replaceFlushed } from '../config/flushed-file.js';
import { deploymentEnvironment, loadQuickstartSettings } from '../config/quickstart.js';
import { loadSettings } from '../config/settings.js';
import type { EmbeddedServer } from '../database/embedded/embedded-server.js';
import { Authenticator } from '../domain/access/authenticator.js';
import { KeyService } from '../domain/access/key.service.js';
import { consoleLinkOf } from './console-link.js';
import { withDomain } from './context.js';
import { demoAccount } from './demo-account.js';
import { type DemoPartner, demoPartner } from './demo-partner.js';

/** What is written to `quickstart.json`, for scripts that use a fresh start. Each contract has an account to look at, the live one on simulated yields alone. */
interface Quickstart {
  partner: { url: string; admin_key: string } & Partial<DemoPartner>;
  sandbox: { url: string; admin_key: string; account_key: string };
}

/** Links to the consoles, each good for one sign-in; null: there is no console, or nothing to look at. Printed and not kept. */
interface Links {
  admin: string | null;
  demo: string | null;
}

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const ADMIN_SCOPES = ['keys:admin', 'partner:admin'] as const;
const ADMIN_LABEL = 'Quickstart administrator';

try {
  // Not left to end by itself: what still waits to become ready is wanted no more.
  process.exit(await quickstart());
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : String((error as Error).message)}\n`,
  );
  process.exit(1);
}

/** Runs both deployments until one ends or a signal comes. @returns the exit code */
async function quickstart(): Promise<number> {
  const settings = loadQuickstartSettings(process.env);
  const stop = signalled();
  mkdirSync(settings.dataDir, { recursive: true });
  const server = await database(settings.databaseUrl, settings.dataDir);
  const children: ChildProcess[] = [];
  let stopping = false;
  try {
    const path = join(settings.dataDir, 'quickstart.json');
    const before = readQuickstart(path);
    await refuseSecond(before, path);
    const environment = (contract: Contract): NodeJS.ProcessEnv =>
      deploymentEnvironment(process.env, contract, settings, server.url);
    const ready: Promise<void>[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<number>();
    const begin = (contract: Contract): string => {
      // The channel tells the child when this process is gone, however it went.
      const child = spawn(process.execPath, [MAIN], {
        env: environment(contract),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(child);
      void exitCode(child).then(end);
      const becomesReady = untilReady(child);
      // Whoever waits for it may come later.
      becomesReady.catch(() => undefined);
      ready.push(becomesReady);
      return `http://127.0.0.1:${settings.ports[contract]}`;
    };
    const inDomain = <T>(
      contract: Contract,
      work: (context: INestApplicationContext) => Promise<T>,
    ): Promise<T> => withDomain(loadSettings(environment(contract)), work);

    const begun = Promise.all([
      inDomain('partner', async (context) => {
        const admin_key = await administratorKey(context, before?.partner?.admin_key);
        // Before the server, whose first hour is the present one.
        const demo: Partial<DemoPartner> = settings.simulatedYields
          ? await demoPartner(context, before?.partner)
          : {};
        const links = await linksOf(context, admin_key, demo.account_key);
        return { keys: { admin_key, ...demo }, links };
      }).then(({ keys, links }) => ({ now: { url: begin('partner'), ...keys }, links })),
      inDomain('sandbox', async (context) => {
        const admin_key = await administratorKey(context, before?.sandbox?.admin_key);
        const url = begin('sandbox');
        // While the server gets ready: an account has a time of its own.
        const account_key = await demoAccount(context, before?.sandbox?.account_key);
        const links = await linksOf(context, admin_key, account_key);
        return { now: { url, admin_key, account_key }, links };
      }),
    ]);
    const told = ended.then((code) => {
      if (code !== 0 && !stopping)
        process.stderr.write('One of the two servers has ended; stopping the other. The data stay.\n');
      return code;
    });
    const first = await Promise.race([begun, told, stop]);
    if (typeof first === 'number') return first;
    const [partner, sandbox] = first;
    const second = await Promise.race([Promise.all(ready), told, stop]);
    if (typeof second === 'number') return second;
    const now = { partner: partner.now, sandbox: sandbox.now };
    writeQuickstart(path, now);
    const links = { partner: partner.links, sandbox: sandbox.links };
    process.stdout.write(welcome(now, links, path, settings.docs));
    return await Promise.race([told, stop, server.lost.then(databaseLost)]);
  } finally {
    stopping = true;
    children.forEach((child) => child.kill('SIGTERM'));
    await Promise.all(children.map(exitCode));
    await server.release();
  }
}

async function database(
  url: string | null,
  dataDir: string,
): Promise<Pick<EmbeddedServer, 'url' | 'lost' | 'release'>> {
  if (url !== null) return { url, lost: new Promise(() => undefined), release: async () => undefined };
  const { acquireEmbeddedServer } = await import('../database/embedded/embedded-server.js');
  return acquireEmbeddedServer({ dataDir });
}

function databaseLost(): number {
  process.stderr.write(
    'The embedded PostgreSQL has stopped, so this stops too. Start again: the data stay.\n',
  );
  return 1;
}

/** The key of an earlier start while it still administers, else a new one; so a second start prints the same. */
async function administratorKey(
  context: INestApplicationContext,
  known: string | undefined,
): Promise<string> {
  const caller = known === undefined ? null : await context.get(Authenticator).authenticate(known);
  const still = caller !== null && typeof caller === 'object';
  if (still && ADMIN_SCOPES.every((scope) => caller.scopes.includes(scope))) return known!;
  // Whoever deleted the file with the key meant to be rid of it, so what earlier starts made goes.
  return (await context.get(KeyService).replace({ label: ADMIN_LABEL, scopes: [...ADMIN_SCOPES] })).secret;
}

async function linksOf(
  context: INestApplicationContext,
  admin: string,
  account: string | undefined,
): Promise<Links> {
  return {
    admin: await consoleLinkOf(context, admin),
    demo: account === undefined ? null : await consoleLinkOf(context, account),
  };
}

function readQuickstart(path: string): Partial<Quickstart> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Quickstart>;
  } catch {
    return null;
  }
}

/** Whoever polls for the file never reads half of it. */
function writeQuickstart(path: string, content: Quickstart): void {
  replaceFlushed(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** The child says so itself: whoever answers on its port might be another. */
async function untilReady(child: ChildProcess): Promise<void> {
  await once(child, 'message', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).catch(() => {
    throw new Error(`It did not become ready within ${READY_TIMEOUT_MS / 1000} s.`);
  });
}

/** @throws ConfigError when what an earlier start wrote still answers: a second one would write other addresses over it */
async function refuseSecond(before: Partial<Quickstart> | null, path: string): Promise<void> {
  for (const contract of CONTRACTS) {
    const url = before?.[contract]?.url;
    const answer = url && (await fetch(`${url}/health/live`).catch(() => null));
    if (answer)
      throw new ConfigError([
        `An earlier start still runs at ${url} (see ${path}). Stop it first, or set DATA_DIR to another folder.`,
      ]);
  }
}

async function exitCode(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? 1;
}

/** Resolves at Ctrl-C or SIGTERM; the children of a terminal get their Ctrl-C themselves and are told once more. */
function signalled(): Promise<number> {
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

${section(isReal ? 'Partner contract (live)' : 'Partner contract (live, on simulated yields: nothing is real; YIELDS=live npm start is)', partner)}${demo('Demo partner key', partner.account_key)}${demo('Demo executor key', partner.executor_key)}${consoles(links.partner)}
${section('Sandbox contract (simulated)', sandbox)}${demo('Demo account key', sandbox.account_key)}${consoles(links.sandbox)}
${consoles(links.sandbox) === '' ? '' : 'Links to a console sign in once, within ten minutes; `vaultline console code` prints another one.\n'}URLs and keys are also in ${path}. Ctrl-C stops everything; the data stay.

`;
}
