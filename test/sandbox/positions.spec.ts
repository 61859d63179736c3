import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { Account } from './account.js';

const ABSENT = '01kaabcdefghjkmnpqrstvwxyz';

/** Deposits and withdrawals that an account simulates with its own key: nothing settles, nobody else reports them. */
describe('simulated positions', () => {
  let app: TestApp;
  let account: Account;
  let position: any;

  beforeAll(async () => {
    app = await startApp('sandbox');
    account = await Account.open(app);
    position = await account.deposit(250.5);
  });
  afterAll(() => app.close());

  it('are opened in a vault of the account’s market, at its now', async () => {
    expect(position).toMatchObject({
      object: 'position',
      user_id: account.userId,
      asset: 'USDC',
      status: 'active',
      principal: 250.5,
      closed_at: null,
    });
    expect(position.value).toBe(250.5);
    const vaults = await account.list('/vaults');
    expect(vaults.find(({ id }) => id === position.vault_id)).toMatchObject({ asset: 'USDC', stale: false });
  });

  it('are listed and read with the same key', async () => {
    expect((await account.read(`/positions/${position.id}`)).id).toBe(position.id);
    expect((await account.list('/positions')).map(({ id }) => id)).toEqual([position.id]);
    expect(await account.list('/positions?asset=USDT')).toEqual([]);
  });

  it('pay out an amount, or without a body everything', async () => {
    const { id } = await account.deposit(100);
    expect(await account.withdraw(id, 40)).toMatchObject({ status: 'active', amount: 40 });
    const rest = await account.withdraw(id);
    expect(rest).toMatchObject({ status: 'closed', value: 0 });
    expect(rest.amount).toBeCloseTo(60, 4);
    const second = await account.deposit(10);
    expect((await account.api.post(`/positions/${second.id}/withdrawals`, {})).body.data.status).toBe(
      'closed',
    );
  });

  it('pay out no more than there is, and nothing once closed', async () => {
    const { id } = await account.deposit(5);
    const path = `/positions/${id}/withdrawals`;
    expectError(await account.api.post(path, { amount: 5.1 }), 409, 'insufficient_balance');
    await account.withdraw(id);
    for (const body of [undefined, {}, { amount: 1 }])
      expectError(await account.api.post(path, body), 409, 'position_closed');
  });

  it('refuse what is not valid, and what nobody has', async () => {
    const deposit = { user_id: account.userId, asset: 'USDC', amount: 1 };
    for (const [field, value] of [
      ['amount', 0],
      ['amount', -1],
      ['amount', 1e13],
      ['amount', 0.0000001],
      ['amount', '1'],
      ['asset', 'USDT0'],
      ['tx_hash', `0x${'ab'.repeat(32)}`],
    ] as const) {
      const answer = await account.api.post('/positions', { ...deposit, [field]: value });
      expectError(answer, 400, 'validation_failed');
      expect([value, fieldsOf(answer)]).toEqual([value, [field]]);
    }
    const unknown = { ...deposit, user_id: `usr_${ABSENT}` };
    expectError(await account.api.post('/positions', unknown), 404, 'not_found');
    expectError(await account.api.post(`/positions/pos_${ABSENT}/withdrawals`), 404, 'not_found');
  });

  it('are the account’s own: no deposit for another’s user, and none with a key that is not bound', async () => {
    const other = await Account.open(app);
    const deposit = { user_id: account.userId, asset: 'USDC', amount: 1 };
    expectError(await other.api.post('/positions', deposit), 404, 'not_found');
    const { body } = await app.admin.post('/keys', { label: 'w', scopes: ['write', 'read'] });
    const unbound = app.admin.as(body.data.secret);
    expectError(await unbound.post('/positions', deposit), 403, 'partner_key_required');
  });

  it('are opened once for an Idempotency-Key', async () => {
    const deposit = { user_id: account.userId, asset: 'USDT', amount: 3 };
    const key = { 'idempotency-key': 'payment-3' };
    const [first, again] = [
      await account.api.post('/positions', deposit, key),
      await account.api.post('/positions', deposit, key),
    ];
    expect(again.text).toBe(first.text);
    expect(await account.list('/positions?asset=USDT')).toHaveLength(1);
  });
});
