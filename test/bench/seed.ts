import { Client } from 'pg';
import type { Settings } from '../../src/config/settings.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market.service.js';
import { HOUR_MS, hourOf } from '../../src/domain/kernel/clock.js';
import { hourlyFactor } from '../../src/domain/markets/vaults/yield-index.js';
import { decide } from '../../src/domain/routing/allocation/choice.js';
import { listed } from '../support/catalogue.js';
import { candidate, decisionInputs } from '../support/routing-candidate.js';
import * as sql from './seed.queries.js';

export interface Seed {
  /** Number of positions; all are open. */
  positions: number;
  /** Ledger entries, evenly divided over the positions: a deposit each, then accruals. */
  entries: number;
  partners: number;
  /** Default: half as many as positions. */
  users?: number;
  /** Age of the history, in days. */
  days: number;
  now: Date;
}

/** Runs a part of the work, and may print how long it took. */
export type Step = (what: string, work: () => Promise<unknown>) => Promise<unknown>;

const DAY_MS = 24 * HOUR_MS;
const MAX_ENTRIES_EACH = 100;

/**
 * Fills an empty, migrated deployment: a market with hourly snapshots, partners, users, positions, their entries over months, and the books, all as
 * if it had happened, so that `vaultline ledger verify` finds nothing. It writes in sets, because the database's write throughput is the limit.
 *
 * @throws Error where the database is not empty
 */
export async function seed(settings: Settings, wanted: Seed, step: Step): Promise<void> {
  const { positions, partners, now } = wanted;
  const each = Math.floor(wanted.entries / positions);
  if (each < 1 || each > MAX_ENTRIES_EACH)
    throw new RangeError(`1 to ${MAX_ENTRIES_EACH} entries a position.`);
  const users = wanted.users ?? Math.ceil(positions / 2);
  const days = Math.max(wanted.days, each + 2);
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const from = new Date(today.getTime() - days * DAY_MS);
  const hour = hourOf(now);
  const { performanceFeeBps: feeBps, partnerShareBps: shareBps } = settings.constants.revenue;
  const lendingOf = (asset: string) =>
    settings.vaults.find((vault) => vault.asset === asset && vault.lendingBaseline)!.id;
  const vaults = listed(settings).map(({ id, asset }, index, all) => {
    const apy = 0.03 + (0.05 * (index + 1)) / all.length;
    return { id, asset, lending: lendingOf(asset), apy, factor: hourlyFactor(apy).toString() };
  });
  const routes = vaults.map(({ id, asset }) => [
    id,
    decide(decisionInputs([candidate({ vaultId: id })], { asset })),
  ]);

  const client = new Client({
    connectionString: settings.databaseUrl!,
    options: `-c search_path=${settings.databaseSchema} -c timezone=UTC -c work_mem=256MB -c synchronous_commit=off`,
  });
  await client.connect();
  const run = (what: string, ...statements: [text: string, values?: unknown[]][]): Promise<unknown> =>
    step(what, async () => {
      for (const [text, values] of statements) await client.query(interpolated(text, values ?? []));
    });
  try {
    const { rows } = await client.query<{ used: boolean }>(
      `SELECT EXISTS (SELECT FROM partners WHERE id <> 'deployment') OR EXISTS (SELECT FROM markets) AS used`,
    );
    if (rows[0]!.used) throw new Error('The database is in use: the seed wants an empty one.');
    await run(
      `${vaults.length} vaults with ${days} days of hours`,
      [sql.FUNCTIONS],
      [sql.PARTITIONS, [from, now]],
      [sql.VAULTS, [JSON.stringify(vaults)]],
      [sql.SNAPSHOTS, [BASE_MARKET, from, hour]],
      [sql.STATES, [BASE_MARKET, hour, today]],
      [sql.DAYS, [BASE_MARKET, from, today]],
    );
    await run(
      `${partners} partners, ${users} users`,
      [sql.PARTNERS, [partners, from]],
      [sql.PARTNER_ROWS, [from, shareBps]],
      [sql.USERS, [users, partners, from]],
      [sql.USER_ROWS, [from]],
      [
        'ANALYZE bench_vaults; ANALYZE bench_partners; ANALYZE bench_users; ANALYZE bench_days; ANALYZE snapshots',
      ],
    );
    await run(
      `${positions} deposits`,
      [sql.POSITIONS, [positions, users, from, days - each, BASE_MARKET]],
      ['ANALYZE bench_positions'],
      [sql.DECISIONS],
      [sql.DECISION_ROWS, [BASE_MARKET, JSON.stringify(Object.fromEntries(routes))]],
      [sql.DEPOSITS],
      [sql.SETTLEMENTS],
    );
    for (let nth = 1; nth < each; nth++)
      await run(`${positions} accruals, ${nth} of ${each - 1}`, [
        sql.ACCRUALS,
        [nth, each - 1, days, positions, feeBps, shareBps],
      ]);
    await run(`${positions} positions`, [sql.POSITION_ROWS, [BASE_MARKET, from, today]]);
    await run('revenue accounts', [sql.ACCOUNTS]);
    for (const [book, text] of Object.entries(sql.BOOKS)) await run(book, [text]);
    await run('vacuum and statistics', ['VACUUM ANALYZE']);
  } finally {
    await client.end();
  }
}

/** Values are literals in the text: a CREATE TABLE AS statement takes no parameters. */
function interpolated(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, index: string) => {
    const value = values[Number(index) - 1];
    if (typeof value === 'number') return String(value);
    if (value instanceof Date) return `timestamptz '${value.toISOString()}'`;
    if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
    throw new Error(`No value for $${index}: ${text}`);
  });
}
