import { describe, expect, it } from '@jest/globals';

import { canonicalName, checkName } from './name-policy.js';

describe('checkName', () => {
  it.each([
    ['localhost', 'loopback'],
    ['foo.localhost', 'loopback'],
    ['ip6-localhost', 'local'],
    ['ip6-loopback', 'local'],
    ['intranet', 'local'],
    ['printer.local', 'local'],
    ['host.localdomain', 'local'],
    ['db.internal', 'local'],
    ['host.docker.internal', 'local'],
    ['router.home.arpa', 'local'],
    ['1.0.0.127.in-addr.arpa', 'local'],
    ['nas.lan', 'local'],
    ['wiki.intranet', 'local'],
    ['mail.corp', 'local'],
    ['xyz.onion', 'local'],
    ['api.default.svc', 'local'],
    ['kubernetes.default.svc.cluster.local', 'local'],
    ['metadata', 'metadata'],
    ['metadata.google.internal', 'metadata'],
    ['rancher-metadata', 'metadata'],
    ['instance-data', 'metadata'],
    ['instance-data.ec2.internal', 'metadata'],
    ['example.com', 'public'],
    ['xn--bcher-kva.example.com', 'public'],
    ['localhost.example.com', 'public'],
    ['internal.example.com', 'public'],
    ['my_hooks.example.com', 'public'],
    ['receiver.example.test', 'public'],
    [`${'a'.repeat(63)}.com`, 'public'],
    [`${'a'.repeat(64)}.com`, 'invalid'],
    [`${'a.'.repeat(124)}com.a`, 'public'],
    [`${'a.'.repeat(125)}comm`, 'invalid'],
    ['a..com', 'invalid'],
    ['.com', 'invalid'],
    ['', 'invalid'],
    ["o'reilly.com", 'invalid'],
    ['a*b.com', 'invalid'],
  ])('classifies %p as %s', (name, kind) => {
    expect(checkName(name)).toBe(kind);
  });

  it('ignores one trailing dot', () => {
    expect(canonicalName('example.com.')).toBe('example.com');
    expect(checkName(canonicalName('localhost.'))).toBe('loopback');
    expect(checkName(canonicalName('example.com..'))).toBe('invalid');
  });
});
