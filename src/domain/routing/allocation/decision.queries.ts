import { WEIGHED, limitPage } from '../../kernel/store/page.js';
import {
  columnsOf,
  insertOf,
  integer,
  json,
  moment,
  orNull,
  rowCount,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type {
  DecisionKind,
  DecisionOrder,
  DecisionReason,
  ExpectedUplift,
  Outcome,
  PlannedDecision,
} from './decision.js';
import type { StoredRecord } from './decision-record.js';

/** Separator of JSON texts (RFC 7464), which contain no control characters. */
export const RECORD_SEPARATOR = '\x1e';

/** $1 columns of decisions, $2 their records in the same order: within $1, a record would be parsed twice more. */
export const INSERT_DECISIONS = statement(
  'routing.insert_decisions',
  { values: [json<string>(), text()], row: {} },
  `INSERT INTO decisions (id, market_id, partner_id, kind, asset, user_id, position_id, positions, from_vault_id, to_vault_id, hour, blocked, record,
          record_bytes, at, decision_market_id)
   SELECT id, "marketId", "partnerId", kind, asset, "userId", "positionId", positions, "fromVaultId", "toVaultId", "snapshotHour", blocked, record::json,
          octet_length(record), at, "decisionMarketId"
     FROM ROWS FROM (
       json_to_recordset($1) AS (id text, "marketId" text, "partnerId" text, kind text, asset text, "userId" text, "positionId" text, positions int,
         "fromVaultId" text, "toVaultId" text, "snapshotHour" timestamptz, blocked text, at timestamptz, "decisionMarketId" text),
       string_to_table($2, E'\\x1e')) AS new(id, "marketId", "partnerId", kind, asset, "userId", "positionId", positions, "fromVaultId", "toVaultId",
         "snapshotHour", blocked, at, "decisionMarketId", record)`,
);

/** What the decisions of hour $2 in market $1 have in common. */
export const FIND_MARKETS = statement(
  'routing.find_decision_markets',
  { values: [text(), time()], row: { id: text(), record: text() } },
  `SELECT id, record FROM decision_markets WHERE market_id = $1 AND hour = $2 ORDER BY id`,
);

const MARKET_ROW = { id: text(), marketId: text(), hour: time(), record: text(), wholeBytes: integer() };
export const INSERT_MARKETS = statement(
  'routing.insert_decision_markets',
  { values: [json<string>()], row: {} },
  insertOf('decision_markets', MARKET_ROW, '$1'),
);

/**
 * Compresses with lz4 until commit, if the server supports it: pglz takes more than half of the time to store thousands of records, lz4 little. A
 * column may mix both.
 */
export const COMPRESS_BY_LZ4 = statement(
  'routing.compress_by_lz4',
  { values: [], row: { set_config: text() } },
  `SELECT set_config(name, 'lz4', true) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`,
);

/** Decisions on held funds since hour $2, oldest first. With move orders, the reports determine when the funds left and arrived. */
export const FIND_RECENT = statement(
  'routing.find_recent',
  {
    values: [text(), time()],
    row: {
      partnerId: text(),
      asset: text(),
      kind: text<Exclude<DecisionKind, 'route'>>(),
      fromVaultId: text(),
      toVaultId: orNull(text()),
      hour: time(),
      blocked: orNull(text()),
      leftHour: orNull(time()),
      arrivesHour: orNull(time()),
    },
  },
  `SELECT d.partner_id AS "partnerId", d.asset, d.kind, d.from_vault_id AS "fromVaultId", d.to_vault_id AS "toVaultId", d.hour,
          CASE WHEN d.blocked IS NOT NULL THEN d.blocked WHEN d.kind = 'hold' THEN d.record->>'blocked' END AS blocked,
          CASE WHEN o.id IS NULL THEN d.hour ELSE date_trunc('hour', coalesce(o.redeemed_at, o.settled_at), 'UTC') END AS "leftHour",
          CASE WHEN o.id IS NULL THEN d.hour ELSE o.arrives_hour END AS "arrivesHour"
     FROM decisions d LEFT JOIN move_orders o ON o.decision_id = d.id
    WHERE d.market_id = $1 AND d.hour >= $2 AND d.kind <> 'route' ORDER BY d.hour, d.id`,
);

const STORED = {
  id: text(),
  userId: orNull(text()),
  positionId: orNull(text()),
  positions: integer(),
  at: time(),
};
const WHOLE = { ...STORED, marketId: text(), partnerId: text() };
/** Record of a decision `d`, and its market; null: the record is complete. */
export const RECORDED = {
  record: json<StoredRecord>(),
  decisionMarketId: orNull(text()),
  market: orNull(text()),
};
export const RECORD = `d.record, d.decision_market_id AS "decisionMarketId",
            (SELECT m.record FROM decision_markets m WHERE m.id = d.decision_market_id) AS market`;

export const FIND_DECISION = statement(
  'routing.find_decision',
  { values: [text()], row: { ...WHOLE, ...RECORDED } },
  `SELECT ${columnsOf(WHOLE, 'd')}, ${RECORD} FROM decisions d WHERE d.id = $1`,
);

const PROGRESS = `${columnsOf(STORED, 'd')},
            (SELECT json_build_object('promised', m.promised::text, 'realised', m.realised::text, 'at', m.realised_hour)
               FROM move_orders m WHERE m.decision_id = d.id AND m.realised IS NOT NULL) AS outcome,
            (SELECT json_build_object('id', o.id, 'state', CASE
                      WHEN o.status = 'settled' THEN 'arrived' WHEN o.failure = 'lapsed' THEN 'lapsed' WHEN o.status = 'failed' THEN 'failed'
                      WHEN o.redeemed_at IS NOT NULL THEN 'redeemed' WHEN o.taken_at IS NOT NULL THEN 'taken_up' ELSE 'decided' END)
               FROM move_orders o WHERE o.decision_id = d.id) AS "order"`;
/** A decision takes about 400 bytes in a response, plus its complete record. */
const SHOWN = `${PROGRESS}, ${RECORD},
            (SELECT coalesce(json_agg(json_build_object('id', p.id, 'kind', p.kind, 'fromVaultId', p.from_vault_id, 'toVaultId', p.to_vault_id,
                      'amount', p.record->'inputs'->>'amount') ORDER BY p.id), '[]')
               FROM (SELECT * FROM decisions p WHERE p.partner_id = d.partner_id AND p.at = d.at AND p.asset = d.asset AND p.id <> d.id
                      ORDER BY p.id LIMIT 50) AS p) AS planned,
            400 + coalesce((SELECT m.whole_bytes FROM decision_markets m WHERE m.id = d.decision_market_id), d.record_bytes,
                           octet_length(d.record::text)) AS bytes`;
const VALUES = [
  text(),
  moment(),
  text(),
  orNull(text()),
  orNull(text<DecisionKind>()),
  rowCount(),
  moment(),
  orNull(text()),
  orNull(text()),
] as const;

/** What a response has of a decision besides its record. */
const PROGRESSED = { ...STORED, outcome: orNull(json<Outcome>()), order: orNull(json<DecisionOrder>()) };

/** Page of a partner's decisions, see `LIST`. */
const listed = (columns: string): string => `SELECT ${columns} FROM decisions d
    WHERE d.partner_id = $1 AND (d.at, d.id) < ($2, $3) AND d.at >= $7 AND ($4::text IS NULL OR d.asset = $4) AND ($5::text IS NULL OR d.kind = $5)
      AND (($8::text IS NULL AND $9::text IS NULL) OR d.id = ANY(ARRAY(
        SELECT decision_id FROM ledger_entries
         WHERE decision_id IS NOT NULL AND ($8::text IS NULL OR user_id = $8) AND ($9::text IS NULL OR position_id = $9)
           AND ($8::text IS NULL OR EXISTS (SELECT FROM users WHERE id = $8 AND partner_id = $1))
           AND ($9::text IS NULL OR EXISTS (SELECT FROM positions WHERE id = $9 AND partner_id = $1)))))
    ORDER BY d.at DESC, d.id DESC LIMIT $6`;

/**
 * Page of a partner's decisions ($1), newest first: $2/$3 keyset position (time, id; infinity for the first page), $4 asset, $5 kind: null: any. $6
 * rows, $7 the earliest time. $8 user, $9 position, or null: only decisions that moved its funds. Nothing is read for those of another partner, so
 * their timing equals that of unknown ones.
 */
export const LIST = statement(
  'routing.list_decisions',
  {
    values: VALUES,
    row: { ...PROGRESSED, ...RECORDED, planned: json<PlannedDecision[]>(), ...WEIGHED },
    isPlannedAnew: true,
  },
  limitPage(listed(SHOWN), 'at DESC, id DESC'),
);

/** Decisions without their large parts: about 1 KB each, so that only the number of rows limits a page. */
export const LIST_SUMMARIES = statement(
  'routing.list_decision_summaries',
  {
    values: VALUES,
    row: {
      ...PROGRESSED,
      kind: text<DecisionKind>(),
      reason: text<DecisionReason>(),
      asset: text(),
      snapshotHour: time(),
      fromVaultId: orNull(text()),
      toVaultId: orNull(text()),
      configVersion: text(),
      amount: text(),
      expectedUplift: json<ExpectedUplift>(),
      because: orNull(text()),
    },
    isPlannedAnew: true,
  },
  listed(`${PROGRESS}, d.kind, d.record->>'reason' AS reason, d.asset, d.hour AS "snapshotHour", d.from_vault_id AS "fromVaultId",
            d.to_vault_id AS "toVaultId", d.record->>'configVersion' AS "configVersion", d.record->'inputs'->>'amount' AS amount,
            d.record->'expectedUplift' AS "expectedUplift", d.record->>'because' AS because`),
);
