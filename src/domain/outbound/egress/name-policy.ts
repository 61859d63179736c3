/**
 * Kind of a host name, checked before DNS. `public`: resolve it. `loopback`: `localhost` by RFC 6761, never resolved. `local`: only meaningful inside
 * a network. `metadata`: a cloud's credential service. `invalid`: no DNS name.
 */
type NameKind = 'public' | 'loopback' | 'local' | 'metadata' | 'invalid';

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

/** The name (lower case, punycode) without its trailing dot, so that `example.com.` and `example.com` are one receiver. */
export function canonicalName(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Checks a canonical name. A name that only looks internal (`localhost.example.com`) is public: its addresses decide. */
export function checkName(name: string): NameKind {
  const labels = name.split('.');
  if (name.length > MAX_NAME_OCTETS || !labels.every((label) => LABEL.test(label))) return 'invalid';
  if (METADATA_NAMES.has(name)) return 'metadata';
  if (labels.at(-1) === 'localhost') return 'loopback';
  if (labels.length === 1 || LOCAL_DOMAINS.some((domain) => name.endsWith(`.${domain}`))) return 'local';
  return 'public';
}

/** Ports of other protocols whose servers might misread an HTTP request; browsers refuse the same list (WHATWG Fetch, "bad port"). */
const BROWSER_BLOCKED: readonly number[] = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/**
 * Ports of databases, queues and control planes that serve unauthenticated callers: SMB, rsync, SQL Server, Oracle, ZooKeeper, Docker, etcd, MySQL, Remote
 * Desktop, Erlang, PostgreSQL, AMQP, VNC, CouchDB, WinRM, Redis, Kubernetes, Cassandra, Consul, Kafka, Elasticsearch, kubelet, memcached, MongoDB.
 */
const INTERNAL_SERVICES: readonly number[] = [
  445, 873, 1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 5985, 5986,
  6379, 6380, 6443, 7000, 7001, 8500, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 27017, 27018, 27019,
];

const denied = new Set([...BROWSER_BLOCKED, ...INTERNAL_SERVICES]);

/** @param port `URL.port`: empty for the default port of http and https, which is never denied */
export function isDeniedPort(port: string): boolean {
  return port !== '' && denied.has(Number(port));
}

const MAX_LENGTH = 2_048;
const ABSOLUTE_HTTP = /^https?:\/\/[^/?#]/i;
const INVISIBLE_OR_BACKSLASH = /[\p{Cc}\p{Z}\s\\]/u;

const TOO_LONG = 'The URL must be at most 2,048 characters long, with all characters escaped.';

/**
 * Parses a receiver URL with the WHATWG parser, the one that sends use, so that a text has one meaning. Everything that the parser would silently
 * repair (tabs, backslashes, missing slashes, escapes in the host) is refused, so that a partner who meant something else learns of it.
 * @returns an http or https URL without credentials and fragment, at most 2,048 characters as given and as serialised; or what is wrong, with the remedy
 */
export function parseReceiverUrl(text: string): URL | string {
  if (text.length > MAX_LENGTH) return TOO_LONG;
  if (INVISIBLE_OR_BACKSLASH.test(text))
    return 'The URL must not contain spaces, line breaks, control characters or backslashes.';
  if (!ABSOLUTE_HTTP.test(text))
    return 'The URL must be absolute and start with https:// or http:// and a host.';
  if (text.includes('#')) return 'The URL must not have a fragment: remove everything from the # on.';
  const [authority = ''] = text.slice(text.indexOf('//') + 2).split(/[/?]/, 1);
  if (authority.includes('@'))
    return 'The URL must not carry credentials: verify the signature of each delivery instead.';
  if (authority.includes('%'))
    return 'The host must be written without percent escapes and without a zone id.';
  if (!URL.canParse(text)) return 'The URL is not valid: check its host and port.';
  const url = new URL(text);
  return url.href.length > MAX_LENGTH ? TOO_LONG : url;
}
