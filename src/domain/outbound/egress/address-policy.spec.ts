import { describe, expect, it } from '@jest/globals';

import { checkAddress } from './address-policy.js';
import { parseNetwork } from './ip-address.js';

const check = (text: string, allowed: string[] = []) => checkAddress(text, allowed.map(parseNetwork)).kind;
type Kind = ReturnType<typeof check>;

/** Lists of addresses, and what they are. */
const ADDRESSES: Record<Exclude<Kind, 'operator'>, string[]> = {
  special: [
    ...'0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255'.split(
      ' ',
    ),
    ...'169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255'.split(
      ' ',
    ),
    ...'192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.0'.split(
      ' ',
    ),
    ...'198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 255.255.255.255 :: ::ffff ::8.8.8.8 ::808:808'.split(
      ' ',
    ),
    ...'64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100:: 100::ffff:ffff:ffff:ffff'.split(' '),
    ...'2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'.split(
      ' ',
    ),
    ...'2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'.split(
      ' ',
    ),
    ...'4000:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'.split(' '),
  ],
  public: [
    ...'1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255'.split(' '),
    ...'128.0.0.0 172.15.255.255 172.32.0.0 192.0.1.0 198.17.255.255 198.20.0.0'.split(' '),
    ...'223.255.255.255 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2000:: 2001:200::1'.split(' '),
    ...'2606:4700:4700::1111 2a00:1450:4001:81b::200e'.split(' '),
  ],
  invalid: [
    ...['fe80::1%eth0', '2606:4700::1%1', '127.1', '0x7f.0.0.1', '0177.0.0.1', '2130706433'],
    ...[' 8.8.8.8', '', '8.8.8.8/32'],
  ],
  metadata: [
    ...'168.63.129.16 169.254.169.254 ::ffff:169.254.169.254 ::ffff:0:a9fe:a9fe'.split(' '),
    ...'fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:42::42'.split(' '),
    ...'fd00:a9fe:a9fe::1 fd00:100::100:200 fe80::a9fe:a9fe'.split(' '),
    // Inside of translated and tunnelled addresses.
    ...'64:ff9b::a9fe:a9fe 64:ff9b::168.63.129.16 2002:a9fe:a9fe::1 ::100.100.100.200'.split(' '),
  ],
};

describe('an address', () => {
  it.each(Object.entries(ADDRESSES).flatMap(([kind, list]) => list.map((address) => [address, kind])))(
    '%j is %s',
    (address, kind) => expect(check(address)).toBe(kind),
  );

  it.each(ADDRESSES.metadata.slice(0, 12))(
    'The address %s of a metadata service is in no allowed network',
    (address) => expect(check(address, ['0.0.0.0/0', '::/0'])).toBe('metadata'),
  );
});

describe('allowed networks', () => {
  const NETWORKS = ['10.1.0.0/16', 'fd12:3456::/32'];
  /** Tunnels and translators into 10.1.0.1. */
  const INTO = ['64:ff9b::10.1.0.1', '2a00:1450:4001:1:0:5efe:10.1.0.1', '64:ff9b:1::10.1.0.1'];
  const of = (kind: Kind, networks: string[], ...list: string[]): [string, string[], Kind][] =>
    list.map((address) => [address, networks, kind]);

  it.each([
    ...of('operator', NETWORKS, '10.1.255.255', '::ffff:10.1.0.1', 'fd12:3456:1::1'),
    ...of(
      'special',
      NETWORKS,
      '10.2.0.0',
      '10.0.255.255',
      'fd12:3457::1',
      '::10.1.0.1',
      '127.0.0.1',
      ...INTO,
    ),
    ...of('public', NETWORKS, '8.8.8.8'),
    ...INTO.flatMap((address) => of('operator', [`${address}/128`], address)),
    ...of('operator', ['10.0.0.7/32'], '10.0.0.7'),
    ...of('special', ['10.0.0.7/32'], '10.0.0.8'),
    ...of('operator', ['::ffff:10.0.0.0/104'], '10.0.0.8'),
    ...of('operator', ['0.0.0.0/0'], '255.255.255.255'),
    ...of('operator', ['::/0'], '::1'),
  ])('An address %s with %j is %s', (address, networks, kind) => expect(check(address, networks)).toBe(kind));

  it.each([
    ...['', '10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', '10/8', '10.1.2.3/8'],
    ...['fd00::/129', 'fe80::%1/64', 'localhost/8', '10.0.0.0/8x'],
  ])('Allowed networks do not include %j, which the error names', (entry) => {
    expect(() => ['127.0.0.0/8', entry].map(parseNetwork)).toThrow(`"${entry}" is not a network`);
  });
});
