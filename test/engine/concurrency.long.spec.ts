import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OrderBooking } from '../../src/domain/routing/orders/order-booking.js';
import { onlyVaults } from '../support/catalogue.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { differencesOf } from '../support/differences.js';
import { Engine } from '../support/engine.js';
import { troubles } from './audit.js';

const [LENDING, BETTER] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc'] as const;
const UNIT = 1_000_000n;

describe('two processes on one database', () => {
  let database: TestDatabase;
  let engines: [Engine, Engine];
  let partner: string;
  let users: string[];

  beforeEach(async () => {
    database = await createTestDatabase();
    const options = { database, change: onlyVaults(LENDING, BETTER) };
    const first = await Engine.start('partner', options);
    engines = [first, await Engine.start('partner', options)];
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

  it('Two processes on one database add each hour, book each closing and move each position once', async () => {
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

  it('Two processes on one database pay withdrawals while positions are moved, and move each position at most once', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 60; count++)
      ids.push((await engines[0].deposit(users[count % 2]!, 1_000n * UNIT)).id);
    for (const { context } of engines) context.get(OrderBooking).partSize = 4;
    see(0.04, 0.12);
    let moved = 0;
    for (let hour = 0; hour < 50 && moved === 0; hour++) {
      const drawn = ids.filter((_, index) => index % 6 === hour % 6);
      const [cycle, ...withdrawals] = await Promise.all([
        atOnce(),
        ...drawn.map((id, index) => engines[index % 2]!.withdraw(id, UNIT)),
      ]);
      moved = cycle.moved;
      expect(withdrawals).toHaveLength(10);
    }
    expect(moved).toBe(60);
    expect(
      await engines[0].sql(
        `SELECT p.vault_id AS vault, count(DISTINCT p.id)::int AS positions, count(e.id)::int AS moves
           FROM positions p JOIN ledger_entries e ON e.position_id = p.id AND e.type = 'rebalance' GROUP BY 1`,
      ),
    ).toEqual([{ vault: BETTER, positions: 60, moves: 60 }]);
  });

  it('Two processes on one database keep the entries of a position in order, also when their clocks differ', async () => {
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
