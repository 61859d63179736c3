import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { NameServer, type NameAnswer } from '../../../../test/support/name-server.js';
import { SystemResolver } from './system-resolver.js';

const BOTH = ['192.0.2.1', '192.0.2.2', '2001:db8::1'];
const V4 = ['192.0.2.1'];

/** Answers of the name server by name, for A and AAAA. */
const ZONE: Record<string, [v4: NameAnswer, v6: NameAnswer]> = {
  'both.example.test': [BOTH, BOTH],
  'v4.example.test': [V4, []],
  'half-broken.example.test': [V4, 'server failure'],
  'empty.example.test': [[], []],
  'missing.example.test': ['no such name', 'no such name'],
  'broken.example.test': ['server failure', 'server failure'],
  'refused.example.test': ['refused', 'refused'],
  'no-aaaa.example.test': [V4, 'silence'],
  'half-silent.example.test': [[], 'silence'],
  'silent.example.test': ['silence', 'silence'],
  short: ['silence', 'silence'],
};

let server: NameServer;
const system = new SystemResolver();
beforeAll(async () => {
  server = await NameServer.open();
  system.servers = [server.address];
  system.timeoutMs = 200;
  for (const [name, [v4, v6]] of Object.entries(ZONE))
    server.says(name, (family) => (family === 4 ? v4 : v6));
});
afterAll(() => server.close());

const resolve = (name: string, signal = new AbortController().signal) => system.resolve(name, signal);

describe('the system resolver', () => {
  it('The system resolver returns the addresses of both families', async () => {
    expect(await resolve('both.example.test')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  it('The system resolver returns the addresses of one family if the other has none or fails', async () => {
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
  ])('The system resolver rejects for %s with %s', async (name, code) => {
    await expect(resolve(name)).rejects.toMatchObject({ code });
  });

  it('The system resolver queries the name unchanged, without a search domain', async () => {
    server.asked.length = 0;
    await expect(resolve('short')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(new Set(server.asked)).toEqual(new Set(['short']));
  });

  it('The system resolver cancels its queries on abort, and sends none after it', async () => {
    const caller = new AbortController();
    const resolving = resolve('silent.example.test', caller.signal);
    setImmediate(() => caller.abort());
    await expect(resolving).rejects.toMatchObject({ code: 'ECANCELLED' });
    server.asked.length = 0;
    await expect(resolve('both.example.test', AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(server.asked).toEqual([]);
  });

  it('The system resolver cancels only its own queries', async () => {
    const caller = new AbortController();
    const given = resolve('silent.example.test', caller.signal);
    const other = resolve('both.example.test');
    caller.abort();
    await expect(given).rejects.toMatchObject({ code: 'ECANCELLED' });
    expect(await other).toHaveLength(3);
  });
});
