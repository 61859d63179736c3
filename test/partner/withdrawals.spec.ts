import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { contradict } from '../support/contradict.js';
import { expectError } from '../support/expected-error.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { A, B, IDLE, MovesStage } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';
import { untilSettled } from '../support/settled.js';

const micro = (units: number): number => Math.round(units * 1e6);
const WALLETS = ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'];

describe('partner contract: a reported withdrawal', () => {
  let stage: MovesStage;
  beforeAll(async () => {
    stage = await MovesStage.start();
  });
  afterEach(async () => {
    expect(await stage.differences()).toEqual([]);
  });
  afterAll(() => stage.close());

  const request = (api: TestPartner['api'], user: string, amount?: number, more: object = {}) =>
    stage.post(
      `/users/${user}/withdrawals`,
      { asset: 'USDC', ...(amount !== undefined && { amount }), ...more },
      {},
      api,
    );
  const requested = async (party: { partner: TestPartner; user: string }, amount?: number): Promise<any> =>
    dataOf(await request(party.partner.api, party.user, amount), 201);
  const paid = (id: string, more: object = {}) =>
    stage.post(`/withdrawals/${id}/paid`, { tx_hash: newTxHash(), ...more });
  const balanceOf = async ({ partner, user }: { partner: TestPartner; user: string }): Promise<any> =>
    dataOf(await partner.api.get(`/users/${user}`), 200).balances[0];
  const alertsOf = async ({ api }: TestPartner, id: string): Promise<any[]> => {
    const events = dataOf(await api.get('/events?types=system.status'), 200);
    return events.map(({ data }: any) => data).filter(({ alert }: any) => alert?.withdrawal_id === id);
  };

  it('A reported withdrawal is paid from cash first, then the lowest expected rate, then the oldest position; what it reserves earns until then', async () => {
    const party = await stage.party();
    const [old, young] = [await stage.deposit(party.user, 300), await stage.deposit(party.user, 250)];
    // B is better from now on, and takes the next deposit.
    stage.see(0.03, 0.08);
    await stage.hours(4);
    const better = await stage.deposit(party.user, 1_000);
    expect(better.vault_id).toBe(B);
    const withdrawal = await requested(party, 420);
    expect(withdrawal).toMatchObject({
      status: 'requested',
      amount: 420,
      cost: 0,
      paid_at: null,
      tx_hash: null,
    });
    const value = (await stage.position(old.id)).value;
    expect(withdrawal.parts).toEqual([
      { position_id: old.id, vault_id: A, amount: value },
      { position_id: young.id, vault_id: A, amount: (micro(420) - micro(value)) / 1e6 },
    ]);
    const { value: all, available } = await balanceOf(party);
    expect(micro(all) - micro(available)).toBe(micro(420));
    stage.market.pass(60_000);
    const taken = await stage.done(`/withdrawals/${withdrawal.id}/taken`);
    expect(taken).toMatchObject({ status: 'taken', amount: 420 });
    expectError(await stage.post(`/withdrawals/${withdrawal.id}/taken`), 409, 'withdrawal_already_reported');
    const report = { tx_hash: newTxHash(), amount: 420 };
    const done = dataOf(await paid(withdrawal.id, report), 201);
    expect(done).toMatchObject({ status: 'paid', amount: 420, paid_amount: 420, tx_hash: report.tx_hash });
    expect(dataOf(await paid(withdrawal.id, report), 201)).toEqual(done);
    expectError(await paid(withdrawal.id), 409, 'withdrawal_already_reported');
    expect((await stage.position(better.id)).status).toBe('active');
    const entries = dataOf(await party.partner.api.get(`/users/${party.user}/ledger?type=withdrawal`), 200);
    expect(entries.map(({ amount, tx_hash }: any) => [tx_hash, amount]).toSorted()).toEqual(
      done.parts.map(({ amount }: any) => [report.tx_hash, amount]).toSorted(),
    );
    await untilSettled(stage.market.app);
    const events = dataOf(await party.partner.api.get('/events?types=position.withdrawn'), 200);
    expect(events.map(({ data }: any) => [data.id, data.amount, data.withdrawal_id])).toEqual(
      done.parts.map(({ position_id, amount }: any) => [position_id, amount, done.id]),
    );
    const [settlement] = await stage.get(`/settlements?position_id=${young.id}`);
    expect(settlement).toMatchObject({ type: 'withdrawal', amount: 420, tx_hash: report.tx_hash });
  });

  it('A reported withdrawal of everything pays what its positions are worth when it is paid', async () => {
    const party = await stage.party();
    const position = await stage.deposit(party.user, 5_000);
    const withdrawal = await requested(party);
    stage.market.pass(3_600_000 - 1);
    const { value } = await stage.position(position.id);
    expect(value).toBeGreaterThan(withdrawal.amount);
    const [listed] = dataOf(await party.partner.api.get(`/users/${party.user}/withdrawals`), 200);
    expect(listed.amount).toBe(value);
    expectError(await paid(withdrawal.id, { amount: value + 1e-6 }), 422, 'amount_out_of_bounds');
    const done = dataOf(await paid(withdrawal.id), 201);
    expect(done).toMatchObject({ amount: value, paid_amount: value });
    expect(await stage.position(position.id)).toMatchObject({ status: 'closed', value: 0 });
  });

  it('A reported withdrawal whose vault paid out less has the rest as a cost, within the bounds of reports; cash pays in full', async () => {
    const party = await stage.party();
    const position = await stage.deposit(party.user, 10_000);
    const withdrawal = await requested(party, 1_000);
    expectError(await paid(withdrawal.id, { amount: 900 }), 422, 'amount_out_of_bounds');
    const before = await stage.position(position.id);
    const done = dataOf(await paid(withdrawal.id, { amount: 999 }), 201);
    expect(done).toMatchObject({ amount: 1_000, cost: 1, paid_amount: 999 });
    const after = await stage.position(position.id);
    // Bearing the cost rounds the rest down to the micro-unit.
    expect(micro(before.value) - micro(after.value) - micro(1_000)).toBeLessThanOrEqual(1);
    expect(micro(after.costs) - micro(before.costs)).toBe(micro(1));
    const [, cost] = dataOf(await party.partner.api.get(`/users/${party.user}/ledger`), 200);
    expect(cost).toMatchObject({ type: 'rebalance', cost: 1, vault_id: A });
    const [alert] = await alertsOf(party.partner, withdrawal.id);
    expect(alert).toBeUndefined();

    const poor = await stage.party();
    stage.see(-0.5, -0.5, -0.5);
    await stage.hours(1);
    const pending = await stage.deposit(poor.user, 100, { allocated: false });
    expect(pending.vault_id).toBe(IDLE);
    const ofCash = await requested(poor, 50);
    expectError(await paid(ofCash.id, { amount: 49.999999 }), 422, 'amount_out_of_bounds');
    dataOf(await paid(ofCash.id), 201);
  });

  it('A reported withdrawal that nobody takes lapses: nothing is reserved, and partner and administrators are alerted', async () => {
    const party = await stage.party();
    await stage.deposit(party.user, 500);
    const withdrawal = await requested(party, 200);
    await stage.hours(4);
    const [lapsed] = dataOf(await party.partner.api.get('/withdrawals?status=lapsed'), 200);
    expect(lapsed).toMatchObject({ id: withdrawal.id, status: 'lapsed', failure: null, paid_amount: null });
    const { value, available } = await balanceOf(party);
    expect(available).toBe(value);
    expect(await alertsOf(party.partner, withdrawal.id)).toMatchObject([
      { alert: { kind: 'withdrawal_unpaid' } },
    ]);
    expectError(await stage.post(`/withdrawals/${withdrawal.id}/taken`), 409, 'withdrawal_not_open');
    expectError(await paid(withdrawal.id), 409, 'withdrawal_not_open');
    // Once taken, it waits for its executor.
    const second = await requested(party, 200);
    await stage.done(`/withdrawals/${second.id}/taken`);
    await stage.hours(4);
    const note = 'The vault is paused.';
    const failed = await stage.done(`/withdrawals/${second.id}/failed`, { note });
    expect(failed).toMatchObject({ status: 'failed', failure: 'reported', note });
    expect(await stage.done(`/withdrawals/${second.id}/failed`, { note })).toEqual(failed);
    expect(await alertsOf(party.partner, second.id)).toHaveLength(1);
  });

  it('A reported withdrawal keeps its positions out of moves: an order that nobody took leaves them, and one under way is waited for', async () => {
    const { partner, user, ids, move } = await stage.ordered();
    const [large, small] = ids;
    const party = { partner, user };
    const withdrawal = await requested(party, 60_000);
    expect(withdrawal.parts.map(({ position_id }: any) => position_id)).toEqual([large]);
    const { value } = await stage.position(small);
    expect(await stage.move(move.id)).toMatchObject({ status: 'requested', positions: 1, amount: value });
    await stage.done(`/withdrawals/${withdrawal.id}/taken`);
    await stage.done(`/moves/${move.id}/taken`);
    const second = await requested(party, 10_000);
    expectError(await stage.post(`/withdrawals/${second.id}/taken`), 409, 'withdrawal_not_open');
    await stage.report(move.id, 'redeemed', (await stage.move(move.id)).amount);
    await stage.report(move.id, 'settled', (await stage.move(move.id)).amount);
    expect((await stage.move(move.id)).status).toBe('settled');
    expect(await stage.position(large)).toMatchObject({ vault_id: A });
    const taken = await stage.done(`/withdrawals/${second.id}/taken`);
    expect(taken.parts.map(({ vault_id }: any) => vault_id)).toEqual([A, B]);
    dataOf(await paid(second.id), 201);
    // A is far behind B now, and still the reserved funds stay.
    await stage.hours(3);
    expect(await stage.openOf(partner)).toEqual([]);
    await stage.done(`/withdrawals/${withdrawal.id}/failed`, { note: 'Not today.' });
    expect((await stage.untilOrdered(partner)).from_vault_id).toBe(A);
  });

  it('A reported withdrawal of all of an order ends it, and so does that of a received deposit', async () => {
    const { partner, user, move } = await stage.ordered();
    const withdrawal = await requested({ partner, user });
    expect(await stage.move(move.id)).toMatchObject({ status: 'failed', failure: 'superseded' });
    expectError(await stage.post(`/moves/${move.id}/taken`), 409, 'move_not_open');
    dataOf(await paid(withdrawal.id), 201);
    const party = await stage.party();
    const { id } = await stage.deposit(party.user, 400, { allocated: false });
    const [order] = await stage.get(`/moves?position_id=${id}`);
    const ofReceived = await requested(party, 100);
    expect(await stage.move(order.id)).toMatchObject({ status: 'failed', failure: 'superseded' });
    dataOf(await paid(ofReceived.id), 201);
    expect(micro((await stage.position(id)).value)).toBe(micro(300));
  });

  it('A reported withdrawal reserves what no other withdrawal may have, and a user has ten at once', async () => {
    const party = await stage.party();
    const { id } = await stage.deposit(party.user, 1_000);
    const { api } = party.partner;
    for (let n = 0; n < 10; n++) dataOf(await request(api, party.user, 100), 201);
    expectError(await request(api, party.user, 0.000001), 409, 'withdrawal_limit_reached');
    const [{ id: last }] = dataOf(await api.get(`/users/${party.user}/withdrawals`), 200);
    await stage.done(`/withdrawals/${last}/failed`, { note: 'Not today.' });
    expectError(await request(api, party.user, 200), 409, 'insufficient_balance');
    const ofPosition = { tx_hash: newTxHash(), amount: 200 };
    expectError(await stage.post(`/positions/${id}/withdrawals`, ofPosition), 409, 'insufficient_balance');
    expectError(
      await stage.post(`/positions/${id}/withdrawals`, { tx_hash: newTxHash() }),
      409,
      'insufficient_balance',
    );
    await stage.withdraw(id, 50);
  });

  it('A reported withdrawal is paid to a wallet of its user, which is named where it has several', async () => {
    const { partner } = await stage.party();
    const [user_id, poor] = await Promise.all(
      [WALLETS, [WALLETS[0]!.replace('f', 'F')]].map(async (wallets, n) => {
        const own = n === 0 ? wallets : [];
        const input = { external_id: `wallets:${n}:${Date.now()}`, wallets: own };
        return dataOf(await partner.api.post('/users', input), 201).id as string;
      }),
    );
    await stage.deposit(user_id!, 100);
    await stage.deposit(poor!, 100);
    expectError(await request(partner.api, user_id!, 10), 400, 'validation_failed');
    const strange = { wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
    expectError(await request(partner.api, user_id!, 10, strange), 400, 'validation_failed');
    expectError(await request(partner.api, poor!, 10, strange), 400, 'validation_failed');
    const named = { wallet: WALLETS[1]!.toLowerCase() };
    expect(dataOf(await request(partner.api, user_id!, 10, named), 201).wallet).toBe(WALLETS[1]);
    expect(dataOf(await request(partner.api, poor!, 10), 201).wallet).toBeNull();
  });

  it('A reported withdrawal whose payment the chain contradicts is put back with what it cost, and blocks its positions until then', async () => {
    const party = await stage.party();
    const [first, second] = [await stage.deposit(party.user, 100), await stage.deposit(party.user, 100)];
    const withdrawal = await requested(party, 150);
    dataOf(await paid(withdrawal.id, { amount: 149.9 }), 201);
    const before = await stage.position(second.id);
    const settlementId = await contradict(stage.market.app, first.id);
    expectError(
      await stage.post(`/positions/${second.id}/withdrawals`, { tx_hash: newTxHash(), amount: 1 }),
      409,
      'settlement_unresolved',
    );
    const other = await requested(party, 10);
    expectError(await stage.post(`/withdrawals/${other.id}/taken`), 409, 'settlement_unresolved');
    stage.market.pass(1);
    const resolution = { action: 'void', note: 'Nobody was paid.' };
    dataOf(await stage.post(`/settlements/${settlementId}/resolve`, resolution), 200);
    const voided = await stage.get(`/withdrawals/${withdrawal.id}`);
    expect(voided).toMatchObject({ status: 'failed', failure: 'voided', paid_amount: null });
    expect(await stage.position(first.id)).toMatchObject({ status: 'active' });
    const restored = await stage.position(second.id);
    const [, part] = voided.parts;
    expect(Math.abs(micro(restored.value) - micro(before.value) - micro(part.amount))).toBeLessThan(100);
    await stage.done(`/withdrawals/${other.id}/taken`);
  });

  it('A reported withdrawal whose payment the chain contradicts is put back to positions that were closed, withdrawn from or moved since', async () => {
    const party = await stage.party();
    const ids = [];
    for (const amount of [100, 60_000, 40_000]) ids.push((await stage.deposit(party.user, amount)).id);
    const withdrawal = await requested(party, 50_000);
    dataOf(await paid(withdrawal.id, { amount: 49_990 }), 201);
    expect(await stage.position(ids[0])).toMatchObject({ status: 'closed' });
    await stage.withdraw(ids[1], 1_000);
    await stage.withdraw(ids[2]);
    stage.see(0.05, 0.12);
    const move = await stage.untilOrdered(party.partner);
    await stage.done(`/moves/${move.id}/taken`);
    await stage.report(move.id, 'redeemed', (await stage.move(move.id)).amount);
    await stage.report(move.id, 'settled', (await stage.move(move.id)).amount);
    stage.market.pass(1);
    const rest = await requested(party);
    const settlementId = await contradict(stage.market.app, ids[0]);
    expectError(await stage.post(`/withdrawals/${rest.id}/taken`), 409, 'settlement_unresolved');
    dataOf(
      await stage.post(`/settlements/${settlementId}/resolve`, { action: 'void', note: 'Nobody was paid.' }),
      200,
    );
    stage.market.pass(1);
    expect(await stage.position(ids[0])).toMatchObject({ status: 'active', vault_id: A });
    const restored = await stage.position(ids[1]);
    expect(restored).toMatchObject({ status: 'active', vault_id: B });
    expect(restored.value).toBeGreaterThan(58_900);
    const done = dataOf(await paid(rest.id), 201);
    expect(done.amount).toBe(restored.value);
    expect(await stage.differences()).toEqual([]);
    await stage.hours(25);
  });

  it('A reported withdrawal leaves to a move what that has in transit, as long as the rest is enough', async () => {
    const { partner, user, move } = await stage.ordered();
    await stage.done(`/moves/${move.id}/taken`);
    const young = await stage.deposit(user, 500);
    await stage.report(move.id, 'redeemed', (await stage.move(move.id)).amount);
    stage.market.pass(1);
    const withdrawal = await requested({ partner, user }, 400);
    expect(withdrawal.parts.map(({ position_id }: any) => position_id)).toEqual([young.id]);
    dataOf(await paid(withdrawal.id), 201);
    await stage.report(move.id, 'settled', (await stage.move(move.id)).amount);
  });

  it('A reported withdrawal is seen by its partner and by executors alone', async () => {
    const [party, stranger] = [await stage.party(), await stage.party()];
    await stage.deposit(party.user, 100);
    const { id } = await requested(party, 10);
    expectError(await stranger.partner.api.get(`/withdrawals/${id}`), 404, 'not_found');
    expectError(await stranger.partner.api.get(`/users/${party.user}/withdrawals`), 404, 'not_found');
    expectError(await request(stranger.partner.api, party.user, 1), 404, 'not_found');
    expectError(await party.partner.api.post(`/withdrawals/${id}/taken`), 403, 'insufficient_scope');
    const { data } = (await stage.market.app.admin.get('/audit?operation=createWithdrawal&limit=1')).body;
    expect(data[0].subjects).toEqual(expect.arrayContaining([party.user, id]));
    expect(data[0].after[id]).toMatchObject({ status: 'requested', amount: 10 });
  });
});
