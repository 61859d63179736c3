import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bytes stored for each partner, counted by triggers: any write or delete counts, whatever the statement, also by a process of the older version.
 * Rows with a caller's text count by its length, all others by a weight of their table: a row with its indexes, rounded up.
 */
export class Storage1000000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STORED_BYTES);
    // The lock blocks writers until commit: the triggers continue from the sums computed below.
    for (const table of COUNTED) await runner.query(counting(table));
    await runner.query(initialCount(COUNTED));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

type Kind = 'records' | 'traffic' | 'book';
type Change = 'INSERT' | 'UPDATE' | 'DELETE';

/** Table whose rows are counted; `r` in the expressions. */
interface Counted {
  table: string;
  kind: Kind;
  /** Expression for the bytes of a row. */
  bytes: string;
  /** Expression for the partner of a row; null for none. */
  partner: string;
  /** Join that `partner` needs. The joined row must outlive the counted one. */
  join?: string;
  /** Kinds of changes that affect a row's bytes. */
  on: readonly Change[];
}

const COUNTED: readonly Counted[] = [
  {
    table: 'users',
    kind: 'records',
    bytes: `640 + 2 * octet_length(r.external_id) + octet_length(r.label) + coalesce(octet_length(r.email), 0) + octet_length(r.metadata::text)`,
    partner: 'r.partner_id',
    on: ['INSERT', 'UPDATE', 'DELETE'],
  },
  { table: 'wallets', kind: 'records', bytes: '384', partner: 'r.partner_id', on: ['INSERT', 'DELETE'] },
  {
    table: 'campaigns',
    kind: 'records',
    // Its sums in the books have at most 32 rows.
    bytes: `6144 + octet_length(r.name) + octet_length(r.metadata::text)`,
    partner: 'r.partner_id',
    on: ['INSERT', 'UPDATE', 'DELETE'],
  },
  {
    table: 'campaign_terms',
    kind: 'records',
    bytes: '192',
    partner: 'c.partner_id',
    join: 'JOIN campaigns c ON c.id = r.campaign_id',
    on: ['INSERT', 'DELETE'],
  },
  { table: 'api_keys', kind: 'records', bytes: '1024', partner: 'r.partner_id', on: ['INSERT', 'DELETE'] },
  {
    table: 'idempotency_claims',
    kind: 'traffic',
    bytes: `384 + 2 * (octet_length(r.route) + octet_length(r.key)) + coalesce(octet_length(r.answer), octet_length(r.packed), 0)`,
    partner: 'k.partner_id',
    join: 'JOIN api_keys k ON k.id = r.key_id',
    on: ['INSERT', 'UPDATE', 'DELETE'],
  },
  {
    table: 'events',
    kind: 'traffic',
    bytes: '384 + octet_length(r.envelope::text)',
    partner: 'r.partner_id',
    on: ['INSERT', 'DELETE'],
  },
  { table: 'deliveries', kind: 'traffic', bytes: '1024', partner: 'r.partner_id', on: ['INSERT', 'DELETE'] },
  { table: 'decisions', kind: 'book', bytes: '8192', partner: 'r.partner_id', on: ['INSERT', 'DELETE'] },
  {
    table: 'ledger_entries',
    kind: 'book',
    // A position is opened by one deposit, and counted with it.
    bytes: `CASE r.type WHEN 'deposit' THEN 3072 ELSE 768 END`,
    partner: 'p.partner_id',
    join: 'JOIN positions p ON p.id = r.position_id',
    on: ['INSERT', 'DELETE'],
  },
  ...['snapshots', 'blended_points'].map((table) => ({
    table,
    kind: 'book' as const,
    bytes: '256',
    // Null for the shared market.
    partner: 'm.owner_id',
    join: 'JOIN markets m ON m.id = r.market_id',
    on: ['INSERT', 'DELETE'] as const,
  })),
];

/**
 * Slots on demand: a writer takes a slot that no other transaction has locked, or creates one. It never waits, whatever else it has locked, so it
 * cannot deadlock; and there are as many slots as there were ever concurrent writers of a partner. A single slot may be negative: the sum counts.
 */
const STORED_BYTES = `
CREATE TABLE stored_bytes (
  partner_id text COLLATE "C" NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  records bigint NOT NULL,
  traffic bigint NOT NULL,
  book bigint NOT NULL,
  PRIMARY KEY (partner_id, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION add_stored_bytes(owner text, more_records bigint, more_traffic bigint, more_book bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free bigint;
BEGIN
  SELECT s.slot INTO free FROM stored_bytes s WHERE s.partner_id = owner ORDER BY s.slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF free IS NULL THEN
    INSERT INTO stored_bytes (partner_id, records, traffic, book) VALUES (owner, more_records, more_traffic, more_book);
  ELSE
    UPDATE stored_bytes s SET records = s.records + more_records, traffic = s.traffic + more_traffic, book = s.book + more_book
     WHERE s.partner_id = owner AND s.slot = free;
  END IF;
END $$;
`;

const bytesOf = ({ bytes, partner, join = '' }: Counted, from: string, sign = ''): string =>
  `SELECT ${partner} AS owner, ${sign}(${bytes})::bigint AS bytes FROM ${from} r ${join} WHERE ${partner} IS NOT NULL`;

/** One statement-level trigger for each kind of change, because transition tables differ; many rows cost as much as one. */
function counting(counted: Counted): string {
  const { table, kind, on } = counted;
  const sources: Record<Change, { rows: string; named: string }> = {
    INSERT: { rows: bytesOf(counted, 'come'), named: 'NEW TABLE AS come' },
    UPDATE: {
      rows: `${bytesOf(counted, 'come')} UNION ALL ${bytesOf(counted, 'gone', '-')}`,
      named: 'OLD TABLE AS gone NEW TABLE AS come',
    },
    DELETE: { rows: bytesOf(counted, 'gone', '-'), named: 'OLD TABLE AS gone' },
  };
  const add = KINDS.map((one) => (one === kind ? 'bytes' : '0')).join(', ');
  return on
    .map((change) => {
      const name = `count_${table}_${change.toLowerCase()}`;
      const { rows, named } = sources[change];
      return `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored_bytes(owner, ${add})
     FROM (SELECT owner, sum(bytes)::bigint AS bytes FROM (${rows}) AS changed GROUP BY owner HAVING sum(bytes) <> 0) AS changes;
  RETURN NULL;
END $$;
CREATE TRIGGER ${name} AFTER ${change} ON ${table} REFERENCING ${named} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
    })
    .join('\n');
}

const KINDS: readonly Kind[] = ['records', 'traffic', 'book'];

const initialCount = (tables: readonly Counted[]): string => `
INSERT INTO stored_bytes (partner_id, records, traffic, book)
SELECT owner, ${KINDS.map((kind) => `coalesce(sum(bytes) FILTER (WHERE kind = '${kind}'), 0)::bigint`).join(', ')}
  FROM (${tables.map((one) => `SELECT '${one.kind}' AS kind, owner, sum(bytes) AS bytes FROM (${bytesOf(one, one.table)}) AS rows GROUP BY owner`).join('\nUNION ALL ')}) AS stored
 GROUP BY owner;
`;
