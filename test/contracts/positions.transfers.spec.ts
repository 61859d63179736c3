import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/domain/kernel/clock.js';
import type { Answer, Api } from '../support/api.js';
import { expectError } from '../support/expected-error.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { untilSettled } from '../support/settled.js';
const USDT0_VAULTS = [
  ...['vlt_aave_v3_usdt0_plasma', 'vlt_aave_v3_usdt0_arbitrum', 'vlt_compound_v3_usdt0_arbitrum'],
  ...['vlt_fluid_usdt0', 'vlt_maple_syrup_usdt0'],
];

describe('partner contract: settled transfers', () => {
  let market: TestMarket;
  let user: string;

  beforeAll(async () => {
    const silent = Object.fromEntries(USDT0_VAULTS.map((id): [string, null] => [id, null]));
    market = await startMarket('partner', { yields: silent });
    user = await market.createUser();
  });
  afterAll(() => market.close());

  const depositBody = (over: object = {}) => ({
    user_id: user,
    asset: 'USDC',
    amount: 10,
    tx_hash: newTxHash(),
    ...over,
  });
  const deposit = (over?: object, headers?: Record<string, string>, api = market.protocol): Promise<Answer> =>
    api.post('/positions', depositBody(over), headers);
  const withdraw = (id: string, over: object = {}, headers?: Record<string, string>): Promise<Answer> =>
    market.protocol.post(`/positions/${id}/withdrawals`, { tx_hash: newTxHash(), ...over }, headers);
  const positionOf = async (owner: string, amount = 100): Promise<string> =>
    (await market.deposit(owner, amount)).id;

  /** Events that were raised for a position, in order. */
  const eventsOf = async (id: string): Promise<string[]> => {
    const rows = await market.app.sql<{ type: string }>(
      `SELECT envelope->>'type' AS type FROM events WHERE envelope #>> '{data,id}' = $1 ORDER BY id`,
      [id],
    );
    return rows.map(({ type }) => type);
  };
  /** Every row that a transfer writes. */
  const state = async (): Promise<unknown> => {
    const tables = [
      ...['positions', 'ledger_entries', 'decisions', 'events', 'settlements', 'idempotency_claims'],
      ...['book_shares', 'book_totals', 'book_points', 'book_revenue', 'revenue_accounts', 'vault_shares'],
    ];
    const rows = tables.map(
      (name) =>
        `SELECT '${name}' AS name, md5(string_agg(t::text, '|' ORDER BY t::text)) AS rows FROM ${name} t`,
    );
    return market.app.sql(rows.join(' UNION ALL '));
  };
  const expectNoEffect = async (work: () => Promise<unknown>): Promise<void> => {
    // Earlier events are marked as fanned out a moment later; the test waits for that.
    await untilSettled(market.app);
    const before = await state();
    await work();
    expect(await state()).toEqual(before);
  };

  it('Settled transfers that report one deposit 12 times at once open one position', async () => {
    const tx_hash = newTxHash();
    const owner = await market.createUser();
    const answers = await Promise.all(Array.from({ length: 12 }, () => deposit({ tx_hash, user_id: owner })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(11);
    refused.forEach((answer) => expectError(answer, 409, 'settlement_already_recorded'));
    expect((await market.protocol.get(`/positions?user_id=${owner}`)).body.data).toHaveLength(1);
  });

  it('Settled transfers that report one withdrawal 12 times at once pay it once; a refused hash can be reported again', async () => {
    const id = await positionOf(user);
    const tx_hash = newTxHash();
    expectError(await withdraw(id, { tx_hash, amount: 1000 }), 409, 'insufficient_balance');
    const answers = await Promise.all(Array.from({ length: 12 }, () => withdraw(id, { tx_hash, amount: 1 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await market.protocol.get(`/positions/${id}`)).body.data.principal).toBe(99);
  });

  it('Settled transfers sent at once cannot withdraw more than the balance together', async () => {
    const id = await positionOf(user, 100);
    const answers = await Promise.all(Array.from({ length: 6 }, () => withdraw(id, { amount: 30 })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(3);
    refused.forEach((answer) => expectError(answer, 409, 'insufficient_balance'));
    expect((await market.protocol.get(`/positions/${id}`)).body.data.principal).toBe(10);
  });

  it('Settled transfers of a disabled partner: deposits are refused, withdrawals succeed', async () => {
    const disabled = await createPartner(market.app.admin);
    const owner = await market.createUser(disabled);
    const id = await positionOf(owner);
    await market.app.admin.patch(`/partners/${disabled.id}`, { status: 'disabled' });
    await expectNoEffect(async () => expectError(await deposit({ user_id: owner }), 409, 'partner_disabled'));
    expect((await withdraw(id)).body.data).toMatchObject({ status: 'closed', amount: 100 });
  });

  it('Settled transfers of an asset without any observed vault are pending, as cash, and can be withdrawn', async () => {
    const made = await deposit({ asset: 'USDT0', amount: 12.5 });
    expect(made.body.data).toMatchObject({
      status: 'pending',
      vault_id: 'vlt_idle_usdt0',
      origin_vault_id: null,
      active_at: null,
      value: 12.5,
      apy: 0,
    });
    const id = made.body.data.id as string;
    const raised = await eventsOf(id);
    expect(raised).toEqual(['position.opened']);
    const filtered = await market.protocol.get('/positions?status=pending');
    expect(filtered.body.data.map((position: { id: string }) => position.id)).toEqual([id]);
    const part = await withdraw(id, { amount: 2.5 });
    expect(part.body.data).toMatchObject({ status: 'pending', value: 10, amount: 2.5 });
    expect((await withdraw(id)).body.data).toMatchObject({
      status: 'closed',
      origin_vault_id: null,
      amount: 10,
    });
    expect(await eventsOf(id)).toEqual([
      'position.opened',
      'position.withdrawn',
      'position.withdrawn',
      'position.closed',
    ]);
  });

  describe('whose positions are read', () => {
    let [partner, other]: TestPartner[] = [];
    /** Positions of either partner, newest first: all of one instant, so that the id is the tie-break. */
    const made: string[][] = [[], []];
    let closed: string;
    beforeAll(async () => {
      [partner, other] = [await createPartner(market.app.admin), await createPartner(market.app.admin)];
      const users = [await market.createUser(partner), await market.createUser(other)];
      const instant = market.now();
      market.app.application.get(Clock).now = () => instant;
      for (let n = 0; n < 8; n++) made[n % 2]!.unshift((await market.deposit(users[n % 2]!, n + 1)).id);
      market.app.application.get(Clock).now = () => market.now();
      [closed] = made[0] as [string];
      await market.withdraw(closed, null);
    });

    const listed = async (api: Api, query = ''): Promise<string[]> => {
      const { status, body } = await api.get(`/positions?${query}`);
      expect([status, body.object]).toEqual([200, 'list']);
      return body.data.map(({ id }: { id: string }) => id);
    };

    it('Settled transfers whose positions are read show each partner its own, newest first, and a write key all of them; the scope read is refused', async () => {
      expect([await listed(partner!.api), await listed(other!.api)]).toEqual(made);
      const all = await listed(market.protocol, 'limit=500');
      expect(all.filter((id) => made.flat().includes(id))).toEqual(made.flat().sort().reverse());
      const { body } = await market.app.admin.post('/keys', {
        label: 'b',
        scopes: ['read'],
        partner_id: partner!.id,
      });
      for (const path of ['/positions', `/positions/${closed}`])
        for (const api of [market.reader, market.app.admin.as(body.data.secret)])
          expectError(await api.get(path), 403, 'insufficient_scope');
    });

    it('Settled transfers whose positions are read are filtered by status, alone and combined', async () => {
      expect(await listed(partner!.api, 'status=closed&asset=USDC')).toEqual([closed]);
      expect(await listed(partner!.api, 'status=active')).toEqual(made[0]!.slice(1));
      for (const none of ['status=closed&asset=USDT0', 'status=pending'])
        expect(await listed(partner!.api, none)).toEqual([]);
    });
  });
});
