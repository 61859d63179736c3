// Starts one server a run, migrated once into a template that every test file copies. Jest loads this file natively, so that it uses the build, which
// the tests that start processes need anyway.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { scratchFolder } from './scratch.mjs';

/** The variable that `database.ts` reads. */
const SERVER_URL = 'VAULTLINE_TEST_SERVER_URL';
const TEMPLATE = 'vaultline_template';
const TICKED_TEMPLATE = 'vaultline_template_ticked';
/** The variable that `database-server.ts` reads. */
const SCRATCH = 'VAULTLINE_TEST_SCRATCH';
/** The variable that `secret-watch.ts` and `global-teardown.mjs` read. */
const FINDINGS = 'VAULTLINE_TEST_FINDINGS';

export default async function setup() {
  await import('../../scripts/build.mjs');
  const { acquireEmbeddedServer } = await import('../../dist/database/embedded/embedded-server.js');
  const folder = scratchFolder();
  process.env[SCRATCH] = folder;
  // Processes of a run share a compile cache.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.env[FINDINGS] = join(folder, 'findings');
  mkdirSync(process.env[FINDINGS]);
  const server = await acquireEmbeddedServer({ dataDir: folder, durable: false });
  globalThis.vaultlineTestServer = { server, folder };
  process.env[SERVER_URL] = server.url;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const urlOf = (database) => server.url.replace(/\/[^/]*$/, `/${database}`);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await migrateBoth(urlOf(TEMPLATE), folder);
  await client.query(`CREATE DATABASE ${TICKED_TEMPLATE} TEMPLATE ${TEMPLATE}`);
  await client.end();
  await tick(urlOf(TICKED_TEMPLATE), folder);
}

async function migrateBoth(url, folder) {
  const { loadSettings } = await import('../../dist/config/settings.js');
  const { migrate } = await import('../../dist/database/migrate.js');
  for (const CONTRACT of ['partner', 'sandbox']) {
    const settings = loadSettings({ CONTRACT, DATABASE_URL: url, DATA_DIR: folder });
    await migrate(settings, url, pino({ level: 'silent' }));
  }
}

/** The first tick of the sandbox computes a month of hours: it runs once for the template, not once a deployment. */
async function tick(url, folder) {
  const { runCommand } = await import('../../dist/cli/program.js');
  const { Terminal } = await import('../../dist/cli/terminal.js');
  const words = [];
  const say = (text) => void words.push(text);
  const environment = { CONTRACT: 'sandbox', DATABASE_URL: url, DATA_DIR: folder };
  if ((await runCommand(['tick'], new Terminal(environment, say, say))) !== 0)
    throw new Error(words.join(''));
}
