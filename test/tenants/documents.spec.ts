import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { request } from 'node:http';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';

const DOCUMENTS = [
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/index.html',
  '/docs/partner.json',
  '/docs/general.json',
  '/docs/administration.json',
  '/docs/swagger-ui-init.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui-standalone-preset.js',
  '/docs/favicon-16x16.png',
  '/docs/favicon-32x32.png',
];

interface Read {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
}

/** Anonymous reads of static documents: many of them must cost other callers next to nothing. */
describe('documents', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, shortMarkets);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => app.close());

  /** The raw bytes of an answer, without a client that decodes them. */
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Read> =>
    new Promise((resolve, reject) => {
      request(app.url + path, { method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Read['headers'],
            bytes: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    });

  it.each(DOCUMENTS)('%s: has an ETag of its bytes, and is not sent to who has them', async (path) => {
    const plain = await read(path);
    expect([plain.status, plain.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-length']).toBe(String(plain.bytes.length));
    const { etag = '' } = plain.headers;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const known = await read(path, { 'if-none-match': condition });
      expect([condition, known.status, known.bytes.length]).toEqual([condition, 304, 0]);
      expect([known.headers.etag, known.headers['content-type']]).toEqual([etag, undefined]);
      expect(known.headers['x-request-id']).toMatch(/^req_/);
    }
    expect((await read(path, { 'if-none-match': '"other"' })).status).toBe(200);
    const head = await read(path, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(plain.bytes.length),
    ]);
  });

  it('are sent in gzip to who takes that, under an ETag of their own', async () => {
    for (const path of DOCUMENTS.filter((name) => !name.endsWith('.png'))) {
      const plain = await read(path, { 'accept-encoding': 'gzip;q=0' });
      const zipped = await read(path, { 'accept-encoding': 'gzip, br' });
      expect([path, zipped.headers['content-encoding'], zipped.headers.vary]).toEqual([
        path,
        'gzip',
        'Accept-Encoding',
      ]);
      expect([path, gunzipSync(zipped.bytes).equals(plain.bytes)]).toEqual([path, true]);
      expect(zipped.bytes.length).toBeLessThan(plain.bytes.length);
      expect(zipped.headers.etag).not.toBe(plain.headers.etag);
      const known = await read(path, {
        'accept-encoding': 'gzip',
        'if-none-match': zipped.headers.etag!,
      });
      expect([path, known.status]).toEqual([path, 304]);
    }
  });
});
