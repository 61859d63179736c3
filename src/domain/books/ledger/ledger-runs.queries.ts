import type { EntryType } from '../positions/position.js';
import {
  bool,
  double,
  integer,
  json,
  listOf,
  moment,
  numeric,
  orNull,
  rowCount,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { SettledRow } from './revenue-replay.js';

/** Accrual of a day or before a transfer: what follows from it is known by its amount, index and vault alone. */
const PLAIN = `type = 'yield_accrual' AND decision_id IS NULL AND tx_hash IS NULL AND voids IS NULL AND from_index IS NULL
                  AND lending_index IS NULL AND hold_index IS NULL`;

/** Entry as JSON; whole numbers are text, and its time is ISO 8601 with an offset. */
export type EntryJson = [
  id: string,
  at: string,
  type: EntryType,
  userId: string,
  positionId: string,
  asset: string,
  vaultId: string,
  fromVaultId: string | null,
  amount: string,
  cost: string,
  shareIndex: string,
  fromIndex: string | null,
  lendingIndex: string | null,
  holdIndex: string | null,
  decisionId: string | null,
  txHash: string | null,
  voids: string | null,
];

const RUN = {
  positionId: text(),
  entries: integer(),
  lastAt: time(),
  lastId: text(),
  /** null: of several users; so is `asset`. */
  userId: orNull(text()),
  asset: orNull(text()),
  amounts: text(),
  indexes: text(),
  /** Vault of all entries; null: they are in `vaultIds`. */
  vaultId: orNull(text()),
  vaultIds: orNull(text()),
  others: orNull(json<EntryJson[]>()),
};

/**
 * Entries by position, time and id, one row a position. Lists are in that order, as the text of an array. Plain accruals are in `amounts`; where that
 * is NULL, the entry is the next of `others`. `lateId`: an entry that is settled
 * after one of a later time, or of the same time and a higher id.
 * @param from which ones, in that order
 */
const runsOf = (from: string): string =>
  `SELECT position_id AS "positionId", count(*)::int AS entries, max(at) AS "lastAt", (array_agg(id))[count(*)] AS "lastId",
          CASE WHEN min(user_id) = max(user_id) THEN min(user_id) END AS "userId",
          CASE WHEN min(asset COLLATE "C") = max(asset COLLATE "C") THEN min(asset COLLATE "C") END AS asset,
          array_agg(CASE WHEN plain THEN amount END)::text AS amounts, array_agg(share_index)::text AS indexes,
          CASE WHEN min(vault_id) = max(vault_id) THEN min(vault_id) END AS "vaultId",
          CASE WHEN min(vault_id) <> max(vault_id) THEN array_agg(vault_id)::text END AS "vaultIds",
          json_agg(json_build_array(id, at, type, user_id, position_id, asset, vault_id, from_vault_id, amount::text, cost::text, share_index::text,
            from_index::text, lending_index::text, hold_index::text, decision_id, tx_hash, voids)) FILTER (WHERE NOT plain) AS others
     FROM (SELECT e.*, ${PLAIN} AS plain FROM (${from}) AS e ORDER BY position_id, at, id) AS page
    GROUP BY position_id
    ORDER BY position_id`;

/** The next $4 entries; a page may end between those of a position. */
export const PAGE_OF_RUNS = statement(
  'ledger.page_of_runs',
  { values: [text(), moment(), text(), rowCount()], row: RUN },
  runsOf(
    'SELECT * FROM ledger_entries WHERE (position_id, at, id) > ($1, $2, $3) ORDER BY position_id, at, id LIMIT $4',
  ),
);

/** Positions $1, each after the entry of time $2 and id $3. */
const SINCE = 'unnest($1::text[], $2::timestamptz[], $3::text[]) AS since(of, after_at, after_id)';

/** Entries of positions since their last covered ones. The bound on `at` alone lets the planner skip partitions of earlier months. */
export const RUNS_SINCE = statement(
  'ledger.runs_since',
  { values: [listOf(text()), listOf(moment()), listOf(text())], row: RUN },
  runsOf(`SELECT e.* FROM ${SINCE}
           CROSS JOIN LATERAL (SELECT * FROM ledger_entries
             WHERE position_id = of AND at >= after_at AND (at, id) > (after_at, after_id)) AS e`),
);

const TRANSFER = {
  id: text(),
  positionId: text(),
  recordedAt: double(),
  txHash: text(),
  isVoided: bool(),
  resolvedAt: orNull(double()),
};
const TRANSFER_COLUMNS = `id, position_id AS "positionId", round(date_part('epoch', recorded_at) * 1000) AS "recordedAt",
          coalesce(tx_hash, voided_tx_hash) AS "txHash", voided_tx_hash IS NOT NULL AS "isVoided",
          round(date_part('epoch', resolved_at) * 1000) AS "resolvedAt"`;

/**
 * Transfers by position: that of a split deposit is of each of its positions.
 * @param where condition on the position: one on the result would join each position with all transfers
 */
const transfersOf = (where: (position: string) => string): string => `(
       SELECT id, position_id, recorded_at, tx_hash, voided_tx_hash, resolved_at FROM settlements ${where('position_id')}
       UNION ALL
       SELECT s.id, part.id, s.recorded_at, s.tx_hash, s.voided_tx_hash, s.resolved_at
         FROM positions part JOIN settlements s ON s.deposit_id = part.deposit_id AND s.position_id <> part.id ${where('part.id')}) AS transfers`;

/** Transfers of positions that were recorded or resolved since their last covered entries. */
export const TRANSFERS_SINCE = statement(
  'ledger.transfers_since',
  { values: [listOf(text()), listOf(moment()), listOf(text())], row: TRANSFER },
  `SELECT ${TRANSFER_COLUMNS}
     FROM ${SINCE} CROSS JOIN LATERAL ${transfersOf((position) => `WHERE ${position} = of`)}
    WHERE after_id IS NOT NULL AND (recorded_at > after_at OR resolved_at > after_at)
    ORDER BY position_id, recorded_at, id`,
);

/** The next $4 recorded transfers by position, time and id. Times are milliseconds since 1970. */
export const PAGE_OF_TRANSFERS = statement(
  'ledger.page_of_transfers',
  {
    values: [text(), moment(), text(), rowCount()],
    row: TRANSFER,
  },
  `SELECT ${TRANSFER_COLUMNS}
     FROM ${transfersOf(() => '')}
    WHERE (position_id, recorded_at, id) > ($1, $2, $3)
    ORDER BY position_id, recorded_at, id
    LIMIT $4`,
);

/** Gain: it adds its amount to the base at its terms, less what is carried. */
const GAIN = `type = 'yield_accrual' AND amount > 0 AND cost = 0 AND voids IS NULL`;

const ALIKE = `bool_and(gain) AND min(fee_bps) = max(fee_bps) AND min(share_bps) = max(share_bps)`;

const SETTLED_RUN = {
  userId: text(),
  asset: text(),
  lastId: text(),
  firstAt: time(),
  lastAt: time(),
  lateId: orNull(text()),
  entries: integer(),
  places: integer(),
  first: integer(),
  last: integer(),
  feeBps: orNull(integer()),
  shareBps: orNull(integer()),
  gains: orNull(numeric()),
  fee: numeric(),
  partnerRevenue: numeric(),
  carriedLoss: numeric(),
  amounts: orNull(text()),
  feesBps: orNull(text()),
  sharesBps: orNull(text()),
  others: orNull(json<SettledRow[]>()),
};

/**
 * Settled entries by user, asset and sequence number, one row an account. Where all of them are gains at the same terms, `amounts` is null and `gains`
 * is their sum; else gains are in the lists, in the order of sequence numbers, and where `amounts` is NULL, the entry is the next of `others`.
 * @param from which ones, in that order
 */
const settledOf = (from: string): string =>
  `SELECT user_id AS "userId", asset, (array_agg(id))[count(*)] AS "lastId", (array_agg(at))[1] AS "firstAt", max(at) AS "lastAt",
          min(id) FILTER (WHERE is_late) AS "lateId", count(*)::int AS entries, count(DISTINCT revenue_place)::int AS places,
          min(revenue_place)::int AS first, max(revenue_place)::int AS last, min(fee_bps) AS "feeBps", min(share_bps) AS "shareBps",
          CASE WHEN ${ALIKE} THEN sum(amount) END AS gains, sum(fee) AS fee, sum(partner_revenue) AS "partnerRevenue",
          sum(carried_loss) AS "carriedLoss",
          CASE WHEN ${ALIKE} THEN NULL ELSE array_agg(CASE WHEN gain THEN amount END)::text END AS amounts,
          CASE WHEN ${ALIKE} THEN NULL ELSE array_agg(fee_bps)::text END AS "feesBps",
          CASE WHEN ${ALIKE} THEN NULL ELSE array_agg(share_bps)::text END AS "sharesBps",
          json_agg(json_build_object('id', id, 'type', type, 'amount', amount::text, 'cost', cost::text, 'feeBps', fee_bps, 'shareBps', share_bps,
            'place', revenue_place, 'userValue', user_value::text, 'voids', voids)) FILTER (WHERE NOT gain) AS others
     FROM (
       SELECT id, user_id, asset COLLATE "C" AS asset, type, amount, cost, fee_bps, share_bps, revenue_place, user_value, voids, fee, partner_revenue, carried_loss,
              ${GAIN} AS gain, at, at < lag(at) OVER w OR (at = lag(at) OVER w AND id < lag(id) OVER w) AS is_late
         FROM (${from}) AS e
       WINDOW w AS (PARTITION BY user_id, asset COLLATE "C" ORDER BY revenue_place, id)
        ORDER BY user_id, asset COLLATE "C", revenue_place, id) AS page
    GROUP BY user_id, asset
    ORDER BY user_id, asset`;

/** The next $5 settled entries; a page may end between those of an account. */
export const PAGE_OF_SETTLED_RUNS = statement(
  'ledger.page_of_settled_runs',
  { values: [text(), text(), rowCount(), text(), rowCount()], row: SETTLED_RUN },
  settledOf(`SELECT * FROM ledger_entries
        WHERE revenue_place IS NOT NULL AND (user_id, asset COLLATE "C", revenue_place, id) > ($1, $2, $3, $4)
        ORDER BY user_id, asset COLLATE "C", revenue_place, id
        LIMIT $5`),
);

/** Entries of revenue accounts, by user $1 and asset $2, after sequence number $3. */
export const SETTLED_SINCE = statement(
  'ledger.settled_since',
  { values: [listOf(text()), listOf(text()), listOf(integer())], row: SETTLED_RUN },
  settledOf(`SELECT e.* FROM unnest($1::text[], $2::text[], $3::int[]) AS since(of, of_asset, after)
        CROSS JOIN LATERAL (SELECT * FROM ledger_entries
          WHERE revenue_place IS NOT NULL AND user_id = of AND asset COLLATE "C" = of_asset AND revenue_place > after) AS e`),
);
