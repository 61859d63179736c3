import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

describe('balances of a user', () => {
  let app: TestApp;
  let partner: TestPartner;
  beforeAll(async () => {
    app = await startApp('sandbox', { RATE_LIMIT_PER_MINUTE: '0' }, undefined, shortMarkets);
    partner = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  const created = async (path: string, input: object): Promise<any> => {
    const { status, text, body } = await partner.api.post(path, input);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`);
    return body.data;
  };
  const balancesOf = async (id: string): Promise<any[]> =>
    (await partner.api.get(`/users/${id}`)).body.data.balances;
  const micro = (amount: number): bigint => BigInt(Math.round(amount * 1e6));

  it('The balance of a user is the sum of its open positions to the micro-unit, now and as of a moment', async () => {
    const { id: user_id } = await created('/users', { external_id: 'balance:1' });
    expect(await balancesOf(user_id)).toEqual([]);
    for (const [asset, amount] of [
      ['USDC', 1_000.000001],
      ['USDC', 0.3],
      ['USDT', 250],
    ] as const)
      await created('/positions', { user_id, asset, amount });
    expect((await partner.api.post('/simulation/clock/advance', { hours: 30 })).status).toBe(200);
    const valuesOf = async (query = ''): Promise<[asset: string, micro: bigint, count: number][]> => {
      const rows = (await partner.api.get(`/positions?user_id=${user_id}${query}`)).body.data as any[];
      return [...Map.groupBy(rows, ({ asset }) => asset as string)]
        .map(([asset, own]): [string, bigint, number] => [
          asset,
          own.reduce((sum, { value }) => sum + micro(value), 0n),
          own.length,
        ])
        .toSorted();
    };
    const shown = (balances: any[]) =>
      balances.map(({ asset, value, positions }) => [asset, micro(value), positions]);

    const before = await valuesOf();
    const balances = await balancesOf(user_id);
    const [{ balances: listed, net_tvl }] = (await partner.api.get('/partner/users?external_id=balance:1'))
      .body.data;
    const after = await valuesOf();
    for (const [at, [asset, value, count]] of before.entries())
      for (const balance of [balances[at], listed[at]]) {
        expect(balance).toMatchObject({ asset, positions: count, available: balance.value });
        expect(micro(balance.value) >= value && micro(balance.value) <= after[at]![1]).toBe(true);
      }
    // Of one moment: the net TVL is rounded down by vault, a balance by position.
    const sum = listed.reduce((total: bigint, { value }: any) => total + micro(value), 0n);
    expect(micro(net_tvl) - sum).toBeGreaterThanOrEqual(0n);
    expect(micro(net_tvl) - sum).toBeLessThan(3n);
    expect(before.map(([asset, , count]) => [asset, count])).toEqual([
      ['USDC', 2],
      ['USDT', 1],
    ]);

    const as_of = (await partner.api.get('/partner/summary')).body.data.as_of as string;
    const [past] = (await partner.api.get(`/partner/users?as_of=${as_of}&ids=${user_id}`)).body.data;
    expect(shown(past.balances)).toEqual(await valuesOf(`&as_of=${as_of}`));
    for (const { available } of past.balances) expect(available).toBeNull();
  });

  it('A balance that a double does not hold has an exact text beside it', async () => {
    const { id: user_id } = await created('/users', { external_id: 'balance:rich' });
    for (let part = 0; part < 9; part++) await created('/positions', { user_id, asset: 'USDC', amount: 1e9 });
    await created('/positions', { user_id, asset: 'USDC', amount: 0.000001 });
    const [{ value_exact, available_exact }] = await balancesOf(user_id);
    expect([value_exact, available_exact]).toEqual(['9000000000.000001', '9000000000.000001']);
  });

  it('A 409 names the user that has the external id or the wallets', async () => {
    const wallets = [
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    ];
    const first = await created('/users', { external_id: 'taken:1', wallets: [wallets[0]] });
    const second = await created('/users', { external_id: 'taken:2', wallets: [wallets[1]] });
    const byExternalId = await partner.api.post('/users', { external_id: 'taken:1' });
    expectError(byExternalId, 409, 'external_id_taken');
    expect(byExternalId.body.error.details[0].user_id).toBe(first.id);
    const byWallets = await partner.api.post('/users', { external_id: 'taken:3', wallets });
    expectError(byWallets, 409, 'wallet_taken');
    expect(fieldsOf(byWallets).toSorted()).toEqual(['wallets[0]', 'wallets[1]']);
    expect(byWallets.body.error.details.map(({ user_id }: any) => user_id).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    );
  });

  it('A wallet with a wrong checksum is no filter', async () => {
    const answer = await partner.api.get('/partner/users?wallet=0xFb6916095ca1df60bB79Ce92cE3Ea74c37c5d359');
    expectError(answer, 400, 'validation_failed');
    expect(fieldsOf(answer)).toEqual(['wallet']);
  });
});
