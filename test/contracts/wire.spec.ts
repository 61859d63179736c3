import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner } from '../support/partner.js';
import { sendRaw } from '../support/raw.js';

/** Details of HTTP that callers and their libraries send, and that no schema describes. */
describe('on the wire', () => {
  let app: TestApp;
  let key: string;

  beforeAll(async () => {
    app = await startApp('partner');
    key = (await createPartner(app.admin)).key;
  });
  afterAll(() => app.close());

  const raw = (lines: string[], body: string | Buffer = ''): Promise<Answer> =>
    sendRaw(app.url, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]));
  const post = (path: string, body: Buffer): string[] => [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: test',
    'Connection: close',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];

  it('bytes that are no UTF-8 are refused, not replaced: two ids that differ stay two', async () => {
    for (const byte of [0xe9, 0xe8]) {
      const body = Buffer.concat([
        Buffer.from('{"external_id":"caf'),
        Buffer.from([byte]),
        Buffer.from('"}'),
      ]);
      const answer = await raw(post('/users', body), body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('malformed_json');
    }
    const accented = Buffer.from('{"external_id":"café"}');
    expect((await raw(post('/users', accented), accented)).body.data.external_id).toBe('café');
  });

  it('a condition on a GET is ignored: answers have no ETag', async () => {
    // The request is sent raw: fetch would add `Cache-Control: no-cache` to a conditional request.
    const read = (path: string, condition: string): Promise<Answer> =>
      raw([
        `GET ${path} HTTP/1.1`,
        'Host: test',
        'Connection: close',
        `Authorization: Bearer ${app.adminKey}`,
        condition,
      ]);
    for (const condition of ['If-None-Match: *', 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT']) {
      const { status, body } = await read('/api/v1/keys', condition);
      expect([status, body.object]).toEqual([200, 'list']);
      for (const state of ['live', 'ready'])
        expect(await read(`/health/${state}`, condition)).toMatchObject({
          status: 200,
          body: { status: state },
        });
    }
  });

  it('a request without a Host is refused in the envelope', async () => {
    const { status, body, headers } = await raw(['GET /api/v1/keys HTTP/1.1', 'Connection: close']);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'validation_failed', details: [{ field: 'Host' }] });
    expect(headers.get('x-request-id')).toBe(body.error.request_id);
  });

  it('bytes after a whole request do not take its answer away', async () => {
    for (let round = 0; round < 5; round++) {
      const body = Buffer.from(JSON.stringify({ external_id: `trailing-${round}` }));
      const head = post('/users', body).filter((line) => line !== 'Connection: close');
      const answer = await raw(head, Buffer.concat([body, Buffer.from('}}garbage')]));
      expect(answer.status).toBe(201);
    }
  });

  it('a test send may come with a chunked body of nothing', async () => {
    const id = (await app.admin.as(key).post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data
      .id as string;
    const head = [
      `POST /api/v1/webhooks/${id}/test HTTP/1.1`,
      'Host: test',
      'Connection: close',
      `Authorization: Bearer ${key}`,
      'Transfer-Encoding: chunked',
    ];
    expect((await raw(head, '0\r\n\r\n')).status).toBe(201);
    expect((await raw(head, '2\r\nhi\r\n0\r\n\r\n')).status).toBe(415);
  });

  it('a wrong type is named as such', async () => {
    for (const external_id of [1042, ['x'], {}]) {
      const { body } = await app.admin.as(key).post('/users', { external_id });
      expect(body.error.details).toEqual([{ field: 'external_id', message: 'must be a string' }]);
    }
  });
});

describe('a cursor', () => {
  it('of one deployment is foreign to the other, also when they share their secrets', async () => {
    const env = { SECRETS_KEY: randomBytes(32).toString('base64') };
    const [live, sandbox] = await Promise.all([startApp('partner', env), startApp('sandbox', env)]);
    const cursors = await Promise.all(
      [live, sandbox].map(async ({ admin }) => {
        await createPartner(admin);
        await createPartner(admin);
        return (await admin.get('/partners?limit=1')).body.meta.next_cursor as string;
      }),
    );
    const swapped = await sandbox.admin.get(`/partners?cursor=${cursors[0]}`);
    expect(swapped.status).toBe(400);
    expect(swapped.body.error.code).toBe('invalid_cursor');
    expect((await live.admin.get(`/partners?cursor=${cursors[0]}`)).status).toBe(200);
    await Promise.all([live.close(), sandbox.close()]);
  });
});
