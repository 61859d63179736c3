import { createRequire } from 'node:module';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { sendRaw } from '../support/raw.js';
import { send } from './call.js';
import { judge, troublesOf } from './judge.js';
import { each, RUNS, some } from './run.js';
import { World } from './world.js';

const MINUTE_MS = 60_000;
/** Statuses that the server may answer before it has found the operation. */
const EDGE = [400, 404, 405, 406, 408, 413, 415, 431];

const NAUGHTY_STRINGS = createRequire(import.meta.url)('big-list-of-naughty-strings') as readonly string[];

/** Equivalent targets for the list of keys. */
const SAME_TARGETS = [
  'http://other.example/api/v1/keys',
  'HTTP://x:1/api/v1/keys?limit=1',
  '/api/v1/keys/',
  '/api/v1/keys?',
  '/api/v1/keys?&',
  '/api/v1/keys#x',
];

/** Targets that look like the list of keys and lead elsewhere. */
const OTHER_TARGETS = [
  '*',
  '/api/v1//keys',
  '//api/v1/keys',
  '/api/v1/../v1/keys',
  '/api/v1/./keys',
  '/api/v1/%2e%2e/v1/keys',
  '/api/v1/keys;a=b',
  '/api/v1/%6beys',
  '/api/v1/keys%00',
  '/api/v1/keys%20',
  '/api%2fv1%2fkeys',
  '/api/v1/keys%3flimit=1',
  '\\api\\v1\\keys',
  '/api/v1/%',
  '/api/v1/keys/%',
  '/api/v1/keys/%ff%fe/x',
  'http://',
  'http://:x/',
  'urn:x',
  '/api/v1/keys/../../../../etc/nothing',
];

/** Heads that few libraries would send, and bodies as they may be coded. Node's parser has the rest: lengths, chunks, request lines. */
describe.each(eitherContract('partner'))('%s contract: the server', (contract) => {
  let world: World;

  beforeAll(async () => {
    world = await World.start(contract);
  }, MINUTE_MS);
  afterAll(() => world.close());

  const key = (): string => `Authorization: Bearer ${world.app.adminKey}`;
  const raw = (lines: string[], body = ''): Promise<Answer> =>
    sendRaw(world.app.url, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`));
  const asked = (line: string, ...fields: string[]): Promise<Answer> =>
    raw([line, 'Host: test', 'Connection: close', ...fields]);

  const expectRefusal = (name: string, answer: Answer, statuses: readonly number[] = EDGE): void => {
    expect([name, ...troublesOf(answer)]).toEqual([name]);
    expect([name, statuses.includes(answer.status), answer.status]).toEqual([name, true, answer.status]);
    expect([name, answer.body.error.message.length > 10]).toEqual([name, true]);
  };

  const post = (body: Buffer | string, headers: Record<string, string>): Promise<Answer> =>
    send(world.app.url, {
      method: 'POST',
      target: '/partners',
      headers: { authorization: key().slice(15), 'content-type': 'application/json', ...headers },
      body,
    });

  it('refuses a repeated single-valued header with 400, without an effect', async () => {
    const body = '{"name":"Twice"}';
    const twice = [
      'Authorization: Bearer x',
      'Host: other',
      'Content-Type: text/plain',
      'Content-Encoding: gzip',
      'Idempotency-Key: b',
    ];
    const all = [key(), 'Content-Type: application/json', `Content-Length: ${body.length}`];
    for (const field of twice) {
      const name = field.split(':')[0]!;
      const first = ['Content-Encoding: identity', 'Idempotency-Key: a'].filter((one) =>
        one.startsWith(name),
      );
      for (const order of [
        [...all, ...first, field],
        [field, ...first, ...all],
      ]) {
        const answer = await raw(
          ['POST /api/v1/partners HTTP/1.1', 'Host: test', 'Connection: close', ...order],
          body,
        );
        expectRefusal(field, answer, [400]);
        expect(answer.body.error).toMatchObject({
          code: 'validation_failed',
          details: [{ field: name, message: 'is given twice' }],
        });
      }
    }
    // Express reads a backslash before a # as a slash, so that such a target is in the API, too.
    for (const target of ['/api/v1\\partners#', '/API/V1/partners#', '/api/v1\\partners?#']) {
      const answer = await raw(
        [`GET ${target} HTTP/1.1`, 'Host: test', 'Connection: close', key(), key()],
        '',
      );
      expectRefusal(target, answer, [400]);
    }
    const { body: list } = await send(world.app.url, {
      method: 'GET',
      target: '/partners?limit=500',
      headers: { authorization: key().slice(15) },
    });
    expect(list.data.filter(({ name }: { name: string }) => name === 'Twice')).toEqual([]);
  });

  it('finds the same operation for a target in another form, or refuses it', async () => {
    for (const target of SAME_TARGETS)
      expect([target, (await asked(`GET ${target} HTTP/1.1`, key())).status]).toEqual([target, 200]);
    for (const target of OTHER_TARGETS)
      expectRefusal(target, await asked(`GET ${target} HTTP/1.1`, key()), [400, 404, 405]);
  });

  it('responds 405 with Allow to an undefined method of a path, and to HEAD as to GET without a body', async () => {
    const paths = new Map(world.operations.map((operation) => [operation.path, operation]));
    await each([...paths.values()], async (operation) => {
      const { path } = operation;
      const methods = world.operations.filter((one) => one.path === path).map(({ method }) => method);
      // In place of this path's parameter, another operation may have a fixed segment.
      const filled = path.replace(/\{\w+\}/g, (name) => (name === '{asset}' ? 'USDC' : world.pool.pos[0]!));
      const headers = { authorization: `Bearer ${world.keyOf(operation)}` };
      const call = (method: string) => send(world.app.url, { method, target: filled, headers });
      for (const method of ['PUT', 'TRACE', 'PROPFIND', 'OPTIONS', 'LINK', 'DELETE', 'PATCH'].filter(
        (one) => !methods.includes(one),
      )) {
        const answer = await call(method);
        expectRefusal(`${method} ${path}`, answer, [404, 405]);
        if (answer.status === 405)
          expect([path, answer.headers.get('allow')?.split(', ')]).toEqual([
            path,
            expect.arrayContaining(methods),
          ]);
      }
      const head = await call('HEAD');
      // A path of a read by id: there is no record of this id.
      const isRead = world.operations.some(
        (one) =>
          one.method === 'GET' && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/{}]+')}$`).test(path),
      );
      if (!methods.includes('GET')) return expect([path, head.status]).toEqual([path, isRead ? 404 : 405]);
      const read = await call('GET');
      expect([path, head.text, head.status]).toEqual([path, '', read.status]);
      expect(head.headers.get('content-type')).toBe(read.headers.get('content-type'));
    });
  });

  it(
    'refuses or ignores headers with arbitrary text',
    async () => {
      const values = some(
        NAUGHTY_STRINGS.filter((text) => !/[\r\n\0]/.test(text)),
        25,
      );
      await each(values, async (value) => {
        const authorized = await asked('GET /api/v1/keys HTTP/1.1', `Authorization: ${value}`);
        const bearer = await asked('GET /api/v1/keys HTTP/1.1', `Authorization: Bearer ${value}`);
        for (const answer of [authorized, bearer]) expectRefusal(value, answer, [401, 400, 431]);
        const named = await asked(
          'GET /api/v1/keys HTTP/1.1',
          key(),
          `X-Request-Id: ${value}`,
          `User-Agent: ${value}`,
          `X-Forwarded-For: ${value}`,
          `Cookie: ${value}`,
          `Origin: ${value}`,
          `Range: ${value}`,
          `If-Match: ${value}`,
          `X-HTTP-Method-Override: ${value}`,
        );
        if (named.status !== 200) expectRefusal(value, named, [400, 431]);
        const accepting = await asked('GET /api/v1/keys HTTP/1.1', key(), `Accept: ${value}`);
        if (accepting.status !== 200) expectRefusal(value, accepting, [400, 406, 431]);
        const body = '{"label":"Once"}';
        const once = await raw(
          [
            'POST /api/v1/keys HTTP/1.1',
            'Host: test',
            'Connection: close',
            key(),
            'Content-Type: application/json',
            `Content-Length: ${body.length}`,
            `Idempotency-Key: ${value}`,
          ],
          body,
        );
        // Space around a value is not part of it (RFC 9110, 5.5).
        const isKey = /^[ \t]*[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?[ \t]*$/.test(value);
        if (isKey)
          judge(
            world.conformance,
            { method: 'POST', target: '/keys', headers: { 'Idempotency-Key': value } },
            once,
            { status: 201 },
          );
        else expectRefusal(value, once, [400, 431]);
      });
    },
    MINUTE_MS * RUNS,
  );

  it('responds 406 to a client that does not accept JSON', async () => {
    for (const accept of [
      'text/html',
      'application/json;q=0',
      'image/*',
      'application/xml, text/html',
      '*/*;q=0',
    ]) {
      expectRefusal(accept, await asked('GET /api/v1/keys HTTP/1.1', key(), `Accept: ${accept}`), [406]);
    }
  });

  it('reads bodies compressed by gzip, deflate or br, and limits their decompressed size', async () => {
    for (const [encoding, compress] of Object.entries({
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
    })) {
      const packed = compress(Buffer.from('{"name":"In a parcel"}'));
      const head = { 'content-encoding': encoding };
      expect((await post(packed, head)).body.data.partner.name).toBe('In a parcel');
      for (const broken of [packed.subarray(0, packed.length / 2), Buffer.from('{"name":"Not in a parcel"}')])
        expectError(await post(broken, head), 400, 'malformed_json');
      expectError(await post(compress(Buffer.alloc(50_000_000, ' ')), head), 413, 'payload_too_large');
    }
    for (const [body, type] of [
      ['\ufeff{"name":"Marked"}', 'application/json'],
      [`${' '.repeat(60_000)}{"name":"Marked"}\r\n\t`, 'Application/JSON;charset=UTF-8'],
      ['{"n\\u0061me":"M\\u0061rked"}', 'application/json; charset="utf-8"; x=y'],
    ] as const)
      expect((await post(body, { 'content-type': type })).body.data.partner.name).toBe('Marked');
  });

  it('refuses a body of too many fields, values or levels, and names where', async () => {
    const fields = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`z${n}`, 0]));
    for (const [field, body] of [
      [/^body$/, JSON.stringify(fields)],
      [/^body$/, `{"zz":[${'0,'.repeat(30_000)}0]}`],
      [/^zz(\.|$)/, `{"zz":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
      [/^zz(\.|$)/, `{"zz":${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}}`],
      [/^a(\.|$)/, '{"a":'.repeat(12_000)],
      [/^zz$/, '{"zz\\u0000":1}'],
    ] as const) {
      const answer = await post(body, {});
      expectError(answer, 400, 'validation_failed');
      expect([body.slice(0, 20), fieldsOf(answer)[0]]).toEqual([
        body.slice(0, 20),
        expect.stringMatching(field),
      ]);
    }
  });
});
