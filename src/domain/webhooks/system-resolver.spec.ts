import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { resolveWithSystem } from './system-resolver.js';

const A = 1;
const AAAA = 28;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
const REFUSED = 5;

/** What the name server says by name and record type: raw addresses, a response code, or nothing at all. */
const zone: Record<string, Partial<Record<number, number[][] | number>>> = {
  'both.example.test': {
    [A]: [
      [192, 0, 2, 1],
      [192, 0, 2, 2],
    ],
    [AAAA]: [[0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 1]],
  },
  'v4.example.test': { [A]: [[192, 0, 2, 1]], [AAAA]: [] },
  'half-broken.example.test': { [A]: [[192, 0, 2, 1]], [AAAA]: SERVER_FAILURE },
  'empty.example.test': { [A]: [], [AAAA]: [] },
  'missing.example.test': { [A]: NO_SUCH_NAME, [AAAA]: NO_SUCH_NAME },
  'broken.example.test': { [A]: SERVER_FAILURE, [AAAA]: SERVER_FAILURE },
  'refused.example.test': { [A]: REFUSED, [AAAA]: REFUSED },
  'no-aaaa.example.test': { [A]: [[192, 0, 2, 1]] },
  'half-silent.example.test': { [A]: [] },
};

let server: Socket;
const asked: string[] = [];
beforeAll(async () => {
  server = createSocket('udp4', (query, peer) => {
    const { name, type, end } = question(query);
    asked.push(name);
    const says = zone[name]?.[type];
    if (says !== undefined) server.send(response(query, end, type, says), peer.port, peer.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

const resolve = (name: string, signal = new AbortController().signal) =>
  resolveWithSystem(name, signal, [`127.0.0.1:${server.address().port}`]);

describe('resolveWithSystem', () => {
  it('gives the addresses of both families', async () => {
    expect(await resolve('both.example.test')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  it('is content with one family', async () => {
    for (const name of ['v4.example.test', 'half-broken.example.test', 'no-aaaa.example.test']) {
      expect(await resolve(name)).toEqual([{ address: '192.0.2.1', family: 4 }]);
    }
  });

  it.each([
    ['empty.example.test', 'ENODATA'],
    ['missing.example.test', 'ENOTFOUND'],
    ['broken.example.test', 'ESERVFAIL'],
    ['refused.example.test', 'EREFUSED'],
    ['half-silent.example.test', 'ETIMEOUT'],
    ['silent.example.test', 'ETIMEOUT'],
  ])('rejects for %s with %s', async (name, code) => {
    await expect(resolve(name)).rejects.toMatchObject({ code });
  });

  it('asks for the name as it is, without a search domain', async () => {
    asked.length = 0;
    await expect(resolve('short')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(new Set(asked)).toEqual(new Set(['short']));
  });

  it('gives up when told to, and does not begin when told so before', async () => {
    const caller = new AbortController();
    const resolving = resolve('silent.example.test', caller.signal);
    setImmediate(() => caller.abort());
    await expect(resolving).rejects.toMatchObject({ code: 'ECANCELLED' });
    asked.length = 0;
    await expect(resolve('both.example.test', AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(asked).toEqual([]);
  });

  it('cancels nothing but its own queries', async () => {
    const caller = new AbortController();
    const given = resolve('silent.example.test', caller.signal);
    const other = resolve('both.example.test');
    caller.abort();
    await expect(given).rejects.toMatchObject({ code: 'ECANCELLED' });
    expect(await other).toHaveLength(3);
  });
});

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** RFC 1035, section 4: the question again, then a record an address that points back at its name. */
function response(query: Buffer, questionEnd: number, type: number, says: number[][] | number): Buffer {
  const [code, addresses] = typeof says === 'number' ? [says, []] : [NO_ERROR, says];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8);
  const records = addresses.map((data) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
  );
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}
