import { isIPv4, isIPv6 } from 'node:net';

/** IP address as a number, so that network membership is a comparison of leading bits. */
export interface IpAddress {
  family: 4 | 6;
  value: bigint;
}

/** CIDR network: addresses of `family` whose first `prefix` bits are those of `base`. */
export interface Network {
  family: 4 | 6;
  base: bigint;
  prefix: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;
const LOW_32 = 0xffff_ffffn;
/** ::ffff:0:0/96, the IPv4-mapped addresses (RFC 4291) */
const MAPPED = 0xffffn;

/** Reads standard text forms only, without zone ids. The URL parser normalises historical ones (`0x7f.1`); from others they are mistakes. */
export function parseAddress(text: string): IpAddress | null {
  if (isIPv4(text)) return { family: 4, value: parseV4(text) };
  if (isIPv6(text) && !text.includes('%')) return { family: 6, value: parseV6(text) };
  return null;
}

export function unmapped(address: IpAddress): IpAddress {
  const mapped = address.family === 6 && address.value >> 32n === MAPPED;
  return mapped ? { family: 4, value: address.value & LOW_32 } : address;
}

export function contains(network: Network, address: IpAddress): boolean {
  if (network.family !== address.family) return false;
  const hostBits = BigInt(WIDTH[network.family] - network.prefix);
  return network.base >> hostBits === address.value >> hostBits;
}

/** Reads `10.1.0.0/16` or `fd00:12::/32`; an IPv4-mapped network becomes its IPv4 network. Throws Error for bits beyond the prefix, too. */
export function parseNetwork(cidr: string): Network {
  const entry = cidr.trim();
  const [text = '', length = '', ...rest] = entry.split('/');
  const address = parseAddress(text);
  if (!address) throw badNetwork(cidr, 'write it as 10.1.0.0/16 or fd00:12::/32');
  const width = WIDTH[address.family];
  if (length === '') throw badNetwork(cidr, `add a prefix length; /${width} stands for one address`);
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : NaN;
  if (rest.length > 0 || !(prefix <= width))
    throw badNetwork(cidr, `its prefix length must be 0 to ${width}`);
  const hostBits = BigInt(width - prefix);
  if ((address.value >> hostBits) << hostBits !== address.value) {
    throw badNetwork(cidr, `it has bits set beyond its prefix; /${width} stands for one address`);
  }
  const inner = prefix >= 96 ? unmapped(address) : address;
  if (inner.family !== address.family) return { family: 4, base: inner.value, prefix: prefix - 96 };
  return { family: address.family, base: address.value, prefix };
}

function badNetwork(cidr: string, advice: string): Error {
  return new Error(`"${cidr}" is not a network in CIDR form: ${advice}.`);
}

function parseV4(text: string): bigint {
  return text.split('.').reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

/** Requires text that `isIPv6` accepted: at most one `::`, and an IPv4 tail only at the end. */
function parseV6(text: string): bigint {
  const tail = text.lastIndexOf(':') + 1;
  const hextets = text.includes('.') ? text.slice(0, tail) + dottedToHextets(text.slice(tail)) : text;
  const [head = '', rest] = hextets.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = rest === undefined || rest === '' ? [] : rest.split(':');
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((value, hextet) => (value << 16n) | BigInt(`0x${hextet}`), 0n);
}

function dottedToHextets(dotted: string): string {
  const value = parseV4(dotted);
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}
