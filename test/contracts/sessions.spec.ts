import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSignInCode } from '../../src/domain/tenants/access/authenticator.js';
import { SessionService } from '../../src/domain/tenants/access/session.service.js';
import { SignInCodes } from '../../src/domain/tenants/access/sign-in-code.service.js';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { vaultline } from '../support/command.js';
import { schemaOf } from '../support/database.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

const SECOND_MS = 1000;

describe.each(eitherContract('partner'))('%s contract: keys that end, sessions and codes', (contract) => {
  const environment = schemaOf(contract);
  let app: TestApp;
  let admin: Api;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    admin = app.admin;
    partner = await createPartner(admin, 'Acme Wallet');
  });
  afterAll(() => app.close());

  const newKey = async (input: object): Promise<any> =>
    (await admin.post('/keys', { label: 'a key', ...input })).body.data;
  const signIn = async (api: Api, input: object = {}): Promise<any> => {
    const { status, body } = await api.post('/sessions', input);
    expect(status).toBe(201);
    return body.data;
  };
  const reading = (secret: string): Promise<Answer> => admin.as(secret).get('/sessions/current');
  /** Moves the end of a row into the past. */
  const pass = (table: 'api_keys' | 'sessions' | 'sign_in_codes', column: string, value: unknown) =>
    app.sql(`UPDATE ${table} SET expires_at = now() - interval '1 second' WHERE ${column} = $1`, [value]);
  const expectExpired = async (secret: string): Promise<void> => {
    const answer = await reading(secret);
    expectError(answer, 401, 'invalid_api_key');
    expect(answer.body.error.message).toContain('has expired');
  };

  describe('the expiry of a key', () => {
    it('The expiry of a key is a future time that the key shows from then on, or null if it is not set', async () => {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      const key = await newKey({ expires_at });
      expect(key.expires_at).toBe(expires_at);
      expect((await newKey({ expires_at: null })).expires_at).toBe(null);
      expect((await admin.get('/keys')).body.data.find(({ id }: any) => id === key.id).expires_at).toBe(
        expires_at,
      );
      for (const wrong of ['2020-01-01T00:00:00.000Z', 'soon', 7]) {
        const answer = await admin.post('/keys', { label: 'late', expires_at: wrong });
        expectError(answer, 400, 'validation_failed');
        expect(fieldsOf(answer)).toEqual(['expires_at']);
      }
    });

    it('The expiry of a key refuses the key and its sessions from then on, with a message about it', async () => {
      const key = await newKey({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
      const session = await signIn(admin.as(key.secret));
      expect(session.expires_at).toBe(key.expires_at);
      await pass('api_keys', 'id', key.id);
      await expectExpired(key.secret);
      await expectExpired(session.secret);
    });
  });

  describe('rotating a key', () => {
    it('Rotating a key creates a like key; the former one and its sessions expire after previous_expires_in', async () => {
      const key = await newKey({ label: 'rotated', partner_id: partner.id, scopes: ['partner:read'] });
      const session = await signIn(admin.as(key.secret));
      const from = Date.now();
      const { status, body } = await admin.post(`/keys/${key.id}/rotate`, { previous_expires_in: 60 });
      expect([status, body.object]).toEqual([201, 'api_key']);
      const { id, secret } = body.data;
      expect(body.data).toMatchObject({
        label: 'rotated',
        partner_id: partner.id,
        scopes: ['partner:read'],
        expires_at: null,
        revoked: false,
      });
      expect(id).not.toBe(key.id);
      for (const valid of [key.secret, secret, session.secret])
        expect((await reading(valid)).status).toBe(200);
      const ends = new Date((await reading(key.secret)).body.data.expires_at).getTime();
      expect(ends).toBeGreaterThanOrEqual(from + 59 * SECOND_MS);
      expect(ends).toBeLessThanOrEqual(Date.now() + 61 * SECOND_MS);
      expect((await reading(session.secret)).body.data.expires_at).toBe(new Date(ends).toISOString());
      // A second rotation does not postpone the end.
      expect((await admin.post(`/keys/${key.id}/rotate`)).status).toBe(201);
      expect((await reading(key.secret)).body.data.expires_at).toBe(new Date(ends).toISOString());
      expect((await admin.post(`/keys/${key.id}/rotate`, { previous_expires_in: 0 })).status).toBe(201);
      await expectExpired(key.secret);
      await expectExpired(session.secret);
      expect((await reading(secret)).status).toBe(200);
      expectError(await admin.post(`/keys/${key.id}/rotate`), 404, 'not_found');
    });

    it('Rotating a key is refused for a revoked key, and above a week of previous_expires_in', async () => {
      const key = await newKey({});
      expect((await admin.post(`/keys/${key.id}/rotate`)).status).toBe(201);
      await admin.delete(`/keys/${key.id}`);
      expectError(await admin.post(`/keys/${key.id}/rotate`), 404, 'not_found');
      for (const previous_expires_in of [-1, 604_801, 1.5, '60'])
        expectError(
          await admin.post(`/keys/${key.id}/rotate`, { previous_expires_in }),
          400,
          'validation_failed',
        );
    });
  });

  describe('a session', () => {
    it('A session reads for its partner, shows its secret once, and lasts twelve hours by default', async () => {
      const from = Date.now();
      const { secret, ...session } = await signIn(partner.api);
      expect(secret).toMatch(new RegExp(`^vl_${environment}_[0-9A-Za-z]{38}$`));
      expect(session).toEqual({
        id: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
        object: 'session',
        scopes: ['partner:read', 'read'],
        partner_id: partner.id,
        partner_name: 'Acme Wallet',
        environment,
        expires_at: expect.any(String),
        label: expect.any(String),
      });
      const lasts = new Date(session.expires_at).getTime() - from;
      expect(Math.round(lasts / SECOND_MS / 10)).toBe(4_320);
      const current = await reading(secret);
      expect([current.body.object, current.body.data]).toEqual(['session', session]);
      expect((await admin.as(secret).get('/partner/summary')).body.data.partner_id).toBe(partner.id);
      expect((await admin.get('/keys?limit=500')).text).not.toContain(session.id);
    });

    it('A session has scopes of its key only, and lasts twelve hours at most', async () => {
      const { secret, scopes } = await signIn(partner.api, { scopes: ['read'], expires_in: 60 });
      expect(scopes).toEqual(['read']);
      expectError(await admin.as(secret).get('/partner/summary'), 403, 'insufficient_scope');
      for (const more of [['write'], ['partner:read', 'keys:admin']]) {
        const answer = await partner.api.post('/sessions', { scopes: more });
        expectError(answer, 400, 'validation_failed');
        expect(answer.body.error.details).toEqual([
          { field: `scopes[${more.length - 1}]`, message: expect.stringContaining('partner:read, read') },
        ]);
      }
      const administrator = await signIn(admin, { scopes: ['keys:admin', 'partner:admin'] });
      expect([administrator.partner_id, administrator.partner_name]).toEqual([null, null]);
      expect((await admin.as(administrator.secret).get('/keys')).status).toBe(200);
      for (const expires_in of [0, 43_201, 1.5])
        expectError(await partner.api.post('/sessions', { expires_in }), 400, 'validation_failed');
    });

    it('A session without asked scopes reads, as far as its key may, and has all scopes of a key that may not', async () => {
      const administrator = await signIn(admin);
      expect(administrator.scopes).toEqual(['keys:admin', 'partner:admin']);
      const api = admin.as(administrator.secret);
      expect((await api.get('/keys')).status).toBe(200);
      expectError(await api.post('/keys', { label: 'x' }), 403, 'insufficient_scope');
      const executor = await newKey({ scopes: ['read', 'write'] });
      expect((await signIn(admin.as(executor.secret))).scopes).toEqual(['read']);
      const writer = await newKey({ scopes: ['write'] });
      expect((await signIn(admin.as(writer.secret))).scopes).toEqual(['write']);
      expectError(await admin.post('/sessions', { scopes: [] }), 400, 'validation_failed');
    });

    it('A session cannot create sessions or keys, or rotate a key', async () => {
      const { secret } = await signIn(admin, { scopes: ['keys:admin', 'partner:admin'] });
      const api = admin.as(secret);
      expectError(await api.post('/sessions'), 403, 'insufficient_scope');
      expectError(await api.post('/keys', { label: 'x' }), 403, 'insufficient_scope');
      const { body } = await api.post(`/keys/${partner.keyId}/rotate`);
      expect(body.error).toMatchObject({
        code: 'insufficient_scope',
        message: expect.stringContaining('session'),
      });
    });

    it('A session of an administrator may call what docs/security.md lists for its scopes, and nothing else', async () => {
      const { secret } = await signIn(admin, { scopes: ['keys:admin', 'partner:admin'] });
      const page = readFileSync('docs/security.md', 'utf8').replace(/\n(?![\n-])\s*/g, ' ');
      const operations = (text: string): string[] => text.match(/(GET|POST|PUT|PATCH|DELETE) \/[^`]*/g) ?? [];
      const [sentence] = /A session creates no key, [^.]*/.exec(page)!;
      const refused = operations(sentence);
      const listed = [...page.matchAll(/^- (`[^:]*(?::\w+[^:]*)*): (`[A-Z]+ .*)$/gm)].flatMap(
        ([, who, what]) => {
          const isHere = !who!.endsWith('contract') || who!.endsWith(`${contract} contract`);
          return isHere && /`(keys|partner):admin`/.test(who!) ? operations(what!) : [];
        },
      );
      const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: object };
      const served = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item as object).flatMap((method) =>
          /^(get|post|put|patch|delete)$/.test(method) ? `${method.toUpperCase()} ${path}` : [],
        ),
      );
      const admitted: string[] = [];
      const signOut = 'DELETE /sessions/current';
      for (const operation of [...served.filter((row) => row !== signOut), signOut]) {
        const [method, path] = operation.split(' ') as ['GET', string];
        const sent = path.replace(/\{.*?\}/g, 'absent');
        const { status } = await admin.as(secret).send(method, sent, method === 'GET' ? undefined : {});
        if (status !== 403) admitted.push(operation);
      }
      expect(admitted.sort()).toEqual(listed.filter((operation) => !refused.includes(operation)).sort());
      expect(refused.filter((operation) => !listed.includes(operation))).toEqual([]);
    });

    it('A session ends when its key is revoked or its partner disabled', async () => {
      const other = await createPartner(admin);
      const key = await newKey({ partner_id: other.id });
      const [first, second] = [await signIn(admin.as(key.secret)), await signIn(other.api)];
      await admin.delete(`/keys/${key.id}`);
      expectError(await reading(first.secret), 401, 'invalid_api_key');
      expect((await reading(second.secret)).status).toBe(200);
      await admin.patch(`/partners/${other.id}`, { status: 'disabled' });
      expectError(await reading(second.secret), 401, 'invalid_api_key');
    });

    it('A session expires, with a message for a day, and ends by signing out, as a key does by its revocation, on every replica at once', async () => {
      const { id, secret } = await signIn(partner.api);
      await pass('sessions', 'id', id);
      await expectExpired(secret);
      const replica = await startApp(
        contract,
        { BOOTSTRAP_ADMIN_KEY: app.adminKey },
        app.database,
        shortMarkets,
      );
      const other = await signIn(partner.api);
      expect((await replica.admin.as(other.secret).get('/sessions/current')).status).toBe(200);
      const out = await admin.as(other.secret).delete('/sessions/current');
      expect(out.body.data).toEqual({ id: other.id, object: 'session', ended: true });
      expectError(await replica.admin.as(other.secret).get('/sessions/current'), 401, 'invalid_api_key');
      const key = await newKey({});
      expect((await replica.admin.as(key.secret).get('/sessions/current')).status).toBe(200);
      await admin.delete(`/keys/${key.id}`);
      expectError(await replica.admin.as(key.secret).get('/sessions/current'), 401, 'invalid_api_key');
      await replica.close();
      expect(await app.application.get(SessionService).prune()).toBe(0);
      await app.sql(
        `UPDATE sessions SET created_at = created_at - interval '2 days', expires_at = now() - interval '25 hours' WHERE id = $1`,
        [id],
      );
      expect(await app.application.get(SessionService).prune()).toBe(1);
    });

    it('A session is one of at most twenty for a key: one more ends the oldest', async () => {
      const key = await newKey({});
      const secrets: string[] = [];
      for (let count = 0; count < 21; count++) secrets.push((await signIn(admin.as(key.secret))).secret);
      expectError(await reading(secrets[0]!), 401, 'invalid_api_key');
      expect((await reading(secrets[1]!)).status).toBe(200);
      expect((await reading(secrets[20]!)).status).toBe(200);
    });

    it('A session of a request with an API key shows the key’s scopes; a key cannot be signed out', async () => {
      expect((await partner.api.get('/sessions/current')).body.data).toMatchObject({
        id: partner.keyId,
        object: 'session',
        scopes: ['partner:read', 'read'],
        partner_id: partner.id,
        environment,
        expires_at: null,
      });
      expectError(await partner.api.delete('/sessions/current'), 404, 'not_found');
      expect((await partner.api.get('/sessions/current')).status).toBe(200);
    });
  });

  describe('a one-time code', () => {
    const codeOf = (keyId: string): Promise<string> => app.application.get(SignInCodes).create(keyId);
    const open = (code: unknown, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
      admin.as(undefined).post('/sessions', { code, ...more }, headers);
    const expectRefused = async (answer: Answer, why: string): Promise<void> => {
      expectError(answer, 401, 'invalid_api_key');
      expect(answer.body.error.message).toContain(why);
    };

    it('A one-time code opens one session without a key, with all or some of its key’s scopes', async () => {
      const code = await codeOf(partner.keyId);
      const { status, body } = await open(code);
      expect([status, body.data.scopes, body.data.partner_id]).toEqual([
        201,
        ['partner:read', 'read'],
        partner.id,
      ]);
      expect((await admin.as(body.data.secret).get('/partner/summary')).status).toBe(200);
      await expectRefused(await open(code), 'was used before');
      const [administrator] = (await admin.get('/keys?limit=500')).body.data.filter(
        ({ label }: any) => label === 'Bootstrap administrator',
      );
      expect((await open(await codeOf(administrator.id))).body.data.scopes).toEqual([
        'keys:admin',
        'partner:admin',
      ]);
      const less = await open(await codeOf(partner.keyId), { scopes: ['read'], expires_in: 60 });
      expect(less.body.data.scopes).toEqual(['read']);
    });

    it('A one-time code is in a link from `vaultline console code`, for a valid key only', async () => {
      const environment = { CONTRACT: contract, DATABASE_URL: app.database.url, SECRETS_KEY, PORT: '3000' };
      const print = (id: string) => vaultline(['console', 'code', '--key-id', id], environment);
      const { code, stdout } = await print(partner.keyId);
      expect(code).toBe(0);
      const [, link] = /^http:\/\/127\.0\.0\.1:3000\/console#code=(\w+)\n$/.exec(stdout)!;
      expect((await open(link)).body.data.partner_id).toBe(partner.id);
      const { stderr, ...failed } = await print('key_01kaabcdefghjkmnpqrstvwxyz');
      expect([failed.code, stderr]).toEqual([1, expect.stringContaining('No such API key')]);
    });

    it('A one-time code opens one session for two concurrent requests, and replays the response for its Idempotency-Key', async () => {
      const code = await codeOf(partner.keyId);
      const statuses = (await Promise.all([open(code), open(code)])).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, 401]);
      const other = await codeOf(partner.keyId);
      const first = await open(other, {}, { 'idempotency-key': 'one-code' });
      expect(first.status).toBe(201);
      expect((await open(other, {}, { 'idempotency-key': 'one-code' })).text).toBe(first.text);
      await expectRefused(await open(other, {}, { 'idempotency-key': 'another' }), 'was used before');
    });

    it('A one-time code is refused if it has expired, is mistyped, unknown or of another contract, or its key is revoked', async () => {
      const key = await newKey({});
      const code = await codeOf(key.id);
      await pass('sign_in_codes', 'key_id', key.id);
      await expectRefused(await open(code), 'has expired');
      await expectRefused(
        await open(newSignInCode(environment === 'live' ? 'sandbox' : 'live')),
        'other deployment',
      );
      await expectRefused(await open(`${code.slice(0, -1)}-`), 'not a complete one-time code');
      await expectRefused(await open(partner.key), 'not a complete one-time code');
      await expectRefused(await open(newSignInCode(environment)), 'not known here');
      const late = await codeOf(key.id);
      await admin.delete(`/keys/${key.id}`);
      await expectRefused(await open(late), 'not known here');
      await expect(codeOf(key.id)).rejects.toThrow('No such API key');
      expectError(await admin.as(code).get('/keys'), 401, 'invalid_api_key');
      for (const none of [undefined, 7, null]) expectError(await open(none), 401, 'missing_api_key');
      const both = await partner.api.post('/sessions', { code });
      expectError(both, 400, 'validation_failed');
      expect(fieldsOf(both)).toEqual(['code']);
    });
  });
});
