import { Client } from 'pg';
import { loadSettings } from '../../src/config/settings.js';
import { withDatabase, say } from '../bench/deployment.js';
import { Random } from '../faults/load/random.js';
import { answerOf, json, LlamaServer, row } from '../support/llama-server.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { PartnerTraffic } from './partner.traffic.js';
import { SandboxTraffic } from './sandbox.traffic.js';
import { leftBehind } from './left-behind.js';
import { growths, MINUTES, SEED, WARM_MS, watch } from './measure.js';
import { ROLES, Server } from './server.js';
import { Stage } from './stage.js';
import { Traffic } from './traffic.js';
import { holds, table } from './verdict.js';

/** Requests a second. */
const A_SECOND = { partner: 20, sandbox: 12 };

if (!(MINUTES > 0 && MINUTES <= 1440)) throw new Error('SOAK_MINUTES is a number of minutes, up to a day.');
const roles = Object.keys(ROLES).find(
  (one) => one === (process.env['SOAK_ROLES'] ?? 'all'),
) as keyof typeof ROLES;
if (!roles) throw new Error(`SOAK_ROLES is one of: ${Object.keys(ROLES).join(', ')}.`);
say(`soak of ${MINUTES} minutes, SOAK_ROLES=${roles}, SOAK_SEED=${SEED}`);
process.exitCode = (await withDatabase(soak)) ? 0 : 1;

/** @returns whether everything is within its bounds */
async function soak(databaseUrl: string): Promise<boolean> {
  const stage = Stage.make();
  const feed = await yields();
  const receiver = await Receiver.start((response, { path }) => {
    receiver.received.length = 0;
    if (path.startsWith('/broken')) response.writeHead(500).end();
    else if (path.startsWith('/slow')) setTimeout(() => response.end(), 100).unref();
    else response.end();
  });
  const hook = (path: string): string => new URL(path, receiver.url).href;
  const [partner, sandbox] = await Promise.all([
    Server.start('partner', await databaseOf(databaseUrl, 'soak_partner'), stage, roles, {
      DEFILLAMA_BASE_URL: feed.url,
      SETTLEMENT: 'instant',
    }),
    Server.start('sandbox', await databaseOf(databaseUrl, 'soak_sandbox'), stage, roles, {}),
  ]);
  const servers = [partner, sandbox];
  const random = new Random(SEED);
  const live = new Traffic('partner', partner.url, random.fork());
  const simulated = new Traffic('sandbox', sandbox.url, random.fork());
  try {
    await until(async () => (await partner.count('vault_states WHERE last_apy IS NOT NULL')) > 0, 60_000);
    const callers = {
      partner: await PartnerTraffic.begin(live, random.fork(), partner.adminKey, hook),
      sandbox: await SandboxTraffic.begin(simulated, random.fork(), sandbox.adminKey, hook),
    };
    live.start(callers.partner.kinds, A_SECOND.partner);
    simulated.start(callers.sandbox.kinds, A_SECOND.sandbox);
    const begun = performance.now();
    const taken = await watch(servers, begun + WARM_MS);
    await Promise.all([live.stop(), simulated.stop()]);
    const findings = [
      ...taken.flatMap((one) => growths(one, begun + WARM_MS)),
      ...(await leftBehind(partner, sandbox, live, simulated, callers)),
    ];
    for (const { name, counts } of [live, simulated])
      say(
        `${name}: ${[...counts]
          .map(([what, count]) => `${what} ${count}`)
          .sort()
          .join(', ')}`,
      );
    for (const surprise of [...live.surprises, ...simulated.surprises].slice(0, 20)) say(`! ${surprise}`);
    const exits = await Promise.all(servers.map((server) => server.stop()));
    findings.push(
      ...servers.flatMap(({ processes }, place) =>
        processes.map(({ name }, number) => ({
          what: `${name}: exit status on SIGTERM`,
          value: exits[place]![number] ?? -1,
          exactly: 0,
        })),
      ),
    );
    say(table(findings));
    return findings.every(holds);
  } finally {
    await Promise.all(servers.map((server) => server.stop().catch(() => null)));
    for (const { name, logs } of servers.flatMap(({ processes }) => processes))
      if (logs.includes('"level":50')) say(`${name} logged:\n${logs.slice(-4_000)}`);
    await Promise.all([live.close(), simulated.close()]);
    await receiver.close();
    feed.close();
    stage.remove();
  }
}

/** A feed with an observation for every vault of the partner contract. */
async function yields(): Promise<LlamaServer> {
  const { vaults } = loadSettings({
    CONTRACT: 'partner',
    DATABASE_URL: 'postgres://127.0.0.1/none',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
  const feed = await LlamaServer.open();
  const rows = vaults.flatMap(({ feed: source }, place) =>
    source.kind === 'defillama'
      ? [row({ pool: source.pool, apyBase: 4 + place / 10, apy: 4 + place / 10, tvlUsd: 1_000_000_000 })]
      : [],
  );
  feed.pools = json(answerOf(rows));
  return feed;
}

/** A new database beside the given one. @returns its URL */
async function databaseOf(url: string, name: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}
