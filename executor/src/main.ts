import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Allowlist } from './allowlist.js';
import { Journal } from './journal.js';
import { type Health, Meters, serve } from './meters.js';
import { pass } from './pass.js';
import { approvalNameOf, approvalOf } from './payouts.js';
import { ConfigError, textOf } from './problem.js';
import { Providers } from './providers.js';
import { Sender } from './sender.js';
import { Server } from './server.js';
import { type ChainName, readSettings, rpcUrlsOf, type Settings } from './settings.js';
import { signerOf } from './signer.js';

const USAGE = `node executor/dist/main.js [run] [--dry-run]
node executor/dist/main.js approve <withdrawal id> <wallet> <amount> <asset>
node executor/dist/main.js status`;
/** Passes without a success after which \`/health\` says so. */
const PASSES = 10;
const MIN_PATIENCE_MS = 120_000;

async function run(settings: Settings, dryRun: boolean): Promise<void> {
  const log = pino({ level: settings.LOG_LEVEL, base: null, formatters: { level: (level) => ({ level }) } });
  const allowlist = Allowlist.read(settings.ALLOWLIST);
  const signer = signerOf(settings, allowlist.account);
  const chains = [...allowlist.chains.keys()];
  const without = chains.filter((chain) => !rpcUrlsOf(settings, chain));
  if (without.length > 0)
    throw new ConfigError(
      without.map((chain) => `RPC_URL_${chain.toUpperCase()} is required: the allowlist has ${chain}.`),
    );
  // A dry run writes nothing, and may look on while another executor works.
  const isNew = dryRun || Journal.isNew(settings.JOURNAL);
  const journal = Journal.open(dryRun ? ':memory:' : settings.JOURNAL, isNew);
  const lock = dryRun ? null : Journal.lead(settings.JOURNAL);
  const meters = new Meters(journal);
  const senders = new Map(
    chains.map((chain: ChainName) => {
      const providers = new Providers(chain, rpcUrlsOf(settings, chain)!, (provider, what) => {
        meters.faults.inc({ chain, provider: String(provider + 1) });
        log.debug({ chain, provider: provider + 1 }, what);
      });
      return [chain, new Sender(chain, providers, allowlist, signer, journal, settings, meters, log)];
    }),
  );
  const tools = {
    ...{ server: new Server(settings, journal.id, meters), journal, allowlist, senders, dryRun, log },
    giveUpMs: settings.GIVE_UP_SECONDS * 1000,
  };
  const health: Health = { okAt: Date.now(), failure: null };
  const http = serve(meters, health, Math.max(MIN_PATIENCE_MS, PASSES * settings.POLL_MS));
  await once(http.listen(settings.PORT, settings.HOST), 'listening').catch((error: unknown) => {
    throw new ConfigError([`HOST is ${settings.HOST} and PORT is ${settings.PORT}: ${textOf(error)}.`]);
  });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  log.info(
    {
      ...{ account: allowlist.account, chains, journal: journal.id, new_journal: isNew },
      ...{ dry_run: dryRun, address: http.address() },
    },
    'the executor runs',
  );
  while (!stopping.signal.aborted) {
    health.failure = await pass(tools, Date.now());
    if (health.failure === null) health.okAt = Date.now();
    meters.passes.inc({ result: health.failure === null ? 'ok' : 'failed' });
    await sleep(settings.POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  http.close();
  http.closeAllConnections();
  journal.close();
  lock?.close();
  log.info('the executor has stopped');
}

/** Allows the payment of a withdrawal that waits, if the operator names what the executor was asked for. */
function approve(path: string, [id = '', ...named]: string[]): string {
  const journal = Journal.open(path);
  const { facts = {} } = journal.leftAlone(id)[0] ?? {};
  const { wallet, asset, amount } = facts;
  const asked = [id, ...named].join(' ');
  if (!wallet || !asset || !amount || approvalOf(id, facts) !== asked)
    throw new ConfigError([`${asked} waits for no approval: \`status\` lists what does.`]);
  journal.setFact(approvalNameOf(id), JSON.stringify({ wallet, asset, amount }));
  journal.close();
  return JSON.stringify({ approved: id, wallet, asset, amount_micro: amount });
}

function status(path: string): string {
  const journal = Journal.open(path);
  const counts = Object.fromEntries(journal.counts().map(({ name, count }) => [name, count]));
  const [left_alone, seen] = [journal.leftAlone(), journal.unreported(Infinity)];
  const deposits_unclear = seen.filter(({ note }) => note !== null);
  const jobs = journal.unfinished().map((job) => ({ ...job, transactions: journal.transactionsOf(job.id) }));
  const report = { journal: journal.id, counts, left_alone, deposits_unclear, jobs };
  journal.close();
  return JSON.stringify(report, null, 2);
}

async function main([command = 'run', ...rest]: string[]): Promise<void> {
  if (command === '--dry-run') return main(['run', command, ...rest]);
  const journal = process.env['JOURNAL'] || 'executor.db';
  if (command === 'run' && rest.every((option) => option === '--dry-run'))
    await run(readSettings(process.env), rest.length > 0);
  else if (command === 'approve' && rest.length > 0) process.stdout.write(`${approve(journal, rest)}\n`);
  else if (command === 'status' && rest.length === 0) process.stdout.write(`${status(journal)}\n`);
  else throw new ConfigError([USAGE]);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exit(1);
});
