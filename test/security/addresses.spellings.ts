import fc from 'fast-check';
import type { IpAddress } from '../../src/domain/outbound/egress/ip-address.js';

/** Hosts of URLs that denote one IPv4 address, in all notations that URL parsers have accepted. */
export function spellingsOfV4(value: bigint): string[] {
  const number = Number(value);
  const [a, b, c, d] = octets(value);
  const dotted = `${a}.${b}.${c}.${d}`;
  return [
    dotted,
    `${dotted}.`,
    String(number),
    `${number}.`,
    hex(number),
    hex(number).toUpperCase(),
    octal(number),
    `00000000000${number.toString(8)}`,
    `0x0000000000${number.toString(16)}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map((octet) => `0${octal(octet)}`).join('.'),
    `${a}.${octal(b)}.${hex(c * 256 + d)}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${number % 2 ** 24}`,
    `${octal(a)}.${hex(number % 2 ** 24)}`,
    ...DOTS.map((dot) => dotted.replaceAll('.', dot)),
    ...DIGITS.map((digits) => dotted.replace(/\d/g, (digit) => [...digits][Number(digit)]!)),
  ];
}

/** IPv4 as one to four parts, each in its own base, with any number of leading zeros. */
export const mixedV4 = (value: bigint): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.constantFrom(10, 8, 16), fc.integer({ min: 0, max: 3 })), {
        minLength: 4,
        maxLength: 4,
      }),
    )
    .map(([count, styles]) => {
      const last = Number(value % (1n << BigInt(8 * (5 - count))));
      const parts = [...octets(value).slice(0, count - 1), last];
      return parts
        .map((part, n) => {
          const [base, zeros] = styles[n]!;
          if (base === 10) return String(part);
          return (base === 8 ? '0' : '0x') + '0'.repeat(zeros) + part.toString(base);
        })
        .join('.');
    });

/** Hosts of URLs that denote one IPv6 address. */
export function spellingsOfV6(value: bigint): string[] {
  const all = hextets(value);
  const short = all.map((hextet) => hextet.toString(16));
  const long = short.map((text) => text.padStart(4, '0'));
  const [c, d] = all.slice(6) as [number, number];
  const tail = [c >> 8, c & 255, d >> 8, d & 255].join('.');
  return [
    short.join(':'),
    long.join(':'),
    long.join(':').toUpperCase(),
    compressed(short),
    compressed(long).toUpperCase(),
    `${short.slice(0, 6).join(':')}:${tail}`,
  ].map((text) => `[${text}]`);
}

/** Any notation of an address. */
export const spelled = ({ family, value }: IpAddress): fc.Arbitrary<string> =>
  fc.constantFrom(...(family === 4 ? spellingsOfV4(value) : spellingsOfV6(value)));

/** IPv6 addresses from which some stack, translator or tunnel derives this IPv4 address. */
export const FORMS = {
  mapped: (v4: bigint) => (0xffffn << 32n) | v4,
  nat64: (v4: bigint) => (0x64_ff9bn << 96n) | v4,
  isatap: (v4: bigint) => (0x2a00_1450_4001_0001n << 64n) | (0x5efen << 32n) | v4,
  isatapGlobal: (v4: bigint) => (0x2a00_1450_4001_0001n << 64n) | (0x0200_5efen << 32n) | v4,
  compatible: (v4: bigint) => v4,
  translated: (v4: bigint) => (0xffffn << 48n) | v4,
  localNat64: (v4: bigint) => LOCAL_NAT64 | ((v4 >> 16n) << 64n) | ((v4 & 0xffffn) << 40n),
  localNat64At56: (v4: bigint) => LOCAL_NAT64 | ((v4 >> 24n) << 64n) | ((v4 & 0xff_ffffn) << 32n),
  localNat64At64: (v4: bigint) => LOCAL_NAT64 | (v4 << 24n),
  localNat64At96: (v4: bigint) => LOCAL_NAT64 | v4,
  sixToFour: (v4: bigint) => (0x2002n << 112n) | (v4 << 80n) | 1n,
  teredoServer: (v4: bigint) => (0x2001n << 112n) | (v4 << 64n),
  teredoClient: (v4: bigint) => (0x2001n << 112n) | (0x0808_0808n << 64n) | (~v4 & 0xffff_ffffn),
} as const;

/** The forms in which a public IPv4 address may receive: the other forms are denied for every address. */
export const USABLE_FORMS: readonly (keyof typeof FORMS)[] = ['mapped', 'nat64', 'isatap', 'isatapGlobal'];

export const textOf = ({ family, value }: IpAddress): string =>
  family === 4
    ? octets(value).join('.')
    : hextets(value)
        .map((hextet) => hextet.toString(16))
        .join(':');

const LOCAL_NAT64 = 0x64_ff9b_0001n << 80n;
const DOTS = ['。', '．', '｡'];
const DIGITS = ['０１２３４５６７８９', '⓪①②③④⑤⑥⑦⑧⑨', '⁰¹²³⁴⁵⁶⁷⁸⁹', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗', '𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿'];

const octal = (value: number): string => `0${value.toString(8)}`;
const hex = (value: number): string => `0x${value.toString(16)}`;

function octets(value: bigint): [number, number, number, number] {
  return [24n, 16n, 8n, 0n].map((shift) => Number((value >> shift) & 0xffn)) as [
    number,
    number,
    number,
    number,
  ];
}

function hextets(value: bigint): number[] {
  return [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((place) => Number((value >> (16n * place)) & 0xffffn));
}

/** Abbreviates the first run of zeros with `::`, however short. */
function compressed(parts: readonly string[]): string {
  const first = parts.findIndex((part) => Number(`0x${part}`) === 0);
  if (first < 0) return parts.join(':');
  const after = parts.findIndex((part, n) => n > first && Number(`0x${part}`) !== 0);
  const rest = after < 0 ? [] : parts.slice(after);
  return `${parts.slice(0, first).join(':')}::${rest.join(':')}`;
}
