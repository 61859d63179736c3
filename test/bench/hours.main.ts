import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { createDemoPartnerRecord } from '../../src/cli/demo-account.js';
import { withDomain } from '../../src/cli/context.js';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import { AccountService } from '../../src/domain/cycle/accounts/account.service.js';
import { Clock, HOUR_MS } from '../../src/domain/kernel/clock.js';
import { LedgerPartitions } from '../../src/domain/markets/hours/ledger-partitions.service.js';
import { BASE_MARKET, MarketService } from '../../src/domain/markets/hours/market.service.js';
import { RoutingService } from '../../src/domain/routing/allocation/routing.service.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { UserService } from '../../src/domain/tenants/users/user.service.js';
import { cpuOf } from './cpu.js';
import { benchSettings, say, withDatabase } from './deployment.js';
import { seed } from './seed.js';

const ROUNDS = 3;
/** Each partner holds two vaults. */
const HOLDINGS = { positions: 20_000, entries: 40_000, partners: 1_000, days: 30 };
const SETTLING_HOURS = 30;
const FORGET = `
ALTER TABLE decisions DISABLE TRIGGER USER;
ALTER TABLE decision_markets DISABLE TRIGGER USER;
TRUNCATE decisions, decision_markets, move_orders, move_order_positions CASCADE;
ALTER TABLE decision_markets ENABLE TRIGGER USER;
ALTER TABLE decisions ENABLE TRIGGER USER`;
/** Decisions of the newest judged hour. */
const STORED = `
SELECT (SELECT count(*)::int FROM (SELECT DISTINCT partner_id, asset, vault_id FROM book_shares WHERE book = 'routed' AND positions > 0) AS held) AS holdings,
       count(*)::int AS decisions, avg(record_bytes) AS bytes
  FROM decisions WHERE hour = (SELECT routed_hour FROM markets)`;
const POSITIONS = [1, 1_000];
const MONTH_HOURS = 744;

/** Hours of the engine: the judgement of one with 2,000 holdings in a catalogue of 50 vaults, and a month of an account with one position and with 1,000. */
await withDatabase(async (url) => {
  await onDeployment(benchSettings(url), judgements);
  await onDeployment(accountSettings(url), months);
});

/** Each round forgets earlier decisions, so that nearly every holding's is stored in its first hour, and few in its second. */
async function judgements(
  context: INestApplicationContext,
  client: Client,
  settings: Settings,
): Promise<void> {
  await seed(settings, { ...HOLDINGS, now: new Date() }, (_, work) => work());
  const clock = context.get(Clock);
  const passes = async (hours: number): Promise<void> => {
    const now = new Date(clock.now().getTime() + hours * HOUR_MS);
    clock.now = () => now;
    await context.get(MarketService).tick();
  };
  for (let round = 0; round < ROUNDS; round++) {
    await client.query(FORGET);
    // The seeded market knows larger vaults than the simulated one: for a day their loss is a reason to leave them.
    await passes(SETTLING_HOURS);
    await judgement(context, client);
    await passes(1);
    await judgement(context, client);
  }
}

async function judgement(context: INestApplicationContext, client: Client): Promise<void> {
  const evaluated = await measured(client, 'judgement of an hour', () =>
    context.get(RoutingService).evaluate(context.get(MarketService).presentHour(BASE_MARKET)),
  );
  const { rows } = await client.query<{ holdings: number; decisions: number; bytes: string | null }>(STORED);
  const { holdings, decisions, bytes } = rows[0]!;
  const size = bytes === null ? '' : `, ${(Number(bytes) / 1024).toFixed(0)} KiB each`;
  say(
    `${''.padStart(10)}  ${holdings} holdings: ${decisions} decisions stored${size}, ${evaluated?.moves ?? 0} of them moves`,
  );
}

/** Each run has an account of its own. */
async function months(context: INestApplicationContext, client: Client): Promise<void> {
  const accounts = context.get(AccountService);
  await context.get(LedgerPartitions).prepare(context.get(Clock).wall());
  for (const positions of POSITIONS.flatMap((count) => Array.from({ length: ROUNDS }, () => count))) {
    const { partnerId } = await createDemoPartnerRecord(context, `Month of ${positions}`);
    await accounts.reset(partnerId, 'month');
    const user = await context.get(UserService).create(partnerId, { externalId: 'month' });
    for (let made = 0; made < positions; made++) {
      const deposit = { userId: user.id, asset: 'USDC', amount: 1_000_000_000n };
      await context.get(DepositService).deposit({ ...deposit, txHash: null, partnerId });
    }
    const run = await measured(
      client,
      `${MONTH_HOURS} hours of ${positions} position${positions === 1 ? '' : 's'}`,
      () => accounts.advance(partnerId, MONTH_HOURS),
    );
    say(`${''.padStart(10)}  ${run.accruals} accruals, ${run.moved} positions moved`);
  }
}

async function measured<T>(client: Client, what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  // How long a request would wait that comes meanwhile.
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  const { result, cpu } = await cpuOf(client, work);
  turns.disable();
  const seconds = (performance.now() - from) / 1_000;
  const [p99, longest] = [turns.percentile(99), turns.max].map((nanos) => (nanos / 1e6).toFixed(0));
  say(
    `${seconds.toFixed(2).padStart(8)} s  ${what}; CPU: process ${cpu.process.toFixed(2)} s, database ${cpu.database.toFixed(2)} s; turns of the event loop: 99 % ${p99} ms, longest ${longest} ms`,
  );
  return result;
}

/** The sandbox, without bounds on what an account stores. */
function accountSettings(url: string): Settings {
  const settings = loadSettings({
    CONTRACT: 'sandbox',
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
  const { storage } = settings.constants;
  storage.bookMibPerPartner = storage.trafficMibPerPartner = 65_536;
  return settings;
}

async function onDeployment(
  settings: Settings,
  work: (context: INestApplicationContext, client: Client, settings: Settings) => Promise<void>,
): Promise<void> {
  await withDomain(settings, async (context) => {
    const { databaseUrl: url, databaseSchema: schema } = settings;
    const client = new Client({ connectionString: url!, options: `-c search_path=${schema}` });
    await client.connect();
    try {
      await work(context, client, settings);
    } finally {
      await client.end();
    }
  });
}
