import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';

const PAGES = ['', '/', '/index.html', '/partner.json', '/general.json', '/administration.json'];
const ASSETS = ['init.js', '.css', 'bundle.js', 'standalone-preset.js'].map((name) =>
  name.startsWith('.') ? `/swagger-ui${name}` : `/swagger-ui-${name}`,
);
const DOCUMENTS = [
  '/openapi.json',
  ...[...PAGES, ...ASSETS, '/favicon-16x16.png', '/favicon-32x32.png'].map((page) => `/docs${page}`),
];

interface Read {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
}

/** Anonymous reads of static documents: many of them must cost other callers next to nothing. */
describe('a static document', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, shortMarkets);
  });
  afterAll(() => app.close());

  /** The raw bytes of an answer, without a client that decodes them. */
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Read> =>
    new Promise((resolve, reject) => {
      const sent = request(app.url + path, { method, headers, agent: false }, (response) => {
        const of = (chunks: Buffer[]): Read => ({
          status: response.statusCode!,
          headers: response.headers as Read['headers'],
          bytes: Buffer.concat(chunks),
        });
        response.toArray().then((chunks) => resolve(of(chunks)), reject);
      });
      sent.on('error', reject).end();
    });

  it.each(DOCUMENTS)('%s has an ETag; a request with it gets 304, and HEAD no body', async (path) => {
    const { status, headers, bytes } = await read(path);
    const { etag = '' } = headers;
    expect([status, headers['cache-control'], headers['content-encoding']]).toEqual([
      200,
      'no-cache',
      undefined,
    ]);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const known = await read(path, { 'if-none-match': condition });
      expect([condition, known.status, known.bytes.length, known.headers.etag]).toEqual([
        condition,
        304,
        0,
        etag,
      ]);
    }
    expect((await read(path, { 'if-none-match': '"other"' })).status).toBe(200);
    const head = await read(path, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(bytes.length),
    ]);
    if (path.endsWith('.png')) return;
    const zipped = await read(path, { 'accept-encoding': 'gzip, br' });
    expect([zipped.headers['content-encoding'], zipped.headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    expect(gunzipSync(zipped.bytes).equals(bytes)).toBe(true);
    expect(zipped.headers.etag).not.toBe(etag);
    const known = { 'accept-encoding': 'gzip', 'if-none-match': zipped.headers.etag! };
    expect((await read(path, known)).status).toBe(304);
  });
});
