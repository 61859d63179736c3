import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { Api } from '../support/api.js';
import { SERVES } from '../support/child-environment.js';
import { createPartner } from '../support/partner.js';
import { freePort } from '../support/replica.js';
import { say, withDatabase } from './deployment.js';

/**
 * The files of `src/` of which a deposit executes a function, from the request's first byte to its log line: those of CONTRIBUTING's walk. A file
 * counts when each of the last deposits executed it, so that what a timer does beside them does not.
 */
const WARM_UP = 20;
const COUNTED = 10;
/** The answer's end is recorded after the caller has it, and its log line is written within 100 ms. */
const SETTLE_MS = 200;

interface Files {
  before: string[];
  all: string[];
}

const ROOT = join(import.meta.dirname, '../..');
await import(new URL('../../scripts/build.mjs', import.meta.url).href);

await withDatabase(async (databaseUrl) => {
  const adminKey = newKeySecret('live');
  const port = await freePort();
  /** As production runs it: a process that answers, and one that runs jobs. */
  const start = (
    role: 'api' | 'worker',
    environment: Record<string, string>,
    options: string[],
  ): ChildProcess => {
    const env = {
      PATH: process.env['PATH'],
      CONTRACT: 'partner',
      ROLE: role,
      YIELDS: 'simulated',
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      ...environment,
    };
    const program = [...options, join(ROOT, 'dist/main.js')];
    return spawn(process.execPath, program, {
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      ...SERVES,
    });
  };
  const worker = start('worker', { PORT: String(await freePort()) }, []);
  const probe = new URL('files/probe.mjs', import.meta.url).href;
  const server = start('api', { PORT: String(port), BOOTSTRAP_ADMIN_KEY: adminKey }, ['--import', probe]);
  try {
    await Promise.all([once(server, 'message'), once(worker, 'message')]);
    const deposit = await depositor(new Api(`http://127.0.0.1:${port}`, adminKey));
    // A vault takes funds once the market has begun.
    for (let count = 0; (await deposit()) !== 'active' || count < WARM_UP; count++) await sleep(SETTLE_MS);
    const walks: Files[] = [];
    for (let count = 0; count < COUNTED; count++) walks.push(await filesOf(server, deposit));
    const before = inEach(walks.map((walk) => walk.before));
    const all = inEach(walks.map((walk) => walk.all));
    for (const path of before) say(path);
    say(`${before.length} files before the first business rule; behind it:`);
    for (const path of all.filter((text) => !before.includes(text))) say(path);
    say(`${all.length} files in all`);
  } finally {
    const gone = [server, worker].map((child) => once(child, 'exit'));
    for (const child of [server, worker]) child.kill();
    await Promise.all(gone);
  }
});

async function depositor(admin: Api): Promise<() => Promise<string>> {
  const partner = await createPartner(admin);
  const user = await partner.api.post('/users', { external_id: 'depositor' });
  const key = await admin.post('/keys', { label: 'protocol', scopes: ['write'] });
  const protocol = admin.as(key.body.data.secret);
  return async () => {
    const tx_hash = `0x${randomBytes(32).toString('hex')}`;
    const body = { user_id: user.body.data.id, asset: 'USDC', amount: 250, tx_hash };
    const {
      status,
      text,
      body: answered,
    } = await protocol.post('/positions', body, {
      'idempotency-key': randomUUID(),
    });
    if (status !== 201) throw new Error(`a deposit was answered ${status}: ${text}`);
    return answered.data.status as string;
  };
}

async function filesOf(server: ChildProcess, deposit: () => Promise<unknown>): Promise<Files> {
  await ask(server);
  await deposit();
  await sleep(SETTLE_MS);
  return ask(server);
}

async function ask(server: ChildProcess): Promise<Files> {
  server.send('files');
  const [files] = (await once(server, 'message')) as [Files];
  return files;
}

function inEach(walks: readonly string[][]): string[] {
  return walks[0]!.filter((path) => walks.every((walk) => walk.includes(path))).sort();
}
