import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';

import {
  ForbiddenUrlError,
  UrlGuard,
  type Resolve,
  type ResolvedAddress,
  type UrlGuardOptions,
} from './url-guard.js';

const PUBLIC = '93.184.216.34';
const addresses = (...texts: string[]): ResolvedAddress[] =>
  texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const answering =
  (...texts: string[]): Resolve =>
  () =>
    Promise.resolve(addresses(...texts));
const failing =
  (code: string): Resolve =>
  () =>
    Promise.reject(Object.assign(new Error(`query ${code}`), { code }));
const silent: Resolve = () => new Promise(() => {});

function guard(options: Partial<UrlGuardOptions> = {}): UrlGuard {
  return new UrlGuard({
    allowedNetworks: [],
    requireHttps: false,
    resolve: answering(PUBLIC),
    resolveTimeoutMs: 100,
    ...options,
  });
}

async function refusal(promise: Promise<unknown>): Promise<ForbiddenUrlError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof ForbiddenUrlError) return outcome;
  throw new Error(`not refused: ${JSON.stringify(outcome)}`);
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
  ])('is refused with %s', async (_what, url) => {
    expect((await refusal(guard().check(url, 'register'))).kind).toBe('blocked_address');
  });

  it('is accepted with 2,048 characters', async () => {
    await guard().check(`https://example.com/${'a'.repeat(2_028)}`, 'register');
  });

  it('is returned in canonical form', async () => {
    const { url, addresses: pinned } = await guard().check('HTTPS://EXAMPLE.com.:443/Hook?x=%2F', 'send');
    expect(url.href).toBe('https://example.com/Hook?x=%2F');
    expect(pinned).toEqual(addresses(PUBLIC));
  });
});

describe('a name', () => {
  it.each(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ECONNREFUSED'])(
    'that fails with %s can be registered, but not sent to',
    async (code) => {
      const { addresses: none } = await guard({ resolve: failing(code) }).check(
        'https://later.example.com/',
        'register',
      );
      expect(none).toEqual([]);
      const error = await refusal(
        guard({ resolve: failing(code) }).check('https://later.example.com/', 'send'),
      );
      expect(error.kind).toBe('dns_error');
    },
  );

  it.each([
    ['does not answer', silent],
    ['times out by itself', failing('ETIMEOUT')],
    ['fails with an unknown error', failing('EWHATEVER')],
  ])('whose resolver %s can be neither registered nor sent to', async (_what, resolve) => {
    for (const purpose of ['register', 'send'] as const) {
      expect((await refusal(guard({ resolve }).check('https://slow.example.com/', purpose))).kind).toBe(
        'dns_error',
      );
    }
  });

  it('whose resolver returns an invalid address is refused', async () => {
    for (const nonsense of ['', 'localhost', '127.1', 'fe80::1%eth0']) {
      await refusal(
        guard({ resolve: answering(PUBLIC, nonsense) }).check('https://odd.example.com/', 'send'),
      );
    }
  });

  it('that resolves to a private address is refused without that address in the error', async () => {
    const error = await refusal(
      guard({ resolve: answering('10.9.8.7') }).check('https://split.example.com/', 'register'),
    );
    expect(error).toMatchObject({ kind: 'blocked_address', code: 'webhook_url_forbidden' });
    expect(error.reason).not.toContain('10.9.8.7');
  });

  it('that is local is refused without a query', async () => {
    let asked = 0;
    const resolve: Resolve = () => Promise.resolve(addresses(PUBLIC)).finally(() => asked++);
    for (const host of ['db.internal', 'intranet', 'localhost', 'metadata.google.internal']) {
      await refusal(guard({ resolve }).check(`https://${host}/`, 'send'));
    }
    expect(asked).toBe(0);
  });

  it('aborts its resolver at the timeout, and its check on abort of the caller', async () => {
    let told: AbortSignal | undefined;
    const resolve: Resolve = (_name, signal) => new Promise(() => (told = signal));
    await refusal(guard({ resolve }).check('https://slow.example.com/', 'send'));
    expect(told?.aborted).toBe(true);
    const caller = new AbortController();
    const waiting = guard({ resolve, resolveTimeoutMs: 300 }).check(
      'https://slow.example.com/',
      'send',
      caller.signal,
    );
    setImmediate(() => caller.abort(new Error('enough')));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('is resolved once for all concurrent checks; an aborted one does not affect the others', async () => {
    let asked = 0;
    const resolve: Resolve = async () => {
      asked++;
      await new Promise((done) => setTimeout(done, 20));
      return [{ address: '93.184.216.34', family: 4 }];
    };
    const check = guard({ resolve });
    const leaving = new AbortController();
    const left = check.check('https://busy.example.com/', 'send', leaving.signal);
    const others = Array.from({ length: 20 }, () => check.check('https://busy.example.com/', 'register'));
    leaving.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    for (const { addresses } of await Promise.all(others)) expect(addresses).toHaveLength(1);
    expect(asked).toBe(1);
    const staying = new AbortController();
    await check.check('https://busy.example.com/', 'send', staying.signal);
    // A signal that outlives many sends would keep a listener of each.
    expect(getEventListeners(staying.signal, 'abort')).toEqual([]);
    expect(asked).toBe(2);
  });
});

describe('schemes and ports', () => {
  it('can be restricted to https', async () => {
    await guard({ requireHttps: true }).check('https://example.com/', 'register');
    await refusal(guard({ requireHttps: true }).check('http://example.com/', 'register'));
    await refusal(
      guard({ requireHttps: true, resolve: failing('ENOTFOUND') }).check('http://example.com/', 'register'),
    );
  });

  it.each('0 22 25 2375 2379 3306 5432 6379 6667 9200 11211 27017 10080'.split(' '))(
    'refuse port %s',
    async (port) => {
      await refusal(guard().check(`https://example.com:${port}/`, 'register'));
      await refusal(guard().check(`https://1.1.1.1:${port}/`, 'send'));
    },
  );

  it.each(['80', '443', '3000', '8080', '8443', '65535'])('permit port %s', async (port) => {
    await guard().check(`https://example.com:${port}/`, 'register');
  });

  it('are unrestricted in allowed networks, if all addresses of the host are in them', async () => {
    const strict = { requireHttps: true, allowedNetworks: ['127.0.0.0/8', '10.0.0.0/8'] };
    await guard(strict).check('http://127.0.0.1:6379/', 'register');
    await guard({ ...strict, resolve: answering('10.0.0.1', '10.0.0.2') }).check(
      'http://hooks.example.com:5432/',
      'send',
    );
    for (const resolve of [answering('10.0.0.1', PUBLIC), answering(PUBLIC), failing('ENOTFOUND')]) {
      await refusal(guard({ ...strict, resolve }).check('http://hooks.example.com/', 'register'));
      await refusal(guard({ ...strict, resolve }).check('https://hooks.example.com:6379/', 'register'));
    }
  });
});

describe('a setting of allowed networks', () => {
  const allowedNetworks = ['127.0.0.0/8', '10.0.0.0/8'];

  it('permits localhost, pinned to its allowed addresses', async () => {
    for (const host of ['localhost', 'hooks.localhost', 'LOCALHOST.']) {
      const { addresses: pinned } = await guard({ allowedNetworks, resolve: silent }).check(
        `http://${host}:3000/`,
        'send',
      );
      expect(pinned).toEqual(addresses('127.0.0.1'));
    }
    const both = await guard({ allowedNetworks: ['127.0.0.1/32', '::1/128'] }).check(
      'http://localhost/',
      'send',
    );
    expect(both.addresses).toEqual(addresses('127.0.0.1', '::1'));
    await refusal(guard({ allowedNetworks: ['10.0.0.0/8'] }).check('http://localhost/', 'send'));
  });

  it('permits local names only if all their addresses are in those networks', async () => {
    const check = (resolve: Resolve, purpose: 'register' | 'send') =>
      guard({ allowedNetworks, resolve }).check('http://receiver:8080/', purpose);
    await check(answering('10.0.0.7'), 'register');
    for (const resolve of [
      answering('10.0.0.7', PUBLIC),
      answering(PUBLIC),
      answering('192.168.0.1'),
      failing('ENOTFOUND'),
    ]) {
      await refusal(check(resolve, 'register'));
      await refusal(check(resolve, 'send'));
    }
  });

  it('exempts its hosts from the limits by host: addresses at once, names by their last check', async () => {
    const bounded = (urls: UrlGuard) => (host: string) => urls.boundedHost(`http://${host}:3000/hook`);
    expect(bounded(guard())('127.0.0.1')).toBe('127.0.0.1');
    let checked = addresses('10.0.0.7');
    const urls = guard({ allowedNetworks, resolve: () => Promise.resolve(checked) });
    const host = bounded(urls);
    expect([host('127.0.0.1'), host('2130706433'), host('[::ffff:10.0.0.1]')]).toEqual([null, null, null]);
    expect([host('192.168.0.1'), host(PUBLIC), host('[2606:4700::1]')]).toEqual([
      '192.168.0.1',
      PUBLIC,
      '[2606:4700::1]',
    ]);
    expect(host('RECEIVER.example.com.')).toBe('receiver.example.com');
    await urls.check('http://receiver.example.com:3000/', 'send');
    expect(host('RECEIVER.example.com.')).toBeNull();
    checked = addresses(PUBLIC);
    await urls.check('http://receiver.example.com:3000/', 'send');
    expect(host('receiver.example.com')).toBe('receiver.example.com');
    expect(urls.boundedHost('no URL')).toBe('no URL');
  });

  it('permits neither other private networks nor metadata services', async () => {
    const everything = guard({ allowedNetworks: ['0.0.0.0/0', '::/0'] });
    for (const host of [
      '169.254.169.254',
      '168.63.129.16',
      '[fd00:ec2::254]',
      'metadata.google.internal',
      'metadata',
    ]) {
      await refusal(everything.check(`http://${host}/`, 'send'));
    }
    await refusal(guard({ allowedNetworks }).check('http://192.168.0.1/', 'send'));
    await refusal(
      guard({ allowedNetworks, resolve: answering('10.0.0.1', '192.168.0.1') }).check(
        'http://a.example.com/',
        'send',
      ),
    );
  });

  it('is rejected at once with an invalid entry', () => {
    expect(() => guard({ allowedNetworks: ['10.0.0.0/8', '10.0.0/8'] })).toThrow('"10.0.0/8"');
  });
});
