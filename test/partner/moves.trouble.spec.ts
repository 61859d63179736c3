import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import { expectError } from '../support/expected-error.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { A, B, C, IDLE, MovesStage } from '../support/moves.js';

/** Failures between a decision and its settlement, and concurrent reports. */
describe('partner contract: a reported move that fails, lapses or is urgent', () => {
  let stage: MovesStage;

  beforeAll(async () => {
    stage = await MovesStage.start();
  });
  afterEach(async () => {
    for (const id of [A, B, C]) stage.vault(id).active = true;
    expect(await stage.differences()).toEqual([]);
  });
  afterAll(() => stage.close());

  const report = (amount: number) => ({ tx_hash: newTxHash(), amount });
  const metric = async (name: string): Promise<number> => {
    await stage.market.app.application.get(DeploymentCounts).countOrders();
    const text = await stage.market.app.metrics();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  };

  it('A move lapses if no executor takes it up, and its funds are evaluated again; one that was taken up does not lapse', async () => {
    const { partner, move } = await stage.ordered();
    await stage.hours(2);
    expect(await metric('vaultline_move_orders{status="requested"}')).toBe(1);
    expect(await metric('vaultline_move_orders_oldest_requested_seconds')).toBeGreaterThanOrEqual(7_200);
    await stage.hours(1);
    expect(await stage.move(move.id)).toMatchObject({ status: 'failed', failure: 'lapsed' });
    expect(stage.market.app.logs()).toContain('"failure":"lapsed"');
    const decisions = dataOf(await partner.api.get('/analytics/decisions?kind=rebalance'), 200);
    expect(decisions.find(({ id }: any) => id === move.decision_id)).toMatchObject({
      order: { state: 'lapsed' },
      rationale: expect.stringMatching(/^Decided to move /),
    });
    expectError(await stage.post(`/moves/${move.id}/redeemed`, report(move.amount)), 409, 'move_not_open');
    const [anew] = await stage.openOf(partner);
    expect(anew).toMatchObject({ from_vault_id: A, to_vault_id: B, positions: 2 });
    await stage.done(`/moves/${anew.id}/taken`);
    expectError(await stage.post(`/moves/${anew.id}/taken`), 409, 'move_already_reported');
    await stage.hours(5);
    expect(await stage.move(anew.id)).toMatchObject({ status: 'redeeming' });
    await stage.done(`/moves/${anew.id}/failed`, { note: 'end of the test' });
  });

  it('A move that fails before its redemption leaves the funds in place; after it they are cash, and evaluated again', async () => {
    const { partner, ids, move } = await stage.ordered();
    expectError(await stage.post(`/moves/${move.id}/settled`, report(move.amount)), 409, 'move_not_open');
    const failure = { note: 'The vault reverted.' };
    const failed = await stage.done(`/moves/${move.id}/failed`, failure);
    expect(failed).toMatchObject({ status: 'failed', failure: 'reported', note: failure.note });
    expect(await stage.done(`/moves/${move.id}/failed`, failure)).toEqual(failed);
    expectError(await stage.post(`/moves/${move.id}/failed`, { note: 'x' }), 409, 'move_already_reported');
    expect(await stage.position(ids[0])).toMatchObject({ vault_id: A });
    const again = await stage.untilOrdered(partner);
    expect(again).toMatchObject({ from_vault_id: A, to_vault_id: B });
    await stage.report(again.id, 'redeemed', again.amount);
    await stage.done(`/moves/${again.id}/failed`, failure);
    expect(await stage.position(ids[0])).toMatchObject({ vault_id: IDLE, status: 'active' });
    const cash = await stage.untilOrdered(partner);
    expect(cash).toMatchObject({ from_vault_id: IDLE, to_vault_id: B, amount: again.amount });
    await stage.report(cash.id, 'settled', cash.amount - 1);
    expect(await stage.position(ids[0])).toMatchObject({ vault_id: B });
  });

  it('A move is urgent for an eviction, and replaces an order that was not taken up', async () => {
    const { partner, ids, move } = await stage.ordered();
    stage.vault(A).active = false;
    const { evictions } = await stage.hours();
    expect(evictions).toContainEqual(expect.objectContaining({ fromVaultId: A, toVaultId: B }));
    expect(await stage.move(move.id)).toMatchObject({ status: 'failed', failure: 'superseded' });
    const [urgent] = await stage.openOf(partner);
    expect(urgent).toMatchObject({ urgent: true, reason: 'evicted', from_vault_id: A, to_vault_id: B });
    // The target is evicted as well: the next order leads elsewhere, and finally into cash.
    stage.vault(B).active = false;
    await stage.hours();
    const [other] = await stage.openOf(partner);
    expect(other).toMatchObject({ urgent: true, to_vault_id: C });
    stage.vault(C).active = false;
    await stage.hours();
    const [cash] = await stage.openOf(partner);
    expect(cash).toMatchObject({ urgent: true, to_vault_id: IDLE, expected_cost: 1 });
    await stage.done(`/moves/${cash.id}/taken`);
    await stage.hours();
    expect(await stage.openOf(partner)).toEqual([]);
    const { amount } = await stage.move(cash.id);
    expect(await stage.report(cash.id, 'redeemed', amount - 5)).toMatchObject({ status: 'settled', cost: 5 });
    expect(await stage.position(ids[0])).toMatchObject({ vault_id: IDLE });
    expectError(await stage.post(`/moves/${cash.id}/settled`, report(amount - 5)), 409, 'move_not_open');
  });

  it('A move is urgent when the policy excludes its vault, and ordered once; the policy is checked again for its target when it is taken up', async () => {
    const { partner, ids, move } = await stage.ordered();
    const allow = (...allowed_vaults: string[]) =>
      partner.api.put('/partner/policy', {
        allowed_vaults,
        max_risk_tier: null,
        min_gain: null,
        paused: false,
      });
    expect((await allow(B, C)).status).toBe(200);
    await stage.hours();
    expect(await stage.move(move.id)).toMatchObject({ status: 'failed', failure: 'superseded' });
    const [urgent] = await stage.openOf(partner);
    expect(urgent).toMatchObject({ urgent: true, reason: 'policy', from_vault_id: A, to_vault_id: B });
    await stage.hours();
    expect((await stage.openOf(partner)).map(({ id }: any) => id)).toEqual([urgent.id]);
    await allow(C);
    expect(await stage.done(`/moves/${urgent.id}/taken`)).toMatchObject({ failure: 'refused' });
    await stage.hours();
    const [other] = await stage.openOf(partner);
    expect(other).toMatchObject({ reason: 'policy', from_vault_id: A, to_vault_id: C });
    await stage.report(other.id, 'redeemed', other.amount);
    await stage.report(other.id, 'settled', other.amount);
    expect(await stage.position(ids[0])).toMatchObject({ vault_id: C });
  });

  it('A move ends in cash if its target no longer takes the redeemed funds', async () => {
    const { ids, move } = await stage.ordered();
    stage.vault(B).active = false;
    const redeemed = await stage.report(move.id, 'redeemed', move.amount);
    expect(redeemed).toMatchObject({
      status: 'failed',
      failure: 'refused',
      redeemed: { amount: move.amount },
    });
    expect(await stage.position(ids[0])).toMatchObject({ vault_id: IDLE });
    expectError(await stage.post(`/moves/${move.id}/settled`, report(move.amount)), 409, 'move_not_open');
  });

  it('A move cannot be taken up once its target no longer takes the funds', async () => {
    const { move } = await stage.ordered();
    stage.vault(B).active = false;
    expect(await stage.done(`/moves/${move.id}/taken`)).toMatchObject({
      status: 'failed',
      failure: 'refused',
    });
  });

  it('A move is changed once by a repeated report of any executor; a different report is refused', async () => {
    const { ids, move } = await stage.ordered();
    const body = report(move.amount - 12);
    const key = { 'idempotency-key': randomUUID() };
    const path = `/moves/${move.id}/redeemed`;
    const sent = [
      stage.post(path, body),
      stage.post(path, body, key),
      stage.post(path, report(move.amount - 9)),
    ];
    const answers = await Promise.all(sent);
    const won = answers.find(({ status }) => status === 201)!;
    const kept = won.body.data.redeemed.tx_hash === body.tx_hash ? body : null;
    expect(answers.map(({ status }) => status).sort()).toEqual(kept ? [201, 201, 409] : [201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expectError(refused, 409, 'move_already_reported');
    const { amount, tx_hash } = won.body.data.redeemed;
    // A hash is the same transfer in either letter case.
    const upper = { tx_hash: `0x${tx_hash.slice(2).toUpperCase()}`, amount };
    expect((await stage.done(path, upper)).redeemed).toEqual(won.body.data.redeemed);
    const [entries] = await stage.sql<{ count: number; sum: string }>(
      `SELECT count(*)::int AS count, sum(amount) AS sum FROM ledger_entries WHERE decision_id = $1 AND type = 'rebalance'`,
      [move.decision_id],
    );
    expect(entries).toEqual({ count: 2, sum: String(Math.round(amount * 1e6)) });
    expectError(
      await stage.post(`/moves/${move.id}/settled`, report(amount - 10_000)),
      422,
      'amount_out_of_bounds',
    );
    await stage.report(move.id, 'settled', amount);
    expect(await stage.position(ids[0])).toMatchObject({ vault_id: B });
    expect((await stage.done(path, upper)).status).toBe('settled');
  });

  it('A failed or lapsed move is verified against the entries by ledger verify', async () => {
    const { move } = await stage.ordered();
    await stage.report(move.id, 'redeemed', move.amount - 1);
    const spoil = (set: string) => stage.sql(`UPDATE move_orders SET ${set} WHERE id = $1`, [move.id]);
    const paid = Math.round((move.amount - 1) * 1e6);
    await spoil('redeemed_amount = redeemed_amount + 1, cost = cost - 1, gain = 2');
    expect(await stage.differences()).toEqual([
      `${move.id}: what was redeemed is ${paid + 1}, but according to the ledger it is ${paid}`,
      expect.stringMatching(`^${move.id}: its cost is \\d+, but according to the ledger it is \\d+$`),
      `${move.id}: its gain is 2, but according to the ledger it is 0`,
      expect.stringMatching(`${move.id}: redeemed_amount is .* according to the audit log it is`),
      expect.stringMatching(
        `^${move.id}: its report as redeemed is unchecked, but is about ${paid} by 0x\\w+, where ${paid + 1} was reported`,
      ),
    ]);
    await spoil("redeemed_amount = redeemed_amount - 1, cost = cost + 1, gain = 0, status = 'redeeming'");
    expect(await stage.differences()).toEqual([
      `${move.id}: is redeeming, but positions are in transit by ${move.decision_id}`,
    ]);
    await spoil("status = 'arriving'");
  });
});
