import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Account } from '../sandbox/account.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { newTxHash, TestMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { untilSettled } from '../support/settled.js';
import { bounded, countStored, fill, MIB, prefillTraffic, storedBy } from './stored.js';

describe('sandbox contract: the storage limit of an account', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, bounded({ book: 3, traffic: 3 }));
  });
  afterAll(() => app.close());

  const bookOf = async ({ id }: Account): Promise<number> => {
    await countStored(app);
    return (await storedBy(app, id)).book;
  };
  const deposit = (account: Account) =>
    account.api.post('/positions', { user_id: account.userId, asset: 'USDC', amount: 250 });

  it('The storage limit of an account stops deposits; a reset frees storage; another account has its own limit', async () => {
    const [full, other] = [await Account.open(app), await Account.open(app)];
    const { taken, refusal } = await fill(app, () => deposit(full));
    // Each takes 12 KiB, beside the history's 2.1 MiB.
    expect(taken).toBeGreaterThan(20);
    expect(taken).toBeLessThan(100);
    expect(refusal.body.error.message).toMatch(/Positions.* 3 MiB.*POST \/simulation\/reset/);
    expect(await full.list('/positions')).toHaveLength(taken);
    expect((await deposit(other)).status).toBe(201);

    await full.reset();
    // Only the month of history is left: eight vaults, two of cash, and two blended points an hour; and the audit log, which no reset empties.
    const [{ audited }] = (await app.sql<{ audited: number }>(
      'SELECT count(*)::int AS audited FROM audit_entries WHERE partner_id = $1',
      [full.id],
    )) as [{ audited: number }];
    expect(audited).toBeGreaterThan(taken);
    expect(await bookOf(full)).toBe(720 * 12 * 256 + 1024 * audited);
    expect((await deposit(full)).status).toBe(201);
  });

  it('An advance that does not fit has no effect', async () => {
    const account = await Account.open(app);
    for (let position = 0; position < 20; position++) expect((await deposit(account)).status).toBe(201);
    const before = [await account.read('/simulation/clock'), await bookOf(account)];
    expectError(await account.api.post('/simulation/clock/advance', { hours: 744 }), 409, 'quota_exceeded');
    const { hours_ahead } = await account.read('/simulation/clock');
    expect([hours_ahead, await bookOf(account)]).toEqual([before[0].hours_ahead, before[1]]);
    expect((await account.advance(24)).hours).toBe(24);
    expect(await bookOf(account)).toBeGreaterThan(before[1]);
  });

  it('Tiny withdrawals are bounded as well', async () => {
    const account = await Account.open(app);
    const { id } = await account.deposit(1_000);
    await prefillTraffic(app, account.id, 2.95 * MIB);
    await fill(app, () => account.api.post(`/positions/${id}/withdrawals`, { amount: 0.01 }));
  });

  it('The counted bytes equal the stored rows', async () => {
    await untilSettled(app);
    await countStored(app);
    const expected = await app.sql(`SELECT p.id,
              (SELECT count(*) FROM decisions d WHERE d.partner_id = p.id) * 8192
            + (SELECT coalesce(sum(CASE e.type WHEN 'deposit' THEN 3072 ELSE 768 END), 0) FROM ledger_entries e
                 JOIN positions o ON o.id = e.position_id WHERE o.partner_id = p.id)
            + (SELECT count(*) FROM audit_entries a WHERE a.partner_id = p.id) * 1024
            + (SELECT count(*) FROM snapshots s WHERE s.market_id = p.id) * 256
            + (SELECT count(*) FROM blended_points b WHERE b.market_id = p.id) * 256 AS book,
              (SELECT coalesce(sum(384 + pg_column_size(envelope)), 0) FROM events e WHERE e.partner_id = p.id)
            + (SELECT count(*) FROM deliveries d WHERE d.partner_id = p.id) * 1024 AS traffic
         FROM partners p JOIN stored_bytes s ON s.partner_id = p.id ORDER BY 1`);
    const counted = await app.sql(`SELECT partner_id AS id, book, traffic FROM stored_bytes ORDER BY 1`);
    expect(counted).toEqual(expected);
  });
});

describe('partner contract: the storage limit of positions', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await TestMarket.start('partner', { adjust: bounded({ book: 1 }) });
  });
  afterAll(() => market.close());

  it('The storage limit of positions refuses deposits beyond it, permits withdrawals, and is separate for each partner', async () => {
    const user = await market.createUser();
    const other = await market.createUser(await createPartner(market.app.admin));
    const deposit = (userId: string) =>
      market.protocol.post('/positions', {
        user_id: userId,
        asset: 'USDC',
        amount: 10,
        tx_hash: newTxHash(),
      });
    const first = await deposit(user);
    const { refusal } = await fill(market.app, () => deposit(user));
    expect(refusal.body.error.message).toMatch(/Positions.* 1 MiB/);
    expect((await storedBy(market.app, market.partner.id)).book).toBeGreaterThan(MIB);
    const { id } = first.body.data;
    const paid = { amount: 1, tx_hash: newTxHash() };
    expect((await market.protocol.post(`/positions/${id}/withdrawals`, paid)).status).toBe(201);
    expect((await deposit(other)).status).toBe(201);
    expect((await market.partner.api.get('/partner/summary')).status).toBe(200);
  });
});
