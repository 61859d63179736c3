import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

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

describe('the list of URLs', () => {
  const file = new URL('../../../test/support/data/ssrf-urls.tsv', import.meta.url);
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t') as [string, string, string]);

  it('is complete', () => expect(rows.length).toBeGreaterThan(140));

  const decided = rows.filter(([, text]) => !text.startsWith('redirect:')); // those are about sending
  it.each(decided)('%s %s (%s)', async (verdict, text, why) => {
    const [url, resolve] = scenario(text, why);
    for (const purpose of ['register', 'send'] as const) {
      const outcome = guard({ resolve }).check(url, purpose);
      if (verdict === 'deny') await refusal(outcome);
      else await expect(outcome).resolves.toHaveProperty('addresses');
    }
  });

  /** Turns a row into a URL and the name servers it is about; by default every name is public, so that only a rule can refuse. */
  function scenario(text: string, why: string): [url: string, resolve: Resolve] {
    if (text.startsWith('multi'))
      return ['https://many.example.com/', answering(...text.slice(text.indexOf(':') + 1).split(','))];
    if (text.startsWith('dns-timeout:')) return ['https://slow.example.com/', silent];
    const pointsAt = /^DNS:.*(?:->|rebinding) (metadata|[\d.]+)/.exec(why)?.[1];
    if (pointsAt) return [text, answering(pointsAt === 'metadata' ? '169.254.169.254' : pointsAt)];
    return [text, answering(PUBLIC)];
  }
});

describe('spellings of denied addresses', () => {
  const denied = fc.oneof(
    ...(
      [
        [0x00000000, 8],
        [0x0a000000, 8],
        [0x64400000, 10],
        [0x7f000000, 8],
        [0xa9fe0000, 16],
        [0xac100000, 12],
        [0xc0000000, 24],
        [0xc0000200, 24],
        [0xc0a80000, 16],
        [0xc6120000, 15],
        [0xc6336400, 24],
        [0xcb007100, 24],
        [0xe0000000, 4],
        [0xf0000000, 4],
      ] as const
    ).map(([base, prefix]) => fc.integer({ min: 0, max: 2 ** (32 - prefix) - 1 }).map((host) => base + host)),
    fc.constant(0xa83f8110),
  );

  it('are all refused', async () => {
    await fc.assert(
      fc.asyncProperty(denied, fc.boolean(), async (address, https) => {
        for (const host of spellings(address)) {
          const url = `${https ? 'https' : 'http'}://${host}/`;
          expect([url, (await refusal(guard().check(url, 'send'))).kind]).toEqual([url, 'blocked_address']);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leave the same spellings of a public address usable, where IPv6 may carry it', async () => {
    const dotted = spellings(0x08080808).slice(0, 8);
    for (const host of [...dotted, '[::ffff:8.8.8.8]', '[::ffff:808:808]', '[64:ff9b::808:808]']) {
      await guard().check(`http://${host}/`, 'send');
    }
  });

  function spellings(address: number): string[] {
    const bytes = [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255] as const;
    const [a, b, c, d] = bytes;
    const octal = (value: number): string => `0${value.toString(8)}`;
    const hex = (value: number): string => `0x${value.toString(16)}`;
    const low = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    return [
      bytes.join('.'),
      `${bytes.join('.')}.`,
      String(address),
      hex(address),
      octal(address),
      bytes.map(octal).join('.'),
      bytes.map(hex).join('.'),
      `${a}.${octal(b)}.${hex(c * 256 + d)}`,
      `${a}.${b * 65_536 + c * 256 + d}`,
      bytes.join('。'),
      bytes.join('.').replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      `[::ffff:${bytes.join('.')}]`,
      `[0:0:0:0:0:FFFF:${low}]`,
      `[::${low}]`,
      `[::ffff:0:${low}]`,
      `[64:ff9b::${low}]`,
      `[64:ff9b:1:${low}::]`,
      `[2002:${low}::1]`,
      `[2001:0:${low}::1]`,
      `[2001:0:808:808:0:0:${(~address >>> 16).toString(16)}:${(~address & 0xffff).toString(16)}]`,
    ];
  }
});
