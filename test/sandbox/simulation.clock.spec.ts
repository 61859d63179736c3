import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerVerifier } from '../../src/domain/ledger/ledger-verifier.js';
import { HOUR_MS } from '../../src/domain/vaults/hour.js';
import type { TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay } from '../support/posts.js';
import { statementsDuring } from '../support/statements.js';
import { Account, startSandboxAt } from './account.js';

const DAY_MS = 24 * HOUR_MS;

/** An account's clock, moved by nobody but the account, and all that happens while it moves. */
describe("the account's clock", () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startSandboxAt('2026-11-20T12:00:00Z');
  });
  afterAll(() => app.close());

  const differences = async (): Promise<string[]> => {
    const found: string[] = [];
    await app.application
      .get(LedgerVerifier)
      .verify(({ subject, problem }) => void found.push(`${subject}: ${problem}`));
    return found;
  };
  const hoursOf = (account: Account): Promise<{ hour: Date }[]> =>
    app.database.query(
      'sandbox',
      `SELECT DISTINCT hour FROM snapshots WHERE market_id = $1 ORDER BY hour DESC`,
      [account.id],
    );

  it('begins at wall time, with a month of history and nothing that bends its market', async () => {
    const account = await Account.open(app);
    const clock = await account.read('/simulation/clock');
    expect(clock).toMatchObject({ hours_ahead: 0, scenario: null, scenario_from: null, seed: account.id });
    expect(clock.now).toBe(clock.wall_time);
    expect(await hoursOf(account)).toHaveLength(720);
  });

  it('closes each day with what the reports say as it ends, once, and forgets it with the account', async () => {
    const account = await Account.open(app, 'closings');
    const { id } = await account.deposit(1_000);
    await account.deposit(2_000, 'USDT');
    const history = async (): Promise<any[]> => (await account.read('/partner/history')).points;
    await account.advance(12);
    const summary = await account.read('/partner/summary');
    const rows = await history();
    expect(rows.map(({ at, as_of, asset }) => [at, as_of, asset])).toEqual(
      ['USDC', 'USDT'].map((asset) => ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z', asset]),
    );
    for (const row of rows) {
      const { baselines } = await account.read(`/analytics/uplift?asset=${row.asset}`);
      const of = (one: any): any => one.assets.find(({ asset }: any) => asset === row.asset);
      const { net_tvl, deposits, yield: earned } = of(summary);
      expect(row).toMatchObject({ net_tvl, deposits, yield: earned, withdrawals: 0 });
      for (const name of ['lending', 'hold']) {
        const { baseline_value, uplift, costs } = baselines[name].realized;
        expect([row.baselines[`${name}_value`], row.uplift[name], row.costs]).toEqual([
          baseline_value,
          uplift,
          costs,
        ]);
      }
      expect(row.revenue).toBe(of(await account.read('/partner/revenue')).partner_revenue);
    }
    const { total } = await account.read('/partner/points');
    expect(rows.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(total, 5);
    await account.withdraw(id, 100);
    await account.advance(60);
    const later = await history();
    expect(later.slice(0, 2)).toEqual(rows);
    expect(later.slice(2).map(({ at, withdrawals }) => [at.slice(0, 10), withdrawals])).toEqual([
      ['2026-11-21', 100],
      ['2026-11-21', 0],
      ['2026-11-22', 100],
      ['2026-11-22', 0],
    ]);
    await account.reset();
    expect(await history()).toEqual([]);
  });

  it('goes ahead by whole hours, each of them run once and in order, and says what came of it', async () => {
    const account = await Account.open(app, 'an-hour-each');
    const position = await account.deposit(1_000);
    const before = await account.read('/simulation/clock');
    const advance = await account.advance(50);
    expect(advance).toMatchObject({ object: 'simulation_advance', hours: 50 });
    expect(Date.parse(advance.to) - Date.parse(advance.from)).toBe(50 * HOUR_MS);
    const clock = await account.read('/simulation/clock');
    expect(clock.hours_ahead).toBe(50);
    expect(Date.parse(clock.hour) - Date.parse(before.hour)).toBe(50 * HOUR_MS);
    const hours = (await hoursOf(account)).slice(0, 51).map(({ hour }) => hour.getTime());
    expect(hours).toEqual(hours.map((_, index) => Date.parse(clock.hour) - index * HOUR_MS));
    // The statements of the midnights within, each at its midnight, and what was worth nothing before is worth more.
    const entries = await account.list(`/users/${account.userId}/ledger`);
    const statements = entries.filter(({ type }) => type === 'yield_accrual').map(({ at }) => Date.parse(at));
    const midnights = hours.filter((hour) => hour % DAY_MS === 0 && hour > Date.parse(before.hour));
    expect([...new Set(statements)].filter((at) => at % DAY_MS === 0)).toEqual(midnights);
    expect(advance.accruals).toBe(midnights.length);
    expect((await account.read(`/positions/${position.id}`)).value).toBeGreaterThan(1_000);
  });

  it('refuses hours that are not whole, none, or more than a month', async () => {
    const account = await Account.open(app);
    for (const hours of [0, 745, 1.5, '24', null, undefined])
      expectError(await account.api.post('/simulation/clock/advance', { hours }), 400, 'validation_failed');
    expect((await account.read('/simulation/clock')).hours_ahead).toBe(0);
  });

  it('takes nobody more than ten years ahead', async () => {
    const account = await Account.open(app);
    await app.database.query('sandbox', 'UPDATE markets SET hours_ahead = 87600 - 10 WHERE id = $1', [
      account.id,
    ]);
    const refused = await account.api.post('/simulation/clock/advance', { hours: 11 });
    expectError(refused, 400, 'validation_failed');
    expect(refused.body.error.details[0].message).toContain('reset it first');
  });

  it('runs two advances at once one after the other, or refuses one: hours add up', async () => {
    const account = await Account.open(app);
    await account.deposit(1_000);
    const answers = await Promise.all(
      [30, 40, 50].map((hours) => account.api.post('/simulation/clock/advance', { hours })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) expectError(answer, 409, 'advance_in_progress');
    const ran = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.hours as number);
    expect(ran.length).toBeGreaterThan(0);
    const sum = ran.reduce((total, hours) => total + hours, 0);
    expect((await account.read('/simulation/clock')).hours_ahead).toBe(sum);
    expect(await hoursOf(account)).toHaveLength(720 + sum);
  });

  it('advances once for a key, also where two requests bring it at once', async () => {
    const account = await Account.open(app);
    const key = { 'idempotency-key': 'a-day' };
    const send = (hours = 24) => account.api.post('/simulation/clock/advance', { hours }, key);
    const [first, second] = await Promise.all([send(), send()]);
    const once = first.headers.get('idempotency-replayed') ? [second, first] : [first, second];
    expectFirst(once[0]!);
    if (once[1]!.status === 200) expectReplay(once[1]!, once[0]!);
    else expectError(once[1]!, 409, 'idempotency_in_progress');
    expectReplay(await send(), once[0]!);
    expectError(await send(25), 422, 'idempotency_key_reused');
    expect((await account.read('/simulation/clock')).hours_ahead).toBe(24);
  });

  it('answers reads while it advances, and lets deposits and withdrawals come before or after: books stay exact', async () => {
    const account = await Account.open(app);
    const positions = await Promise.all([1, 2, 3, 4].map((count) => account.deposit(count * 1_000)));
    let over = false;
    const advance = account.api
      .post('/simulation/clock/advance', { hours: 200 })
      .finally(() => (over = true));
    const statuses = new Map<string, Set<string>>();
    const note = (what: string, { status, body }: { status: number; body: any }): void => {
      statuses.set(what, (statuses.get(what) ?? new Set()).add(`${status} ${body.error?.code ?? ''}`.trim()));
    };
    const deposit = { user_id: account.userId, asset: 'USDT', amount: 10 };
    let rounds = 0;
    for (; !over; rounds++) {
      note('read', await account.api.get('/positions'));
      note('read', await account.api.get('/vaults'));
      note('read', await account.api.get('/partner/summary'));
      note('deposit', await account.api.post('/positions', deposit));
      const id = positions[rounds % positions.length].id;
      note('withdrawal', await account.api.post(`/positions/${id}/withdrawals`, { amount: 1 }));
    }
    expect((await advance).status).toBe(200);
    expect(rounds).toBeGreaterThan(0);
    expect([...statuses.get('read')!]).toEqual(['200']);
    for (const what of ['deposit', 'withdrawal'])
      for (const status of statuses.get(what)!) expect(['201', '409 advance_in_progress']).toContain(status);
    expect((await account.api.post('/positions', deposit)).status).toBe(201);
    expect(await differences()).toEqual([]);
  }, 60_000);

  it('leaves connections to others, however many accounts advance at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => Account.open(app)));
    const other = await Account.open(app);
    await Promise.all(accounts.map((account) => account.deposit(100)));
    let running = accounts.length;
    const advances = accounts.map((account) => account.advance(24).finally(() => running--));
    expect((await other.deposit(5)).value).toBe(5);
    expect(await other.list('/positions')).toHaveLength(1);
    expect(running).toBeGreaterThan(0);
    for (const advance of await Promise.all(advances)) expect(advance.hours).toBe(24);
  }, 60_000);

  it('runs an hour in as many statements for 300 positions as for 10', async () => {
    const hours = 100;
    const perHour: number[] = [];
    for (const size of [10, 300]) {
      const account = await Account.open(app, 'a-month');
      for (let made = 0; made < size; made += 10)
        await Promise.all(Array.from({ length: 10 }, () => account.deposit(1_000)));
      const begun = Date.now();
      const sent = await statementsDuring(() => account.advance(hours));
      process.stdout.write(
        `${hours} hours with ${size} positions: ${sent.length} statements, ${Date.now() - begun} ms\n`,
      );
      perHour.push(sent.length / hours);
    }
    expect(perHour[1]!).toBeLessThan(perHour[0]! + 0.5);
    expect(perHour[1]!).toBeLessThan(16);
  }, 60_000);
});
