import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import type { Answer } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { differencesOf } from '../support/differences.js';
import { Engine, newTxHash } from '../support/engine.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { type Database, troubles } from './audit.js';

const [LENDING, BETTER] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc'] as const;
const UNIT = 1_000_000n;

/** Runs work on many items, a fixed number at a time. */
async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  width = 10,
): Promise<void> {
  const rest = [...items];
  const run = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, run));
}

describe('concurrent requests', () => {
  let market: TestMarket;
  let database: Database;

  beforeAll(async () => {
    market = await startMarket('partner', {
      yields: { [LENDING]: { apy: 0.05 } },
      env: { RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' },
    });
    database = { sql: (text, values) => market.app.sql(text, values) };
    await market.createUser();
    await market.advance(60);
  }, 60_000);
  afterAll(() => market.close());
  afterEach(async () => {
    expect(await troubles(database)).toEqual([]);
    expect(await differencesOf(market.app.application)).toEqual([]);
  });

  const withdraw = (id: string, amount?: number): Promise<Answer> =>
    market.protocol.post(`/positions/${id}/withdrawals`, {
      tx_hash: newTxHash(),
      ...(amount !== undefined && { amount }),
    });

  it('pay 80 withdrawals while 800 positions are moved, and move each position at most once', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => market.createUser()));
    const ids: string[] = [];
    await inParallel(
      Array.from({ length: 800 }, (_, count) => users[count % 10]!),
      async (owner) => {
        ids.push((await market.deposit(owner, 100)).id);
      },
    );
    market.setYields({ [BETTER]: { apy: 0.15 } });
    await market.advance(60);
    const drawn = ids.filter((_, index) => index % 10 === 0);
    const answers: Answer[] = [];
    const [cycle] = await Promise.all([
      market.app.application.get(HourlyCycle).run(),
      inParallel(
        drawn,
        async (id) => answers.push(await withdraw(id, id.endsWith('0') ? undefined : 10)),
        32,
      ),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const rows = await database.sql<{ moved: number; status: string; vault: string }>(
      `SELECT p.vault_id AS vault, p.status, count(e.id)::int AS moved
         FROM positions p LEFT JOIN ledger_entries e ON e.position_id = p.id AND e.type = 'rebalance'
        WHERE p.id = ANY($1) GROUP BY p.id`,
      [ids],
    );
    expect(rows).toHaveLength(800);
    const open = rows.filter(({ status }) => status === 'active');
    expect(new Set(open.map(({ vault, moved }) => `${vault} ${moved}`))).toEqual(new Set([`${BETTER} 1`]));
    expect(rows.every(({ moved }) => moved <= 1)).toBe(true);
    expect(cycle.moved).toBeGreaterThanOrEqual(open.length);
  }, 60_000);
});

describe('two processes on one database', () => {
  let database: TestDatabase;
  let engines: [Engine, Engine];
  let partner: string;
  let users: string[];

  beforeEach(async () => {
    database = await createTestDatabase();
    const first = await Engine.start('partner', { database });
    engines = [first, await Engine.start('partner', { database })];
    see(0.04, 0.03);
    partner = await first.createPartner();
    users = [await first.createUser(partner), await first.createUser(partner)];
    for (let hour = 0; hour < 60; hour++) await atOnce();
  });
  afterEach(async () => {
    expect(await troubles(engines[0])).toEqual([]);
    expect(await differencesOf(engines[0].context)).toEqual([]);
    await Promise.all(engines.map((engine) => engine.stop()));
    await database.drop();
  });

  const see = (lending: number, better: number): void =>
    engines.forEach(
      (engine) =>
        (engine.sights = { [LENDING]: { apy: lending, tvl: 10n ** 15n }, [BETTER]: { apy: better } }),
    );

  /** Runs the next hour on both processes at once. */
  async function atOnce(): Promise<{ hours: number; accruals: number; moved: number }> {
    for (const engine of engines) engine.now = new Date(engine.now.getTime() + 3_600_000);
    const cycles = await Promise.all(engines.map((engine) => engine.cycle()));
    const sum = (of: 'hours' | 'accruals' | 'moved') => cycles.reduce((total, cycle) => total + cycle[of], 0);
    return { hours: sum('hours'), accruals: sum('accruals'), moved: sum('moved') };
  }

  it('add each hour, book each closing and move each position once', async () => {
    for (let count = 0; count < 60; count++)
      await engines[count % 2]!.deposit(users[count % 2]!, 1_000n * UNIT);
    see(0.04, 0.12);
    const sums = { hours: 0, accruals: 0, moved: 0 };
    for (let hour = 0; hour < 50; hour++) {
      const { hours, accruals, moved } = await atOnce();
      sums.hours += hours;
      sums.accruals += accruals;
      sums.moved += moved;
    }
    expect(sums).toEqual({ hours: 50, accruals: 120, moved: 60 });
    const entries = await engines[0].sql(
      `SELECT type, count(*)::int AS entries, count(DISTINCT (position_id, at))::int AS different FROM ledger_entries
        WHERE type = 'rebalance' OR at = date_trunc('day', at, 'UTC') GROUP BY 1 ORDER BY 1`,
    );
    expect(entries).toEqual([
      { type: 'rebalance', entries: 60, different: 60 },
      { type: 'yield_accrual', entries: 120, different: 120 },
    ]);
    const hours = await engines[0].row(
      `SELECT count(*) = count(DISTINCT (vault_id, hour)) AS once, max(hour) - min(hour) = interval '109 hours' AS whole FROM snapshots`,
    );
    expect(hours).toEqual({ once: true, whole: true });
  });

  it('keep the entries of a position in order, also when their clocks differ', async () => {
    const [ahead, behind] = engines;
    const { id } = await ahead.deposit(users[0]!, 1_000n * UNIT);
    ahead.wait(5_000);
    for (let turn = 0; turn < 6; turn++)
      await (turn % 2 === 0 ? ahead : behind).withdraw(id, BigInt(turn + 1));
    const entries = await ahead.sql<{ at: Date; amount: string }>(
      `SELECT at, amount FROM ledger_entries WHERE position_id = $1 AND type = 'withdrawal' ORDER BY at, id`,
      [id],
    );
    expect(entries.map(({ amount }) => amount)).toEqual(['1', '2', '3', '4', '5', '6']);
    // The entries have distinct times: ids of two processes are not ordered.
    expect(new Set(entries.map(({ at }) => at.getTime())).size).toBe(6);
  });
});
