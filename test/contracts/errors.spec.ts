import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { expectRefused } from '../support/fields.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';
import { until } from '../support/until.js';

const BODY_LIMIT = 65_536;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const CHUNKED = { 'Transfer-Encoding': 'chunked' };

/** What the conformance rules cannot send: raw bytes, bounds to the byte, and failures of the server itself. */
describe.each(eitherContract('sandbox'))('%s contract: refused requests', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, (constants, settings) => {
      constants.http.requestTimeoutSeconds = 1;
      shortMarkets(constants, settings);
    });
    partner = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  const head = (method: string, path: string, fields: object, key = app.adminKey): string =>
    rawHead(method, path, { Authorization: `Bearer ${key}`, ...fields });
  const chunksOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

  it('unsupported_media_type: JSON in another character set or an unknown content encoding', async () => {
    for (const headers of [
      ...['latin1', 'utf-16'].map((charset) => ({ 'content-type': `application/json; charset=${charset}` })),
      ...['zstd', 'of-my-own'].map((encoding) => ({ 'content-encoding': encoding })),
    ])
      expectError(await app.admin.post('/keys', '{"label":"a"}', headers), 415, 'unsupported_media_type');
    const good = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await app.admin.post('/keys', '{"label":"a"}', good)).status).toBe(201);
  });

  it('payload_too_large: more than 64 KiB, with a length or in chunks', async () => {
    const bodyOf = (bytes: number): string => JSON.stringify({ label: 'x'.repeat(bytes - 12) });
    const larger = bodyOf(BODY_LIMIT + 1);
    expectError(await app.admin.post('/keys', bodyOf(BODY_LIMIT)), 400, 'validation_failed');
    expectError(await app.admin.post('/keys', larger), 413, 'payload_too_large');
    const chunked = head('POST', '/keys', { ...JSON_TYPE, ...CHUNKED }) + chunksOf(larger);
    expectError(await sendRaw(app.url, chunked), 413, 'payload_too_large');
  });

  it('payload_too_large is the answer to a body as soon as it passes 64 KiB, and not at its end', async () => {
    const packed = 'x'.repeat(BODY_LIMIT + 1);
    for (const fields of [CHUNKED, { ...CHUNKED, 'Content-Encoding': 'gzip' }]) {
      const sent = head('POST', '/keys', { ...JSON_TYPE, ...fields });
      const chunk = `${packed.length.toString(16)}\r\n${packed}\r\n`;
      expectError(await sendRaw(app.url, sent + chunk), 413, 'payload_too_large');
    }
    const declared = head('POST', '/keys', { ...JSON_TYPE, 'Content-Length': '70000000' });
    expectError(await sendRaw(app.url, declared), 413, 'payload_too_large');
  });

  it.each([
    ['a malformed chunk', CHUNKED, 'zz\r\n', 400],
    ['a chunk that is longer than it says', CHUNKED, '2\r\n{}}\r\n0\r\n\r\n', 400],
    ['a body that stalls', { 'Content-Length': '9' }, '{"a', 408],
  ])('%s is a fault of the caller in the log as in the answer', async (_, fields, body, status) => {
    for (const sent of [
      head('POST', '/keys', { ...JSON_TYPE, ...fields }),
      head('POST', '/keys', { ...JSON_TYPE, ...fields }, 'no-key'),
      head('GET', '/keys', fields),
    ]) {
      const answer = await sendRaw(app.url, sent + body);
      // A refusal that does not need the body may be faster than its end.
      if (answer.status === 200 || answer.status === 401) continue;
      expectError(answer, status, answer.body.error.code);
      const lines = (): string[] =>
        app
          .logs()
          .split('\n')
          .filter((line) => line.includes(answer.headers.get('x-request-id')!));
      await until(async () => lines().length > 0);
      expect(lines().map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 30, msg: 'request', status }),
      ]);
    }
    expect(app.logs()).not.toContain('unexpected error');
  });

  it('malformed_json: invalid UTF-8 is refused, not replaced, so that different ids stay different', async () => {
    const send = (name: Buffer): Promise<Answer> => {
      const body = Buffer.concat([Buffer.from('{"external_id":"caf'), name, Buffer.from('"}')]);
      const fields = { ...JSON_TYPE, 'Content-Length': String(body.length) };
      return sendRaw(
        app.url,
        Buffer.concat([Buffer.from(head('POST', '/users', fields, partner.key)), body]),
      );
    };
    for (const byte of [0xe9, 0xe8]) expectError(await send(Buffer.from([byte])), 400, 'malformed_json');
    expect((await send(Buffer.from('é'))).body.data.external_id).toBe('café');
  });

  it.each<[field: string, body: unknown]>([
    ['external_id', undefined],
    ['external_id', { external_id: 'a\u0000b' }],
    ['external_id', '{"external_id":"\\ud83d"}'],
    ['external_id', '{"external_id":"a","external_id":"b"}'],
    ['external_id', '{"external_id":9007199254740993}'],
    ['__proto__', '{"external_id":"a","__proto__":{"label":"b"}}'],
    ['metadata.a.b', '{"external_id":"a","metadata":{"a":{"b":"x\\u0000y"}}}'],
    ['metadata.a[0]', '{"external_id":"a","metadata":{"a":["\\ud800"]}}'],
    ['metadata.a.constructor', '{"external_id":"a","metadata":{"a":{"constructor":1}}}'],
    ['metadata.a.__proto__', '{"external_id":"a","metadata":{"a":{"__proto__":{"b":1}}}}'],
    ['body', []],
    ['body', 'null'],
    ['body', '"text"'],
    ['body', [{ external_id: 'a' }]],
  ])('validation_failed names the field %s for the body %j', async (field, body) => {
    expectRefused(await partner.api.post('/users', body), field);
  });

  it.each([
    ['limit', 'limit=5&limit=6'],
    ['status[]', 'status[]=active'],
    ['status', 'status='],
  ])('validation_failed names the parameter %s for the query %s', async (field, query) => {
    expectRefused(await app.admin.get(`/partners?${query}`), field);
  });

  it('A wrong type is refused with the expected type', async () => {
    for (const external_id of [1042, ['x'], {}]) {
      const { body } = await partner.api.post('/users', { external_id });
      expect(body.error.details).toEqual([{ field: 'external_id', message: 'must be a string' }]);
    }
  });

  it('request_timeout: a body, a chunk or a header section that does not end', async () => {
    const whole = head('POST', '/keys', { ...JSON_TYPE, 'Content-Length': '100' });
    const keys = async (): Promise<number> => (await app.admin.get('/keys')).body.data.length;
    const before = await keys();
    const chunk = head('POST', '/keys', { ...JSON_TYPE, ...CHUNKED }) + '5\r\n{"lab';
    for (const bytes of [`${whole}{"label":`, chunk, whole.slice(0, -2)])
      expectError(await sendRaw(app.url, bytes), 408, 'request_timeout');
    expect(await keys()).toBe(before);
  });

  it('headers_too_large: 16 KiB or more in a header or the path', async () => {
    const filler = 'x'.repeat(16_384);
    expectError(
      await sendRaw(app.url, head('POST', '/keys', { 'X-Filler': filler })),
      431,
      'headers_too_large',
    );
    expectError(await sendRaw(app.url, rawHead('GET', `/keys?x=${filler}`)), 431, 'headers_too_large');
    const long = head('POST', '/keys', { 'X-Filler': 'x'.repeat(12_000) });
    expect((await sendRaw(app.url, long)).status).toBe(400);
  });

  it('A request without a Host header is refused with the error envelope', async () => {
    const { status, body } = await sendRaw(app.url, 'GET /api/v1/keys HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'validation_failed', details: [{ field: 'Host' }] });
  });

  it('A conditional GET is answered in full', async () => {
    // fetch would add `Cache-Control: no-cache` to a conditional request.
    for (const field of [
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    ]) {
      const list = head('GET', '/keys', field);
      expect(await sendRaw(app.url, list)).toMatchObject({ status: 200, body: { object: 'list' } });
      for (const state of ['live', 'ready'])
        expect(await sendRaw(app.url, list.replace('/api/v1/keys', `/health/${state}`))).toMatchObject({
          status: 200,
          body: { status: state },
        });
    }
  });

  it('Bytes after a complete request do not prevent its response', async () => {
    for (let round = 0; round < 5; round++) {
      const body = JSON.stringify({ external_id: `trailing-${round}` });
      const fields = { ...JSON_TYPE, 'Content-Length': String(body.length) };
      const kept = head('POST', '/users', fields, partner.key).replace('Connection: close\r\n', '');
      expect((await sendRaw(app.url, `${kept}${body}}}garbage`)).status).toBe(201);
    }
  });

  it('A test send accepts an empty chunked body', async () => {
    const { id } = (await partner.api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data;
    const sent = head('POST', `/webhooks/${id}/test`, CHUNKED, partner.key);
    expect((await sendRaw(app.url, `${sent}0\r\n\r\n`)).status).toBeLessThan(300);
    expect((await sendRaw(app.url, `${sent}2\r\nhi\r\n0\r\n\r\n`)).status).toBe(415);
  });

  it('internal_error: the response has no internals; the log has them with the request id', async () => {
    await app.sql('ALTER TABLE partners RENAME TO mislaid');
    const answers = [await app.admin.get('/partners'), await app.admin.post('/partners', { name: 'Nobody' })];
    await app.sql('ALTER TABLE mislaid RENAME TO partners');
    for (const answer of answers) {
      expectError(answer, 500, 'internal_error');
      expect(answer.text).not.toMatch(
        /partners|relation|does not exist|select|insert|42P01|Error:|\.[jt]s\b|\/src\//i,
      );
      const lines = app.logs().split('\n');
      const line = lines.find(
        (line) => line.includes('unexpected error') && line.includes(answer.body.error.request_id),
      );
      expect(line).toMatch(/42P01/);
      expect(line).not.toContain('Nobody');
    }
    expect((await app.admin.get('/partners')).status).toBe(200);
  });

  it('A cursor of one deployment is refused by another, even with the same SECRETS_KEY', async () => {
    const other = await startApp(contract === 'partner' ? 'sandbox' : 'partner');
    await createPartner(app.admin);
    const { next_cursor: cursor } = (await app.admin.get('/partners?limit=1')).body.meta;
    expectError(await other.admin.get(`/partners?cursor=${cursor}`), 400, 'invalid_cursor');
    expect((await app.admin.get(`/partners?cursor=${cursor}`)).status).toBe(200);
    await other.close();
  });

  describe('of two at once', () => {
    const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();
    const expectOne = (answers: Answer[], code: string): void => {
      expect(statuses(answers)).toEqual([201, 409]);
      expectError(
        answers.find(({ status }) => status === 409)!,
        409,
        code,
      );
    };

    it('external_id_taken: one succeeds, in the live contract across partners', async () => {
      const rival = contract === 'partner' ? await createPartner(app.admin) : partner;
      for (let round = 0; round < 15; round++) {
        const body = { external_id: `race:${round}` };
        const sent = [partner, rival].map(({ api }) => api.post('/users', body));
        expectOne(await Promise.all(sent), 'external_id_taken');
      }
    });

    it('wallet_taken: one succeeds, also with the same wallets in opposite order', async () => {
      for (let round = 10; round < 25; round++) {
        const wallets = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(20)}${String(round).repeat(10)}`);
        const sent = [wallets, wallets.toReversed()].map((ownWallets, n) =>
          partner.api.post('/users', { external_id: `wallets:${round}:${n}`, wallets: ownWallets }),
        );
        expectOne(await Promise.all(sent), 'wallet_taken');
      }
    });

    it('webhook_limit_reached: 60 registrations leave 50; a deletion frees one; the limit is per partner', async () => {
      const { api } = await createPartner(app.admin);
      const register = (by = api): Promise<Answer> => by.post('/webhooks', { url: 'http://127.0.0.1:9/' });
      const answers = await Promise.all(Array.from({ length: 60 }, () => register()));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(10);
      refused.forEach((answer) => expectError(answer, 409, 'webhook_limit_reached'));
      const { body } = await api.get('/webhooks');
      expect(body.data).toHaveLength(50);
      await api.delete(`/webhooks/${body.data[7].id}`);
      expect((await register()).status).toBe(201);
      expectError(await register(), 409, 'webhook_limit_reached');
      expect((await register(partner.api)).status).toBe(201);
    });
  });
});
