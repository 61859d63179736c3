import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { differencesOf } from '../support/differences.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { newTxHash, startMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';

const ABSENT = 'usr_01kaabcdefghjkmnpqrstvwxyz';
const [FIRST, SECOND, THIRD] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
] as const;

/** Operations of a partner on its existing users: changes, blocks, deletions. */
describe.each(eitherContract('sandbox'))('%s contract: a user', (contract) => {
  const schema = schemaOf(contract);
  let app: TestApp;
  let partner: TestPartner;
  let other: TestPartner;
  /** The caller that deposits for the partner. */
  let protocol: Api;
  let close: () => Promise<void>;
  let count = 0;

  beforeAll(async () => {
    if (contract === 'partner') {
      const market = await startMarket('partner', { env: { RATE_LIMIT_PER_MINUTE: '0' } });
      ({ app, partner, protocol } = market);
      close = () => market.close();
    } else {
      app = await startApp('sandbox', { RATE_LIMIT_PER_MINUTE: '0' }, undefined, shortMarkets);
      partner = await createPartner(app.admin);
      protocol = partner.api;
      close = () => app.close();
    }
    other = await createPartner(app.admin);
  });
  afterAll(() => close());

  const created = async (input: object = {}): Promise<any> => {
    const { status, text, body } = await partner.api.post('/users', {
      external_id: `user:${++count}`,
      ...input,
    });
    if (status !== 201) throw new Error(`POST /users answered ${status}: ${text}`);
    return body.data;
  };
  const change = (id: string, input: unknown): Promise<Answer> => partner.api.patch(`/users/${id}`, input);
  const deposit = (user_id: string): Promise<Answer> =>
    protocol.post('/positions', {
      user_id,
      asset: 'USDC',
      amount: 100,
      ...(contract === 'partner' && { tx_hash: newTxHash() }),
    });
  const summary = async (): Promise<any> => (await partner.api.get('/partner/summary')).body.data;

  describe('a change', () => {
    it('A change leaves fields that are not sent, and returns the user', async () => {
      const user = await created({ wallets: [FIRST], email: 'a@acme.example', metadata: { tier: 'gold' } });
      const { status, body } = await change(user.id, { label: 'Renamed' });
      expect(status).toBe(200);
      const updated_at = body.data.updated_at;
      expect(updated_at >= user.updated_at).toBe(true);
      expect(body).toEqual({ object: 'user', data: { ...user, label: 'Renamed', updated_at } });
      expect((await change(user.id, {})).body.data).toMatchObject({ label: 'Renamed', wallets: [FIRST] });
      const fields = { email: null, metadata: { plan: 'b' }, status: 'blocked' };
      expect((await change(user.id, fields)).body.data).toMatchObject({ label: 'Renamed', ...fields });
      await change(user.id, { wallets: [] });
    });

    it('A change replaces the wallets as a set, and frees those that are left out', async () => {
      const [first, two] = [await created({ wallets: [FIRST, SECOND] }), await created()];
      expectError(await change(two.id, { wallets: [THIRD, FIRST.toLowerCase()] }), 409, 'wallet_taken');
      expect((await change(first.id, { wallets: [THIRD, SECOND.toLowerCase()] })).body.data.wallets).toEqual([
        THIRD,
        SECOND,
      ]);
      expect((await change(two.id, { wallets: [FIRST] })).body.data.wallets).toEqual([FIRST]);
      const listed = (await partner.api.get('/partner/users?limit=2')).body.data;
      expect(listed.map(({ wallets }: any) => wallets)).toEqual([[FIRST], [THIRD, SECOND]]);
      const those = `/partner/users?ids=${first.id},${ABSENT}`;
      expect((await partner.api.get(those)).body.data.map(({ id }: any) => id)).toEqual([first.id]);
      expect((await other.api.get(those)).body.data).toEqual([]);
      for (const { id } of [first, two]) await change(id, { wallets: [] });
    });

    it('A change that is refused for a wallet changes nothing', async () => {
      const [first, two] = [await created({ wallets: [FIRST] }), await created({ label: 'Two' })];
      expectError(await change(two.id, { label: 'Lost', wallets: [SECOND, FIRST] }), 409, 'wallet_taken');
      expect((await change(two.id, {})).body.data).toMatchObject({ label: 'Two', wallets: [] });
      await change(first.id, { wallets: [] });
    });

    it('A change of two users that swap wallets at once leaves each wallet with one of them', async () => {
      const [first, two] = [await created(), await created()];
      for (let round = 0; round < 5; round++) {
        await change(first.id, { wallets: [FIRST] });
        await change(two.id, { wallets: [SECOND] });
        const answers = await Promise.all([
          change(first.id, { wallets: [SECOND] }),
          change(two.id, { wallets: [FIRST] }),
        ]);
        for (const answer of answers) if (answer.status !== 200) expectError(answer, 409, 'wallet_taken');
        const unchanged = [(await change(first.id, {})).body.data, (await change(two.id, {})).body.data];
        const all = unchanged.flatMap(({ wallets }) => wallets);
        expect(new Set(all).size).toBe(all.length);
        for (const { id } of [first, two]) await change(id, { wallets: [] });
      }
    });

    it('A change checks wallets as a creation does, and changes neither external id nor partner', async () => {
      const { id } = await created();
      const bad: [object, string][] = [
        [{ wallets: [FIRST.replace('aAe', 'AAe')] }, 'wallets[0]'],
        [{ wallets: [FIRST, FIRST.toLowerCase()] }, 'wallets[1]'],
        [{ external_id: 'another' }, 'external_id'],
        [{ partner_id: other.id }, 'partner_id'],
      ];
      for (const [input, field] of bad) {
        const answer = await change(id, input);
        expectError(answer, 400, 'validation_failed');
        expect([input, fieldsOf(answer)]).toEqual([input, [field]]);
      }
    });

    it('A change to blocked stops deposits, not withdrawals; a change to active ends it', async () => {
      const { id } = await created();
      const position = (await deposit(id)).body.data;
      expect((await change(id, { status: 'blocked' })).body.data.status).toBe('blocked');
      expectError(await deposit(id), 409, 'user_blocked');
      const withdrawal = { amount: 1, ...(contract === 'partner' && { tx_hash: newTxHash() }) };
      expect((await protocol.post(`/positions/${position.id}/withdrawals`, withdrawal)).status).toBe(201);
      expect((await change(id, { status: 'active' })).body.data.status).toBe('active');
      expect((await deposit(id)).status).toBe(201);
    });
  });

  describe('a deletion', () => {
    it('A deletion removes a user without positions, and frees its external id and wallets', async () => {
      const before = (await summary()).users;
      const user = await created({ wallets: [FIRST, SECOND] });
      expect((await summary()).users).toBe(before + 1);
      const { status, body } = await partner.api.delete(`/users/${user.id}`);
      expect([status, body]).toEqual([200, { object: 'user', data: { id: user.id, deleted: true } }]);
      expect((await summary()).users).toBe(before);
      expectError(await partner.api.delete(`/users/${user.id}`), 404, 'not_found');
      expectError(await change(user.id, { label: 'x' }), 404, 'not_found');
      expectError(await partner.api.get(`/users/${user.id}/ledger`), 404, 'not_found');
      expectError(await deposit(user.id), 404, 'not_found');
      const again = await created({ external_id: user.external_id, wallets: [SECOND, FIRST] });
      expect(again.id).not.toBe(user.id);
      await partner.api.delete(`/users/${again.id}`);
    });

    it('A deletion of a user with positions, also closed ones, is refused', async () => {
      const { id } = await created();
      const position = (await deposit(id)).body.data;
      expectError(await partner.api.delete(`/users/${id}`), 409, 'user_has_positions');
      const all = contract === 'partner' ? { tx_hash: newTxHash() } : {};
      expect((await protocol.post(`/positions/${position.id}/withdrawals`, all)).body.data.status).toBe(
        'closed',
      );
      expectError(await partner.api.delete(`/users/${id}`), 409, 'user_has_positions');
      const entries: { type: string }[] = (await partner.api.get(`/users/${id}/ledger`)).body.data;
      expect(entries.map(({ type }) => type)).toEqual(expect.arrayContaining(['deposit', 'withdrawal']));
    });

    it('A deletion and a concurrent first deposit: one of them fails, and the books agree', async () => {
      const outcomes = new Set<string>();
      for (let round = 0; round < 12; round++) {
        const { id } = await created();
        const asked = [() => deposit(id), () => partner.api.delete(`/users/${id}`)];
        if (round % 2) asked.reverse();
        const answers = await Promise.all(asked.map((ask) => ask()));
        if (round % 2) answers.reverse();
        const [opened, removed] = answers as [Answer, Answer];
        if (opened.status === 201) expectError(removed, 409, 'user_has_positions');
        else {
          expectError(opened, 404, 'not_found');
          expect(removed.status).toBe(200);
        }
        outcomes.add(`${opened.status} ${removed.status}`);
      }
      expect([...outcomes].every((outcome) => ['201 409', '404 200'].includes(outcome))).toBe(true);
      expect(await differencesOf(app.application)).toEqual([]);
    });

    it('A deletion waits for a running deposit, and a deposit for a running deletion', async () => {
      const blocker = new Client({ connectionString: app.database.url, options: `-c search_path=${schema}` });
      await blocker.connect();
      const waiting = (statement: string) => async (): Promise<boolean> =>
        (
          await app.sql(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
            [`%${statement}%`],
          )
        ).length > 0;
      // Holds a lock like a deposit that has read its user and is not committed.
      const first = await created();
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM users WHERE id = $1 FOR SHARE', [first.id]);
      const removal = partner.api.delete(`/users/${first.id}`);
      await until(waiting('FOR UPDATE'));
      await blocker.query('COMMIT');
      expect((await removal).status).toBe(200);
      // Holds a lock like a deletion that has read its user and is not committed.
      const second = await created();
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [second.id]);
      const opening = deposit(second.id);
      await until(waiting('FOR SHARE OF u'));
      await blocker.query('DELETE FROM users WHERE id = $1', [second.id]);
      await blocker.query(
        'UPDATE book_users SET users = users - 1 WHERE ctid = (SELECT ctid FROM book_users WHERE partner_id = $1 LIMIT 1)',
        [partner.id],
      );
      await blocker.query('COMMIT');
      await blocker.end();
      expectError(await opening, 404, 'not_found');
    });
  });

  it('A user is created while a migration of the next version has added columns', async () => {
    await app.sql(`ALTER TABLE users ADD COLUMN tier text NOT NULL DEFAULT 'none',
                     ADD COLUMN initial text GENERATED ALWAYS AS (left(label, 1)) STORED`);
    const { id } = await created({ label: 'Ada' });
    const rows = await app.sql('SELECT tier, initial FROM users WHERE id = $1', [id]);
    await app.sql('ALTER TABLE users DROP COLUMN tier, DROP COLUMN initial');
    expect(rows).toEqual([{ tier: 'none', initial: 'A' }]);
  });
});
