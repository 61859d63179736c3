import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';

const BODY_LIMIT = 65_536;

/** Validation of a request, in the order of its steps. Access is checked by rules of conformance. */
describe.each(['partner', 'sandbox'] as const)('%s contract: requests that are refused', (contract) => {
  let app: TestApp;
  let admin: Api;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    admin = app.admin;
    partner = await createPartner(admin);
  });
  afterAll(() => app.close());

  const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${app.adminKey}` });

  describe('before anybody asks who calls', () => {
    it('validation_failed: a path that is no URL, bytes that are no HTTP', async () => {
      for (const path of ['/partners/%E0%A4%A', '/partners/%ff/campaigns', '/positions/%']) {
        const answer = await admin.get(path);
        expectError(answer, 400, 'validation_failed');
        expect(fieldsOf(answer)).toEqual(['path']);
      }
      expectError(await sendRaw(app.url, 'Hello, is anybody there?\r\n\r\n'), 400, 'validation_failed');
    });
  });

  describe('what was sent', () => {
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
  });
});
