import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { checkAddress, parseAllowedNetworks } from '../../src/domain/outbound/egress/address-policy.js';
import { parseAddress, unmapped, type IpAddress } from '../../src/domain/outbound/egress/ip-address.js';
import { ForbiddenUrlError, UrlGuard } from '../../src/domain/outbound/egress/url-guard.js';
import { PATIENCE_MS, runs } from './addresses.runs.js';
import { edges, isSpecial, member, neighbours, publicAddress, SPECIAL } from './addresses.special.js';
import { FORMS, mixedV4, spellingsOfV4, spellingsOfV6, textOf, USABLE_FORMS } from './addresses.spellings.js';

jest.setTimeout(PATIENCE_MS);

const guard = new UrlGuard({
  allowedNetworks: [],
  requireHttps: false,
  // Nothing in here is a name.
  resolve: () => Promise.reject(new Error('asked')),
});

/** @returns why a host is refused; null when it is not */
async function refusal(host: string): Promise<string | null> {
  try {
    const { addresses } = await guard.check(`http://${host}/`, 'send');
    expect(addresses).toHaveLength(1);
    return null;
  } catch (error) {
    if (error instanceof ForbiddenUrlError) return error.kind;
    throw error;
  }
}

async function expectRefused(hosts: readonly string[]): Promise<void> {
  for (const host of hosts) expect([host, await refusal(host)]).toEqual([host, 'blocked_address']);
}

async function expectTaken(hosts: readonly string[]): Promise<void> {
  for (const host of hosts) expect([host, await refusal(host)]).toEqual([host, null]);
}

const formsOf = (v4: bigint, forms: readonly (keyof typeof FORMS)[]): string[] =>
  forms.flatMap((form) => spellingsOfV6(FORMS[form](v4)));
const ALL_FORMS = Object.keys(FORMS) as (keyof typeof FORMS)[];

describe('every address that no webhook goes to', () => {
  it.each(SPECIAL)('$cidr ($what), in every spelling', async ({ network }) => {
    const members = fc.sample(member(network), runs(6));
    for (const { family, value } of [...edges(network), ...members]) {
      if (family === 6) await expectRefused(spellingsOfV6(value));
      else {
        const mixed = fc.sample(mixedV4(value), runs(4));
        await expectRefused([...spellingsOfV4(value), ...mixed, ...formsOf(value, ALL_FORMS)]);
      }
    }
  });

  it('has its neighbours judged by what they are themselves', () => {
    for (const { network } of SPECIAL) {
      for (const address of neighbours(network)) {
        const expected = isSpecial(unmapped(address)) ? 'special' : 'public';
        expect([textOf(address), checkAddress(textOf(address), []).kind]).toEqual([
          textOf(address),
          expected,
        ]);
      }
    }
  });

  it('has no spelling with a zone id or percent escapes', async () => {
    await expectRefused([
      '[fe80::1%25eth0]',
      '[fe80::1%eth0]',
      '[2606:4700:4700::1111%251]',
      '%31%32%37.0.0.1',
      '127.0.0.1%2e',
      '127%2e0%2e0%2e1',
      '8.8.8.8%00',
    ]);
  });
});

describe('every other address', () => {
  it('of IPv4 is taken, in every spelling and every usable form', async () => {
    await fc.assert(
      fc.asyncProperty(
        publicAddress(4).chain(({ value }) => fc.tuple(fc.constant(value), mixedV4(value))),
        async ([value, mixed]) =>
          expectTaken([...spellingsOfV4(value), mixed, ...formsOf(value, USABLE_FORMS)]),
      ),
      runs(150),
    );
  });

  it('of IPv6 is taken, in every spelling', async () => {
    await fc.assert(
      fc.asyncProperty(publicAddress(6), ({ value }) => expectTaken(spellingsOfV6(value))),
      runs(300),
    );
  });

  it('of IPv4 is refused in the forms that only a tunnel or a translator of somebody understands', async () => {
    const unusable = ALL_FORMS.filter((form) => !USABLE_FORMS.includes(form));
    await fc.assert(
      fc.asyncProperty(publicAddress(4), ({ value }) => expectRefused(formsOf(value, unusable))),
      runs(50),
    );
  });
});

describe('metadata services', () => {
  const everything = parseAllowedNetworks(['0.0.0.0/0', '::/0']);
  it.each(ALL_FORMS)('stay refused in the form "%s", whatever the operator allows', (form) => {
    for (const service of ['169.254.169.254', '168.63.129.16', '100.100.100.200']) {
      const { value } = parseAddress(service)!;
      const address = textOf({ family: 6, value: FORMS[form](value) });
      expect([address, checkAddress(address, everything).kind]).toEqual([address, 'metadata']);
    }
  });
});

/** What ipaddr.js calls an address, IPv4-mapped ones by what they are mapped to. */
function secondOpinion(address: IpAddress): string {
  const parsed = ipaddr.process(textOf(address));
  return parsed.range();
}

describe('a second opinion (ipaddr.js)', () => {
  const anywhere = fc.oneof(
    member({ family: 4, base: 0n, prefix: 0 }),
    member({ family: 6, base: 0n, prefix: 0 }),
    fc.constantFrom(...SPECIAL).chain(({ network }) => member(network)),
    fc.constantFrom(...SPECIAL.flatMap(({ network }) => [...edges(network), ...neighbours(network)])),
    member({ family: 4, base: 0n, prefix: 0 }).chain(({ value }) =>
      fc.constantFrom(...ALL_FORMS).map((form): IpAddress => ({ family: 6, value: FORMS[form](value) })),
    ),
  );

  it('calls whatever is public unicast too, or NAT64 of something unicast', () => {
    fc.assert(
      fc.property(anywhere, (address) => {
        fc.pre(checkAddress(textOf(address), []).kind === 'public');
        const opinion = secondOpinion(address);
        if (opinion !== 'rfc6052') expect(opinion).toBe('unicast');
        else expect(secondOpinion({ family: 4, value: address.value & 0xffff_ffffn })).toBe('unicast');
      }),
      runs(3_000),
    );
  });

  /** Denied here, and unicast to it, since it knows no more than the ranges that have a name of their own there. */
  const STRICTER: readonly [why: string, (address: IpAddress) => boolean][] = [
    ['IPv6 that is not assigned', ({ family, value }) => family === 6 && value >> 125n !== 1n],
    ['the 6bone, returned in 2006', ({ family, value }) => family === 6 && value >> 112n === 0x3ffen],
    ['Azure WireServer', ({ family, value }) => family === 4 && value === 0xa83f_8110n],
    ['ISATAP', ({ family, value }) => family === 6 && ((value >> 32n) & 0xfdff_ffffn) === 0x5efen],
  ];

  it('calls whatever is denied something else than unicast, but for what it does not know', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(anywhere, (written) => {
        const address = unmapped(written);
        fc.pre(checkAddress(textOf(address), []).kind !== 'public');
        if (secondOpinion(address) !== 'unicast') return;
        const reason = STRICTER.find(([, applies]) => applies(address));
        met.add(reason?.[0] ?? `none for ${textOf(address)}`);
        expect([textOf(address), reason?.[0]]).toEqual([textOf(address), expect.any(String)]);
      }),
      runs(3_000),
    );
    expect(met).toContain('IPv6 that is not assigned');
  });
});
