import { createRequire } from 'node:module';

/**
 * Texts that have broken programs, by what they break, as a supplement to the big list. Escapes are used for characters that are invisible, reverse
 * the direction of the line, or would be changed by an editor.
 */
export const NAUGHTY: Readonly<Record<string, readonly string[]>> = {
  'space and control': [
    ...[
      ' ',
      '  ',
      '\t',
      '\n',
      '\r',
      '\r\n',
      '\v',
      '\f',
      '\u0085',
      '\u00a0',
      '\u1680',
      '\u2003',
      '\u200b',
      '\u200d',
      '\u2060',
    ],
    ...[
      '\u3000',
      '\ufeff',
      '\ufeffx',
      '\u180e',
      ' x',
      'x ',
      'x\n',
      '\u00ad',
      '\u0001',
      '\u0007',
      '\b',
      '\u001b[31mred\u001b[0m',
      '\u007f',
      '\u009b1m',
    ],
    ...['\0', 'a\0b', '\u0000\u0000', '\u001a', '\u0004'],
  ],
  'lower and upper': [
    '\u0130',
    '\u0131',
    '\u00df',
    '\u1e9e',
    '\ufb03',
    '\u01c5',
    '\u023a',
    '\u212a',
    'I\u0307',
    '\u03c2',
  ],
  'for themselves': [
    '',
    'x',
    'x'.repeat(40),
    'x'.repeat(255),
    'x'.repeat(256),
    'x'.repeat(4096),
    '\u{1f511}'.repeat(255),
    '(a+)+$',
    `${'a'.repeat(60)}!`,
    '^(?!x)',
    '[',
    '(?',
    '*',
  ],
};

const BIG_LIST = createRequire(import.meta.url)('big-list-of-naughty-strings') as readonly string[];

export const NAUGHTY_STRINGS: readonly string[] = [
  ...new Set([...Object.values(NAUGHTY).flat(), ...BIG_LIST]),
];
