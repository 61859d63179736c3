import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const DOCUMENTS = [
  '/openapi.json',
  ...['partner', 'general', 'administration'].map((audience) => `/docs/${audience}.json`),
];

interface Read {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
}

/** Reads a path outside the API root. */
async function readOf(url: string): Promise<Answer> {
  const response = await fetch(url);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Reads a path byte for byte: `fetch` would remove its dot segments. */
async function rawText(url: string, path: string): Promise<string> {
  const [response] = (await once(get(url, { path }), 'response')) as [IncomingMessage];
  return textOf(response);
}

/** A content security policy as directive -> sources. */
const policyOf = (response: Answer): Record<string, string> =>
  Object.fromEntries(
    (response.headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ');
      return [name, sources.join(' ')];
    }),
  );
const headersOf = ({ headers }: Answer): object =>
  Object.fromEntries(Object.keys(EVERYWHERE).map((name) => [name, headers.get(name)]));

describe.each(eitherContract('sandbox'))('%s contract: documentation for browsers', (contract) => {
  let app: TestApp;
  let other: TestApp | undefined;
  let assets: string[];
  const read = (path: string): Promise<Answer> => readOf(app.url + path);

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    const { text: html } = await read('/docs');
    assets = [...html.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(
      ([, link]) => new URL(link!, `${app.url}/docs`).pathname,
    );
  });
  afterEach(async () => {
    await other?.close();
    other = undefined;
  });
  afterAll(() => app.close());

  /** The raw bytes of an answer, without a client that decodes them. */
  const readBytes = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Read> =>
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

  // Many anonymous reads of static documents must cost other callers next to nothing.
  it.each(DOCUMENTS)('%s has an ETag; a request with it gets 304, and HEAD no body', async (path) => {
    const { status, headers, bytes } = await readBytes(path);
    const { etag = '' } = headers;
    expect([status, headers['cache-control'], headers['content-encoding']]).toEqual([
      200,
      'no-cache',
      undefined,
    ]);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const conditional = await readBytes(path, { 'if-none-match': condition });
      expect([condition, conditional.status, conditional.bytes.length, conditional.headers.etag]).toEqual([
        condition,
        304,
        0,
        etag,
      ]);
    }
    expect((await readBytes(path, { 'if-none-match': '"other"' })).status).toBe(200);
    const head = await readBytes(path, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(bytes.length),
    ]);
    const zipped = await readBytes(path, { 'accept-encoding': 'gzip, br' });
    expect([zipped.headers['content-encoding'], zipped.headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    expect(gunzipSync(zipped.bytes).equals(bytes)).toBe(true);
    expect(zipped.headers.etag).not.toBe(etag);
    const conditionalHeaders = { 'accept-encoding': 'gzip', 'if-none-match': zipped.headers.etag! };
    expect((await readBytes(path, conditionalHeaders)).status).toBe(304);
  });

  it('Documentation for browsers has the security headers, and permits its own script files alone and no content of another site', async () => {
    for (const path of ['/docs', '/docs/package.json', ...assets]) {
      const answer = await read(path);
      expect([path, headersOf(answer)]).toEqual([path, EVERYWHERE]);
      expect([path, policyOf(answer)]).toEqual([
        path,
        {
          'default-src': "'none'",
          'script-src': "'self'",
          'style-src': "'self' 'unsafe-inline'",
          'img-src': "'self' data:",
          'font-src': "'self'",
          'connect-src': "'self'",
          'base-uri': "'none'",
          'form-action': "'none'",
          'frame-ancestors': "'none'",
        },
      ]);
    }
    const document = await read('/openapi.json');
    expect(headersOf(document)).toEqual(EVERYWHERE);
    expect(policyOf(document)).toEqual({ 'default-src': "'none'", 'frame-ancestors': "'none'" });
    for (const answer of [await app.admin.get('/keys'), await read('/health/live')])
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('Documentation for browsers has no inline script, and no missing or external file', async () => {
    const { text: html } = await read('/docs');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+\s*=|javascript:/i);
    expect(html.replaceAll('http://www.w3.org/', '')).not.toMatch(/(?:src|href)\s*=\s*["'](?:\w+:)?\/\//);
    expect(assets.length).toBeGreaterThan(4);
    const types = await Promise.all(
      assets.map(async (path) => {
        const { status, headers } = await read(path);
        return `${status} ${headers.get('content-type')?.split(';')[0]}`;
      }),
    );
    const expectedTypes = [
      '200 application/javascript',
      '200 image/png',
      '200 text/css',
      '200 text/javascript',
    ];
    expect([...new Set(types)].filter((type) => !expectedTypes.includes(type))).toEqual([]);
  });

  it('The files of the documentation page have an ETag, and a request with it gets 304', async () => {
    for (const path of assets.filter((asset) => !asset.endsWith('-init.js'))) {
      const { headers } = await readBytes(path);
      expect([path, headers['cache-control']]).toEqual([path, 'no-cache']);
      const again = await readBytes(path, { 'if-none-match': headers['etag']! });
      expect([path, again.status, again.bytes.length]).toEqual([path, 304, 0]);
    }
  });

  it('The documentation has one page, at one address behind any proxy, and no file outside its folder', async () => {
    for (const path of ['/docs/', '/docs/index.html']) {
      const { status, headers } = await fetch(app.url + path, { redirect: 'manual' });
      expect([path, status, headers.get('location')]).toEqual([path, 308, '../docs']);
    }
    const { text: page } = await read('/docs');
    expect(page).toContain('src="./docs/swagger-ui-init.js"');
    for (const path of ['/docs-json', '/docs-yaml', '/openapi.yaml', '/docs/..%2fpackage.json'])
      expect([path, (await read(path)).body?.error.code]).toEqual([path, 'route_not_found']);
  });

  it('Documentation for browsers permits requests to PUBLIC_URL, which is the server of the document, if that is another origin', async () => {
    other = await startApp(
      contract,
      { PUBLIC_URL: 'https://api.example.test/yield' },
      app.database,
      shortMarkets,
    );
    expect(policyOf(await readOf(`${other.url}/docs`))['connect-src']).toBe(
      "'self' https://api.example.test",
    );
    const { servers } = (await readOf(`${other.url}/openapi.json`)).body;
    expect(servers).toEqual([{ url: 'https://api.example.test/yield/api/v1' }]);
  });

  it('Documentation for browsers is absent under DOCS=off', async () => {
    other = await startApp(
      contract,
      { DOCS: 'off', BOOTSTRAP_ADMIN_KEY: app.adminKey },
      app.database,
      shortMarkets,
    );
    const documents = ['/openapi.json', '/docs/partner.json', '/docs/administration.json'];
    const pages = ['/docs', '/docs/', '/docs/index.html', ...documents];
    for (const path of [...pages, ...assets]) {
      expectError(await readOf(other.url + path), 404, 'route_not_found');
    }
    expect((await other.admin.get('/keys')).status).toBe(200);
    expect((await other.admin.get('/nowhere')).text).not.toContain('/docs');
  });

  describe('the page at /', () => {
    const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const links = (text: string): string[] => [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
    const front = (url: string, accept = BROWSER, init: RequestInit = {}): Promise<Response> =>
      fetch(`${url}/`, { redirect: 'manual', ...init, headers: { accept, ...init.headers } });

    it('The page at / names the contract to a browser, and links to pages that exist', async () => {
      const answer = await front(app.url);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const { title } = (await read('/openapi.json')).body.info;
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).toContain(contract === 'sandbox' ? 'The simulated contract' : 'The live contract');
      expect(links(text)).toEqual(['./console', './docs', './health/ready']);
      for (const link of ['./docs', './health/ready'])
        expect([link, (await fetch(new URL(link, `${app.url}/`))).status]).toEqual([link, 200]);
    });

    it('The page at / has the security headers, its own style alone and nothing else, and is asked for again', async () => {
      const answer = await front(app.url);
      const style = /<style>([^]*)<\/style>/.exec(await answer.text())![1]!;
      const digest = createHash('sha256').update(style).digest('base64');
      expect(answer.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      for (const [name, value] of Object.entries(EVERYWHERE)) expect(answer.headers.get(name)).toBe(value);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding');
      const headers = { 'if-none-match': answer.headers.get('etag')! };
      expect((await front(app.url, BROWSER, { headers })).status).toBe(304);
      // Not even one that has the page is answered so where it asks as a program.
      expect((await front(app.url, '*/*', { headers })).status).toBe(404);
    });

    it('The page at / is unknown to a program, and to every other method', async () => {
      for (const [accept, method] of [
        ['*/*', 'GET'],
        ['application/json', 'GET'],
        ['application/json, text/html;q=0.5', 'GET'],
        [BROWSER, 'POST'],
        [BROWSER, 'OPTIONS'],
      ] as const) {
        const answer = await front(app.url, accept, { method });
        const { error } = (await answer.json()) as any;
        expect([accept, method, answer.status, error.code]).toEqual([accept, method, 404, 'route_not_found']);
        expect([answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
          'no-store',
          'Accept',
        ]);
      }
    });

    it('The page at / leaves out what DOCS=off and CONSOLE=off remove', async () => {
      const env = { DOCS: 'off', CONSOLE: 'off', BOOTSTRAP_ADMIN_KEY: app.adminKey };
      other = await startApp(contract, env, app.database, shortMarkets);
      expect(links(await (await front(other.url)).text())).toEqual(['./health/ready']);
    });
  });

  describe('the console', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-console-'));
    const start = async (env: Record<string, string>, built: string | null): Promise<string> => {
      const options = { ...env, BOOTSTRAP_ADMIN_KEY: app.adminKey };
      other = await startApp(contract, options, app.database, (constants, settings) => {
        shortMarkets(constants, settings);
        settings.consoleFolder = built;
      });
      return other.url;
    };
    beforeAll(() => {
      mkdirSync(join(folder, 'assets'));
      writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
      writeFileSync(join(folder, 'icon.svg'), '<svg/>');
      writeFileSync(join(folder, 'assets/app-1a2b.js'), 'void 0;'.repeat(100));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('The console is a page at each of its addresses, with files that may be cached for ever', async () => {
      const url = await start({}, folder);
      for (const path of ['', '/', '/decisions/dec_1', '/index.html', '/..%2f..%2fpackage.json', '/a.js']) {
        const page = await readOf(`${url}/console${path}`);
        expect([path, page.status, page.text]).toEqual([path, 200, '<!doctype html><title>Console</title>']);
        expect(page.headers.get('cache-control')).toBe('no-cache');
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      }
      const script = await readOf(`${url}/console/assets/app-1a2b.js`);
      expect(script.text).toBe('void 0;'.repeat(100));
      expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const tag = script.headers.get('etag')!;
      const again = await fetch(`${url}/console/assets/app-1a2b.js`, { headers: { 'if-none-match': tag } });
      expect(again.status).toBe(304);
      const icon = await readOf(`${url}/console/icon.svg`);
      expect([icon.headers.get('content-type'), icon.headers.get('cache-control')]).toEqual([
        'image/svg+xml',
        'no-cache',
      ]);
      for (const answer of [script, icon, await readOf(`${url}/console/users`)]) {
        expect(headersOf(answer)).toEqual(EVERYWHERE);
        expect(answer.headers.get('content-security-policy')).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        );
      }
    });

    it('The console serves no file of another build or outside its folder, no POST, and is not in the OpenAPI document', async () => {
      const url = await start({}, folder);
      expectError(await readOf(`${url}/console/assets/app-old.js`), 404, 'route_not_found');
      expectError(await readOf(`${url}/consoles`), 404, 'route_not_found');
      const posted = await fetch(`${url}/console`, { method: 'POST' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      for (const path of ['/console/../package.json', '/console/%2e%2e/%2e%2e/package.json'])
        expect(await rawText(url, path)).toBe('<!doctype html><title>Console</title>');
      expect((await readOf(`${url}/openapi.json`)).text).not.toContain('/console');
    });

    it('The console names the command that builds it when it was not built, and is absent under CONSOLE=off', async () => {
      const unbuilt = await readOf(`${await start({}, null)}/console`);
      expectError(unbuilt, 404, 'route_not_found');
      expect(unbuilt.body.error.message).toContain('npm run build');
      await other!.close();
      const off = await readOf(`${await start({ CONSOLE: 'off' }, folder)}/console`);
      expectError(off, 404, 'route_not_found');
      expect(off.headers.get('content-security-policy')).toBe(null);
    });
  });
});
