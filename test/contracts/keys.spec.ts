import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Authenticator, newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { Clock } from '../../src/domain/kernel/clock.js';
import type { Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { statementsDuring } from '../support/statements.js';

describe.each(eitherContract('partner'))('%s contract: API keys', (contract) => {
  const environment = schemaOf(contract);
  let app: TestApp;
  let admin: Api;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract);
    admin = app.admin;
    partner = await createPartner(admin);
  });
  afterAll(() => app.close());

  const created = async (input: object = {}): Promise<any> => {
    const { status, body } = await admin.post('/keys', { label: 'a key', ...input });
    expect(status).toBe(201);
    return body.data;
  };
  const listed = async (id: string): Promise<any> =>
    (await admin.get('/keys?limit=500')).body.data.find((key: { id: string }) => key.id === id);

  it('are kept as SHA-256 alone', async () => {
    const { id, secret, prefix } = await created();
    const [row] = await app.database.query<Record<string, unknown>>(
      environment,
      'SELECT * FROM api_keys WHERE id = $1',
      [id],
    );
    expect(row!['secret_hash']).toEqual(createHash('sha256').update(secret).digest());
    expect(row!['prefix']).toBe(prefix);
    expect(JSON.stringify(row)).not.toContain(secret.slice(12));
    expect(app.logs()).not.toContain(secret.slice(12));
  });

  it('invalid labels, scopes and bindings are refused by the database as well', async () => {
    const insert = (row: Partial<Record<'label' | 'prefix' | 'hash' | 'scopes' | 'partner', unknown>>) =>
      app.database
        .query(
          environment,
          `INSERT INTO api_keys (id, label, prefix, secret_hash, scopes, partner_id, created_at)
             VALUES ('key_' || gen_random_uuid(), $1, $2, $3, $4, $5, now())`,
          [
            row.label ?? 'raw',
            row.prefix ?? 'vl_live_1234',
            row.hash ?? createHash('sha256').update(String(Math.random())).digest(),
            row.scopes ?? ['read'],
            row.partner ?? null,
          ],
        )
        .then(
          () => 'accepted',
          (error: { code: string; constraint: string }) => `${error.code} ${error.constraint}`,
        );
    expect(await insert({})).toBe('accepted');
    expect(await insert({ scopes: [] })).toBe('23514 scopes_not_empty');
    expect(await insert({ scopes: ['everything'] })).toBe('23514 scopes_known');
    expect(await insert({ scopes: ['read', 'read'] })).toBe('23514 scopes_unique');
    expect(await insert({ scopes: ['partner:read'] })).toBe('23514 partner_read_is_bound');
    expect(await insert({ scopes: ['write'], partner: partner.id })).toBe('23514 bound_keys_read_only');
    expect(await insert({ partner: 'ptn_nobody' })).toBe('23503 api_keys_partner_id_fkey');
    expect(await insert({ label: '' })).toBe('23514 api_keys_label_check');
    expect(await insert({ prefix: 'short' })).toBe('23514 api_keys_prefix_check');
    expect(await insert({ hash: Buffer.from('plain text') })).toBe('23514 api_keys_secret_hash_check');
    const same = createHash('sha256').update('twice').digest();
    expect(await insert({ hash: same })).toBe('accepted');
    expect(await insert({ hash: same })).toBe('23505 api_keys_secret_hash_key');
  });

  describe('authentication', () => {
    afterEach(() => {
      Reflect.deleteProperty(app.application.get(Clock), 'now');
    });

    const usedAt = (at: Date): void => {
      app.application.get(Clock).now = () => at;
    };
    const use = async (secret: string): Promise<void> => {
      await admin.as(secret).get('/keys?limit=1');
      await app.application.get(Authenticator).flushLastUsed();
    };

    it('authenticates each of many simultaneous requests by its own key', async () => {
      const partners = await Promise.all(Array.from({ length: 4 }, () => createPartner(admin)));
      const revoked = await createPartner(admin);
      await admin.delete(`/keys/${revoked.keyId}`);
      const callers = [...partners, revoked, { id: null, api: admin.as(newKeySecret(environment)) }];
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => callers[n % callers.length]!.api.get('/partner/summary')),
      );
      const told = answers.map(({ body }) => body.data?.partner_id ?? body.error.code);
      const expected = [...partners.map(({ id }) => id), 'invalid_api_key', 'invalid_api_key'];
      expect(told).toEqual(answers.map((_, n) => expected[n % expected.length]));
    });

    it('writes last_used_at in a batch, to the second; listing does not write it', async () => {
      const { id, secret } = await created({ scopes: ['keys:admin'] });
      const later = new Date(Date.now() + 5_678);
      usedAt(later);
      await Promise.all([1, 2, 3].map(() => admin.as(secret).get('/keys?limit=1')));
      expect((await listed(id)).last_used_at).toBeNull();
      const [flush, ...more] = await statementsDuring(() =>
        app.application.get(Authenticator).flushLastUsed(),
      );
      expect([flush!.name, more]).toEqual(['access.touch_keys', []]);
      const second = 1_000 * Math.floor(later.getTime() / 1_000);
      expect(Date.parse((await listed(id)).last_used_at)).toBe(second);
      // A later use moves `last_used_at`; an earlier use, reported by another process, does not.
      for (const [ms, shown] of [
        [1_000, 1_000],
        [-90_000, 1_000],
      ] as const) {
        usedAt(new Date(second + ms));
        await use(secret);
        expect(Date.parse((await listed(id)).last_used_at)).toBe(second + shown);
      }
    });

    it('records the use of other keys while one is being changed, without waiting for it', async () => {
      const [locked, free] = [
        await created({ scopes: ['keys:admin'] }),
        await created({ scopes: ['keys:admin'] }),
      ];
      const outside = new Client({
        connectionString: app.database.url,
        options: `-c search_path=${environment}`,
      });
      await outside.connect();
      try {
        await outside.query('BEGIN');
        await outside.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [locked.id]);
        await admin.as(locked.secret).get('/keys?limit=1');
        await use(free.secret);
        expect((await listed(free.id)).last_used_at).not.toBeNull();
        expect((await listed(locked.id)).last_used_at).toBeNull();
      } finally {
        await outside.end();
      }
    });

    it('was never last used before it was created: neither in that second, nor by a clock that is behind', async () => {
      const { id, secret, created_at } = await created({ scopes: ['keys:admin'] });
      for (const behind of [0, 3_600_000]) {
        usedAt(new Date(Date.parse(created_at) - behind));
        await use(secret);
        expect((await listed(id)).last_used_at).toBe(created_at);
      }
    });

    it('is shown as used within 15 seconds: uses are written more often', () =>
      expect(app.settings.constants.access.lastUsedFlushSeconds).toBeLessThan(15));
  });
});
