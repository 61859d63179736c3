import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filled, type Operation, operationsIn } from '../conformance/operations.js';
import type { Answer } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';
import { RUNS } from '../support/runs.js';

/** Strings that are tried in headers. */
const STRINGS = 25 * RUNS;
const NAUGHTY_STRINGS = (createRequire(import.meta.url)('big-list-of-naughty-strings') as string[]).filter(
  (text) => !/[\r\n\0]/.test(text),
);

/** Equivalent targets for the list of keys. */
const SAME_TARGETS = [
  ...['http://other.example/api/v1/keys', 'HTTP://x:1/api/v1/keys?limit=1', '/api/v1/keys/'],
  ...['/api/v1/keys?', '/api/v1/keys?&', '/api/v1/keys#x'],
];
/** Targets that look like the list of keys and lead elsewhere. */
const OTHER_TARGETS = [
  ...['*', '/api/v1//keys', '//api/v1/keys', '/api/v1/../v1/keys', '/api/v1/./keys', 'http://', 'urn:x'],
  ...['/api/v1/%2e%2e/v1/keys', '/api/v1/keys;a=b', '/api/v1/%6beys', '/api/v1/keys%00', '/api/v1/keys%20'],
  ...['/api%2fv1%2fkeys', '/api/v1/keys%3flimit=1', '\\api\\v1\\keys', '/api/v1/%', '/api/v1/keys/%'],
  ...['/api/v1/keys/%ff%fe/x', 'http://:x/', '/api/v1/keys/../../../../etc/nothing'],
];

/** Headers of an answer that do not differ from one answer to the next, and whether its length is given. */
const sameOf = ({ headers }: { headers: Headers }): Record<string, string> => {
  const CHANGING = /^(date|x-request-id|ratelimit|transfer-encoding$|connection$|keep-alive$)/;
  const lasting = [...headers].filter(([name]) => !CHANGING.test(name));
  return Object.fromEntries(
    lasting.map(([name, value]) => [name, name === 'content-length' ? 'given' : value]),
  );
};

/** Heads that few libraries would send, and bodies as they may be coded. Node's parser has the rest: lengths, chunks, request lines. */
describe.each(eitherContract('partner'))('%s contract: the server', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let operations: Operation[];
  beforeAll(async () => {
    app = await startApp(
      contract,
      { RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' },
      undefined,
      shortMarkets,
    );
    partner = await createPartner(app.admin);
    operations = operationsIn(await (await fetch(`${app.url}/openapi.json`)).json());
  });
  afterAll(() => app.close());

  const key = (): string => `Authorization: Bearer ${app.adminKey}`;
  const asked = (line: string, fields: string[] = [], body = ''): Promise<Answer> => {
    const length = body === '' ? [] : [`Content-Length: ${body.length}`];
    const head = [line, 'Host: test', 'Connection: close', ...fields, ...length];
    return sendRaw(app.url, Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`));
  };
  const askedKeys = (...fields: string[]): Promise<Answer> => asked('GET /api/v1/keys HTTP/1.1', fields);
  const expectRefusal = (name: string, answer: Answer, ...statuses: number[]): void => {
    expect([name, statuses.includes(answer.status), answer.status]).toEqual([name, true, answer.status]);
    expectError(answer, answer.status, answer.body.error.code);
  };
  const post = (body: Buffer | string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${app.url}/api/v1/partners`, {
      method: 'POST',
      headers: { authorization: key().slice(15), 'content-type': 'application/json', ...headers },
      body,
    });
  const answered = async (response: Response): Promise<Answer> => {
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };

  it('The server refuses a repeated single-valued header with 400, without an effect', async () => {
    const all = [key(), 'Content-Type: application/json'];
    for (const field of [
      ...['Authorization: Bearer x', 'Host: other', 'Content-Type: text/plain'],
      ...['Content-Encoding: gzip', 'Idempotency-Key: b'],
    ]) {
      const name = field.split(':')[0]!;
      const first = ['Content-Encoding: identity', 'Idempotency-Key: a'].filter((row) =>
        row.startsWith(name),
      );
      for (const order of [
        [...all, ...first, field],
        [field, ...first, ...all],
      ]) {
        const answer = await asked('POST /api/v1/partners HTTP/1.1', order, '{"name":"Twice"}');
        expectRefusal(field, answer, 400);
        const details = [{ field: name, message: 'is given twice' }];
        expect(answer.body.error).toMatchObject({ code: 'validation_failed', details });
      }
    }
    // Express reads a backslash before a # as a slash, so that such a target is in the API, too.
    for (const target of ['/api/v1\\partners#', '/API/V1/partners#', '/api/v1\\partners?#'])
      expectRefusal(target, await asked(`GET ${target} HTTP/1.1`, [key(), key()]), 400);
    expect((await app.admin.get('/partners?limit=500')).text).not.toContain('Twice');
  });

  it('The server finds the same operation for a target in another form, or refuses it', async () => {
    for (const target of SAME_TARGETS)
      expect([target, (await asked(`GET ${target} HTTP/1.1`, [key()])).status]).toEqual([target, 200]);
    for (const target of OTHER_TARGETS)
      expectRefusal(target, await asked(`GET ${target} HTTP/1.1`, [key()]), 400, 404, 405);
  });

  it('The server responds to HEAD as to GET without a body, and 405 to a method that HTTP hardly knows', async () => {
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const api = operation.scopes.includes('partner:read') ? partner.api : app.admin;
      for (const accept of ['application/json', 'text/csv']) {
        const [head, read] = [
          await api.send('HEAD', filled(operation), undefined, { accept }),
          await api.get(filled(operation), { accept }),
        ];
        expect([operation.name, head.text, head.status]).toEqual([operation.name, '', read.status]);
        expect([operation.name, sameOf(head)]).toEqual([operation.name, sameOf(read)]);
      }
    }
    for (const method of ['TRACE', 'PROPFIND', 'OPTIONS', 'LINK']) {
      const answer = await asked(`${method} /api/v1/keys HTTP/1.1`, [key()]);
      expectError(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    }
  });

  it.each(['/', '/docs', '/console', '/openapi.json', '/health/live', '/health/ready', '/nowhere'])(
    'The server responds to HEAD %s as to GET without a body',
    async (path) => {
      const ask = (method: string) =>
        fetch(`${app.url}${path}`, {
          method,
          redirect: 'manual',
          headers: { accept: 'text/html', 'accept-encoding': 'identity' },
        });
      const [head, read] = [await ask('HEAD'), await ask('GET')];
      await read.text();
      expect([head.status, await head.text(), sameOf(head)]).toEqual([read.status, '', sameOf(read)]);
    },
  );

  const POST_KEYS = 'POST /api/v1/keys HTTP/1.1';
  const CHUNKED = 'Transfer-Encoding: chunked';
  it.each<[name: string, line: string, fields: string[], refusal: string, body?: string]>([
    ['an unknown expectation', 'GET /api/v1/keys HTTP/1.1', ['Expect: a'], '417 expectation_failed'],
    [
      'an unknown expectation of a body',
      POST_KEYS,
      ['Expect: a', 'Content-Length: 2'],
      '417 expectation_failed',
    ],
    ['a tunnel', 'CONNECT other.example:443 HTTP/1.1', [], '405 method_not_allowed'],
    ['a tunnel to itself', 'CONNECT /api/v1/keys HTTP/1.1', [], '405 method_not_allowed'],
    ['the options of everything', 'OPTIONS * HTTP/1.1', [], '404 route_not_found'],
    ['HTTP/2', 'PRI * HTTP/2.0', [], '400 validation_failed', 'SM\r\n\r\n'],
    ['HTTP/3', 'GET /api/v1/keys HTTP/3.0', [], '400 validation_failed'],
    ['HTTP/0.9', 'GET /api/v1/keys', [], '400 validation_failed'],
    ['a method in lower case', 'get /api/v1/keys HTTP/1.1', [], '400 validation_failed'],
    ['a header without a name', 'GET /api/v1/keys HTTP/1.1', [': a'], '400 validation_failed'],
    ['a header with a space', 'GET /api/v1/keys HTTP/1.1', ['Accept : a'], '400 validation_failed'],
    ['two lengths', POST_KEYS, ['Content-Length: 1', 'Content-Length: 2'], '400 validation_failed'],
    ['a length and chunks', POST_KEYS, ['Content-Length: 1', CHUNKED], '400 validation_failed'],
    ['an unknown transfer encoding', POST_KEYS, ['Transfer-Encoding: gzip'], '400 validation_failed'],
    ['an endless chunk extension', POST_KEYS, [CHUNKED], '400 validation_failed', `1;${'a'.repeat(20_000)}`],
    [
      'a third thousand of headers',
      'GET /api/v1/keys HTTP/1.1',
      Array<string>(9_000).fill('ab:'),
      '431 headers_too_large',
    ],
  ])(
    'The server has an envelope and an id for %s, where Node would answer by itself',
    async (_, line, fields, refusal, body = '') => {
      const head = [line, 'Host: test', 'Connection: close', key(), ...fields];
      const answer = await sendRaw(app.url, `${head.join('\r\n')}\r\n\r\n${body}`);
      const [status, code] = refusal.split(' ');
      expectError(answer, Number(status), code!);
    },
  );

  it('The server answers an upgrade as a request without one, and HTTP/1.0 as HTTP/1.1', async () => {
    const upgrade = await askedKeys(key(), 'Upgrade: websocket', 'Connection: upgrade');
    const older = await asked('GET /api/v1/keys HTTP/1.0', [key()]);
    for (const { status, headers } of [upgrade, older])
      expect([status, headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^req_/)]);
  });

  it('The server reads every header, however many there are', async () => {
    const many = Array<string>(2_100).fill('a:');
    expectError(await askedKeys(key(), ...many, key()), 400, 'validation_failed');
  });

  it('The server answers a request once, also when its body fails behind the answer', async () => {
    const head = ['POST /api/v1/nothing HTTP/1.1', 'Host: test', CHUNKED].join('\r\n');
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).write(`${head}\r\n\r\n`);
    await once(socket, 'data');
    socket.write('zz\r\n');
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  });

  it('The server refuses or ignores headers with arbitrary text', async () => {
    const step = Math.max(1, Math.floor(NAUGHTY_STRINGS.length / STRINGS));
    const ignored = [
      'X-Request-Id',
      'User-Agent',
      'X-Forwarded-For',
      'Cookie',
      'Origin',
      'Range',
      'If-Match',
      '__proto__',
    ];
    for (const value of NAUGHTY_STRINGS.filter((_, index) => index % step === 0)) {
      for (const scheme of ['', 'Bearer '])
        expectRefusal(value, await askedKeys(`Authorization: ${scheme}${value}`), 401, 400, 431);
      const named = await askedKeys(key(), ...ignored.map((name) => `${name}: ${value}`));
      if (named.status !== 200) expectRefusal(value, named, 400, 431);
      const accepting = await askedKeys(key(), `Accept: ${value}`);
      if (accepting.status !== 200) expectRefusal(value, accepting, 400, 406, 431);
      const fields = [key(), 'Content-Type: application/json', `Idempotency-Key: ${value}`];
      const once = await asked('POST /api/v1/keys HTTP/1.1', fields, '{"label":"Once"}');
      // Space around a value is not part of it (RFC 9110, 5.5).
      const isKey = /^[ \t]*[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?[ \t]*$/.test(value);
      if (isKey) expect([value, once.status]).toEqual([value, 201]);
      else expectRefusal(value, once, 400, 431);
    }
  }, 60_000);

  it('The server refuses a body in a transfer coding other than chunked', async () => {
    const chunked = '14\r\n{"label":"In parts"}\r\n0\r\n\r\n';
    const headers = (coding: string) => ({
      authorization: key().slice(15),
      'content-type': 'application/json',
      'transfer-encoding': coding,
    });
    const sent = (coding: string) =>
      sendRaw(app.url, `${rawHead('POST', '/keys', headers(coding))}${chunked}`);
    expect((await sent('Chunked')).status).toBe(201);
    expectRefusal('gzip', await sent('gzip, chunked'), 415);
  });

  it('The server reads bodies compressed by gzip, deflate or br, and limits their decompressed size', async () => {
    for (const [encoding, compress] of Object.entries({
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
    })) {
      const packed = compress(Buffer.from('{"name":"In a parcel"}'));
      const head = { 'content-encoding': encoding };
      expect((await answered(await post(packed, head))).body.data.partner.name).toBe('In a parcel');
      for (const broken of [packed.subarray(0, packed.length / 2), Buffer.from('{"name":"Not in a parcel"}')])
        expectError(await answered(await post(broken, head)), 400, 'malformed_json');
      const bomb = await post(compress(Buffer.alloc(50_000_000, ' ')), head);
      expectError(await answered(bomb), 413, 'payload_too_large');
    }
    for (const [body, type] of [
      ['\ufeff{"name":"Marked"}', 'application/json'],
      [`${' '.repeat(60_000)}{"name":"Marked"}\r\n\t`, 'Application/JSON;charset=UTF-8'],
      ['{"n\\u0061me":"M\\u0061rked"}', 'application/json; charset="utf-8"; x=y'],
    ] as const) {
      const { body: created } = await answered(await post(body, { 'content-type': type }));
      expect(created.data.partner.name).toBe('Marked');
    }
  });

  it('The server refuses a body of too many fields or levels, and names where', async () => {
    const fields = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`z${n}`, 0]));
    for (const [field, body] of [
      [/^body$/, JSON.stringify(fields)],
      [/^zz(\.|$)/, `{"zz":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
      [/^zz$/, '{"zz\\u0000":1}'],
    ] as const) {
      const answer = await answered(await post(body, {}));
      expectError(answer, 400, 'validation_failed');
      expect(fieldsOf(answer)[0]).toMatch(field);
    }
  });
});
