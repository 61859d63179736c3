import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';

import { judgeAddress, parseAllowedNetworks } from './address-policy.js';

const judge = (text: string, allowed: string[] = []) =>
  judgeAddress(text, parseAllowedNetworks(allowed)).kind;

describe('judgeAddress', () => {
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
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['100::', '100::ffff:ffff:ffff:ffff'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('denies %s to %s', (first, last) => {
    expect(judge(first)).toBe('special');
    expect(judge(last)).toBe('special');
  });

  it.each([
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2000::',
    '2001:200::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('lets %s through', (address) => {
    expect(judge(address)).toBe('public');
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
  ])('takes %p for no address', (text) => expect(judge(text)).toBe('invalid'));

  it.each([
    '168.63.129.16',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:0:a9fe:a9fe',
    'fd00:ec2::254',
    'fd00:ec2::23',
  ])('denies the metadata address %s even to an operator who allows everything', (address) =>
    expect(judge(address, ['0.0.0.0/0', '::/0'])).toBe('metadata'),
  );

  it.each(['64:ff9b::a9fe:a9fe', '64:ff9b::168.63.129.16', '2002:a9fe:a9fe::1', '::100.100.100.200'])(
    'recognises the metadata address inside %s',
    (address) => expect(judge(address)).toBe('metadata'),
  );

  it('denies an IPv6 form of whatever IPv4 it denies, and everything that is not unicast by a second opinion', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
        const verdict = judge(v4);
        const low = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(judge(`::ffff:${low}`)).toBe(verdict);
        expect(judge(`::ffff:${v4}`)).toBe(verdict);
        expect(judge(`64:ff9b::${v4}`)).toBe(verdict);
        for (const form of [
          `::${low}`,
          `::ffff:0:${low}`,
          `2002:${low}::1`,
          `64:ff9b:1::${low}`,
          `2001:0:${low}::`,
        ]) {
          expect(judge(form)).not.toBe('public');
        }
        if (verdict === 'public') expect(ipaddr.parse(v4).range()).toBe('unicast');
      }),
      { numRuns: 2_000 },
    );
  });

  it('lets no IPv6 address through that is not unicast by a second opinion', () => {
    const anywhere = fc.ipV6();
    const nearTheEdges = fc
      .tuple(
        fc.constantFrom(
          '2001',
          '2002',
          '64:ff9b',
          '100',
          '3fff',
          '3ffe',
          'fc00',
          'fe80',
          'ff02',
          '2620:4f:8000',
        ),
        fc.ipV6(),
      )
      .map(([prefix, tail]) => prefix + tail.slice(prefix.length));
    fc.assert(
      fc.property(fc.oneof(anywhere, nearTheEdges), (text) => {
        fc.pre(ipaddr.IPv6.isValid(text) && judge(text) === 'public');
        const address = ipaddr.IPv6.parse(text);
        expect(address.isIPv4MappedAddress() ? address.toIPv4Address().range() : address.range()).toMatch(
          /^(unicast|rfc6052)$/,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('allowed networks', () => {
  it('let through exactly what lies inside, mapped IPv4 included', () => {
    const allowed = ['10.1.0.0/16', 'fd12:3456::/32'];
    expect(judge('10.1.255.255', allowed)).toBe('operator');
    expect(judge('::ffff:10.1.0.1', allowed)).toBe('operator');
    expect(judge('fd12:3456:1::1', allowed)).toBe('operator');
    for (const outside of [
      '10.2.0.0',
      '10.0.255.255',
      'fd12:3457::1',
      '::10.1.0.1',
      '64:ff9b::10.1.0.1',
      '127.0.0.1',
    ]) {
      expect(judge(outside, allowed)).toBe('special');
    }
    expect(judge('8.8.8.8', allowed)).toBe('public');
  });

  it('may be single addresses, everything, and networks of mapped addresses', () => {
    expect(judge('10.0.0.7', ['10.0.0.7/32'])).toBe('operator');
    expect(judge('10.0.0.8', ['10.0.0.7/32'])).toBe('special');
    expect(judge('10.0.0.8', ['::ffff:10.0.0.0/104'])).toBe('operator');
    expect(judge('255.255.255.255', ['0.0.0.0/0'])).toBe('operator');
    expect(judge('::1', ['::/0'])).toBe('operator');
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
  ])('refuse %p by its name', (entry) => {
    expect(() => parseAllowedNetworks(['127.0.0.0/8', entry])).toThrow(`"${entry}" is not a network`);
  });
});
