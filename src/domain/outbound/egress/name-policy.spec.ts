import { expect, it } from '@jest/globals';

import { canonicalName, checkName } from './name-policy.js';

const NAMES: Record<string, string[]> = {
  loopback: ['localhost', 'foo.localhost', 'localhost.'],
  local: [
    ...'ip6-localhost ip6-loopback intranet printer.local host.localdomain db.internal'.split(' '),
    ...'host.docker.internal router.home.arpa 1.0.0.127.in-addr.arpa nas.lan wiki.intranet'.split(' '),
    ...'mail.corp xyz.onion api.default.svc kubernetes.default.svc.cluster.local'.split(' '),
  ],
  metadata:
    'metadata metadata.google.internal rancher-metadata instance-data instance-data.ec2.internal'.split(' '),
  public: [
    ...'example.com xn--bcher-kva.example.com localhost.example.com internal.example.com'.split(' '),
    ...['my_hooks.example.com', 'receiver.example.test', `${'a'.repeat(63)}.com`, `${'a.'.repeat(124)}com.a`],
  ],
  invalid: [
    ...[`${'a'.repeat(64)}.com`, `${'a.'.repeat(125)}comm`, 'a..com', '.com', '', "o'reilly.com", 'a*b.com'],
    'example.com..',
  ],
};

it.each(Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind])))(
  'The name %j is %s',
  (name, kind) => expect(checkName(canonicalName(name))).toBe(kind),
);

it('A name has the same form with or without a dot at its end', () =>
  expect(canonicalName('example.com.')).toBe('example.com'));
