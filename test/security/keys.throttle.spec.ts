import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret, newSignInCode } from '../../src/domain/tenants/access/authenticator.js';
import type { Answer } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';

const LIMIT = 5;

/** The limit of failed authentications of an address; `failed-authentication.limit.spec.ts` has its rules one by one. */
describe.each(eitherContract('sandbox'))('%s contract: failed authentications', (contract) => {
  const environment = schemaOf(contract);
  let app: TestApp;
  let proxied: TestApp;
  beforeAll(async () => {
    const env = { AUTH_FAILURES_PER_MINUTE: String(LIMIT) };
    const start = (more: object): Promise<TestApp> =>
      startApp(contract, { ...env, ...more }, undefined, shortMarkets);
    [app, proxied] = [await start({}), await start({ TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' })];
    // From here on these keys are known as valid.
    for (const { admin } of [app, proxied]) await admin.get('/keys');
  });
  afterAll(() => Promise.all([app.close(), proxied.close()]));

  /** Behind a proxy an address of its own asks. */
  const present = (
    authorization: string,
    headers: Record<string, string> = {},
    { admin } = proxied,
  ): Promise<Answer> => admin.as(undefined).get('/keys', { authorization, ...headers });
  const unknown = (headers?: Record<string, string>, at?: TestApp): Promise<Answer> =>
    present(`Bearer ${newKeySecret(environment)}`, headers, at);
  const expectThrottled = (answer: Answer): void => {
    expectError(answer, 429, 'rate_limited');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  };

  it('Fifty bodies with one-time codes are read at a time, whoever sends them; further requests get 429', async () => {
    const body = { 'Content-Type': 'application/json', 'Content-Length': '30' };
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        sendRaw(proxied.url, rawHead('POST', '/sessions', { ...body, 'X-Forwarded-For': `198.18.0.${n}` })),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    for (const { body } of refused)
      expect(body.error).toMatchObject({
        code: 'rate_limited',
        message: 'Too many one-time codes are being sent. Try again in 1 s.',
      });
  });

  it('Failed authentications get 401 up to the limit and 429 beyond it, which affects neither valid nor malformed keys', async () => {
    const { admin } = proxied;
    const from = { 'x-forwarded-for': '203.0.113.50' };
    const asked = (authorization: string): Promise<Answer> => present(authorization, from);
    const stranger = (path = '/keys'): Promise<Answer> => admin.as(undefined).get(path, from);
    const good = newKeySecret(environment);
    const malformed = [
      `Bearer ${good.slice(0, -1)}${good.endsWith('a') ? 'b' : 'a'}`,
      `Bearer ${newKeySecret(environment === 'live' ? 'sandbox' : 'live')}`,
      'Bearer vl_live_mistyped',
      `Basic ${btoa('user:password')}`,
    ];
    const { keyId, key } = await createPartner(admin);
    await admin.delete(`/keys/${keyId}`);
    // What the database need not be asked about is not counted.
    for (let turn = 0; turn < LIMIT; turn++) {
      expectError(await stranger(), 401, 'missing_api_key');
      expectError(await asked('Bearer '), 401, 'missing_api_key');
      for (const authorization of malformed) expect((await asked(authorization)).status).toBe(401);
    }
    expect((await asked(`Bearer ${key}`)).status).toBe(401);
    for (let turn = 1; turn < LIMIT; turn++) expect((await unknown(from)).status).toBe(401);
    for (let turn = 0; turn < 20; turn++) expectThrottled(await unknown(from));
    for (let turn = 0; turn < 3; turn++) expect((await admin.get('/keys', from)).status).toBe(200);
    for (const authorization of malformed) expect((await asked(authorization)).status).toBe(401);
    expectError(await stranger(), 401, 'missing_api_key');
    expect((await fetch(`${proxied.url}/health/ready`)).status).toBe(200);
    expectError(await stranger('/nowhere'), 404, 'route_not_found');
  });

  it('A wrong one-time code counts as a failed authentication', async () => {
    const from = { 'x-forwarded-for': '203.0.113.60' };
    const guess = (): Promise<Answer> =>
      proxied.admin.as(undefined).post('/sessions', { code: newSignInCode(environment) }, from);
    for (let count = 0; count < LIMIT; count++) expectError(await guess(), 401, 'invalid_api_key');
    expectThrottled(await guess());
    expect((await proxied.admin.get('/keys', from)).status).toBe(200);
  });

  it('Failed authentications in concurrent requests are limited alike, whatever forwarding headers claim without a trusted proxy', async () => {
    const calls = Array.from({ length: 60 }, (_, n) =>
      unknown({ 'x-forwarded-for': `198.51.100.${n}` }, app),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - LIMIT);
    expectThrottled(await unknown({ forwarded: 'for=198.51.100.99', 'x-real-ip': '198.51.100.99' }, app));
  });

  it('Failed authentications behind a trusted proxy count for the last untrusted address, and for IPv6 for the /64 network', async () => {
    const from = (address: string): Promise<Answer> => unknown({ 'x-forwarded-for': address });
    const exhaust = async (address: (turn: number) => string): Promise<void> => {
      for (let turn = 0; turn < LIMIT; turn++) expect((await from(address(turn))).status).toBe(401);
    };
    // What stands before that address is hearsay.
    await exhaust((turn) => `198.51.100.${turn}, 203.0.113.3, 10.0.0.7`);
    expectThrottled(await from('198.51.100.77, 203.0.113.3, 10.0.0.8'));
    expectThrottled(await from('203.0.113.3'));
    expect((await from('203.0.113.2')).status).toBe(401);
    await exhaust((turn) => `2001:db8:7:7:${turn}::1`);
    expectThrottled(await from('2001:db8:7:7:ffff:ffff:ffff:ffff'));
    expect((await from('2001:db8:7:8::1')).status).toBe(401);
    // The proxy's own address, where it names none.
    await exhaust((turn) => ['unknown', '_hidden', '203.0.113.9:4711', '', 'x'.repeat(1000)][turn]!);
    expectThrottled(await from('nonsense'));
    expectThrottled(await unknown());
  });
});
