import {
  bytes,
  columnsOf,
  insertOf,
  integer,
  json,
  jsonb,
  listOf,
  long,
  moment,
  orNull,
  rowCount,
  type RowOf,
  text,
  time,
} from '../../kernel/store/column.js';
import type { IdKind } from '../../kernel/identifier.js';
import { statement } from '../../kernel/store/statement.js';

/** Kinds of actors. `system`: the deployment itself. */
export const ACTOR_KINDS = ['key', 'session', 'cli', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

const ENTRY = {
  id: text(),
  at: time(),
  kind: text<ActorKind>(),
  keyId: orNull(text()),
  sessionId: orNull(text()),
  label: orNull(text()),
  user: orNull(text()),
  partnerId: orNull(text()),
  address: orNull(text()),
  operation: text(),
  subjects: listOf(text()),
  before: orNull(jsonb<AuditedFields>()),
  after: orNull(jsonb<AuditedFields>()),
  requestId: orNull(text()),
};
export type AuditedFields = Record<string, Record<string, unknown>>;
export type AuditEntry = RowOf<typeof ENTRY>;

const ENTRY_COLUMNS = columnsOf(ENTRY, 'e');

/** Shown entries have their link. */
const LISTED = { ...ENTRY, number: orNull(long()), hash: orNull(bytes()) };
export type ListedAuditEntry = RowOf<typeof LISTED>;

/** Serialises administrative changes of a record, so that the log attributes no change to the wrong request. */
export const LOCK_SUBJECTS = statement(
  'audit.lock_subjects',
  { values: [listOf(text())], row: {} },
  `SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('change of ' || current_schema() || '.' || id, 0))
                  FROM unnest($1::text[]) AS id ORDER BY id) AS locked`,
);

const without = (...columns: string[]): string =>
  `- '{id,created_at,updated_at${columns.map((column) => `,${column}`).join('')}}'::text[]`;

/** Amounts of reports of a move that named several transactions, by hash. */
export const reportedTransactions = (orderId: string): string =>
  `(SELECT coalesce(jsonb_object_agg(step || '_transactions', amounts), '{}')
      FROM (SELECT step, jsonb_object_agg(tx_hash, trim_scale(amount / 1000000)) AS amounts
              FROM report_checks WHERE order_id = ${orderId} GROUP BY step HAVING count(*) > 1) AS report)`;

/** What ended an invoice. */
export const endOfInvoice = (id: string): string =>
  `(SELECT jsonb_build_object('status', coalesce(max(status), 'open'), 'reference', max(reference), 'at', max(at)) FROM invoice_entries WHERE invoice_id = ${id})`;

/**
 * Records of each kind by id, and the other moves of a batch. Without what is secret or follows from work beside requests. Amounts are in whole units.
 */
const RECORDS = {
  apiKey: (ids: string) =>
    `SELECT id, to_jsonb(r) ${without('secret_hash', 'prefix', 'last_used_at')} AS fields FROM api_keys r WHERE id = ANY(${ids})`,
  session: (ids: string) =>
    `SELECT id, to_jsonb(r) ${without('secret_hash')} AS fields FROM sessions r WHERE id = ANY(${ids})`,
  partner: (ids: string) =>
    `SELECT id, to_jsonb(r) ${without('events_from')} AS fields FROM partners r WHERE id = ANY(${ids})`,
  campaign: (ids: string) =>
    `SELECT id, to_jsonb(r) ${without()} AS fields FROM campaigns r WHERE id = ANY(${ids})`,
  user: (ids: string) =>
    `SELECT id, to_jsonb(r) ${without('external_scope')}
            || jsonb_build_object('wallets', ARRAY(SELECT address FROM wallets w WHERE w.user_id = r.id ORDER BY w.position)) AS fields
       FROM users r WHERE id = ANY(${ids})`,
  webhook: (ids: string) =>
    `SELECT id, to_jsonb(r) ${without('secret_sealed', 'secret_masked', 'previous_sealed')} AS fields
       FROM webhook_endpoints r WHERE id = ANY(${ids})`,
  settlement: (ids: string) =>
    `SELECT id, jsonb_build_object('status', status, 'resolution', resolution, 'note', note, 'voided_tx_hash', voided_tx_hash) AS fields
       FROM settlements WHERE id = ANY(${ids})`,
  withdrawal: (ids: string) =>
    `SELECT id, jsonb_build_object('status', status, 'taken_at', taken_at, 'tx_hash', tx_hash, 'amount', trim_scale(amount / 1000000),
              'cost', trim_scale(cost / 1000000), 'failure', failure, 'note', note) AS fields
       FROM withdrawals WHERE id = ANY(${ids})`,
  invoice: (ids: string) =>
    `SELECT id, ${endOfInvoice('r.id')} AS fields FROM invoices r WHERE id = ANY(${ids})`,
  move: (ids: string) =>
    `SELECT id, jsonb_build_object('status', status, 'taken_at', taken_at,
              'redeemed_tx_hash', redeemed_tx_hash, 'redeemed_amount', trim_scale(redeemed_amount / 1000000),
              'settled_tx_hash', settled_tx_hash, 'settled_amount', trim_scale(settled_amount / 1000000),
              'cost', trim_scale(cost / 1000000), 'gain', trim_scale(gain / 1000000), 'failure', failure, 'note', note,
              'review_status', review_status, 'review_note', review_note)
            || (SELECT coalesce(jsonb_object_agg(step || '_resolution', resolution || ': ' || c.note), '{}') FROM report_checks c
                 WHERE c.order_id = move_orders.id AND resolution IS NOT NULL)
            || ${reportedTransactions('move_orders.id')} AS fields
       FROM move_orders
      WHERE id IN (SELECT unnest(${ids}::text[]) UNION SELECT other.id FROM move_orders one JOIN move_orders other USING (batch_id) WHERE one.id = ANY(${ids}))`,
} as const;
/** Kinds of records whose fields are compared; of the others, the ledger and their own lists show what changed. */
export type ComparedKind = keyof typeof RECORDS;
const COMPARED_KINDS = Object.keys(RECORDS) as ComparedKind[];
export const isCompared = (kind: IdKind | undefined): kind is ComparedKind =>
  COMPARED_KINDS.some((compared) => compared === kind);

/** Records by id, the policy and the simulated account of a partner, and vaults of its market or the shared one. */
const recordsOf = (ids: string, vaults: string, policyOf = 'NULL', accountOf = 'NULL'): string =>
  `${Object.values(RECORDS)
    .map((ofKind) => ofKind(ids))
    .join(' UNION ALL ')}
   UNION ALL SELECT * FROM (
     SELECT partner_id, jsonb_build_object('version', version, 'own', own, 'bounds', bounds)
       FROM partner_policies WHERE partner_id = ${policyOf} ORDER BY version DESC LIMIT 1) AS policy
   UNION ALL SELECT owner_id, jsonb_build_object('hours_ahead', hours_ahead, 'scenario', scenario, 'seed', seed)
               FROM markets WHERE owner_id = ${accountOf}
   UNION ALL SELECT vault_id, jsonb_build_object('quarantined_until', quarantined_until, 'quarantine_reason', quarantine_reason)
               FROM vault_states JOIN markets m ON m.id = market_id WHERE vault_id = ANY(${vaults}) AND owner_id IS NOT DISTINCT FROM ${accountOf}`;

export const LOOK = statement(
  'audit.look',
  {
    values: [listOf(text()), orNull(text()), orNull(text()), listOf(text())],
    row: { id: text(), fields: jsonb<Record<string, unknown>>() },
  },
  recordsOf('$1', '$4', '$2', '$3'),
);

/** Writes an entry, and queues it for the chain. @param created SQL of records whose fields are those after the change, beside the entry's own */
const insertOfEntry = (created: string | null): string =>
  `WITH entry AS (
     ${
       created === null
         ? insertOf('audit_entries', ENTRY, '$1')
         : `${insertOf('audit_entries', ENTRY, '$1', { after: 'coalesce(new.after || created.fields, created.fields, new.after)' })}
       CROSS JOIN (SELECT jsonb_object_agg(id, fields) AS fields FROM (${created}) AS record(id, fields)) AS created`
     }
     RETURNING id)
   INSERT INTO audit_queue (entry_id) SELECT id FROM entry`;

/** Of a change that has created no record. */
export const INSERT = statement('audit.insert', { values: [json<string>()], row: {} }, insertOfEntry(null));

const insertWithRecords = (kind: ComparedKind) =>
  statement(
    `audit.insert_with_${kind}`,
    { values: [json<string>(), listOf(text())], row: {} },
    insertOfEntry(RECORDS[kind]('$2')),
  );

/** Of a change that has created records $2 of one kind. A statement that reads every kind takes PostgreSQL longer than the write. */
export const INSERT_WITH: ReadonlyMap<ComparedKind, ReturnType<typeof insertWithRecords>> = new Map(
  COMPARED_KINDS.map((kind) => [kind, insertWithRecords(kind)]),
);

/** Of a change that has created records $2 of several kinds, and vaults $3. */
export const INSERT_WITH_ALL = statement(
  'audit.insert_with_all',
  { values: [json<string>(), listOf(text()), listOf(text())], row: {} },
  insertOfEntry(recordsOf('$2', '$3')),
);

/** Administrators' operations on what a partner's funds earn and where they may go, and fields that are the partner's business. */
const OF_TERMS = `('updatePartner', 'boundPartnerPolicy', 'createCampaign', 'updateCampaign')`;
export const SHOWN_TO_PARTNER: readonly string[] = [
  ...['name', 'status', 'performance_fee_bps', 'revenue_share_bps', 'version', 'bounds'],
  ...['asset', 'multiplier_hundredths', 'starts_at', 'ends_at'],
];

/** Page of entries that satisfy a condition. */
const pageWhere = (condition: string): string =>
  `SELECT * FROM audit_entries e
    WHERE (e.at, e.id) < ($1, $2) AND e.at BETWEEN $4 AND $5 AND ${condition}
      AND ($8::text IS NULL OR e.operation = $8) AND ($9::text IS NULL OR e.subjects @> ARRAY[$9::text])
    ORDER BY e.at DESC, e.id DESC LIMIT $3`;

/**
 * Entries, newest first, planned for its filters, each of which has an index; null: any. $1/$2 keyset position (time, id), $3 rows, $4/$5 from and to,
 * $6 partner, with what administrators changed of its terms, $7 key, $8 operation, $9 subject.
 */
export const LIST = statement(
  'audit.list',
  {
    values: [
      moment(),
      text(),
      rowCount(),
      moment(),
      moment(),
      orNull(text()),
      orNull(text()),
      orNull(text()),
      orNull(text()),
    ],
    row: LISTED,
    isPlannedAnew: true,
  },
  `SELECT ${ENTRY_COLUMNS}, l.number, l.hash
     FROM ((${pageWhere('($6::text IS NULL OR e.partner_id = $6) AND ($7::text IS NULL OR e.key_id = $7)')})
           UNION ALL
           (${pageWhere(`$6::text IS NOT NULL AND $7::text IS NULL AND e.partner_id IS NULL AND e.operation IN ${OF_TERMS} AND e.subjects @> ARRAY[$6::text]
             AND EXISTS (SELECT FROM jsonb_each(e.after) AS record WHERE record.value ?| '{${SHOWN_TO_PARTNER.join(',')}}')`)})) AS e
     LEFT JOIN audit_links l ON l.entry_id = e.id
    ORDER BY e.at DESC, e.id DESC LIMIT $3`,
);

const ENDS = { first: long(), firstHash: bytes(), last: long(), lastHash: bytes() };

const FIND = `SELECT ${columnsOf(ENDS)} FROM audit_chain`;
export const FIND_ENDS = statement('audit.find_ends', { values: [], row: ENDS }, FIND);
/** Locked: the chain is extended by one process at a time. */
export const LOCK_ENDS = statement('audit.lock_ends', { values: [], row: ENDS }, `${FIND} FOR UPDATE`);

export const FIND_QUEUED = statement(
  'audit.find_queued',
  { values: [rowCount()], row: ENTRY },
  `SELECT ${ENTRY_COLUMNS} FROM audit_queue q JOIN audit_entries e ON e.id = q.entry_id ORDER BY e.id LIMIT $1`,
);

/** $1 entries, $2 their hashes, $3 number of the first one. */
export const LINK = statement(
  'audit.link',
  { values: [listOf(text()), listOf(bytes()), long()], row: {} },
  `WITH linked AS (
     INSERT INTO audit_links (entry_id, hash, number)
     SELECT id, hash, $3::bigint + place - 1 FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS entry(id, hash, place) RETURNING number
   ), moved AS (
     UPDATE audit_chain SET last = $3::bigint + cardinality($1::text[]) - 1, last_hash = ($2::bytea[])[cardinality($1::text[])] RETURNING last
   )
   DELETE FROM audit_queue WHERE entry_id = ANY($1)`,
);

/** Links after a number, with their entries, where they are there. */
export const FIND_LINKS = statement(
  'audit.find_links',
  { values: [long(), rowCount()], row: { number: long(), entryId: text(), hash: bytes() }, joined: ENTRY },
  `SELECT l.number, l.entry_id AS "entryId", l.hash, ${ENTRY_COLUMNS}
     FROM audit_links l LEFT JOIN audit_entries e ON e.id = l.entry_id WHERE l.number > $1 ORDER BY l.number LIMIT $2`,
);

/** The next $2 entries that neither the chain nor its queue has, by id. */
export const FIND_LOOSE = statement(
  'audit.find_loose',
  { values: [text(), rowCount()], row: { id: text() } },
  `SELECT id FROM audit_entries e
    WHERE id > $1 AND NOT EXISTS (SELECT FROM audit_links l WHERE l.entry_id = e.id) AND NOT EXISTS (SELECT FROM audit_queue q WHERE q.entry_id = e.id)
    ORDER BY id LIMIT $2`,
);

export const FORGET = statement(
  'audit.forget',
  { values: [time(), integer()], row: { removed: integer() } },
  `SELECT forget_audit($1, $2) AS removed`,
);
