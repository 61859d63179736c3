import { double, listOf, long, rowCount, text } from './column.js';
import { statement } from './statement.js';

/** Bytes of an event `e` with its marks of endpoints that it has not reached. */
export const EVENT_BYTES = `384 + pg_column_size(e.envelope) + 384 * (SELECT count(*) FROM undelivered u WHERE u.event_id = e.id)`;

/**
 * Three sums of the partner `due.partner_id`. Rows that hold a caller's text count by its size on disk (`pg_column_size` reads no TOAST), others by a
 * weight: a row with its indexes, rounded up. Ledger entries are not read: the sums of the books count deposits and withdrawals, the revenue accounts
 * the rest, in writes that are made anyway.
 */
const COUNTED = `
  (SELECT coalesce(sum(640 + 2 * octet_length(u.external_id) + octet_length(u.label) + coalesce(octet_length(u.email), 0) + pg_column_size(u.metadata)), 0)
     FROM users u WHERE u.partner_id = due.partner_id)
  + (SELECT 384 * count(*) FROM wallets w WHERE w.partner_id = due.partner_id)
  + (SELECT coalesce(sum(6144 + octet_length(c.name) + pg_column_size(c.metadata)), 0) FROM campaigns c WHERE c.partner_id = due.partner_id)
  + (SELECT 192 * count(*) FROM campaigns c JOIN campaign_terms t ON t.campaign_id = c.id WHERE c.partner_id = due.partner_id)
  + (SELECT 1024 * count(*) FROM api_keys k WHERE k.partner_id = due.partner_id) AS records,
  (SELECT coalesce(sum(384 + 2 * (octet_length(c.route) + octet_length(c.key)) + coalesce(pg_column_size(c.answer), pg_column_size(c.packed), 0)), 0)
     FROM (SELECT due.partner_id AS scope UNION ALL SELECT k.id FROM api_keys k WHERE k.partner_id = due.partner_id) AS own
     JOIN idempotency_claims c ON c.scope = own.scope)
  + (SELECT coalesce(sum(${EVENT_BYTES}), 0) FROM events e WHERE e.partner_id = due.partner_id)
  + (SELECT 1024 * count(*) FROM deliveries d WHERE d.partner_id = due.partner_id AND d.status <> 'queued')
  + (SELECT 1024 * count(*) FROM webhook_endpoints w JOIN deliveries d ON d.webhook_id = w.id AND d.status = 'queued'
      WHERE w.partner_id = due.partner_id) AS traffic,
  (SELECT 8192 * count(*) FROM decisions d WHERE d.partner_id = due.partner_id)
  + (SELECT 1024 * count(*) FROM audit_entries a WHERE a.partner_id = due.partner_id)
  + (SELECT coalesce(sum(3072 * t.deposits + 768 * t.withdrawals), 0) FROM book_totals t WHERE t.partner_id = due.partner_id)
  + (SELECT coalesce(sum(1024 + 256 * w.positions), 0) FROM withdrawals w WHERE w.partner_id = due.partner_id)
  + (SELECT coalesce(sum(768 * r.settled), 0) FROM revenue_accounts r WHERE r.partner_id = due.partner_id)
  + (SELECT coalesce(sum(256 * (SELECT count(*) FROM snapshots s WHERE s.market_id = v.market_id AND s.vault_id = v.vault_id)), 0)
       FROM markets m JOIN vault_states v ON v.market_id = m.id WHERE m.owner_id = due.partner_id)
  + (SELECT coalesce(sum(256 * (SELECT count(*) FROM blended_points b WHERE b.market_id = m.id)), 0)
       FROM markets m WHERE m.owner_id = due.partner_id) AS book`;

const ROW = { partnerId: text(), records: double(), traffic: double(), book: double() };
const RETURNED = `s.partner_id AS "partnerId", s.records::float8, s.traffic::float8, s.book::float8`;

/**
 * Pause after a count, some twenty times as long as the count takes, so that a partner's counts take a twentieth of a connection at most. Rows
 * with text are read one by one (64 MiB of events: 40 ms); a book is counted by its indexes and sums (2 GiB: 20 ms).
 */
const REST = `((counted.records + counted.traffic) / 67108864.0 + counted.book / 2147483648.0) * interval '1 second'`;

/** Makes partners that wrote due for a count once their `rest_until` has passed. */
export const NOTE = statement(
  'storage.note',
  { values: [listOf(text())], row: {} },
  `INSERT INTO stored_bytes AS s (partner_id) SELECT unnest($1::text[]) ORDER BY 1
   ON CONFLICT (partner_id) DO UPDATE SET due_at = s.rest_until WHERE s.due_at > s.rest_until`,
);

/**
 * For the current transaction: by index. Where one partner has most rows, the planner reads a whole table for each: 137 ms a partner instead of 0.06.
 */
export const BY_INDEX = statement(
  'storage.by_index',
  { values: [], row: { scan: text(), hash: text(), merge: text() } },
  `SELECT set_config('enable_seqscan', 'off', true) AS scan, set_config('enable_hashjoin', 'off', true) AS hash,
          set_config('enable_mergejoin', 'off', true) AS merge`,
);

/**
 * Counts the next $2 partners after $1 that are due, and skips those that another process counts. A partner over a limit ($3 records, $4 traffic, $5
 * book) is recounted as soon as `rest_until` allows, because background jobs may delete its rows. Any other partner is recounted within a day, because
 * background jobs may add rows.
 */
export const COUNT_DUE = statement(
  'storage.count_due',
  { values: [text(), rowCount(), long(), long(), long()], row: ROW },
  `WITH due AS MATERIALIZED (
     SELECT partner_id FROM stored_bytes WHERE due_at <= clock_timestamp() AND partner_id > $1 ORDER BY partner_id LIMIT $2 FOR UPDATE SKIP LOCKED
   ), counted AS MATERIALIZED (
     SELECT due.partner_id, ${COUNTED} FROM due
   )
   UPDATE stored_bytes s
      SET records = counted.records, traffic = counted.traffic, book = counted.book, rest_until = clock_timestamp() + ${REST},
          due_at = clock_timestamp() + CASE WHEN counted.records > $3::bigint OR counted.traffic > $4::bigint OR counted.book > $5::bigint THEN ${REST} ELSE interval '1 day' END
     FROM counted WHERE s.partner_id = counted.partner_id
   RETURNING ${RETURNED}`,
);

/** Counts one partner, with the writes of this transaction. */
export const COUNT_ONE = statement(
  'storage.count_one',
  { values: [text()], row: ROW },
  `INSERT INTO stored_bytes AS s (partner_id, records, traffic, book)
   SELECT due.partner_id, ${COUNTED} FROM (SELECT $1::text AS partner_id) AS due
   ON CONFLICT (partner_id) DO UPDATE SET records = excluded.records, traffic = excluded.traffic, book = excluded.book
   RETURNING ${RETURNED}`,
);

/** Partners over a limit: $1 records, $2 traffic, $3 book. */
export const FIND_FULL = statement(
  'storage.find_full',
  { values: [long(), long(), long()], row: ROW },
  `SELECT ${RETURNED} FROM stored_bytes s WHERE s.records > $1 OR s.traffic > $2 OR s.book > $3`,
);

/** Traffic of a partner as of its last count, less what was removed since. */
export const READ_TRAFFIC = statement(
  'storage.read_traffic',
  { values: [text()], row: { traffic: double() } },
  `SELECT traffic::float8 FROM stored_bytes WHERE partner_id = $1`,
);
