/**
 * Kind of a host name, judged before DNS. `public`: resolve it. `loopback`: `localhost` by RFC 6761, never resolved. `local`: only meaningful inside
 * a network. `metadata`: a cloud's credential service. `invalid`: no DNS name.
 */
export type NameKind = 'public' | 'loopback' | 'local' | 'metadata' | 'invalid';

const MAX_NAME_OCTETS = 253;
/** WHATWG accepts `!$&'()*+,;=~` in a host. Names in use have letters, digits, hyphens and sometimes underscores. */
const LABEL = /^[a-z0-9_-]{1,63}$/;

const METADATA_NAMES = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'instance-data',
  'instance-data.ec2.internal',
  'rancher-metadata',
]);

/** Domains that never name a public host, each with its source. */
const LOCAL_DOMAINS = [
  'local', // RFC 6762, multicast DNS; cluster.local too
  'localdomain', // /etc/hosts of many distributions
  'localdomain4',
  'localdomain6',
  'internal', // ICANN, reserved for private use
  'arpa', // RFC 3172, reverse lookups; home.arpa (RFC 8375) too
  'onion', // RFC 7686
  'alt', // RFC 9476
  'i2p',
  'lan', // home routers
  'home', // ICANN name collision study
  'corp', // ICANN name collision study
  'mail', // ICANN name collision study
  'intranet',
  'private',
  'svc', // Kubernetes search domain
  'consul', // Consul DNS
];

/**
 * @param hostname from the URL parser: lower case, punycode
 * @returns the name without its trailing dot, so that `example.com.` and `example.com` are one receiver
 */
export function canonicalName(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Judges a canonical name. A name that only looks internal (`localhost.example.com`) is public: its addresses decide. */
export function judgeName(name: string): NameKind {
  const labels = name.split('.');
  if (name.length > MAX_NAME_OCTETS || !labels.every((label) => LABEL.test(label))) return 'invalid';
  if (METADATA_NAMES.has(name)) return 'metadata';
  if (labels.at(-1) === 'localhost') return 'loopback';
  if (labels.length === 1 || LOCAL_DOMAINS.some((domain) => name.endsWith(`.${domain}`))) return 'local';
  return 'public';
}
