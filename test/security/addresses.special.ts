import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  contains,
  parseNetwork,
  type IpAddress,
  type Network,
} from '../../src/domain/outbound/egress/ip-address.js';

/** A range of addresses that no webhook is sent to. */
export interface SpecialRange {
  cidr: string;
  network: Network;
  what: string;
}

export const SPECIAL: readonly SpecialRange[] = readFileSync(
  new URL('../support/data/special-purpose.tsv', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [cidr: string, what: string])
  .map(([cidr, what]) => ({ cidr, network: parseNetwork(cidr), what }));

export const isSpecial = (address: IpAddress): boolean =>
  SPECIAL.some(({ network }) => contains(network, address));

const bits = ({ family, prefix }: Network): number => (family === 4 ? 32 : 128) - prefix;

/** The first and the last address of a network. */
export const edges = (network: Network): IpAddress[] =>
  [network.base, network.base + (1n << BigInt(bits(network))) - 1n].map((value) => ({
    family: network.family,
    value,
  }));

/** Any address of a network. */
export const member = (network: Network): fc.Arbitrary<IpAddress> =>
  fc
    .bigInt({ min: 0n, max: (1n << BigInt(bits(network))) - 1n })
    .map((host) => ({ family: network.family, value: network.base + host }));

/** The addresses just outside a network, if there are any. */
export const neighbours = (network: Network): IpAddress[] => {
  const [first, last] = edges(network) as [IpAddress, IpAddress];
  return [first.value - 1n, last.value + 1n]
    .filter((value) => value >= 0n && value < 1n << (network.family === 4 ? 32n : 128n))
    .map((value) => ({ family: network.family, value }));
};

const SPACE = { 4: parseNetwork('0.0.0.0/0'), 6: parseNetwork('2000::/3') } as const;

/** Azure's metadata service: a public address according to every registry. */
const WIRE_SERVER = 0xa83f_8110n;

/** Any address of a family that is allowed for receivers. */
export const publicAddress = (family: 4 | 6): fc.Arbitrary<IpAddress> =>
  member(SPACE[family]).filter((address) => !isSpecial(address) && address.value !== WIRE_SERVER);
