/** A body that every operation with a body refuses, and the refusal. */
export interface BodyCase {
  name: string;
  body: string | Buffer;
  status: 400 | 413;
  code: 'malformed_json' | 'validation_failed' | 'payload_too_large';
  /** The field that the details name. */
  field?: string;
}

const LIMIT = 65_536;

const malformed = (name: string, body: string | Buffer): BodyCase => ({
  name,
  body,
  status: 400,
  code: 'malformed_json',
});
const refused = (name: string, field: string, body: string): BodyCase => ({
  name,
  body,
  status: 400,
  code: 'validation_failed',
  field,
});
const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));
/** `{"a": <value>}`, padded to the given number of bytes. */
const grown = (size: number, character = 'x'): string => {
  const body = `{"zz":"${character.repeat((size - 9) / Buffer.byteLength(character))}"}`;
  return body + ' '.repeat(size - Buffer.byteLength(body));
};

const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"z${String(n).padStart(4, '0')}":0`).join(',')}}`;

/** Bodies that are not JSON, or not UTF-8. */
const NO_JSON: BodyCase[] = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    '{"zz"',
    '{"zz":',
    '{"zz":1',
    '{"zz":1,}',
    '{,}',
    '{"zz" 1}',
    '{zz:1}',
    "{'zz':1}",
    '{"zz":1}x',
    '{"zz":1}{"zz":1}',
  ],
  ...[
    'NaN',
    'Infinity',
    'undefined',
    'True',
    'nul',
    '+1',
    '.5',
    '1.',
    '01',
    '-',
    '--1',
    '0x10',
    '1e',
    '1e+',
    '1_0',
    '`x`',
    '/**/{}',
    '{}//x',
    '#',
    '=1',
  ],
  ...[
    '{"zz":NaN}',
    '{"zz":-Infinity}',
    '{"zz":01}',
    '{"zz":1.}',
    '{"zz":.5}',
    '{"zz":+1}',
    '{"zz":0x1}',
    '{"zz":1e}',
    '{"zz":undefined}',
  ],
  ...[
    '{"zz":"\\x41"}',
    '{"zz":"\\u12"}',
    '{"zz":"\\u{1f511}"}',
    '{"zz":"\\"}',
    '{"zz":"a\nb"}',
    '{"zz":"\t"}',
    '{"zz":"\0"}',
    '\0',
    '{}\0',
    ' ',
    '\n',
  ],
  ...['zz=1', 'zz[]=1', '<zz/>', '--x\r\n', '\ufeff', '\ufeff\ufeff{}', '{}\ufeff'],
]
  .map((body) => malformed(JSON.stringify(body), body))
  .concat([
    malformed('a byte that begins nothing', bytes('{"zz":"', 0xff, '"}')),
    malformed('a byte that goes on nothing', bytes('{"zz":"', 0x80, '"}')),
    malformed('half a character', bytes('{"zz":"', 0xf0, 0x9f, 0x94, '"}')),
    malformed('a slash, too long', bytes('{"zz":"', 0xc0, 0xaf, '"}')),
    malformed('half of a pair, as bytes', bytes('{"zz":"', 0xed, 0xa0, 0xbd, '"}')),
    malformed('beyond the last character', bytes('{"zz":"', 0xf4, 0x90, 0x80, 0x80, '"}')),
    malformed('Latin 1', Buffer.from('{"zz":"café"}', 'latin1')),
    malformed('UTF-16', Buffer.from('{"zz":1}', 'utf16le')),
    malformed('UTF-16 with a mark', Buffer.from('\ufeff{"zz":1}', 'utf16le')),
    malformed('bytes of no meaning', Buffer.from([0x1f, 0x8b, 0x08, 0x00])),
  ]);

/** Bodies that are JSON, but not an object, or an object that parsing would change. */
const NO_INPUT: BodyCase[] = [
  ...['null', 'true', '0', '-0', '1e400', '"text"', '""', '[]', '[{}]', '[[]]', '\ufeff[]'].map((body) =>
    refused(body, 'body', body),
  ),
  refused('lists without an end', '0', '['.repeat(60_000)),
  refused('objects without an end', 'a', '{"a":'.repeat(12_000)),
  refused('10,000 levels, one bracket too few', 'zz', `{"zz":${'['.repeat(10_000)}${']'.repeat(9_999)}}`),
  refused('10,000 levels of lists', 'zz', `{"zz":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
  refused('10,000 levels of objects', 'zz', `{"zz":${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}}`),
  refused(
    'thousands of numbers, ten thousand levels down',
    'zz',
    `{"zz":${'['.repeat(10_000)}${'1e400,'.repeat(7_000)}0${']'.repeat(10_000)}}`,
  ),
  refused('a list of 30,000', 'body', `{"zz":[${'0,'.repeat(30_000)}0]}`),
  refused('6,000 fields', 'body', keys(6_000)),
  refused('as long as may be', 'zz', grown(LIMIT)),
  refused('as long as may be, in characters of four bytes', 'zz', grown(LIMIT, '\u{1f511}')),
  refused('a field twice', 'zz', '{"zz":1,"zz":1}'),
  refused('a field twice, once in disguise', 'zz', '{"zz":1,"\\u007az":2}'),
  refused('a field twice, deep down', 'zz.0.a.b', '{"zz":[{"a":{"b":1,"b":2}}]}'),
  refused('a name of every object', '__proto__', '{"__proto__":{"zz":1}}'),
  refused('a name of every object, in disguise', '__proto__', '{"\\u005f_proto__":null}'),
  refused('a name of every object, deep down', 'zz', '{"zz":{"constructor":{"prototype":{"a":1}}}}'),
  ...[
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    'zz',
    '',
    ' ',
    '.',
    '$where',
    '\u{1f511}',
  ].map((name) => refused(`a field named ${JSON.stringify(name)}`, name, `{${JSON.stringify(name)}:1}`)),
  ...[
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '-9007199254740993',
    '0.1000000000000000055511151231257827',
    '12345678901234567890',
    '1e999999999999999999',
    `1${'0'.repeat(400)}`,
    `1.${'0'.repeat(60_000)}1`,
    `0.${'0'.repeat(400)}1`,
  ].map((number) =>
    refused(`a number that no double keeps: ${number.slice(0, 40)}`, 'zz.0', `{"zz":[${number}]}`),
  ),
  ...['"\\u0000"', '"a\\u0000"', '"\\ud83d"', '"\\udd11\\ud83d"'].map((text) =>
    refused(text, 'zz', `{"zz":${text}}`),
  ),
  refused('a name with NUL', 'zz', '{"zz\\u0000":1}'),
];

export const BODIES: readonly BodyCase[] = [
  ...NO_JSON,
  ...NO_INPUT,
  ...[LIMIT + 1, LIMIT * 4].map((size): BodyCase => ({
    name: `${size} bytes`,
    body: grown(size),
    status: 413,
    code: 'payload_too_large',
  })),
];
