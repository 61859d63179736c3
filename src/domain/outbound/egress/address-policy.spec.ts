import { describe, expect, it } from '@jest/globals';

import { checkAddress, parseAllowedNetworks } from './address-policy.js';

const check = (text: string, allowed: string[] = []) =>
  checkAddress(text, parseAllowedNetworks(allowed)).kind;

describe('checkAddress', () => {
  it.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['::', '::ffff'],
    ['::8.8.8.8', '::808:808'],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['100::', '100::ffff:ffff:ffff:ffff'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('denies %s to %s', (first, last) => {
    expect(check(first)).toBe('special');
    expect(check(last)).toBe('special');
  });

  it.each([
    ...'1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255'.split(' '),
    ...'128.0.0.0 172.15.255.255 172.32.0.0 192.0.1.0 198.17.255.255 198.20.0.0'.split(' '),
    ...'223.255.255.255 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2000:: 2001:200::1'.split(' '),
    ...'2606:4700:4700::1111 2a00:1450:4001:81b::200e'.split(' '),
  ])('permits %s', (address) => {
    expect(check(address)).toBe('public');
  });

  it.each([
    'fe80::1%eth0',
    '2606:4700::1%1',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    ' 8.8.8.8',
    '',
    '8.8.8.8/32',
  ])('classifies %p as invalid', (text) => expect(check(text)).toBe('invalid'));

  it.each([
    ...'168.63.129.16 169.254.169.254 ::ffff:169.254.169.254 ::ffff:0:a9fe:a9fe'.split(' '),
    ...'fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:42::42'.split(' '),
    ...'fd00:a9fe:a9fe::1 fd00:100::100:200 fe80::a9fe:a9fe'.split(' '),
  ])('denies the metadata address %s even if all networks are allowed', (address) =>
    expect(check(address, ['0.0.0.0/0', '::/0'])).toBe('metadata'),
  );

  it.each(['64:ff9b::a9fe:a9fe', '64:ff9b::168.63.129.16', '2002:a9fe:a9fe::1', '::100.100.100.200'])(
    'recognises the metadata address inside %s',
    (address) => expect(check(address)).toBe('metadata'),
  );
});

describe('allowed networks', () => {
  it('permit exactly their addresses, mapped IPv4 included', () => {
    const allowed = ['10.1.0.0/16', 'fd12:3456::/32'];
    expect(check('10.1.255.255', allowed)).toBe('operator');
    expect(check('::ffff:10.1.0.1', allowed)).toBe('operator');
    expect(check('fd12:3456:1::1', allowed)).toBe('operator');
    for (const outside of '10.2.0.0 10.0.255.255 fd12:3457::1 ::10.1.0.1 64:ff9b::10.1.0.1 127.0.0.1'.split(
      ' ',
    )) {
      expect(check(outside, allowed)).toBe('special');
    }
    expect(check('8.8.8.8', allowed)).toBe('public');
  });

  it('do not permit tunnels and translators into them without their own prefix', () => {
    const inside = ['64:ff9b::10.1.0.1', '2a00:1450:4001:1:0:5efe:10.1.0.1', '64:ff9b:1::10.1.0.1'];
    for (const address of inside) {
      expect(check(address, ['10.0.0.0/8'])).toBe('special');
      expect(check(address, [`${address}/128`])).toBe('operator');
    }
  });

  it('can be single addresses, all addresses, and networks of mapped addresses', () => {
    expect(check('10.0.0.7', ['10.0.0.7/32'])).toBe('operator');
    expect(check('10.0.0.8', ['10.0.0.7/32'])).toBe('special');
    expect(check('10.0.0.8', ['::ffff:10.0.0.0/104'])).toBe('operator');
    expect(check('255.255.255.255', ['0.0.0.0/0'])).toBe('operator');
    expect(check('::1', ['::/0'])).toBe('operator');
  });

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10/8',
    '10.1.2.3/8',
    'fd00::/129',
    'fe80::%1/64',
    'localhost/8',
    '10.0.0.0/8x',
  ])('reject %p, named in the error', (entry) => {
    expect(() => parseAllowedNetworks(['127.0.0.0/8', entry])).toThrow(`"${entry}" is not a network`);
  });
});
