import {
  contains,
  parseAddress,
  parseNetwork,
  unmapped,
  type IpAddress,
  type Network,
} from './ip-address.js';

/**
 * Verdict on a receiver's address. `public`: global unicast. `operator`: inside a network that the operator allowed. `special`, `metadata` and
 * `invalid` are denied; `description` completes the sentence "it is ...".
 */
export type AddressVerdict =
  | { kind: 'public' }
  | { kind: 'operator' }
  | { kind: 'special' | 'metadata' | 'invalid'; description: string };

type SpecialRange = readonly [cidr: string, what: string, source: string];

/** IANA IPv4 Special-Purpose Address Registry, and multicast. Ranges are denied as a whole, including their few anycast services. */
const SPECIAL_V4: readonly SpecialRange[] = [
  ['0.0.0.0/8', 'an address of "this network"', 'RFC 791, RFC 1122'],
  ['10.0.0.0/8', 'a private address', 'RFC 1918'],
  ['100.64.0.0/10', 'a carrier-grade NAT address', 'RFC 6598'],
  ['127.0.0.0/8', 'a loopback address', 'RFC 1122'],
  ['169.254.0.0/16', 'a link-local address', 'RFC 3927'],
  ['172.16.0.0/12', 'a private address', 'RFC 1918'],
  ['192.0.0.0/24', 'an address of IETF protocol assignments', 'RFC 6890'],
  ['192.0.2.0/24', 'a documentation address', 'RFC 5737'],
  ['192.31.196.0/24', 'an AS112 address', 'RFC 7535'],
  ['192.52.193.0/24', 'an AMT address', 'RFC 7450'],
  ['192.88.99.0/24', 'a 6to4 relay address', 'RFC 7526'],
  ['192.168.0.0/16', 'a private address', 'RFC 1918'],
  ['192.175.48.0/24', 'an AS112 address', 'RFC 7534'],
  ['198.18.0.0/15', 'a benchmarking address', 'RFC 2544'],
  ['198.51.100.0/24', 'a documentation address', 'RFC 5737'],
  ['203.0.113.0/24', 'a documentation address', 'RFC 5737'],
  ['224.0.0.0/4', 'a multicast address', 'RFC 1112, RFC 5771'],
  ['240.0.0.0/4', 'a reserved or broadcast address', 'RFC 1112, RFC 919'],
];

/** IANA IPv6 Special-Purpose Address Registry, deprecated forms, and multicast. What is outside 2000::/3 is listed for a clear error message. */
const SPECIAL_V6: readonly SpecialRange[] = [
  ['::/128', 'the unspecified address', 'RFC 4291'],
  ['::1/128', 'a loopback address', 'RFC 4291'],
  ['::/96', 'an IPv4-compatible address', 'RFC 4291, deprecated'],
  ['::ffff:0:0:0/96', 'an IPv4-translated address', 'RFC 2765'],
  ['64:ff9b:1::/48', 'a local-use NAT64 address', 'RFC 8215'],
  ['100::/64', 'a discard-only address', 'RFC 6666'],
  ['100:0:0:1::/64', 'a dummy address', 'RFC 9780'],
  ['2001::/32', 'a Teredo address', 'RFC 4380'],
  ['2001:10::/28', 'an ORCHID address', 'RFC 4843'],
  ['2001:20::/28', 'an ORCHIDv2 address', 'RFC 7343'],
  ['2001::/23', 'an address of IETF protocol assignments', 'RFC 2928'],
  ['2001:db8::/32', 'a documentation address', 'RFC 3849'],
  ['2002::/16', 'a 6to4 address', 'RFC 3056'],
  ['2620:4f:8000::/48', 'an AS112 address', 'RFC 7534'],
  ['3ffe::/16', 'a 6bone address', 'RFC 3701, returned'],
  ['3fff::/20', 'a documentation address', 'RFC 9637'],
  ['5f00::/16', 'a segment routing address', 'RFC 9602'],
  ['fc00::/7', 'a unique local address', 'RFC 4193'],
  ['fe80::/10', 'a link-local address', 'RFC 4291'],
  ['fec0::/10', 'a site-local address', 'RFC 3879, deprecated'],
  ['ff00::/8', 'a multicast address', 'RFC 4291'],
];

/** Metadata services, where clouds hand out credentials: denied even inside an allowed network. */
const METADATA: readonly string[] = [
  '168.63.129.16/32', // Azure WireServer, which looks public
  '169.254.169.254/32', // AWS, Google Cloud, Azure, OpenStack and most others
  '169.254.170.2/32', // AWS ECS task credentials
  '169.254.170.23/32', // AWS EKS pod identity
  '169.254.0.23/32', // Tencent Cloud
  '169.254.42.42/32', // Scaleway
  '100.100.100.200/32', // Alibaba Cloud
  '192.0.0.192/32', // Oracle Cloud Classic
  'fd00:ec2::254/128', // AWS
  'fd00:ec2::23/128', // AWS EKS pod identity
  'fd20:ce::254/128', // Google Cloud
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud
  'fd00:42::42/128', // Scaleway
  'fd00:a9fe:a9fe::1/128', // Akamai
  'fd00:100::100:200/128', // Alibaba Cloud
  'fe80::a9fe:a9fe/128', // OpenStack
];

const special = [...SPECIAL_V4, ...SPECIAL_V6].map(([cidr, description]) => ({
  network: parseNetwork(cidr),
  description,
}));
const metadata = METADATA.map(parseNetwork);
const globalUnicast = parseNetwork('2000::/3');
const nat64 = parseNetwork('64:ff9b::/96'); // RFC 6052

interface Embedding {
  network: Network;
  /** Positions at which an address of the network may carry an IPv4 address. */
  inside: readonly ((value: bigint) => bigint)[];
}

const lastBits = (value: bigint): bigint => value;

/** IPv6 forms that carry an IPv4 address to a translator or a tunnel. */
const EMBEDDINGS: readonly Embedding[] = [
  { network: parseNetwork('::/96'), inside: [lastBits] },
  { network: parseNetwork('::ffff:0:0:0/96'), inside: [lastBits] },
  { network: nat64, inside: [lastBits] },
  // RFC 6052, section 2.2: a network chooses its prefix inside of the /48, and bits 64 to 71 stay zero.
  {
    network: parseNetwork('64:ff9b:1::/48'),
    inside: [
      (value) => ((value >> 48n) & 0xffff_0000n) | ((value >> 40n) & 0xffffn), // /48
      (value) => ((value >> 40n) & 0xff00_0000n) | ((value >> 32n) & 0xff_ffffn), // /56
      (value) => value >> 24n, // /64
      lastBits, // /96
    ],
  },
  { network: parseNetwork('2002::/16'), inside: [(value) => value >> 80n] },
  // RFC 4380, section 4: the server's address, and the client's with all bits inverted.
  { network: parseNetwork('2001::/32'), inside: [(value) => value >> 64n, (value) => ~value] },
];

/** RFC 5214: an interface identifier of a tunnel, in any network; the second-lowest bit of its first byte is free. */
const ISATAP = 0x0000_5efen;
const ISATAP_BITS = 0xfdff_ffffn;

/** Checks one address in standard text form. NAT64 (64:ff9b::/96) and ISATAP pass only with a public IPv4 address inside. */
export function checkAddress(text: string, allowedNetworks: readonly Network[]): AddressVerdict {
  const parsed = parseAddress(text);
  if (!parsed) return { kind: 'invalid', description: 'not an IP address in standard form' };
  const address = unmapped(parsed);
  const inner = embedded(address);
  if ([address, ...inner].some(isMetadata))
    return { kind: 'metadata', description: 'a cloud metadata address' };
  if (allowedNetworks.some((network) => contains(network, address))) return { kind: 'operator' };
  return specialRange(address) ?? specialInside(address, inner) ?? { kind: 'public' };
}

function specialRange(address: IpAddress): AddressVerdict | null {
  const range = special.find(({ network }) => contains(network, address));
  if (range) return { kind: 'special', description: range.description };
  if (address.family === 6 && !contains(globalUnicast, address) && !contains(nat64, address)) {
    return { kind: 'special', description: 'outside the global unicast addresses' };
  }
  return null;
}

/** Verdict on the IPv4 addresses inside a global IPv6 address: a translator or tunnel would forward to them. */
function specialInside(address: IpAddress, inner: readonly IpAddress[]): AddressVerdict | null {
  const form = contains(nat64, address) ? 'a NAT64 form of' : 'an ISATAP form of';
  const range = special.find(({ network }) => inner.some((carried) => contains(network, carried)));
  return range ? { kind: 'special', description: `${form} ${range.description}` } : null;
}

function isMetadata(address: IpAddress): boolean {
  return metadata.some((network) => contains(network, address));
}

function embedded(address: IpAddress): IpAddress[] {
  if (address.family === 4) return [];
  const { value } = address;
  const extractors = EMBEDDINGS.filter(({ network }) => contains(network, address)).flatMap(
    ({ inside }) => inside,
  );
  if (((value >> 32n) & ISATAP_BITS) === ISATAP) extractors.push(lastBits);
  return extractors.map((extract) => ({ family: 4, value: BigInt.asUintN(32, extract(value)) }));
}
