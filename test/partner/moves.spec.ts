import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/domain/kernel/clock.js';
import { expectError } from '../support/expected-error.js';
import { dataOf } from '../support/fields.js';
import { callsOf, runCall } from '../support/guide.js';
import { newTxHash } from '../support/market.js';
import { A, B, C, IDLE, MovesStage } from '../support/moves.js';
import { Receiver } from '../support/receiver.js';

const HOUR_MS = 3_600_000;
const micro = (units: number): number => Math.round(units * 1e6);

/** A reported move is an order: an executor with the keys carries it out, and the books record what is reported. */
describe('partner contract: a reported move', () => {
  let stage: MovesStage;

  beforeAll(async () => {
    stage = await MovesStage.start();
  });
  afterEach(async () => {
    expect(await stage.differences()).toEqual([]);
  });
  afterAll(() => stage.close());

  const valueOf = async (...ids: string[]): Promise<number> => {
    const positions = await Promise.all(ids.map((id) => stage.position(id)));
    return positions.reduce((sum, { value }) => sum + micro(value), 0);
  };
  const ledgerOf = async (id: string) =>
    stage.sql<{ type: string; vault: string; amount: string; cost: string; decision: string }>(
      `SELECT type, vault_id AS vault, amount, cost, decision_id AS decision FROM ledger_entries WHERE position_id = $1 ORDER BY at, id`,
      [id],
    );
  const hourOfMarket = (): Date => new Date(Math.floor(stage.market.now().getTime() / HOUR_MS) * HOUR_MS);

  it('A reported move is a batch with others of its hour between the same two vaults: taken and reported as one, its amount shared by value', async () => {
    const [firstParty, other] = [await stage.party(), await stage.party()];
    const ids = [
      (await stage.deposit(firstParty.user, 60_000)).id,
      (await stage.deposit(other.user, 33_333.333333)).id,
    ];
    stage.see(0.05, 0.12);
    const first = await stage.untilOrdered(firstParty.partner);
    const [second] = await stage.openOf(other.partner);
    expect(first.batch_id).toMatch(/^bat_/);
    expect(second.batch_id).toBe(first.batch_id);
    const path = `/moves/${second.id}`;
    const taken = await stage.done(`${path}/taken`, { batch: true });
    expect(taken.map(({ id, status }: any) => [id, status])).toEqual(
      [first.id, second.id].toSorted().map((id) => [id, 'redeeming']),
    );
    const { data } = (await stage.market.app.admin.get('/audit?operation=takeMove&limit=1')).body;
    expect(data[0].subjects.toSorted()).toEqual(expect.arrayContaining([first.id, second.id]));
    for (const { id } of taken) expect(data[0].after[id].status).toBe('redeeming');
    const worth = await valueOf(...ids);
    const paid = { tx_hash: newTxHash(), amount: (worth - 1_000_001) / 1e6, batch: true };
    const redeemed = await stage.done(`${path}/redeemed`, paid);
    const sum = (moves: any[], of: (move: any) => number): number =>
      moves.reduce((all, move) => all + micro(of(move)), 0);
    expect(sum(redeemed, ({ redeemed: report }) => report.amount)).toBe(worth - 1_000_001);
    expect(sum(redeemed, ({ cost }) => cost)).toBe(1_000_001);
    expect(micro(redeemed[0].cost) / micro(redeemed[1].cost)).toBeCloseTo(
      redeemed[0].amount / redeemed[1].amount,
      4,
    );
    expect(await valueOf(...ids)).toBe(worth - 1_000_001);
    expect(await stage.done(`${path}/redeemed`, paid)).toEqual(redeemed);
    stage.market.pass(1);
    const arrived = { ...paid, tx_hash: newTxHash() };
    for (const move of await stage.done(`/moves/${first.id}/settled`, arrived))
      expect(move).toMatchObject({
        status: 'settled',
        to_vault_id: B,
        settled: { tx_hash: arrived.tx_hash },
      });
    expect(await valueOf(...ids)).toBe(worth - 1_000_001);
    expectError(await stage.post(`${path}/taken`, { batch: true }), 409, 'move_not_open');
  });

  it('A reported move is reported with its batch, without another that was wholly withdrawn or had failed, and its report may be repeated', async () => {
    for (const ends of ['withdrawn', 'failed'] as const) {
      const [firstParty, other] = [await stage.party(), await stage.party()];
      const ids = [
        (await stage.deposit(firstParty.user, 60_000)).id,
        (await stage.deposit(other.user, 30_000)).id,
      ];
      stage.see(0.05, 0.12);
      const moves = [await stage.untilOrdered(firstParty.partner), (await stage.openOf(other.partner))[0]];
      const [first, second] = moves.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(second.batch_id).toBe(first.batch_id);
      const [gone, rest] = first.id === moves[0].id ? ids : ids.toReversed();
      await stage.done(`/moves/${second.id}/taken`, { batch: true });
      if (ends === 'withdrawn') await stage.withdraw(gone);
      else await stage.done(`/moves/${first.id}/failed`, { note: 'It reverted.' });
      const paid = { tx_hash: newTxHash(), amount: (await valueOf(rest)) / 1e6, batch: true };
      const redeemed = await stage.done(`/moves/${second.id}/redeemed`, paid);
      const state = { [first.id]: 'failed', [second.id]: 'arriving' };
      expect(Object.fromEntries(redeemed.map(({ id, status }: any) => [id, status]))).toEqual(state);
      expect(await stage.done(`/moves/${second.id}/redeemed`, paid)).toEqual(redeemed);
      await stage.done(`/moves/${second.id}/failed`, { note: 'It did not go on.', batch: true });
      await stage.done(`/moves/${second.id}/failed`, { note: 'It did not go on.', batch: true });
      stage.see(0.05, 0.04);
      await stage.hours(1);
    }
  });

  it('A reported move is shown as a decision to move until its funds have arrived', async () => {
    const { partner, move } = await stage.ordered();
    const path = '/analytics/decisions?kind=rebalance';
    const shown = async (): Promise<[string, string]> => {
      const [decision] = dataOf(await partner.api.get(path), 200);
      expect(decision).toMatchObject({ id: move.decision_id, order: { id: move.id } });
      return [decision.order.state, decision.rationale.split(/ \d/)[0]];
    };
    expect(await shown()).toEqual(['decided', 'Decided to move']);
    await stage.done(`/moves/${move.id}/taken`);
    expect(await shown()).toEqual(['taken_up', 'Decided to move']);
    await stage.report(move.id, 'redeemed', move.amount);
    expect(await shown()).toEqual(['redeemed', 'Decided to move']);
    await stage.report(move.id, 'settled', move.amount);
    expect(await shown()).toEqual(['arrived', 'Moved']);
  });

  it('A reported move is ordered, redeemed and settled with 0.09 % less: the books have the amount that arrived, and an event follows', async () => {
    const receiver = await Receiver.start();
    const { partner, ids, move } = await stage.ordered();
    await partner.api.post('/webhooks', { url: receiver.url, events: ['position.rebalanced'] });
    expect(move).toMatchObject({
      object: 'move_order',
      status: 'requested',
      urgent: false,
      position_id: null,
      reason: 'all_gates_passed',
      from_vault_id: A,
      to_vault_id: B,
      expected_cost: expect.any(Number),
      redeemed: null,
      settled: null,
      failure: null,
    });
    // All of the cost, or its part where partners of other tests move along.
    expect(move.expected_cost).toBeLessThanOrEqual(2);
    expect(micro(move.amount)).toBe(await valueOf(...ids));
    expect(Date.parse(move.expires_at) - Date.parse(move.requested_at)).toBe(3 * HOUR_MS);
    // The books change only with reports, and no further move is ordered for the group.
    await stage.hours();
    expect(await valueOf(...ids)).toBeGreaterThan(micro(move.amount));
    expect(await stage.openOf(partner)).toHaveLength(1);

    const taken = await stage.done(`/moves/${move.id}/taken`);
    expect(taken).toMatchObject({ status: 'redeeming', taken_by: expect.stringMatching(/^key_/), calls: [] });
    // A pays out by a queue; B is Compound's market.
    const { calls } = await stage.get(`/moves/${move.id}?account=0x${'AB'.repeat(20)}`);
    const units = String(micro((await stage.get(`/moves/${move.id}`)).amount));
    expect(calls).toMatchObject([
      { step: 'approve', chain: 'ethereum', units, data: expect.stringMatching(/^0x095ea7b3/) },
      { step: 'deposit', chain: 'ethereum', units, data: expect.stringMatching(/^0xf2b9fdb8/) },
    ]);
    const { admin } = stage.market.app;
    const mistyped = await admin.get(`/moves/${move.id}?account=0x${'aB'.repeat(20)}`);
    expectError(mistyped, 400, 'validation_failed');
    const worth = await valueOf(...ids);
    const paidOut = Math.floor(worth * 0.9993);
    const redeemed = await stage.report(move.id, 'redeemed', paidOut / 1e6);
    expect(redeemed).toMatchObject({ status: 'arriving', cost: (worth - paidOut) / 1e6, gain: 0 });
    expect(micro(redeemed.amount)).toBe(paidOut);
    for (const id of ids)
      expect(await stage.position(id)).toMatchObject({ status: 'active', vault_id: IDLE, apy: 0 });
    expect(await valueOf(...ids)).toBe(paidOut);
    // Funds on the way are not judged as cash, however long they take.
    await stage.hours(2);
    expect(await stage.openOf(partner)).toEqual([]);
    expect(receiver.received).toEqual([]);

    const arrived = Math.floor(paidOut * 0.9998);
    const settledAt = hourOfMarket();
    const settled = await stage.report(move.id, 'settled', arrived / 1e6);
    expect(settled).toMatchObject({
      status: 'settled',
      positions: 2,
      amount: arrived / 1e6,
      cost: (worth - arrived) / 1e6,
      redeemed: { amount: paidOut / 1e6 },
      settled: { amount: arrived / 1e6 },
    });
    expect(await valueOf(...ids)).toBe(arrived);
    expect(await stage.get(`/moves?status=settled`)).toContainEqual(settled);
    // Each position has its part in proportion to its value, in two entries under one decision.
    const [large, small] = await Promise.all(ids.map(ledgerOf));
    for (const entries of [large!, small!])
      expect(entries.filter(({ type }) => type === 'rebalance')).toMatchObject([
        { vault: IDLE, decision: move.decision_id },
        { vault: B, decision: move.decision_id },
      ]);
    const entries = dataOf(
      await partner.api.get(`/partner/ledger?position_id=${ids[0]}&type=rebalance`),
      200,
    );
    expect(entries).toMatchObject(
      [settled.settled, redeemed.redeemed].map(({ tx_hash }: any) => ({
        tx_hash,
        chain: 'ethereum',
        explorer_url: `https://etherscan.io/tx/${tx_hash}`,
      })),
    );
    const costOf = (entries: { cost: string }[]): number =>
      entries.reduce((sum, { cost }) => sum + Number(cost), 0);
    expect(costOf(large!) + costOf(small!)).toBe(worth - arrived);
    expect(costOf(large!) / costOf(small!)).toBeCloseTo(1.5, 3);

    const told: any[] = (await receiver.waitFor(2)).map(({ body }) => JSON.parse(body.toString()));
    await receiver.close();
    const byId = new Map(told.map(({ data }) => [data.id, data]));
    expect(byId.get(ids[0])).toMatchObject({
      vault_id: B,
      decision_id: move.decision_id,
      amount: micro((await stage.position(ids[0])).value) / 1e6,
      cost: costOf(large!) / 1e6,
    });
    // The horizon of the decision begins with the settlement.
    const [outcome] = await stage.sql<{ due: Date; cost: string }>(
      'SELECT due_hour AS due, cost - gain AS cost FROM move_orders WHERE decision_id = $1',
      [move.decision_id],
    );
    const [promised] = await stage.sql<{ days: number }>(
      `SELECT (record #>> '{expectedUplift,horizonDays}')::int AS days FROM decisions WHERE id = $1`,
      [move.decision_id],
    );
    expect(outcome!.due.getTime() - settledAt.getTime()).toBe(promised!.days * 24 * HOUR_MS);
    expect(Number(outcome!.cost)).toBe(worth - arrived);
  });

  it('A reported move shrinks by a withdrawal before its redemption; a later one is paid out of cash', async () => {
    const { ids, move } = await stage.ordered();
    const [large, small] = ids;
    await stage.withdraw(large, 10_000);
    const shrunk = await stage.move(move.id);
    expect(micro(shrunk.amount)).toBe(await valueOf(...ids));
    expect(shrunk.positions).toBe(2);
    // The former amount would be a tenth too much.
    expectError(
      await stage.post(`/moves/${move.id}/redeemed`, { tx_hash: newTxHash(), amount: move.amount }),
      422,
      'amount_out_of_bounds',
    );
    await stage.report(move.id, 'redeemed', shrunk.amount - 30);
    expect(await stage.withdraw(small)).toMatchObject({ status: 'closed', vault_id: IDLE });
    const remaining = await stage.move(move.id);
    expect(remaining).toMatchObject({ status: 'arriving', positions: 1 });
    expect(micro(remaining.amount)).toBe(await valueOf(large));
    await stage.report(move.id, 'settled', remaining.amount);
    expect(await stage.position(large)).toMatchObject({ vault_id: B, value: remaining.amount });
  });

  it('A reported move ends when all of it is withdrawn', async () => {
    const { ids, move } = await stage.ordered();
    for (const id of ids) await stage.withdraw(id);
    expect(await stage.move(move.id)).toMatchObject({ positions: 0, amount: 0 });
    const report = { tx_hash: newTxHash(), amount: 1 };
    expectError(await stage.post(`/moves/${move.id}/redeemed`, report), 409, 'move_not_open');
    await stage.hours();
    expect(await stage.move(move.id)).toMatchObject({ status: 'failed', failure: 'empty' });
  });

  it('A reported move books an amount above the expected one as yield, and no cost below 0', async () => {
    const { ids, move } = await stage.ordered();
    const worth = await valueOf(...ids);
    const redeemed = await stage.report(move.id, 'redeemed', (worth + 500_001) / 1e6);
    expect(redeemed).toMatchObject({ gain: 0.500001, cost: 0 });
    expect(await valueOf(...ids)).toBe(worth + 500_001);
    const settled = await stage.report(move.id, 'settled', (worth + 600_004) / 1e6);
    expect(settled).toMatchObject({ gain: 0.600004, cost: 0, amount: (worth + 600_004) / 1e6 });
    expect(await valueOf(...ids)).toBe(worth + 600_004);
    for (const id of ids) {
      const { principal, value, yield: earned, costs } = await stage.position(id);
      expect([micro(value) - micro(principal), costs]).toEqual([micro(earned), 0]);
      const gains = (await ledgerOf(id)).filter(({ type, decision }) => type === 'yield_accrual' && decision);
      expect(gains.map(({ vault, decision }) => [vault, decision])).toEqual([
        [IDLE, move.decision_id],
        [B, move.decision_id],
      ]);
    }
  });

  it('A reported move out of cash is settled by its arrival alone, and bears its cost', async () => {
    const { partner, user } = await stage.party();
    for (const id of [A, B, C]) stage.vault(id).active = false;
    const { id } = await stage.deposit(user, 5_000);
    expect(await stage.position(id)).toMatchObject({ status: 'pending', vault_id: IDLE });
    for (const vault of [A, B, C]) stage.vault(vault).active = true;
    const move = await stage.untilOrdered(partner);
    expect(move).toMatchObject({ from_vault_id: IDLE, reason: 'best_vault', amount: 5_000 });
    const report = { tx_hash: newTxHash(), amount: 4_999 };
    expectError(await stage.post(`/moves/${move.id}/redeemed`, report), 409, 'move_not_open');
    await stage.report(move.id, 'settled', 4_999);
    expect(await stage.position(id)).toMatchObject({
      status: 'active',
      vault_id: move.to_vault_id,
      value: 4_999,
      costs: 1,
    });
  });

  describe('docs/live.md', () => {
    const run = (call: string | undefined, env: Record<string, string>): Promise<any> =>
      runCall(call, stage.market.protocol, env);

    it('docs/live.md has calls that take a move from its order to its settlement, as printed', async () => {
      const { partner, user } = await stage.party();
      await stage.deposit(user, 10_000);
      stage.see(0.05, 0.12);
      const { id: MOVE } = await stage.untilOrdered(partner);
      const calls = callsOf('docs/live.md', 'Move orders');
      const [list, taken, redeemed, settled, failed, receive, allocate, ...more] = calls;
      expect(more).toEqual([]);
      expect(await run(list, {})).toContainEqual(expect.objectContaining({ id: MOVE }));
      expect(await run(taken, { MOVE })).toMatchObject({ status: 'redeeming' });
      expect(await run(redeemed, { MOVE })).toMatchObject({ status: 'arriving', amount: 9_990 });
      expect(await run(settled, { MOVE })).toMatchObject({ status: 'settled', amount: 9_988.5 });
      const { move } = await stage.ordered();
      expect(await run(failed, { MOVE: move.id })).toMatchObject({ status: 'failed', failure: 'reported' });
      const { id: POSITION, ...received } = await run(receive, { USER_ID: user });
      expect(received).toMatchObject({ status: 'pending', value: 1_000 });
      expect(await run(allocate, { POSITION })).toMatchObject({ status: 'active', costs: 0.5 });
    });
  });

  describe('a received deposit whose allocation is reported', () => {
    const receive = async (amount: number) => {
      const { partner, user } = await stage.party();
      const { id, ...position } = await stage.deposit(user, amount, { allocated: false });
      expect(position).toMatchObject({ status: 'pending', vault_id: IDLE, value: amount, active_at: null });
      const [move] = await stage.get(`/moves?position_id=${id}`);
      expect(move).toMatchObject({
        status: 'arriving',
        position_id: id,
        to_vault_id: A,
        amount,
        positions: 1,
      });
      return { id, move, partner, user };
    };
    const allocated = (id: string, body: object) => stage.post(`/positions/${id}/allocated`, body);

    it('A received deposit whose allocation is reported is pending until its vault has it, and earns from then on; a shortage is its cost', async () => {
      const { id, move } = await receive(1_000);
      await stage.hours();
      expect(await stage.position(id)).toMatchObject({ status: 'pending', value: 1_000 });
      const report = { tx_hash: newTxHash(), amount: 999.5 };
      const { status, body } = await allocated(id, report);
      expect(status).toBe(201);
      expect(body.data).toMatchObject({
        status: 'active',
        vault_id: A,
        value: 999.5,
        costs: 0.5,
        yield: -0.5,
      });
      expect((await allocated(id, report)).body.data).toEqual(body.data);
      expectError(await allocated(id, { ...report, amount: 999 }), 409, 'move_already_reported');
      expect(await stage.move(move.id)).toMatchObject({ status: 'settled', cost: 0.5, amount: 999.5 });
    });

    it('A received deposit whose allocation is reported books a surplus as principal, in an entry of its own without yield or fee', async () => {
      const { id, move, partner } = await receive(1_000);
      stage.market.pass(1);
      const { body } = await allocated(id, { tx_hash: newTxHash(), amount: 1_000.75 });
      expect(body.data).toMatchObject({ principal: 1_000.75, value: 1_000.75, yield: 0, costs: 0 });
      expect(await ledgerOf(id)).toMatchObject([
        { type: 'deposit', vault: IDLE, amount: '1000000000' },
        { type: 'rebalance', vault: A, amount: '1000000000', cost: '0' },
        { type: 'deposit', vault: A, amount: '750000', decision: move.decision_id },
      ]);
      expect(await stage.move(move.id)).toMatchObject({ status: 'settled', gain: 0.75, amount: 1_000.75 });
      const charged = 'SELECT total_fee FROM revenue_accounts WHERE partner_id = $1';
      expect(await stage.sql(charged, [partner.id])).toEqual([{ total_fee: '0' }]);
    });

    it("A received deposit whose allocation is reported obeys the partner's policy, whether or not the move was taken up", async () => {
      for (const taken of [true, false]) {
        const { id, move, partner } = await receive(1_000);
        if (taken) await stage.done(`/moves/${move.id}/taken`);
        const rules = { allowed_vaults: [B], max_risk_tier: null, min_gain: null, paused: false };
        const admin = stage.market.app.admin;
        expect((await admin.send('PUT', `/partners/${partner.id}/policy`, rules)).status).toBe(200);
        const refused = await allocated(id, { tx_hash: newTxHash() });
        expectError(refused, 409, 'vault_refused');
        expect(refused.body.error.message).toContain(`report at /moves that ${move.id} failed`);
        expect(await stage.position(id)).toMatchObject({ status: 'pending', value: 1_000 });
        await stage.done(`/moves/${move.id}/failed`, { note: 'taken back' });
        const late = await allocated(id, { tx_hash: newTxHash() });
        expectError(late, 409, 'move_not_open');
        expect(late.body.error.message).toContain('the next hour decides again');
      }
    });

    it('A received deposit whose allocation is reported arrives with the rest of its amount if the report has none', async () => {
      const { id } = await receive(1_000);
      await stage.withdraw(id, 400);
      const { body } = await allocated(id, { tx_hash: newTxHash() });
      expect(body.data).toMatchObject({ status: 'active', value: 600, costs: 0 });
    });

    it('A received deposit whose allocation is reported is refused by a vault that no longer takes it, and becomes ordinary cash once that is reported', async () => {
      const { id, move, partner } = await receive(1_000);
      stage.vault(A).active = false;
      expectError(await allocated(id, { tx_hash: newTxHash() }), 409, 'vault_refused');
      await stage.done(`/moves/${move.id}/failed`, { note: 'taken back' });
      expect(await stage.position(id)).toMatchObject({ status: 'pending', vault_id: IDLE });
      const next = await stage.untilOrdered(partner);
      stage.vault(A).active = true;
      expect(next).toMatchObject({ from_vault_id: IDLE, to_vault_id: B, position_id: null });
      expectError(await allocated(id, { tx_hash: newTxHash() }), 409, 'move_not_open');
    });

    it('A received deposit whose allocation is reported becomes ordinary cash if no executor takes it up in time', async () => {
      const { move, partner } = await receive(1_000);
      await stage.hours(3);
      expect(await stage.move(move.id)).toMatchObject({ status: 'failed', failure: 'lapsed' });
      expect(await stage.openOf(partner)).toMatchObject([{ from_vault_id: IDLE, amount: 1_000 }]);
    });

    it('A received deposit whose allocation is reported is not found by a malformed id, whatever the clock', async () => {
      const clock = stage.market.app.application.get(Clock);
      clock.aheadMs = 100 * HOUR_MS;
      expectError(await allocated('nonsense', { tx_hash: newTxHash() }), 404, 'not_found');
      clock.aheadMs = 0;
    });

    it('A received deposit whose allocation is reported needs no report once it is in its vault', async () => {
      const { user } = await stage.party();
      const { id } = await stage.deposit(user, 10, { allocated: true });
      expect(await stage.position(id)).toMatchObject({ status: 'active', vault_id: A });
      expectError(await allocated(id, { tx_hash: newTxHash() }), 409, 'move_not_open');
      expect(await stage.get(`/moves?position_id=${id}`)).toEqual([]);
    });
  });
});
