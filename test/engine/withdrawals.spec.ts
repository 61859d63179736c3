import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingsOf } from '../../src/domain/reporting/journal.js';
import { hourOf } from '../../src/domain/kernel/clock.js';
import { Meter } from '../../src/domain/kernel/meter.js';
import { LedgerService } from '../../src/domain/books/ledger/ledger.service.js';
import { StatementReports, totalOf } from '../../src/domain/reporting/statement-report.service.js';
import { DomainSettings } from '../../src/config/domain-settings.js';
import { UserWithdrawalService } from '../../src/domain/routing/withdrawals/user-withdrawal.service.js';
import { WithdrawalReader } from '../../src/domain/routing/withdrawals/withdrawal-reader.js';
import { WithdrawalReports } from '../../src/domain/routing/withdrawals/withdrawal-report.service.js';
import { change } from '../support/change.js';
import { onlyVaults } from '../support/catalogue.js';
import { differencesOf } from '../support/differences.js';
import { Engine, newTxHash } from '../support/engine.js';
import { Executor, sendReport } from '../support/executor.js';
import { outcome } from './outcome.js';

const UNIT = 1_000_000n;
const [A, B] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc'] as const;
const PAGE = { limit: 500, after: null };

describe('a withdrawal by user', () => {
  let engine: Engine;
  let partnerId: string;
  const see = (a: number, b: number): void => {
    engine.sights = { [A]: { apy: a }, [B]: { apy: b } };
  };
  const party = async (): Promise<string> => {
    partnerId = await engine.createPartner();
    engine.wait();
    return engine.createUser(partnerId);
  };
  const request = (userId: string, amount: bigint | null): Promise<string> =>
    engine.context
      .get(UserWithdrawalService)
      .request({ userId, partnerId, asset: 'USDC', amount, wallet: null });
  const pay = (id: string, amount: bigint | null = null): Promise<void> =>
    engine.context
      .get(WithdrawalReports)
      .paid(id, { txHash: newTxHash(), chain: null, amount, keyId: 'key_executor' });
  const read = (id: string) => engine.context.get(WithdrawalReader).get(id, partnerId);

  beforeAll(async () => {
    engine = await Engine.start('partner', {
      now: new Date('2026-01-31T15:00:00.000Z'),
      settlement: 'reported',
      adjust: ({ signals, routing }) => {
        change(signals, {
          minSnapshots: 2,
          windowHours: 4,
          recentHalfLifeHours: 1,
          longHalfLifeHours: 1,
        });
        change(routing, { minHoursInVault: 1 });
      },
      change: onlyVaults(A, B),
    });
    see(0.05, 0.04);
    await engine.hours(5);
  }, 60_000);
  afterEach(async () => {
    expect(await differencesOf(engine.context)).toEqual([]);
  });
  afterAll(() => engine.stop());

  it('A withdrawal by user that is in flight over midnight and the end of a month is of the day of its payment; statement and journal tie', async () => {
    const user = await party();
    await engine.deposit(user, 1_000n * UNIT);
    await engine.deposit(user, 500n * UNIT);
    const id = await request(user, 1_200n * UNIT);
    // Past the end of January.
    await engine.hours(6);
    engine.wait(1_000);
    await pay(id, 1_199n * UNIT);
    await engine.hours(25);
    const statements = engine.context.get(StatementReports);
    const { items: entries } = await engine.context.get(LedgerService).list(partnerId, {}, PAGE);
    const vaultsIn = (from: string, to: string): bigint =>
      entries
        .filter(({ at }) => at.toISOString() > from && at.toISOString() <= to)
        .flatMap((entry) => bookingsOf(entry))
        .filter(({ account }) => account === 'vaults')
        .reduce((sum, { debit }) => sum + debit, 0n);
    for (const [period, from, to, withdrawals, costs] of [
      ['2026-01', '2026-01-01', '2026-02-01T00:00:00.000Z', 0n, 0n],
      ['2026-02-01', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z', 1_199n * UNIT, UNIT],
    ] as const) {
      const { assets, closed } = await statements.read(partnerId, period);
      expect([period, closed]).toEqual([period, true]);
      const figures = totalOf(assets);
      expect(figures).toMatchObject({ withdrawals, costs });
      const { openingValue, deposits, yield: earned, closingValue } = figures;
      expect(openingValue + deposits - withdrawals + earned - costs).toBe(closingValue);
      expect(vaultsIn(from, to)).toBe(closingValue - openingValue);
      const { items } = await statements.users(partnerId, period, PAGE);
      // Uplifts are rounded down for each user.
      const { lendingUplift: _, holdUplift: __, ...sums } = figures;
      expect(totalOf(items.flatMap((item) => item.assets))).toMatchObject(sums);
    }
    for (const entry of entries) {
      expect(bookingsOf(entry).reduce((sum, { debit }) => sum + debit, 0n)).toBe(0n);
    }
  });

  it('A withdrawal by user takes the same fraction of a carried loss from several positions as from one', async () => {
    const carriedOf = async (user: string): Promise<bigint> => {
      const { carried } = await engine.row<{ carried: string }>(
        'SELECT carried_loss AS carried FROM revenue_accounts WHERE user_id = $1',
        [user],
      );
      return BigInt(carried);
    };
    const users = [await party()];
    users.push(await engine.createUser(partnerId));
    await engine.deposit(users[0]!, 900n * UNIT);
    for (let part = 0; part < 3; part++) await engine.deposit(users[1]!, 300n * UNIT);
    see(-0.9, -0.9);
    await engine.hours(2);
    for (const user of users) await pay(await request(user, 600n * UNIT), 600n * UNIT - UNIT / 2n);
    const [one, several] = [await carriedOf(users[0]!), await carriedOf(users[1]!)];
    expect(one).toBeGreaterThan(0n);
    expect(several - one).toBeLessThan(10n);
    expect(one - several).toBeLessThan(10n);
    see(0.05, 0.04);
    await engine.hours(6);
  });

  it('A withdrawal by user that the server pays leaves what open ones reserve, where executors paid before', async () => {
    const user = await party();
    await engine.deposit(user, 1_000n * UNIT);
    const open = await request(user, 600n * UNIT);
    const settings = engine.context.get(DomainSettings);
    change(settings, { settlement: 'instant' });
    try {
      engine.wait();
      expect((await read(await request(user, null))).amount).toBe(400n * UNIT);
      await expect(request(user, 1n)).rejects.toMatchObject({ code: 'insufficient_balance' });
    } finally {
      change(settings, { settlement: 'reported' });
    }
    engine.wait();
    await pay(open);
    expect((await read(open)).amount).toBe(600n * UNIT);
  });

  it('A withdrawal by user, another one and a move of the same positions at once lose nothing, pay nothing twice and move nothing reserved', async () => {
    for (let round = 0; round < 6; round++) {
      const user = await party();
      see(0.05, 0.04);
      await engine.hours(5);
      const positions = [
        await engine.deposit(user, 600_000n * UNIT),
        await engine.deposit(user, 400_000n * UNIT),
      ];
      see(0.05, 0.3);
      await engine.hours(2);
      const executor = new Executor(engine, 'prompt', round, [partnerId], () => Promise.resolve());
      const [order] = await executor.open();
      expect(order!.positions).toBe(2);
      const take = () => outcome(() => sendReport(engine, { ...report, step: 'taken' }));
      const report = {
        ...{ id: order!.id, partnerId: null, positionId: null, batch: false, amount: 0n },
        ...{ txHash: newTxHash(), keyId: 'key_mover', note: '' },
      };
      engine.wait(5);
      const ids: string[] = [];
      const asked = await Promise.all([
        outcome(async () => void ids.push(await request(user, 700_000n * UNIT))),
        take(),
        outcome(async () => void ids.push(await request(user, 700_000n * UNIT))),
      ]);
      expect([asked[0], asked[2]].toSorted()).toEqual(['done', 'insufficient_balance']);
      engine.wait(5);
      // Both positions are reserved: the order has them only if it was taken first.
      const state = await engine.row<{ status: string; positions: number }>(
        'SELECT status, (SELECT count(*)::int FROM move_order_positions WHERE order_id = o.id) AS positions FROM move_orders o WHERE id = $1',
        [order!.id],
      );
      expect(['redeeming 2', 'failed 0']).toContain(`${state.status} ${state.positions}`);
      const isMoving = state.status === 'redeeming';
      const [paid] = await Promise.all([outcome(() => pay(ids[0]!)), outcome(() => pay(ids[0]!))]);
      expect([paid, isMoving]).toEqual(isMoving ? ['withdrawal_not_open', true] : [paid, false]);
      if (isMoving) {
        await sendReport(engine, { ...report, step: 'failed' });
        await pay(ids[0]!);
      }
      const { amount } = await engine.row<{ amount: string }>(
        `SELECT sum(amount) AS amount FROM ledger_entries WHERE type = 'withdrawal' AND position_id = ANY($1)`,
        [positions.map(({ id }) => id)],
      );
      expect(BigInt(amount)).toBe(700_000n * UNIT);
    }
  }, 60_000);

  it('A withdrawal by user is previewed at a cost of all positions of the user, which are sorted for it', async () => {
    const costs = [];
    for (const positions of [1, 4]) {
      const userId = await party();
      for (let count = 0; count < positions; count++) await engine.deposit(userId, 10n * UNIT);
      const wish = { userId, partnerId, asset: 'USDC', amount: UNIT, wallet: null };
      let rows = 0;
      const count = (read: number): void => void (rows += read);
      await engine.context
        .get(Meter)
        .run(count, () => engine.context.get(UserWithdrawalService).preview(wish));
      costs.push(rows);
    }
    // Three more that are returned and, at a tenth each, sorted.
    expect(costs[1]! - costs[0]!).toBeCloseTo(3.3);
  });

  it('A withdrawal by user lapses in one transaction with others, since decisions wait for it, but not once it is taken', async () => {
    const user = await party();
    await engine.deposit(user, 1_000n * UNIT);
    const ids = [];
    for (let count = 0; count < 4; count++) ids.push(await request(user, 100n * UNIT));
    const [taken, ...others] = ids as [string, ...string[]];
    await engine.context.get(WithdrawalReports).take(taken, 'key_executor');
    await engine.hours(24);
    const rows = await engine.sql<{ status: string; transaction: string }>(
      'SELECT status, xmin::text AS transaction FROM withdrawals WHERE id = ANY($1)',
      [others],
    );
    expect(rows.map(({ status }) => status)).toEqual(['lapsed', 'lapsed', 'lapsed']);
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1);
    expect((await read(taken)).status).toBe('taken');
    await pay(taken);
  });

  it('A withdrawal by user that cannot lapse delays no decision, and lapses with a later hour', async () => {
    const user = await party();
    await engine.deposit(user, 1_000n * UNIT);
    const id = await request(user, 100n * UNIT);
    await engine.hours(23);
    await engine.sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'The disk is broken.'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON withdrawals FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await expect(engine.hours(1)).rejects.toThrow('The disk is broken.');
    const { routed } = await engine.row<{ routed: Date }>('SELECT routed_hour AS routed FROM markets');
    expect(routed).toEqual(hourOf(engine.now));
    await engine.sql('DROP FUNCTION refuse CASCADE');
    expect((await read(id)).status).toBe('requested');
    await engine.hours(1);
    expect((await read(id)).status).toBe('lapsed');
  });

  it('A withdrawal by user after a loss shows what its payment will be; earlier ones are paid in full, whoever is paid first', async () => {
    for (const isInOrder of [true, false]) {
      const user = await party();
      await engine.deposit(user, 1_000n * UNIT);
      const ids = [];
      for (const amount of [600n * UNIT, 399n * UNIT, null]) {
        engine.wait();
        ids.push(await request(user, amount));
      }
      see(-0.9, -0.9);
      await engine.hours(12);
      const amounts: bigint[] = [];
      for (const id of ids) amounts.push((await read(id)).amount);
      const [first, second, rest] = amounts;
      expect([first, rest]).toEqual([600n * UNIT, 0n]);
      expect(second).toBeLessThan(399n * UNIT);
      await expect(pay(ids[1]!, 399n * UNIT)).rejects.toMatchObject({ code: 'amount_out_of_bounds' });
      for (const place of isInOrder ? [0, 1] : [1, 0]) {
        await pay(ids[place]!, amounts[place]);
        expect(await read(ids[place]!)).toMatchObject({ amount: amounts[place], cost: 0n });
      }
      await expect(pay(ids[2]!)).rejects.toMatchObject({ code: 'insufficient_balance' });
    }
    see(0.05, 0.04);
    await engine.hours(6);
  });

  it('A withdrawal by user of an amount is paid in full where one of everything was requested after it', async () => {
    const user = await party();
    await engine.deposit(user, 1_000n * UNIT);
    const id = await request(user, 100n * UNIT);
    engine.wait();
    const rest = await request(user, null);
    see(-0.9, -0.9);
    await engine.hours(4);
    const { amount } = await read(rest);
    await pay(id, 100n * UNIT);
    engine.wait();
    await pay(rest);
    expect((await read(id)).amount).toBe(100n * UNIT);
    expect(amount - (await read(rest)).amount).toBeLessThan(2n);
    see(0.05, 0.04);
    await engine.hours(6);
  });
});
