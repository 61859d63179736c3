import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';

import {
  ForbiddenUrlError,
  UrlGuard,
  type HostResolver,
  type ResolvedAddress,
  type UrlGuardOptions,
} from './url-guard.js';

const PUBLIC = '93.184.216.34';
const addresses = (...texts: string[]): ResolvedAddress[] =>
  texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const answering =
  (...texts: string[]): HostResolver =>
  async () =>
    addresses(...texts);
const failing =
  (code: string): HostResolver =>
  async () => {
    throw Object.assign(new Error(`query ${code}`), { code });
  };
const silent: HostResolver = () => new Promise(() => {});

const guard = (options: Partial<UrlGuardOptions> = {}): UrlGuard =>
  new UrlGuard({
    allowedNetworks: [],
    requireHttps: false,
    resolve: answering(PUBLIC),
    resolveTimeoutMs: 100,
    ...options,
  });

type Purpose = 'register' | 'send';
/** @returns `accepted`, or the kind of the refusal */
async function verdict(urls: UrlGuard, url: string, purpose: Purpose): Promise<string> {
  try {
    await urls.check(url, purpose);
    return 'accepted';
  } catch (error) {
    if (error instanceof ForbiddenUrlError) return error.kind;
    throw error;
  }
}

describe('a URL as text', () => {
  it.each([
    ['a tab', 'http://exam\tple.com/'],
    ['a line break', 'http://example.com\r\nX-Injected: 1/'],
    ['a leading space', ' http://example.com/'],
    ['a trailing line break', 'http://example.com/\n'],
    ['a no-break space', 'http://example.com/\u00a0'],
    ['a byte order mark', '\ufeffhttp://example.com/'],
    ['a line separator', 'http://example.com/\u2028'],
    ['a delete character', 'http://example.com/\u007f'],
    ['an empty fragment', 'http://example.com/#'],
    ['empty credentials', 'http://@example.com/'],
    ['a user without a password', 'http://user@example.com/'],
    ['no slashes', 'http:example.com/'],
    ['an escaped dot', 'http://example%2ecom/'],
    ['2,049 characters', `https://example.com/${'a'.repeat(2_029)}`],
    ['2,049 characters once escaped', `https://example.com/${'ü'.repeat(400)}`],
    ['an empty label', 'http://a..example.com/'],
    ['a lone surrogate', 'http://exa\ud800mple.com/'],
    ['a soft hyphen that vanishes', 'http://local\u00adhost/'],
    ['a zero-width space that vanishes', 'http://local\u200bhost/'],
    ['full-width letters', 'http://ｌｏｃａｌｈｏｓｔ/'],
    ['a long s', 'http://localhoſt/'],
    ['a full-width at sign', 'http://example.com＠127.0.0.1/'],
    ['a full-width slash', 'http://example.com／@127.0.0.1/'],
    ['a full-width colon', 'http://example.com：80/'],
    ['a full-width percent sign', 'http://127.0.0.1％00.example.com/'],
    ['a full-width number sign', 'http://127.0.0.1＃.example.com/'],
    ['full-width digits of a port', 'http://example.com:６３７９/'],
    ['a port with leading zeros', 'http://example.com:0006379/'],
    ['a port above 65535', 'http://example.com:65536/'],
    ['an address in brackets that is not IPv6', 'http://[127.0.0.1]/'],
    ['an unclosed bracket', 'http://[::1/'],
    ['an address of five parts', 'http://1.2.3.4.5/'],
    ['a last part that is a number', 'http://example.0x7f/'],
    ['an address part above 255', 'http://256.0.0.1/'],
    ['an address part that is not octal', 'http://127.0.0.09/'],
    ['an address that ends in two dots', 'http://127.0.0.1../'],
    ['a name that ends in two dots', 'http://localhost../'],
    ['empty punycode', 'http://xn--/'],
    ['punycode of ASCII only', 'http://xn--localhost-/'],
    ['a repeated scheme', 'http:http://example.com/'],
    ['the scheme view-source', 'view-source:http://example.com/'],
    ['the scheme jar', 'jar:http://127.0.0.1!/'],
  ])('A URL as text is refused with %s', async (_what, url) => {
    expect(await verdict(guard(), url, 'register')).toBe('blocked_address');
  });

  it('A URL as text is accepted with 2,048 characters', async () =>
    expect(await verdict(guard(), `https://example.com/${'a'.repeat(2_028)}`, 'register')).toBe('accepted'));

  it('A URL as text is returned in canonical form', async () => {
    const { url, addresses: pinned } = await guard().check('HTTPS://EXAMPLE.com.:443/Hook?x=%2F', 'send');
    expect(url.href).toBe('https://example.com/Hook?x=%2F');
    expect(pinned).toEqual(addresses(PUBLIC));
  });

  it.each('0 22 25 2375 2379 3306 5432 6379 6667 9200 11211 27017 10080'.split(' '))(
    'A URL as text is refused with port %s',
    async (port) => {
      for (const host of ['example.com', '1.1.1.1'])
        expect(await verdict(guard(), `https://${host}:${port}/`, 'register')).toBe('blocked_address');
    },
  );

  it.each(['80', '443', '3000', '8080', '8443', '65535'])(
    'A URL as text is accepted with port %s',
    async (port) =>
      expect(await verdict(guard(), `https://example.com:${port}/`, 'register')).toBe('accepted'),
  );
});

describe('a name', () => {
  const NONSENSE = ['', 'localhost', '127.1', 'fe80::1%eth0'];
  it.each<[string, register: string, send: string, HostResolver]>([
    ...['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ECONNREFUSED'].map(
      (code): [string, string, string, HostResolver] => [code, 'accepted', 'dns_error', failing(code)],
    ),
    ['no answer', 'dns_error', 'dns_error', silent],
    ['ETIMEOUT', 'dns_error', 'dns_error', failing('ETIMEOUT')],
    ['an unknown error', 'dns_error', 'dns_error', failing('EWHATEVER')],
    ...NONSENSE.map((nonsense): [string, string, string, HostResolver] => [
      `the address ${JSON.stringify(nonsense)}`,
      'blocked_address',
      'blocked_address',
      answering(PUBLIC, nonsense),
    ]),
  ])(
    'A name whose resolver returns %s is %s at registration, and %s at a send',
    async (_, register, send, resolve) => {
      const of = (purpose: Purpose) => verdict(guard({ resolve }), 'https://later.example.com/', purpose);
      expect([await of('register'), await of('send')]).toEqual([register, send]);
    },
  );

  it('A name that resolves to a private address is refused without that address in the error', async () => {
    const checked = guard({ resolve: answering('10.9.8.7') }).check('https://split.example.com/', 'register');
    await expect(checked).rejects.toMatchObject({
      kind: 'blocked_address',
      code: 'webhook_url_forbidden',
      reason: expect.not.stringContaining('10.9.8.7'),
    });
  });

  it('A name that is local is refused without a query', async () => {
    let lookups = 0;
    const resolve: HostResolver = async () => {
      lookups++;
      return addresses(PUBLIC);
    };
    for (const host of ['db.internal', 'intranet', 'localhost', 'metadata.google.internal'])
      expect(await verdict(guard({ resolve }), `https://${host}/`, 'send')).toBe('blocked_address');
    expect(lookups).toBe(0);
  });

  it('A name aborts its resolver at the timeout, and its check on abort of the caller', async () => {
    let resolving: AbortSignal | undefined;
    const resolve: HostResolver = (_name, signal) => new Promise(() => (resolving = signal));
    expect(await verdict(guard({ resolve }), 'https://slow.example.com/', 'send')).toBe('dns_error');
    expect(resolving?.aborted).toBe(true);
    const caller = new AbortController();
    const waiting = guard({ resolve }).check('https://slow.example.com/', 'send', caller.signal);
    setImmediate(() => caller.abort(new Error('enough')));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('A name is resolved once for all concurrent checks; an aborted one does not affect the others', async () => {
    let lookups = 0;
    const resolve: HostResolver = () => {
      lookups++;
      return new Promise((done) => setTimeout(done, 20, addresses(PUBLIC)));
    };
    const urls = guard({ resolve });
    const leaving = new AbortController();
    const abandoned = urls.check('https://busy.example.com/', 'send', leaving.signal);
    const otherChecks = Array.from({ length: 20 }, () => urls.check('https://busy.example.com/', 'register'));
    leaving.abort(new Error('enough'));
    await expect(abandoned).rejects.toThrow('enough');
    for (const { addresses } of await Promise.all(otherChecks)) expect(addresses).toHaveLength(1);
    expect(lookups).toBe(1);
    const staying = new AbortController();
    await urls.check('https://busy.example.com/', 'send', staying.signal);
    expect(lookups).toBe(2);
    // A signal that outlives many sends would keep a listener of each.
    expect(getEventListeners(staying.signal, 'abort')).toEqual([]);
  });
});

describe('a setting', () => {
  const allowedNetworks = ['127.0.0.0/8', '10.0.0.0/8'];
  const strict = { requireHttps: true, allowedNetworks };
  const [OWN, MIXED, OTHER] = [
    answering('10.0.0.1', '10.0.0.2'),
    answering('10.0.0.1', PUBLIC),
    answering(PUBLIC),
  ];
  const everything = { allowedNetworks: ['0.0.0.0/0', '::/0'] };
  const metadata = [
    '169.254.169.254',
    '168.63.129.16',
    '[fd00:ec2::254]',
    'metadata.google.internal',
    'metadata',
  ];

  it.each<[string, Partial<UrlGuardOptions>, string, string]>(
    // prettier-ignore
    [
      ['that requires https permits it', { requireHttps: true }, 'https://example.com/', 'accepted'],
      ['that requires https refuses http', { requireHttps: true }, 'http://example.com/', 'blocked_address'],
      ['that requires https refuses http to a name that does not resolve', { requireHttps: true, resolve: failing('ENOTFOUND') }, 'http://example.com/', 'blocked_address'],
      ['of allowed networks permits any scheme and port in them', strict, 'http://127.0.0.1:6379/', 'accepted'],
      ['of allowed networks permits them for a name within', { ...strict, resolve: OWN }, 'http://hooks.example.com:5432/', 'accepted'],
      ...[MIXED, OTHER, failing('ENOTFOUND')].flatMap((resolve, index) => ['http://hooks.example.com/', 'https://hooks.example.com:6379/'].map((url) => [
        `of allowed networks refuses them for a name not wholly within (${index}): ${url}`, { ...strict, resolve }, url, 'blocked_address',
      ])),
      ['of allowed networks permits a local name within', { allowedNetworks, resolve: answering('10.0.0.7') }, 'http://receiver:8080/', 'accepted'],
      ...[MIXED, OTHER, answering('192.168.0.1')].map((resolve, index) => [
        `of allowed networks refuses a local name not wholly within (${index})`, { allowedNetworks, resolve }, 'http://receiver:8080/', 'blocked_address',
      ]),
      ['of allowed networks refuses a local name that does not resolve', { allowedNetworks, resolve: failing('ENOTFOUND') }, 'http://receiver:8080/', 'blocked_address'],
      ['of other networks refuses localhost', { allowedNetworks: ['10.0.0.0/8'] }, 'http://localhost/', 'blocked_address'],
      ['of allowed networks refuses another private network', { allowedNetworks }, 'http://192.168.0.1/', 'blocked_address'],
      ['of allowed networks refuses a name with an address in another one', { allowedNetworks, resolve: answering('10.0.0.1', '192.168.0.1') }, 'http://a.example.com/', 'blocked_address'],
      ...metadata.map((host) => [`of all networks refuses the metadata service ${host}`, everything, `http://${host}/`, 'blocked_address']),
    ] as [string, Partial<UrlGuardOptions>, string, string][],
  )('A setting %s', async (_, options, url, expected) =>
    expect(await verdict(guard(options), url, 'register')).toBe(expected),
  );

  it.each([
    ['localhost:3000', allowedNetworks, ['127.0.0.1']],
    ['hooks.localhost', allowedNetworks, ['127.0.0.1']],
    ['LOCALHOST.', allowedNetworks, ['127.0.0.1']],
    ['localhost', ['127.0.0.1/32', '::1/128'], ['127.0.0.1', '::1']],
  ])('A setting of allowed networks pins %s to its addresses in %j', async (host, networks, pinned) => {
    const urls = guard({ allowedNetworks: networks, resolve: silent });
    expect((await urls.check(`http://${host}/`, 'send')).addresses).toEqual(addresses(...pinned));
  });

  it('A setting of allowed networks tells its hosts from others: addresses at once, names by their last check', async () => {
    let checked = addresses('10.0.0.7');
    const urls = guard({ allowedNetworks, resolve: async () => checked });
    const hostOf = (name: string) => urls.boundedHost(`http://${name}:3000/hook`);
    expect(guard().boundedHost('http://127.0.0.1/')).toEqual({ host: '127.0.0.1', isAllowed: false });
    for (const [name, host] of [
      ['127.0.0.1', '127.0.0.1'],
      ['2130706433', '127.0.0.1'],
      ['[::ffff:10.0.0.1]', '[::ffff:a00:1]'],
    ] as const)
      expect(hostOf(name)).toEqual({ host, isAllowed: true });
    for (const host of ['192.168.0.1', PUBLIC, '[2606:4700::1]'])
      expect(hostOf(host)).toEqual({ host, isAllowed: false });
    const host = 'receiver.example.com';
    expect(hostOf('RECEIVER.example.com.')).toEqual({ host, isAllowed: false });
    await urls.check('http://receiver.example.com:3000/', 'send');
    expect(hostOf('RECEIVER.example.com.')).toEqual({ host, isAllowed: true });
    checked = addresses(PUBLIC);
    await urls.check('http://receiver.example.com:3000/', 'send');
    expect(hostOf(host)).toEqual({ host, isAllowed: false });
    expect(urls.boundedHost('no URL')).toEqual({ host: 'no URL', isAllowed: false });
  });

  it('A setting of a network that is none is rejected at once', () => {
    expect(() => guard({ allowedNetworks: ['10.0.0.0/8', '10.0.0/8'] })).toThrow('"10.0.0/8"');
  });
});
