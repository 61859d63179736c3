/** Ports of other protocols whose servers might misread an HTTP request; browsers refuse the same list (WHATWG Fetch, "bad port"). */
const BROWSER_BLOCKED: readonly number[] = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Ports of databases, queues and control planes that serve unauthenticated callers. */
const INTERNAL_SERVICES: readonly (readonly [port: number, service: string])[] = [
  [445, 'SMB'],
  [873, 'rsync'],
  [1433, 'SQL Server'],
  [1521, 'Oracle'],
  [2181, 'ZooKeeper'],
  [2375, 'Docker'],
  [2376, 'Docker with TLS'],
  [2379, 'etcd'],
  [2380, 'etcd peers'],
  [3306, 'MySQL'],
  [3389, 'Remote Desktop'],
  [4369, 'Erlang port mapper'],
  [5432, 'PostgreSQL'],
  [5672, 'AMQP'],
  [5900, 'VNC'],
  [5984, 'CouchDB'],
  [5985, 'WinRM'],
  [5986, 'WinRM with TLS'],
  [6379, 'Redis'],
  [6380, 'Redis with TLS'],
  [6443, 'Kubernetes'],
  [7000, 'Cassandra peers'],
  [7001, 'Cassandra peers with TLS'],
  [8500, 'Consul'],
  [9042, 'Cassandra'],
  [9092, 'Kafka'],
  [9200, 'Elasticsearch'],
  [9300, 'Elasticsearch peers'],
  [10250, 'kubelet'],
  [10255, 'kubelet, read-only'],
  [11211, 'memcached'],
  [27017, 'MongoDB'],
  [27018, 'MongoDB shards'],
  [27019, 'MongoDB configuration'],
];

const denied = new Set([...BROWSER_BLOCKED, ...INTERNAL_SERVICES.map(([port]) => port)]);

/** @param port `URL.port`: empty for the default port of http and https, which is never denied */
export function isDeniedPort(port: string): boolean {
  return port !== '' && denied.has(Number(port));
}
