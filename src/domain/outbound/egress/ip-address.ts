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

/** Reads `10.1.0.0/16` or `fd00:12::/32`; an IPv4-mapped network becomes its IPv4 network. @throws Error for bits beyond the prefix, too */
export function parseNetwork(cidr: string): Network {
  const [text = '', length = '', ...extraParts] = cidr.split('/');
  const address = parseAddress(text);
  const hostBits = address && /^\d{1,3}$/.test(length) ? WIDTH[address.family] - Number(length) : -1;
  if (!address || extraParts.length > 0 || hostBits < 0 || BigInt.asUintN(hostBits, address.value) !== 0n)
    throw new Error(
      `"${cidr}" is not a network in CIDR form: write it as 10.1.0.0/16 or fd00:12::/32, without bits beyond the prefix; /32 and /128 stand for one address.`,
    );
  const prefix = Number(length);
  const inner = prefix >= 96 ? unmapped(address) : address;
  if (inner.family !== address.family) return { family: 4, base: inner.value, prefix: prefix - 96 };
  return { family: address.family, base: address.value, prefix };
}

const parseV4 = (text: string): bigint =>
  text.split('.').reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);

/** The URL parser writes the hextets of an IPv4 tail as such. */
function parseV6(text: string): bigint {
  const [head = '', tail = ''] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const [leading, trailing] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const zeros = new Array<string>(8 - leading.length - trailing.length).fill('0');
  return [...leading, ...zeros, ...trailing].reduce(
    (value, hextet) => (value << 16n) | BigInt(`0x${hextet}`),
    0n,
  );
}
