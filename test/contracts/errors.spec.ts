import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf, withoutRequestId } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';

const BODY_LIMIT = 65_536;

/** Validation of a request, in the order of its steps. Access is checked by rules of conformance. */
describe.each(['partner', 'sandbox'] as const)('%s contract: requests that are refused', (contract) => {
  let app: TestApp;
  let admin: Api;
  let partner: TestPartner;
  let other: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    admin = app.admin;
    partner = await createPartner(admin);
    other = await createPartner(admin);
  });
  afterAll(() => app.close());

  const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${app.adminKey}` });

  /** Calls a path outside the API root. */
  const outside = async (method: string, path: string): Promise<Answer> => {
    const response = await fetch(app.url + path, { method });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };

  describe('before anybody asks who calls', () => {
    it('route_not_found: no such path, another root, another version', async () => {
      expectError(await admin.get('/nowhere'), 404, 'route_not_found');
      expectError(await admin.as(undefined).get('/nowhere'), 404, 'route_not_found');
      expectError(await admin.get('/keys/one/two'), 404, 'route_not_found');
      for (const path of ['/', '/api/v1', '/api/v2/keys', '/keys', '/health', '/docs/nowhere']) {
        expectError(await outside('GET', path), 404, 'route_not_found');
      }
    });

    it('method_not_allowed: the path exists; Allow tells how it may be called', async () => {
      const allowed = async (method: string, path: string): Promise<string | null> => {
        const answer = await admin.send(method, path);
        expectError(answer, 405, 'method_not_allowed');
        return answer.headers.get('allow');
      };
      expect(await allowed('PUT', '/keys')).toBe('GET, HEAD, POST');
      expect(await allowed('DELETE', '/partners')).toBe('GET, HEAD, POST');
      expect(await allowed('GET', '/users')).toBe('POST');
      expect(await allowed('POST', `/partners/${partner.id}`)).toBe('GET, HEAD, PATCH');
      expect(await allowed('GET', '/webhooks/wh_1/test')).toBe('POST');
      expect((await outside('POST', '/health/live')).headers.get('allow')).toBe('GET, HEAD');
      expect(await allowed('PUT', '/webhooks/wh_1')).toBe(
        contract === 'partner' ? 'DELETE, PATCH' : 'DELETE',
      );
    });

    it('validation_failed: a path that is no URL, bytes that are no HTTP', async () => {
      for (const path of ['/partners/%E0%A4%A', '/partners/%ff/campaigns', '/positions/%']) {
        const answer = await admin.get(path);
        expectError(answer, 400, 'validation_failed');
        expect(fieldsOf(answer)).toEqual(['path']);
      }
      expectError(await sendRaw(app.url, 'Hello, is anybody there?\r\n\r\n'), 400, 'validation_failed');
    });
  });

  describe('without a key, 401 comes before anything else about the form of a request', () => {
    const JSON_TYPE = { 'content-type': 'application/json' };
    it.each([
      ['an answer that is no JSON', 'GET', '/keys', undefined, { accept: 'text/html' }],
      ['a method that the path does not have', 'PUT', '/keys', undefined, {}],
      ['a path that is no URL', 'GET', '/partners/%E0%A4%A', undefined, {}],
      ['an unknown parameter', 'GET', '/keys?unknown=1', undefined, {}],
      ['a foreign cursor', 'GET', '/keys?cursor=x', undefined, {}],
      ['a body of another type', 'POST', '/users', 'a', { 'content-type': 'text/plain' }],
      ['a body of an unknown encoding', 'POST', '/users', '{}', { 'content-encoding': 'zstd' }],
      ['a body that is no JSON', 'POST', '/users', '{', JSON_TYPE],
      ['a body that is too large', 'POST', '/users', 'x'.repeat(BODY_LIMIT + 1), JSON_TYPE],
      ['a body with an unknown field', 'POST', '/users', '{"unknown":1}', JSON_TYPE],
      ['an Idempotency-Key that is too long', 'POST', '/users', '{}', { 'idempotency-key': 'x'.repeat(256) }],
    ])('%s', async (_, method, path, body, headers) => {
      const refused = await admin.as(undefined).send(method, path, body, headers);
      expectError(refused, 401, 'missing_api_key');
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
      expect(refused.headers.get('allow')).toBeNull();
    });

    it('a header given twice', async () => {
      const twice = (headers: Record<string, string>) =>
        sendRaw(app.url, rawHead('GET', '/keys', { ...headers, 'Content-Type': 'a', 'content-type': 'b' }));
      expectError(await twice({}), 401, 'missing_api_key');
      expectError(await twice(bearer()), 400, 'validation_failed');
    });

    it('so does 401 for a key that is none; a path that is none stays 404', async () => {
      const html = { accept: 'text/html' };
      expectError(await admin.as('vl_live_mistyped').get('/keys', html), 401, 'invalid_api_key');
      for (const path of ['/nowhere', '/keys/one/two'])
        expectError(await admin.as(undefined).get(path, html), 404, 'route_not_found');
    });
  });

  describe('what was sent', () => {
    it('not_acceptable: the caller takes no JSON', async () => {
      expectError(await admin.get('/keys', { accept: 'text/html' }), 406, 'not_acceptable');
      expectError(await admin.get('/keys', { accept: 'application/json;q=0' }), 406, 'not_acceptable');
      expect((await admin.get('/keys', { accept: 'text/html, */*;q=0.1' })).status).toBe(200);
    });

    it('unsupported_media_type: a body that is not sent as JSON in UTF-8', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'application/json; charset=utf-16',
      ]) {
        const answer = await admin.post('/keys', '{"label":"a"}', { 'content-type': type });
        expectError(answer, 415, 'unsupported_media_type');
      }
      for (const encoding of ['zstd', 'of-my-own']) {
        const squeezed = await admin.post('/keys', '{"label":"a"}', { 'content-encoding': encoding });
        expectError(squeezed, 415, 'unsupported_media_type');
      }
      const good = { 'content-type': 'Application/JSON; charset=UTF-8' };
      expect((await admin.post('/keys', '{"label":"a"}', good)).status).toBe(201);
    });

    it('payload_too_large: from 64 KiB and one byte on, with a length or in chunks', async () => {
      const bodyOf = (bytes: number): string => JSON.stringify({ label: 'x'.repeat(bytes - 12) });
      expect(Buffer.byteLength(bodyOf(BODY_LIMIT))).toBe(BODY_LIMIT);
      expectError(await admin.post('/keys', bodyOf(BODY_LIMIT)), 400, 'validation_failed');
      expectError(await admin.post('/keys', bodyOf(BODY_LIMIT + 1)), 413, 'payload_too_large');
      const chunk = bodyOf(BODY_LIMIT + 1);
      const chunked = `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
      const type = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
      const head = rawHead('POST', '/keys', { ...bearer(), ...type });
      expectError(await sendRaw(app.url, head + chunked), 413, 'payload_too_large');
    });

    it('malformed_json: not well-formed, not UTF-8, nothing at all', async () => {
      for (const text of [
        '{"label":',
        "{'label': 'a'}",
        '{"label":"a",}',
        'label=a',
        '\u0000',
        '{"a":1}{"a":1}',
      ]) {
        expectError(await admin.post('/keys', text), 400, 'malformed_json');
      }
    });

    it('validation_failed: names each field that is missing, unknown, null or of another type', async () => {
      const refused = async (body: unknown): Promise<string[]> => {
        const answer = await partner.api.post('/users', body);
        expectError(answer, 400, 'validation_failed');
        return fieldsOf(answer);
      };
      expect(await refused({})).toEqual(['external_id']);
      expect(await refused(undefined)).toEqual(['external_id']);
      expect(await refused({ external_id: 'a', colour: 'red' })).toEqual(['colour']);
      expect(await refused({ external_id: null })).toEqual(['external_id']);
      expect(await refused({ external_id: 'a', label: null })).toEqual(['label']);
      expect(await refused({ external_id: 7 })).toEqual(['external_id']);
      expect(await refused({ external_id: 'a', wallets: 'none', metadata: [] })).toEqual([
        'wallets',
        'metadata',
      ]);
      expect(await refused({ external_id: 'a\u0000b' })).toEqual(['external_id']);
      expect(await refused('{"external_id":"\\ud83d"}')).toEqual(['external_id']);
      expect(await refused('{"external_id":"a","__proto__":{"label":"b"}}')).toEqual(['__proto__']);
      for (const body of [[], 'null', '7', '"text"', [{ external_id: 'a' }]])
        expect(await refused(body)).toEqual(['body']);
    });

    it('validation_failed: what parsing would change: a field given twice, a number that no double holds', async () => {
      const changed: [text: string, field: string][] = [
        ['{"external_id":"a","external_id":"b"}', 'external_id'],
        ['{"external_id":"a","metadata":{"b":"c","\\u0062":"d"}}', 'metadata.b'],
        ['{"external_id":9007199254740993}', 'external_id'],
        ['{"external_id":"a","colour":[0,1e400]}', 'colour.1'],
      ];
      for (const [text, field] of changed) {
        const answer = await partner.api.post('/users', text);
        expectError(answer, 400, 'validation_failed');
        expect(fieldsOf(answer)).toEqual([field]);
      }
    });

    it('validation_failed: an unknown query parameter, or one given twice', async () => {
      for (const [query, field] of [
        ['colour=red', 'colour'],
        ['status=', 'status'],
        ['status=gone', 'status'],
        ['limit=5&limit=6', 'limit'],
        ['status[]=active', 'status[]'],
      ]) {
        const answer = await admin.get(`/partners?${query}`);
        expectError(answer, 400, 'validation_failed');
        expect(fieldsOf(answer)).toEqual([field]);
      }
    });

    it('invalid_cursor: broken, changed, of another list, or with other filters', async () => {
      const page = await admin.get('/partners?limit=1&status=active');
      const cursor: string = page.body.meta.next_cursor;
      const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
      const refused: [Api, string][] = [
        [admin, `/partners?status=active&cursor=abc`],
        [admin, `/partners?status=active&cursor=${changed}`],
        [admin, `/partners?status=active&cursor=${cursor}%3D`],
        [admin, `/partners?cursor=${cursor}`],
        [admin, `/partners?status=disabled&cursor=${cursor}`],
        [admin, `/keys?cursor=${cursor}`],
        [partner.api, `/webhooks?cursor=${cursor}`],
      ];
      for (const [api, path] of refused) expectError(await api.get(path), 400, 'invalid_cursor');
      expect((await admin.get(`/partners?limit=1&status=active&cursor=${cursor}`)).status).toBe(200);
    });
  });

  it("not_found: unknown, malformed, another kind's and another partner's ids: one answer, byte for byte", async () => {
    const { body } = await other.api.post('/webhooks', { url: 'http://127.0.0.1:9999/hook' });
    const unknown = 'wh_01kaabcdefghjkmnpqrstvwxyz';
    const ids = [unknown, body.data.id, 'wh_1', partner.id, 'nonsense', '%00', "'--", 'x'.repeat(500)];
    const about = async (call: (id: string) => Promise<Answer>): Promise<void> => {
      const answers = await Promise.all(ids.map(call));
      answers.forEach((answer) => expectError(answer, 404, 'not_found'));
      expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
    };
    await about((id) => partner.api.delete(`/webhooks/${id}`));
    await about((id) => partner.api.post(`/webhooks/${id}/test`));
    if (contract === 'partner') await about((id) => partner.api.patch(`/webhooks/${id}`, { active: false }));
    expect((await other.api.get('/webhooks')).body.data).toMatchObject([{ id: body.data.id, active: true }]);
  });
});
