import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { shortMarkets, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { Account, startSandboxAt } from './account.js';

const IDLE = 'vlt_idle_usdc';

/** Moves of an account, each status of which a scenario produces at will. */
describe('moves of the sandbox', () => {
  let app: TestApp;
  let account: Account;
  let position: any;

  beforeAll(async () => {
    app = await startSandboxAt('2026-11-20T12:00:00Z', shortMarkets);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    account = await Account.open(app);
    position = await account.deposit(10_000);
    expect(position.vault_id).not.toBe(IDLE);
  });

  const moves = (query = ''): Promise<any[]> => account.list(`/moves${query === '' ? '' : `?${query}`}`);
  const present = (): Promise<any> => account.read(`/positions/${position.id}`);
  /** Sets a scenario, and has the policy move the position in its first hour. @returns the move */
  const moveUnder = async (scenario: string): Promise<any> => {
    await account.bend(scenario);
    await account.forbid(app, position.vault_id);
    await account.advance(1);
    const [move, ...others] = await moves();
    expect(others).toEqual([]);
    expect(move).toMatchObject({ object: 'move_order', urgent: true, reason: 'policy', positions: 1 });
    expect(move).toMatchObject({ partner_id: account.id, asset: 'USDC', from_vault_id: position.vault_id });
    expect(move).not.toHaveProperty('calls');
    return move;
  };

  it('Moves of the sandbox are settled in the hour that decides them, without a scenario in their way', async () => {
    const move = await moveUnder('calm');
    const { vault_id, value, costs } = await present();
    expect(move).toMatchObject({ status: 'settled', to_vault_id: vault_id, failure: null, redeemed: null });
    expect(move).toMatchObject({ amount: value, cost: costs, taken_by: null, review: null });
    expect(move.settled).toEqual({ tx_hash: null, amount: value, at: move.ended_at, check: null });
    expect(move.cost).toBeGreaterThan(0);
    expect(await account.read(`/moves/${move.id}`)).toEqual(move);
    const [decision] = await account.list('/analytics/decisions?kind=rebalance');
    expect(decision).toMatchObject({ id: move.decision_id, order: { id: move.id, state: 'arrived' } });
    expect(await moves('status=settled')).toEqual([move]);
    expect(await moves('status=failed')).toEqual([]);
    expect(await moves(`position_id=${position.id}`)).toEqual([]);
  });

  it('Moves of the sandbox stay requested while the executor is stalled, lapse after a day, and settle when it is back', async () => {
    const move = await moveUnder('stalled');
    const waiting = await present();
    expect(waiting).toMatchObject({ vault_id: position.vault_id, costs: 0 });
    expect(move).toMatchObject({ status: 'requested', taken_at: null, settled: null, ended_at: null });
    // What its funds are worth now, in the account's own market.
    expect(move.amount).toBe(waiting.value);
    expect(waiting.value).toBeGreaterThan(10_000);
    await account.advance(23);
    expect(await moves()).toEqual([{ ...move, amount: (await present()).value }]);
    await account.advance(1);
    const [again, lapsed, ...others] = await moves();
    expect(others).toEqual([]);
    expect(lapsed).toMatchObject({ id: move.id, status: 'failed', failure: 'lapsed', settled: null });
    expect(again).toMatchObject({ status: 'requested', from_vault_id: position.vault_id });
    await account.advance(5);
    expect((await moves())[0]).toMatchObject({ id: again.id, status: 'requested' });
    await account.advance(1);
    const [settled] = await moves();
    expect(settled).toMatchObject({ id: again.id, status: 'settled', failure: null });
    expect(Date.parse(settled.taken_at) - Date.parse(move.requested_at)).toBe(30 * HOUR_MS);
    expect(await present()).toMatchObject({ vault_id: settled.to_vault_id, costs: settled.cost });
    // Its outcome is counted from when it arrived.
    expect(
      await app.sql('SELECT arrives_hour = ended_at AS late FROM move_orders WHERE id = $1', [settled.id]),
    ).toEqual([{ late: true }]);
  });

  it('Moves of the sandbox are carried out with the next hour when another scenario replaces the stalled one', async () => {
    const { id } = await moveUnder('stalled');
    await account.bend('calm');
    await account.advance(1);
    expect(await moves()).toEqual([expect.objectContaining({ id, status: 'settled' })]);
  });

  it('Moves of the sandbox end as empty when all of their funds are withdrawn first', async () => {
    const { id } = await moveUnder('stalled');
    await account.withdraw(position.id);
    await account.advance(1);
    expect(await moves()).toEqual([expect.objectContaining({ id, status: 'failed', failure: 'empty' })]);
  });

  it('Moves of the sandbox arrive a day later where vaults pay out by a queue; their funds are cash until then', async () => {
    const move = await moveUnder('queue');
    const openOrders = await present();
    expect(openOrders).toMatchObject({ vault_id: IDLE, status: 'active', value: move.amount });
    expect(move).toMatchObject({ status: 'arriving', settled: null, ended_at: null });
    expect(move.redeemed).toMatchObject({ tx_hash: null, amount: openOrders.value });
    await account.advance(23);
    expect(await account.read(`/moves/${move.id}`)).toEqual(move);
    await account.advance(1);
    const settled = await account.read(`/moves/${move.id}`);
    const { vault_id, costs } = await present();
    expect(settled).toMatchObject({ status: 'settled', to_vault_id: vault_id, cost: costs });
    expect(settled.cost).toBeGreaterThan(move.cost);
    expect(Date.parse(settled.ended_at) - Date.parse(move.redeemed.at)).toBe(24 * HOUR_MS);
  });

  it('Moves of the sandbox fail where their target is full when the funds arrive: these stay cash until a vault takes them', async () => {
    const { id } = await moveUnder('queue');
    await account.bend('full');
    await account.advance(1);
    const capacities = (await account.list('/vaults')).map(({ capacity }) => capacity);
    expect(new Set(capacities)).toEqual(new Set([0]));
    expect(await account.deposit(100)).toMatchObject({ vault_id: IDLE, status: 'pending' });
    await account.advance(23);
    const failed = await account.read(`/moves/${id}`);
    expect(failed).toMatchObject({ status: 'failed', failure: 'refused', settled: null });
    expect(failed.note).toBe(`${failed.to_vault_id} no longer accepts the funds.`);
    expect(await present()).toMatchObject({ vault_id: IDLE, status: 'active' });
    await account.bend('calm');
    await account.advance(1);
    const [entered] = await moves();
    expect(entered).toMatchObject({ status: 'settled', from_vault_id: IDLE, positions: 2 });
    expect(await present()).toMatchObject({ vault_id: entered.to_vault_id });
  });

  it('Moves of the sandbox fail where their target is full when the executor takes them up: the funds have not left', async () => {
    const { id } = await moveUnder('stalled');
    await account.bend('full');
    await account.advance(1);
    expect(await moves()).toEqual([
      expect.objectContaining({ id, status: 'failed', failure: 'refused', redeemed: null }),
    ]);
    expect(await present()).toMatchObject({ vault_id: position.vault_id });
  });

  it('Moves of the sandbox are seen by their account alone', async () => {
    const { id } = await moveUnder('calm');
    const other = await Account.open(app);
    expect(await other.list('/moves')).toEqual([]);
    expectError(await other.api.get(`/moves/${id}`), 404, 'not_found');
    expectError(await other.api.get(`/moves?position_id=${position.id}`), 404, 'not_found');
    expectError(await app.admin.get('/moves'), 403, 'partner_key_required');
    expectError(await account.api.post(`/moves/${id}/failed`, { note: 'mine' }), 404, 'route_not_found');
  });
});
