import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DailyAccrualService } from '../../src/domain/books/positions/daily-accrual.service.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market-view.js';
import { ClosingService } from '../../src/domain/reporting/closing.service.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import type { Answer, Api } from '../support/api.js';
import { Conformance } from '../support/conformance.js';
import { csvRows } from '../support/csv.js';
import { expectError } from '../support/expected-error.js';
import { dataOf } from '../support/fields.js';
import { callsOf, runCall } from '../support/guide.js';
import { newTxHash } from '../support/market.js';
import { A, B, IDLE, MovesStage } from '../support/moves.js';
import { untilSettled } from '../support/settled.js';

const DAY_MS = 86_400_000;
const micro = (units: number): number => Math.round(units * 1e6);

/** Reports that differ from the books: bounds, alerts, and gains that wait for an administrator. */
describe('partner contract: a report that deviates from the expected amount', () => {
  let stage: MovesStage;

  beforeAll(async () => {
    stage = await MovesStage.start();
    await stage.market.app.admin.post('/alerts/webhooks', { url: 'http://127.0.0.1:9/', active: false });
  });
  afterEach(async () => {
    expect(await stage.differences()).toEqual([]);
  });
  afterAll(() => stage.close());

  const report = (
    api: Api,
    id: string,
    step: 'redeemed' | 'settled',
    microUnits: number,
  ): Promise<Answer> => {
    stage.market.pass(1);
    return stage.post(`/moves/${id}/${step}`, { tx_hash: newTxHash(), amount: microUnits / 1e6 }, {}, api);
  };
  const worth = async (id: string): Promise<number> => micro((await stage.move(id)).amount);
  const valueOf = async (ids: string[]): Promise<number> => {
    const positions = await Promise.all(ids.map((id) => stage.position(id)));
    return positions.reduce((sum, { value }) => sum + micro(value), 0);
  };
  const review = (id: string, action: string): Promise<Answer> =>
    stage.post(
      `/moves/${id}/review`,
      { action, note: 'compared with the chain' },
      {},
      stage.market.app.admin,
    );
  const waiting = async (): Promise<any[]> =>
    dataOf(await stage.market.app.admin.get('/moves?review=pending_review'), 200);
  /** Alerts about a move that administrators were sent. */
  const told = async (id: string): Promise<any[]> => {
    await untilSettled(stage.market.app);
    const events = dataOf(await stage.market.app.admin.get('/alerts/events?limit=500'), 200);
    return events.map(({ data }: any) => data).filter(({ alert }: any) => alert?.move_id === id);
  };
  const metric = async (name: string): Promise<number> => {
    await stage.market.app.application.get(DeploymentCounts).countOrders();
    const text = await stage.market.app.metrics();
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  };

  it('A report of 5 % or 0.9 % less than expected is refused; one that uses up more than half of what its key may deviate by starts an alert', async () => {
    const { partner, user } = await stage.party();
    const { id } = await stage.deposit(user, 1_000_000);
    const counted = await metric('vaultline_report_deviations_total');
    for (const better of [B, A]) {
      stage.see(better === A ? 0.12 : 0.05, better === B ? 0.12 : 0.05);
      const { id: moveId } = await stage.untilOrdered(partner);
      const { api, keyId } = await stage.executor();
      const amount = await worth(moveId);
      for (const part of [0.95, 0.991])
        expectError(
          await report(api, moveId, 'redeemed', Math.floor(amount * part)),
          422,
          'amount_out_of_bounds',
        );
      expect(await worth(moveId)).toBeGreaterThanOrEqual(amount);
      expect((await report(api, moveId, 'redeemed', Math.floor(amount * 0.9996))).status).toBe(201);
      expect(await told(moveId)).toEqual([]);
      const left = await worth(moveId);
      expect((await report(api, moveId, 'settled', Math.floor(left * 0.9998))).status).toBe(201);
      const [alert, ...more] = await told(moveId);
      expect(more).toEqual([]);
      expect(alert.alert).toMatchObject({ kind: 'report_deviates', state: 'begun' });
      expect(alert.message).toContain(keyId);
      expect(alert.message).toMatch(
        /Used up: [\d.]+ of the [\d.]+ that its reports may deviate by within 24 hours/,
      );
    }
    expect(micro((await stage.position(id)).value)).toBeGreaterThan(998_000e6);
    expect((await metric('vaultline_report_deviations_total')) - counted).toBe(2);
    expect(stage.market.app.logs()).toContain('a report deviates from the books');
  });

  it('A report within the expected cost of a small move starts an alert where that is more than 0.5 %', async () => {
    const { api } = await stage.executor();
    const { partner, user } = await stage.party();
    await stage.deposit(user, 300);
    stage.vault(A).active = false;
    const move = await stage.untilOrdered(partner);
    stage.vault(A).active = true;
    const amount = await worth(move.id);
    expect((await report(api, move.id, 'redeemed', amount - 1.9e6)).status).toBe(201);
    const [alert] = await told(move.id);
    expect(alert.message).toContain('0.63 % less');
    expect(alert.message).not.toContain('Used up');
    await stage.report(move.id, 'settled', (amount - 1.9e6) / 1e6);
  });

  it('The deviations of a key are limited to 0.1 % of its moves in 24 hours, in total', async () => {
    const [firstExecutor, other] = [await stage.executor(), await stage.executor()];
    const { move } = await stage.ordered();
    const first = await worth(move.id);
    expect((await report(firstExecutor.api, move.id, 'redeemed', Math.floor(first * 0.9991))).status).toBe(
      201,
    );
    const second = await worth(move.id);
    // 0.09 % and 0.02 % of about the same amount are more than 0.1 % of both.
    const refused = await report(firstExecutor.api, move.id, 'settled', Math.floor(second * 0.9998));
    expectError(refused, 422, 'amount_out_of_bounds');
    expect(refused.body.error.message).toContain('routing.max_daily_deviation');
    expect(await worth(move.id)).toBe(second);
    // Another key has redeemed nothing, and the first one has used up the expected cost of the move.
    const alone = await report(other.api, move.id, 'settled', second - 1);
    expectError(alone, 422, 'amount_out_of_bounds');
    stage.market.pass(DAY_MS);
    expectError(await report(firstExecutor.api, move.id, 'settled', second - 1), 422, 'amount_out_of_bounds');
    expect((await report(firstExecutor.api, move.id, 'settled', second)).status).toBe(201);
  });

  describe('the bound on the deviations of a key', () => {
    /** Reports 3 % less than the funds are worth, which is refused. @returns the bound that the refusal names, and what they are worth */
    const boundOf = async (api: Api, id: string, step: 'redeemed' | 'settled') => {
      const amount = await worth(id);
      const refused = await report(api, id, step, Math.floor(amount * 0.97));
      expectError(refused, 422, 'amount_out_of_bounds');
      const [, bound] = /may deviate by ([\d.]+) USDC/.exec(refused.body.error.message)!;
      return { bound: micro(Number(bound)), amount };
    };
    /** 0.1 % of what is redeemed; the expected cost of a move is beside it. */
    const ofRedeemed = (amount: number): number => Math.floor(amount / 1_000);
    const received = async (api: Api, user: string, more: object = {}): Promise<any> => {
      const body = { user_id: user, asset: 'USDC', amount: 200_000, tx_hash: newTxHash(), allocated: false };
      return dataOf(await stage.post('/positions', { ...body, ...more }, {}, api), 201);
    };
    const allocate = async (api: Api, id: string): Promise<void> => {
      stage.market.pass(1);
      dataOf(await stage.post(`/positions/${id}/allocated`, { tx_hash: newTxHash() }, {}, api), 201);
    };

    it('22 deposits of 200,000 that a key invented and allocated do not raise its deviation bound', async () => {
      const { api } = await stage.executor();
      const { user, move } = await stage.ordered();
      const before = await boundOf(api, move.id, 'redeemed');
      expect(before.bound).toBe(ofRedeemed(before.amount));
      for (let count = 0; count < 22; count++) await allocate(api, (await received(api, user)).id);
      const after = await boundOf(api, move.id, 'redeemed');
      expect(after.bound).toBe(ofRedeemed(after.amount));
      await stage.done(`/moves/${move.id}/failed`, { note: 'end of the test' });
    });

    it('An invented deposit does not raise the deviation bound when it leaves its vault again, split or not, whichever key allocated it', async () => {
      const [firstExecutor, other] = [await stage.executor(), await stage.executor()];
      const { partner, user } = await stage.party();
      await allocate(firstExecutor.api, (await received(firstExecutor.api, user)).id);
      await allocate(other.api, (await received(firstExecutor.api, user)).id);
      for (const { id } of await received(firstExecutor.api, user, { split: true }))
        await allocate(firstExecutor.api, id);
      stage.see(0.05, 0.12);
      const move = await stage.untilOrdered(partner);
      const { bound } = await boundOf(firstExecutor.api, move.id, 'redeemed');
      expect(bound).toBe(0);
      await stage.done(`/moves/${move.id}/failed`, { note: 'end of the test' });
    });

    it('A deposit that a key reported in its vault does not raise the deviation bound of that key, but that of another one', async () => {
      const [reporter, other] = [await stage.executor(), await stage.executor()];
      const { partner, user } = await stage.party();
      await received(reporter.api, user, { allocated: true });
      stage.see(0.05, 0.12);
      const move = await stage.untilOrdered(partner);
      expect((await boundOf(reporter.api, move.id, 'redeemed')).bound).toBe(0);
      const { bound, amount } = await boundOf(other.api, move.id, 'redeemed');
      expect(bound).toBe(ofRedeemed(amount));
      await stage.done(`/moves/${move.id}/failed`, { note: 'end of the test' });
    });

    it('Funds that leave vaults twice in a day raise the deviation bound once, and their arrival does not raise it', async () => {
      const { api } = await stage.executor();
      const { partner, move } = await stage.ordered();
      const first = await worth(move.id);
      expect((await report(api, move.id, 'redeemed', first)).status).toBe(201);
      const arriving = await boundOf(api, move.id, 'settled');
      expect(arriving.bound).toBe(ofRedeemed(first));
      expect((await report(api, move.id, 'settled', first)).status).toBe(201);
      stage.see(0.12, 0.05);
      const back = await stage.untilOrdered(partner);
      const { bound } = await boundOf(api, back.id, 'redeemed');
      expect(bound).toBe(ofRedeemed(first));
      stage.market.pass(DAY_MS);
      const nextDay = await boundOf(api, back.id, 'redeemed');
      expect(nextDay.bound).toBe(ofRedeemed(nextDay.amount));
      await stage.done(`/moves/${back.id}/failed`, { note: 'end of the test' });
    });

    it('A deposit that the chain contradicts does not raise the deviation bound; one that the key allocated raises it once the chain confirms it', async () => {
      const { api } = await stage.executor();
      const { partner, user } = await stage.party();
      const deposit = await stage.deposit(user, 60_000);
      const { id } = await received(api, user);
      await allocate(api, id);
      stage.see(0.05, 0.12);
      const move = await stage.untilOrdered(partner);
      const settle = (status: string, of: string, block: number | null = 1) =>
        stage.sql(`UPDATE settlements SET status = $1, block = $3 WHERE position_id = $2`, [
          status,
          of,
          block,
        ]);
      await settle('mismatch', deposit.id);
      expect((await boundOf(api, move.id, 'redeemed')).bound).toBe(0);
      await settle('confirmed', id);
      const { bound } = await boundOf(api, move.id, 'redeemed');
      expect(bound).toBe(ofRedeemed(micro((await stage.position(id)).value)));
      for (const depositId of [deposit.id, id]) await settle('unchecked', depositId, null);
      await stage.done(`/moves/${move.id}/failed`, { note: 'end of the test' });
    });
  });

  it('A report may deviate by the expected cost of its move, however small the move is', async () => {
    const { api } = await stage.executor();
    const { partner, user } = await stage.party();
    const { id } = await stage.deposit(user, 60);
    stage.vault(A).active = false;
    const move = await stage.untilOrdered(partner);
    stage.vault(A).active = true;
    expect(move).toMatchObject({ urgent: true, from_vault_id: A, expected_cost: 2 });
    const amount = await worth(move.id);
    expectError(await report(api, move.id, 'redeemed', amount - 2.1e6), 422, 'amount_out_of_bounds');
    expect((await report(api, move.id, 'redeemed', amount - 2.05e6)).status).toBe(201);
    expectError(
      await report(api, move.id, 'settled', (await worth(move.id)) - 0.02e6),
      422,
      'amount_out_of_bounds',
    );
    await stage.report(move.id, 'settled', (amount - 2.05e6) / 1e6);
    expect(micro((await stage.position(id)).value)).toBe(amount - 2.05e6);
  });

  it('A statement has the costs that were expected of moves beside those that came, also by end-user, where a move before the upgrade is null', async () => {
    const { api } = await stage.executor();
    const { partner, user } = await stage.party();
    const other = await stage.market.createUser(partner);
    await stage.deposit(user, 60_000);
    await stage.deposit(other, 33_333.333333);
    stage.see(0.05, 0.12);
    const move = await stage.untilOrdered(partner);
    const amount = await worth(move.id);
    expect((await report(api, move.id, 'redeemed', amount - 30e6)).status).toBe(201);
    expect((await report(api, move.id, 'settled', amount - 31e6)).status).toBe(201);
    const day = stage.market.now().toISOString().slice(0, 10);
    const { application } = stage.market.app;
    do await stage.hours();
    while (stage.market.now().toISOString().startsWith(day));
    await application.get(DailyAccrualService).postDue(BASE_MARKET);
    await application.get(ClosingService).write(BASE_MARKET);
    const statement = dataOf(await partner.api.get(`/partner/statements/${day}`), 200);
    const usdc = statement.assets.find(({ asset }: any) => asset === 'USDC');
    expect(usdc).toMatchObject({ costs: 31, expected_costs: move.expected_cost });
    expect(statement.totals).toMatchObject({ costs: 31, expected_costs: move.expected_cost });
    expect(await stage.move(move.id)).toMatchObject({ cost: 31, expected_cost: move.expected_cost });

    const path = `/partner/statements/${day}/users`;
    const conformance = await Conformance.of('partner');
    const byUser = async (): Promise<Map<string, number | null>> => {
      const answer = await partner.api.get(path);
      conformance.check('GET', path, answer);
      return new Map(
        dataOf(answer, 200).map((row: any) => [row.user_id, row.assets[0].expected_costs] as const),
      );
    };
    const parts = await byUser();
    // In proportion to what moved, to the micro-unit.
    expect(parts.get(user)! / move.expected_cost).toBeCloseTo(60_000 / 93_333.333333, 4);
    expect(micro(parts.get(user)!) + micro(parts.get(other)!)).toBe(micro(move.expected_cost));
    const rows = csvRows((await partner.api.get(path, { accept: 'text/csv' })).text);
    expect(rows.map((row) => [row['user_id'], Number(row['expected_costs'])])).toEqual([...parts]);

    const entries = `UPDATE ledger_entries SET expected_cost = $1 WHERE user_id = $2 AND type = 'rebalance' AND vault_id = $3`;
    await stage.sql('ALTER TABLE ledger_entries DISABLE TRIGGER ledger_is_final');
    await stage.sql(entries, [null, user, IDLE]);
    expect(await byUser()).toEqual(new Map([...parts, [user, null]]));
    const [unknown] = csvRows((await partner.api.get(`${path}?ids=${user}`, { accept: 'text/csv' })).text);
    expect(unknown!['expected_costs']).toBe('');
    expect(await stage.differences()).toEqual([]);
    await stage.sql(entries, [micro(parts.get(user)!) + 1, user, IDLE]);
    expect(await stage.differences()).toEqual([
      expect.stringMatching(new RegExp(`^${move.id}: its expected cost is \\d+, but`)),
    ]);
    await stage.sql(entries, [micro(parts.get(user)!), user, IDLE]);
    await stage.sql('ALTER TABLE ledger_entries ENABLE TRIGGER ledger_is_final');
  });

  it('Concurrent reports of a key count together towards its limit', async () => {
    const { api } = await stage.executor();
    const moves: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { move } = await stage.ordered();
      await stage.done(`/moves/${move.id}/taken`);
      moves.push(move.id);
    }
    const [exact, ...short] = moves as [string, string, string];
    expect((await report(api, exact, 'redeemed', await worth(exact))).status).toBe(201);
    const less = await Promise.all(short.map(async (id) => (await worth(id)) - 190e6));
    const answers = await Promise.all(short.map((id, at) => report(api, id, 'redeemed', less[at]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    for (const id of moves) await stage.done(`/moves/${id}/failed`, { note: 'end of the test' });
  });

  it('A reported gain of 0.1 % is booked; a larger one waits for an administrator, and counts in no value or fee meanwhile', async () => {
    const { api, keyId } = await stage.executor();
    const { admin } = stage.market.app;
    const { partner, ids, move } = await stage.ordered();
    const earned = async (): Promise<{ fee: number; yield: number }> => {
      const [of] = dataOf(await partner.api.get('/partner/revenue'), 200).assets;
      return { fee: micro(of.performance_fee), yield: micro(of.yield) };
    };
    const first = await worth(move.id);
    const small = Math.floor(first / 1_000);
    const redeemed = dataOf(await report(api, move.id, 'redeemed', first + small), 201);
    expect(redeemed).toMatchObject({ gain: small / 1e6, review: null });
    // A booked gain counts like a shortfall.
    expect((await told(move.id)).map(({ message }) => message.includes('Used up'))).toEqual([true]);

    const second = await worth(move.id);
    expect(second).toBe(first + small);
    const before = await earned();
    const gain = Math.floor(second / 1_000) + 1;
    const { status, settled, ...shown } = dataOf(await report(api, move.id, 'settled', second + gain), 201);
    const waits = {
      status: 'pending_review',
      amount: gain / 1e6,
      booked: null,
      reviewed_at: null,
      note: null,
    };
    expect([status, settled.amount]).toEqual(['settled', (second + gain) / 1e6]);
    expect(shown).toMatchObject({ amount: second / 1e6, gain: small / 1e6, cost: 0, review: waits });
    expect(shown.review.since).toBe(settled.at);
    expect(await valueOf(ids)).toBe(second);
    expect(await earned()).toEqual(before);
    expect((await waiting()).map(({ id }) => id)).toEqual([move.id]);
    expect(await metric('vaultline_moves_pending_review')).toBe(1);
    const [, alert, ...more] = await told(move.id);
    expect(more).toEqual([]);
    expect(alert.alert).toMatchObject({ kind: 'report_deviates', state: 'begun', until: null });
    expect(alert.alert.what_to_do).toContain('POST /moves/{id}/review');
    expect(alert.message).toContain(keyId);

    stage.market.pass(1);
    const key = { 'idempotency-key': randomUUID() };
    const body = { action: 'approve', note: 'Rewards of the vault.' };
    const approved = await stage.post(`/moves/${move.id}/review`, body, key, admin);
    expect(dataOf(approved, 200)).toMatchObject({
      gain: (small + gain) / 1e6,
      review: {
        ...waits,
        status: 'approved',
        booked: gain / 1e6,
        reviewed_at: expect.any(String),
        note: body.note,
      },
    });
    expect((await stage.post(`/moves/${move.id}/review`, body, key, admin)).text).toBe(approved.text);
    expect(dataOf(await review(move.id, 'approve'), 200)).toEqual(approved.body.data);
    expectError(await review(move.id, 'reject'), 409, 'move_not_open');
    // A millisecond has passed.
    const near = (is: number, expected: number): void =>
      expect(Math.abs(is - expected)).toBeLessThanOrEqual(3);
    near(await valueOf(ids), second + gain);
    const after = await earned();
    near(after.yield - before.yield, gain);
    near(after.fee - before.fee, gain / 10);
    const entries = await stage.sql<{ amount: string; vault: string }>(
      `SELECT amount, vault_id AS vault FROM ledger_entries WHERE decision_id = $1 AND type = 'yield_accrual' AND at = $2 ORDER BY amount DESC`,
      [move.decision_id, approved.body.data.review.reviewed_at],
    );
    expect(entries.map(({ vault }) => vault)).toEqual([B, B]);
    expect(Number(entries[0]!.amount) / Number(entries[1]!.amount)).toBeCloseTo(1.5, 3);
    expect(await waiting()).toEqual([]);
    expect(await metric('vaultline_moves_pending_review')).toBe(0);
    const [, , over] = await told(move.id);
    expect(over.alert).toMatchObject({ kind: 'report_deviates', state: 'over', since: settled.at });
    expect(over.message).toContain('approved');
  });

  it('A gain of a redemption does not change the rest of the move; it is booked to its positions', async () => {
    const { api } = await stage.executor();
    const { ids, move } = await stage.ordered();
    const first = await worth(move.id);
    await report(api, move.id, 'redeemed', first + 500e6);
    expect(await stage.move(move.id)).toMatchObject({ status: 'arriving', amount: first / 1e6 });
    const repeated = await stage.move(move.id);
    const { tx_hash } = repeated.redeemed;
    const again = { tx_hash, amount: (first + 500e6) / 1e6 };
    expect(await stage.done(`/moves/${move.id}/redeemed`, again)).toEqual(repeated);
    // What waits is not reported a second time.
    const twice = await report(api, move.id, 'settled', first + 500e6);
    expectError(twice, 422, 'amount_out_of_bounds');
    expect(twice.body.error.message).toContain('report the arrived amount without the gain');
    const [list, approve, ...more] = callsOf('docs/live.md', 'Gains that wait');
    expect(more).toEqual([]);
    const { admin } = stage.market.app;
    expect(await runCall(list, admin, {})).toMatchObject([{ id: move.id }]);
    expect(await runCall(approve, admin, { MOVE: move.id })).toMatchObject({
      status: 'arriving',
      amount: (first + 500e6) / 1e6,
      gain: 500,
    });
    for (const id of ids) expect(await stage.position(id)).toMatchObject({ vault_id: IDLE });
    expect((await report(api, move.id, 'settled', first + 500e6)).status).toBe(201);
    expect(await valueOf(ids)).toBe(first + 500e6);
    for (const id of ids) expect(await stage.position(id)).toMatchObject({ vault_id: B });
  });

  it('A rejected gain is not booked, nor is an approved one on a closed position', async () => {
    const { api } = await stage.executor();
    const rejected = await stage.ordered();
    const first = await worth(rejected.move.id);
    await report(api, rejected.move.id, 'redeemed', first + 500e6);
    await report(api, rejected.move.id, 'settled', first);
    const answer = dataOf(await review(rejected.move.id, 'reject'), 200);
    expect(answer).toMatchObject({ gain: 0, review: { status: 'rejected', amount: 500, booked: 0 } });
    expect(dataOf(await review(rejected.move.id, 'reject'), 200)).toEqual(answer);
    expectError(await review(rejected.move.id, 'approve'), 409, 'move_not_open');
    expect(await valueOf(rejected.ids)).toBe(first);

    const { ids, move } = await stage.ordered();
    const second = await worth(move.id);
    await report(api, move.id, 'redeemed', second + 500e6);
    await report(api, move.id, 'settled', second);
    await stage.withdraw(ids[1]);
    const { review: approved } = dataOf(await review(move.id, 'approve'), 200);
    expect(approved.booked).toBeCloseTo(300, 0);
    expect(approved.amount).toBe(500);
    expect(await stage.position(ids[1])).toMatchObject({ status: 'closed' });
  });

  it('A gain of a received deposit awaits a review as well; a move without a gain has none', async () => {
    const { api } = await stage.executor();
    const { user } = await stage.party();
    const { id } = await stage.deposit(user, 1_000, { allocated: false });
    const [move] = await stage.get(`/moves?position_id=${id}`);
    expectError(await review(move.id, 'approve'), 409, 'move_not_open');
    const body = { tx_hash: newTxHash(), amount: 1_002 };
    stage.market.pass(1);
    const allocated = await stage.post(`/positions/${id}/allocated`, body, {}, api);
    expect(dataOf(allocated, 201)).toMatchObject({ status: 'active', value: 1_000, yield: 0 });
    expect((await stage.post(`/positions/${id}/allocated`, body, {}, api)).status).toBe(201);
    stage.market.pass(1);
    expect(dataOf(await review(move.id, 'approve'), 200)).toMatchObject({ review: { booked: 2 } });
    expect(await stage.position(id)).toMatchObject({ principal: 1_002 });
  });

  it('`ledger verify` compares deviating reports and their reviews with the ledger entries', async () => {
    const { api } = await stage.executor();
    const { move } = await stage.ordered();
    await report(api, move.id, 'redeemed', (await worth(move.id)) + 500e6);
    const spoil = (set: string) => stage.sql(`UPDATE move_orders SET ${set} WHERE id = $1`, [move.id]);
    await spoil('review_gain = review_gain + 1');
    expect(await stage.differences()).toEqual([
      `${move.id}: what waits of its gain is 500000001, but according to its reports it is 500000000`,
      `${move.id}: what waits of its gain is 500000001, but according to its positions it is 500000000`,
    ]);
    await spoil('review_gain = review_gain - 1');
    expect((await review(move.id, 'reject')).status).toBe(200);
    await stage.done(`/moves/${move.id}/failed`, { note: 'end of the test' });
  });
});
