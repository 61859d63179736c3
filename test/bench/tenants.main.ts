import { join } from 'node:path';
import { CONTRACTS } from '../../src/config/environment.js';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { LlamaServer } from '../support/llama-server.js';
import { freePort, Replica } from '../support/replica.js';
import { say, withDatabase } from './deployment.js';
import { ATTACKS } from './tenants/attacks.js';
import { GOAL, missed, type Round, table } from './tenants/slices.js';
import { SLICE_MS, Stage } from './tenants/stage.js';

/**
 * Latency of a tenant's requests while another tenant, with a valid key and within its limits, attacks the server. Each attack has its turn; quiet
 * stretches lie in between, and each attack is compared with the quiet stretch just before it, so that other work on the machine does not change the
 * result. Server, victim and attacker are separate processes.
 *
 * BENCH_ROUNDS, BENCH_ATTACKS=name,name and BENCH_CONTRACT=partner select; BENCH_BEFORE names another built checkout, whose figures are taken in the
 * same run.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CONTRACT = CONTRACTS.find((one) => one === process.env['BENCH_CONTRACT']) ?? 'sandbox';

const SELECTED = process.env['BENCH_ATTACKS']?.split(',') ?? Object.keys(ATTACKS);
const unknown = SELECTED.filter((name) => !(name in ATTACKS));
if (unknown.length > 0)
  throw new Error(`No such attack: ${unknown.join(', ')}. There are ${Object.keys(ATTACKS).join(', ')}.`);

await import(new URL('../../scripts/build.mjs', import.meta.url).href);
const before = process.env['BENCH_BEFORE'];
const builds = { ...(before && { before }), now: join(import.meta.dirname, '../..') };
for (const [name, root] of Object.entries(builds)) {
  say(`\nBuild: ${name}`);
  await withDatabase((databaseUrl) => measure(databaseUrl, join(root, 'dist/bundle/main.js')));
}

async function measure(databaseUrl: string, main: string): Promise<void> {
  const feed = await LlamaServer.open();
  const adminKey = newKeySecret(CONTRACT === 'partner' ? 'live' : 'sandbox');
  const management = await freePort();
  const env = {
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_ADMIN_KEY: adminKey,
    MANAGEMENT_PORT: String(management),
    DEFILLAMA_BASE_URL: feed.url,
    SETTLEMENT: 'instant',
    // The receiver of the attack on one host is judged public, and is here.
    NODE_OPTIONS: `--import=${new URL('tenants/public-hosts.mjs', import.meta.url).href}`,
  };
  const server = await Replica.start(CONTRACT, env, main);
  const stage = new Stage(CONTRACT, server, server.api(adminKey), `http://127.0.0.1:${management}/metrics`);
  const results = new Map<string, Round[]>();
  try {
    await stage.set();
    for (let round = 1; round <= ROUNDS; round++) {
      for (const name of SELECTED.filter((one) => ATTACKS[one]!.contracts.includes(CONTRACT))) {
        results.set(name, [...(results.get(name) ?? []), await stage.round(name)]);
        say(`round ${round} of ${ROUNDS}: ${name}, ${ATTACKS[name]!.what}`);
      }
    }
  } finally {
    await server.kill();
    feed.close();
  }
  report(results);
}

function report(results: Map<string, Round[]>): void {
  say(
    `\nContract ${CONTRACT}, ${ROUNDS} rounds of ${SLICE_MS / 1_000} s: quiet → under attack (ratio), the medians over the rounds\n`,
  );
  table(results).forEach(say);
  const over = missed(results);
  say(
    `\nGoal, at most ${GOAL} times the quiet figure and every request answered: ${over.length === 0 ? 'met' : 'MISSED'}`,
  );
  over.forEach((line) => say(`- ${line}`));
}
