import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { attacks, slowOf } from '../support/attacks.js';
import { createPartner, type TestPartner } from '../support/partner.js';

const BODY = 65_536;
/** A head has 16 KiB, and a request line and other headers beside the text. */
const FIELD = 15_500;
/** Of each header and parameter, what its grammar is made of. */
const HEADERS: Record<string, string[]> = {
  Accept: ['"', ',', ';', ' ', 'a/b', 'q=0', '\\"', '*/*'],
  'Accept-Encoding': [',', ';', ' ', 'gzip', 'q=0'],
  Authorization: ['Bearer ', ' ', 'a', 'vl_live_', '.'],
  'Content-Type': [';', ' ', '"', 'charset=', 'application/json', '\\"', '/', '='],
  'Content-Encoding': [',', ' ', 'gzip'],
  'Idempotency-Key': [' ', 'a', '"'],
  'User-Agent': [' ', 'a', '/', '(', ')'],
  'X-Forwarded-For': [',', ' ', '10.0.0.1', ':', '::', '1', 'fe80::1%a', '.'],
  'If-None-Match': [',', ' ', 'W/', '"', '*'],
  Traceparent: ['-', '00', 'a'],
  Cookie: [';', '=', ' ', 'a'],
  Expect: ['100-continue', ' ', ',', '-'],
  Host: ['.', 'a', ':', '[', ']', '@'],
  Range: ['bytes=', '0-', ',', ' '],
};
const JSON_PIECES = ['"', '\\"', '\\', '{', '[', ']', '"a":', ',', '1', '0', 'e', '-', '.', ' ', 'true', 'é'];
const QUERY_PIECES = ['a=1&', '&', '=', '%41', '%', '[', ']', 'a[]=1&', '+', 'limit=1&'];
const PATH_PIECES = ['/', 'a', '.', '%2f', '%', ';', '..', '//', '-'];

describe('a request of the largest size that is read takes at most 50 ms of CPU', () => {
  let app: TestApp;
  let partner: TestPartner;
  beforeAll(async () => {
    const env = {
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8,fe80::/10',
    };
    app = await startApp('partner', env, undefined, shortMarkets);
    partner = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  /** Sends a request, and waits for the end of its answer. */
  const send = (line: string, fields: Record<string, string>, body: Buffer | string = ''): Promise<void> =>
    new Promise((resolve, reject) => {
      const length = Buffer.byteLength(body);
      const head = {
        Host: 'test',
        Connection: 'close',
        Authorization: `Bearer ${partner.api.key}`,
        ...(length > 0 && { 'Content-Type': 'application/json', 'Content-Length': String(length) }),
        ...fields,
      };
      const lines = [line, ...Object.entries(head).map(([name, value]) => `${name}: ${value}`), '', ''];
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      let isAnswered = false;
      socket.on('error', () => undefined).on('data', () => (isAnswered = true));
      socket.on('close', () => (isAnswered ? resolve() : reject(new Error('There was no answer.'))));
      socket.write(Buffer.concat([Buffer.from(lines.join('\r\n')), Buffer.from(body)]));
    });
  const post = (path: string, body: Buffer | string, fields: Record<string, string> = {}): Promise<void> =>
    send(`POST /api/v1${path} HTTP/1.1`, fields, body);

  it.each(Object.entries(HEADERS))(
    'A request of the largest size that is read takes at most 50 ms of CPU by its header %s',
    async (name, pieces) => {
      const texts = attacks(pieces, FIELD);
      // The documents' pages negotiate their encoding; operations read bodies.
      const target = ['Accept-Encoding', 'If-None-Match', 'Range'].includes(name) ? '/openapi.json' : null;
      const slow = await slowOf(texts, (text) =>
        target === null
          ? post('/users', '{}', { [name]: text })
          : send(`GET ${target} HTTP/1.1`, { [name]: text }),
      );
      expect(slow).toEqual([]);
    },
  );

  it('A request of the largest size that is read takes at most 50 ms of CPU by the number of its headers', async () => {
    const slow = await slowOf(attacks(['a:\r\n', 'Accept:a\r\n', 'Host:a\r\n'], FIELD), (text) =>
      send('GET /api/v1/webhooks HTTP/1.1', { 'X-First': `1\r\n${text}X-Last: 1` }),
    );
    expect(slow).toEqual([]);
  });

  it('A request of the largest size that is read takes at most 50 ms of CPU by its path', async () => {
    const slow = await slowOf(attacks(PATH_PIECES, FIELD), (text) =>
      send(`GET /api/v1/${text} HTTP/1.1`, {}),
    );
    expect(slow).toEqual([]);
  });

  it.each([
    ['as a whole', '/users/x/ledger?', QUERY_PIECES],
    ['with a cursor', '/webhooks/deliveries?cursor=', ['a', '-', '_', '=', '%00']],
    ['with a size of a page', '/webhooks/deliveries?limit=', ['0', '1', '9', '-', '.', 'e']],
    ['with an id', '/analytics/uplift?user_id=', ['usr_', '0', 'a', '_']],
    ['with ids', '/partner/users?ids=', ['usr_00000000000000000000000000', ',', 'usr_', '0']],
    ['with a time', '/partner/audit?from=', ['2026-01-01', 'T', '00:00', ':', '0', '-', '%2B', '%20']],
    ['with an asset', '/analytics/signals?asset=', ['USDC', ',', '0']],
    ['with event types', '/events?types=', ['position.opened', ',', '.', 'a']],
  ])(
    'A request of the largest size that is read takes at most 50 ms of CPU by its query, %s',
    async (_, target, pieces) => {
      const slow = await slowOf(attacks(pieces, FIELD), (text) =>
        send(`GET /api/v1${target}${text} HTTP/1.1`, {}),
      );
      expect(slow).toEqual([]);
    },
  );

  it('A request of the largest size that is read takes at most 50 ms of CPU by a body that is no JSON', async () => {
    expect(await slowOf(attacks(JSON_PIECES, BODY - 16), (text) => post('/users', text))).toEqual([]);
    const unfinished = attacks(['\\"', '\\', 'a', '{"', '[', ','], BODY - 100).map(
      (text) => `{"external_id":"${text}`,
    );
    expect(await slowOf(unfinished, (text) => post('/users', text))).toEqual([]);
    expect(
      await slowOf(unfinished, (text) => post('/users', gzipSync(text), { 'Content-Encoding': 'gzip' })),
    ).toEqual([]);
  });

  it('A request of the largest size that is read takes at most 50 ms of CPU by a body of the most values, names or levels', async () => {
    const wide = (value: string): string => `{"external_id":"a","metadata":{"a":[${value}]}}`;
    const names = (of: (n: number) => string): string =>
      `{"external_id":"a","metadata":{${Array.from({ length: 2_400 }, (_, n) => `"${of(n)}":1`).join(',')}}}`;
    const texts = [
      wide(Array<string>(2_400).fill('{"a":1}').join(',')),
      wide(
        Array<string>(160)
          .fill(`${'9'.repeat(15)}${'0'.repeat(380)}1`)
          .join(','),
      ),
      wide(
        Array<string>(160)
          .fill(`0.${'0'.repeat(390)}1`)
          .join(','),
      ),
      names(String),
      names((n) => `${String.fromCharCode(97 + (n % 26))}${'0'.repeat(20)}${n}`),
      names(() => 'a'.repeat(20)),
      wide('[{"a":'.repeat(5_000)),
      `{${Array.from({ length: 50 }, (_, n) => `"${'a'.repeat(1_200)}${n}":{}`).join(',')}}`,
      `{"external_id":"a","wallets":[${Array<string>(1_400)
        .fill(`"0x${'a'.repeat(40)}"`)
        .join(',')}]}`,
      `{"external_id":"a","wallets":${JSON.stringify(Array(2_400).fill('a'))}}`,
    ];
    expect(await slowOf(texts, (text) => post('/users', text))).toEqual([]);
    const events = `{"url":"https://a.example","events":${JSON.stringify(Array(2_400).fill('position.opened'))}}`;
    expect(await slowOf([events], (text) => post('/webhooks', text))).toEqual([]);
  });

  it.each([
    ['/users', 'external_id', ['a', ' ', '\u00e9', '\ud83d\ude00', ':']],
    ['/users', 'email', ['@', '.', 'a', '"', '-', '[']],
    ['/webhooks', 'url', ['https://', 'a', '.', '-', '%', '/', '@', ':', 'xn--', '[', '?', '\u00e9']],
    ['/positions', 'tx_hash', ['0x', '0', 'f']],
    ['/positions', 'chain', ['a', '-', '0']],
    ['/positions', 'asset', ['USDC', ' ']],
    [`/users/usr_${'0'.repeat(26)}/withdrawals`, 'wallet', ['0x', '0', 'f', 'F']],
  ])(
    'A request to %s of the largest size that is read takes at most 50 ms of CPU, whatever its field %s contains',
    async (path, field, pieces) => {
      for (const length of [250, 2_040, BODY / 2 - 100]) {
        const texts = attacks(pieces, length).map((text) =>
          JSON.stringify({ external_id: 'a', [field]: text }),
        );
        expect(
          await slowOf(
            texts.filter((text) => Buffer.byteLength(text) < BODY),
            (text) => post(path, text),
          ),
        ).toEqual([]);
      }
    },
  );
});
