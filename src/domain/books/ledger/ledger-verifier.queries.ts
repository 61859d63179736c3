import { ENTRY as BOOKED, POSITION } from '../positions/position.js';
import { CAMPAIGN_TERMS, CAMPAIGN_TERMS_COLUMNS } from '../positions/points.js';
import {
  bool,
  type Column,
  columnOf,
  columnsOf,
  integer,
  json,
  listOf,
  long,
  moment,
  numeric,
  orNull,
  rowCount,
  text,
  whole,
} from '../../kernel/store/column.js';
import { type Statement, statement } from '../../kernel/store/statement.js';
import { REPLAYED } from './ledger.queries.js';
import { BOOK_KINDS, BOOK_TABLES, type BookKind } from '../positions/books.js';
import { REVENUE_ACCOUNT } from '../positions/position-store.queries.js';

export const STORED_POSITION = { ...POSITION, usersPartnerId: orNull(text()) };

/** Positions by id, each with its user's partner. @param from which ones */
export const positionsOf = (from: string): string =>
  `SELECT ${columnsOf(POSITION, 'p')}, u.partner_id AS "usersPartnerId" FROM (${from}) AS p LEFT JOIN users u ON u.id = p.user_id ORDER BY p.id`;

export const PAGE_OF_POSITIONS = statement(
  'ledger.page_of_positions',
  { values: [text(), rowCount()], row: STORED_POSITION },
  positionsOf('SELECT * FROM positions WHERE id > $1 ORDER BY id LIMIT $2'),
);

/** Settlement of the transfer of entry e, which may be of a split deposit. */
const OF_ENTRY =
  '(s.position_id = e.position_id OR s.deposit_id = (SELECT p.deposit_id FROM positions p WHERE p.id = e.position_id))';

/** The first 64 bits of a hash, which are summed: a sum does not depend on the order of rows, nor a row's bytes on settings of the session. */
export const hashOf = (bytes: string): string =>
  `('x' || left(encode(sha256(${bytes}), 'hex'), 16))::bit(64)::bigint`;
const ENTRY_HASH =
  hashOf(`record_send(ROW(e.id, e.at, e.type, e.user_id, e.position_id, e.asset, e.vault_id, e.from_vault_id, e.amount, e.cost,
            e.apy, e.share_index, e.from_index, e.lending_index, e.hold_index, e.fee_bps, e.share_bps, e.revenue_place, e.user_value, e.decision_id,
            e.tx_hash, e.voids, e.recorded_at, e.partner_id, e.fee, e.partner_revenue, e.carried_loss))`);

const ENTRY = {
  ...REPLAYED,
  ...{ digest: whole(), partnerId: text(), isBooked: bool() },
  settledPositionId: orNull(text()),
  isVoided: orNull(bool()),
  decision: orNull(json<{ partnerId: string; asset: string; from: string | null; to: string | null }>()),
  strayOf: orNull(text()),
};
/**
 * Entry; whether its id has its time of booking; the position that its transfer is recorded for; whether the transfer that it takes back is voided; its
 * decision; the order that it is of, at none of the order's reports.
 */
const ENTRY_COLUMNS = `${columnsOf(REPLAYED, 'e')}, (${ENTRY_HASH})::numeric AS digest, e.partner_id AS "partnerId",
          e.id = booked_id(e.id, e.recorded_at) AS "isBooked",
          (SELECT json_build_object('partnerId', d.partner_id, 'asset', d.asset, 'from', d.from_vault_id, 'to', d.to_vault_id)
             FROM decisions d WHERE d.id = e.decision_id) AS decision,
          CASE WHEN e.decision_id IS NOT NULL THEN (
            SELECT o.id FROM move_orders o
             WHERE o.decision_id = e.decision_id AND NOT (e.type = 'deposit' AND e.at <= o.requested_at)
               AND (e.at BETWEEN o.redeemed_at AND coalesce(o.redeemed_until, o.redeemed_at) OR e.at BETWEEN o.settled_at AND coalesce(o.settled_until, o.settled_at)
                    OR e.at = o.reviewed_at) IS NOT TRUE
          ) END AS "strayOf",
          CASE WHEN e.tx_hash IS NOT NULL THEN (SELECT e.position_id FROM settlements s
            WHERE ${OF_ENTRY} AND s.recorded_at = e.at AND coalesce(s.tx_hash, s.voided_tx_hash) = e.tx_hash) END AS "settledPositionId",
          CASE WHEN e.voids IS NOT NULL THEN
            (SELECT true FROM settlements s WHERE ${OF_ENTRY} AND s.voided_tx_hash = e.voids LIMIT 1) END AS "isVoided"`;

/** The next $5 entries by position, time and id; of positions up to $4. */
export const PAGE_OF_ENTRIES = statement(
  'ledger.page_of_entries',
  { values: [text(), moment(), text(), text(), rowCount()], row: ENTRY },
  `SELECT ${ENTRY_COLUMNS} FROM ledger_entries e
    WHERE (position_id, at, id) > ($1, $2, $3) AND position_id <= $4 ORDER BY position_id, at, id LIMIT $5`,
);

/** Positions $1, each after the entry of time $2 and id $3. */
const SINCE = 'unnest($1::text[], $2::timestamptz[], $3::text[]) AS since(of, after_at, after_id)';

/** Entries of positions since their last covered ones. The bound on `at` alone lets the planner skip partitions of earlier months. */
export const ENTRIES_SINCE = statement(
  'ledger.entries_since',
  { values: [listOf(text()), listOf(moment()), listOf(text())], row: ENTRY },
  `SELECT ${ENTRY_COLUMNS} FROM ${SINCE}
    CROSS JOIN LATERAL (SELECT * FROM ledger_entries
      WHERE position_id = of AND at >= after_at AND (at, id) > (after_at, after_id)) AS e
    ORDER BY e.position_id, e.at, e.id`,
);

export const ACCOUNT_COLUMNS = columnsOf(REVENUE_ACCOUNT, 'a');

/** The next $3 revenue accounts, by user and asset, in byte order like the entries settled in them. */
export const PAGE_OF_ACCOUNTS = statement(
  'ledger.page_of_accounts',
  { values: [text(), text(), rowCount()], row: REVENUE_ACCOUNT },
  `SELECT ${ACCOUNT_COLUMNS}
     FROM revenue_accounts a WHERE (user_id, asset COLLATE "C") > ($1, $2) ORDER BY user_id, asset COLLATE "C" LIMIT $3`,
);

const { at, type, amount, cost, feeBps, shareBps, userValue, voids, fee, partnerRevenue, carriedLoss } =
  BOOKED;
const SETTLED = {
  ...{ userId: text(), asset: text(), id: text(), place: integer(), at, type },
  ...{ amount, cost, feeBps, shareBps, userValue, voids, fee, partnerRevenue, carriedLoss },
};
const SETTLED_COLUMNS = columnsOf(SETTLED, 'e').replace('e.place', 'e.revenue_place::int AS place');

/** The next $7 settled entries by user, asset and sequence number; of accounts up to that of user $5 in asset $6. */
export const PAGE_OF_SETTLED = statement(
  'ledger.page_of_settled',
  { values: [text(), text(), rowCount(), text(), text(), text(), rowCount()], row: SETTLED },
  `SELECT ${SETTLED_COLUMNS} FROM ledger_entries e
    WHERE revenue_place IS NOT NULL AND (user_id, asset COLLATE "C", revenue_place, id) > ($1, $2, $3, $4) AND (user_id, asset COLLATE "C") <= ($5, $6)
    ORDER BY user_id, asset COLLATE "C", revenue_place, id LIMIT $7`,
);

/** Entries of revenue accounts, by user $1 and asset $2, after sequence number $3. */
export const SETTLED_SINCE = statement(
  'ledger.settled_since',
  { values: [listOf(text()), listOf(text()), listOf(integer())], row: SETTLED },
  `SELECT ${SETTLED_COLUMNS} FROM unnest($1::text[], $2::text[], $3::int[]) AS since(of, of_asset, after)
    CROSS JOIN LATERAL (SELECT * FROM ledger_entries
      WHERE revenue_place IS NOT NULL AND user_id = of AND asset COLLATE "C" = of_asset AND revenue_place > after) AS e
    ORDER BY e.user_id, e.asset COLLATE "C", e.revenue_place, e.id`,
);

export const FIND_TERMS_OF_CAMPAIGNS = statement(
  'ledger.find_terms_of_campaigns',
  { values: [listOf(text())], row: { campaignId: text(), ...CAMPAIGN_TERMS } },
  `SELECT campaign_id AS "campaignId", ${CAMPAIGN_TERMS_COLUMNS}
     FROM campaign_terms WHERE campaign_id = ANY($1) ORDER BY campaign_id, from_at`,
);

/** The next $2 orders, with their entries; $3 vaults that are cash. */
export const PAGE_OF_ORDERS = statement(
  'ledger.page_of_orders',
  {
    values: [text(), rowCount(), listOf(text())],
    row: {
      id: text(),
      decisionId: text(),
      ...{ positionId: orNull(text()), fromVaultId: text(), toVaultId: text() },
      /** Vaults of its decision, and another order of its batch that has other vaults or another hour; null: there is none. */
      ...{ decidedFrom: orNull(text()), decidedTo: orNull(text()), strangerId: orNull(text()) },
      /** Partner of the decision, where it is another one. */
      decidedFor: orNull(text()),
      /** Whether positions are in transit by it, and whether a step, or a step that an executor reported, is booked in part. */
      ...{ isInTransit: bool(), isBooked: bool(), isReportBooked: bool() },
      /** Whether its vault pays out late, so that the server's funds are in transit to cash, too. */
      isLate: bool(),
      /** Sums of its entries: what arrived in cash, and in another vault without gains. */
      ...{ cashMoved: whole(), vaultMoved: whole(), costMoved: whole(), gainMoved: whole() },
      status: text(),
      /** Reported amounts, and those that the books expected. */
      redeemedAmount: orNull(whole()),
      redeemedValue: orNull(whole()),
      settledAmount: orNull(whole()),
      settledValue: orNull(whole()),
      /** Value withdrawn between a report and its last part. */
      ...{ redeemedWithdrawn: orNull(whole()), settledWithdrawn: orNull(whole()) },
      cost: whole(),
      gain: whole(),
      reviewStatus: orNull(text()),
      reviewGain: orNull(whole()),
      reviewBooked: orNull(whole()),
      /** Parts of the gain that wait, of its positions. */
      waiting: whole(),
    },
  },
  `SELECT o.id, decision_id AS "decisionId", o.position_id AS "positionId", o.from_vault_id AS "fromVaultId", o.to_vault_id AS "toVaultId", d.from_vault_id AS "decidedFrom",
          d.to_vault_id AS "decidedTo", CASE WHEN d.partner_id <> o.partner_id THEN d.partner_id END AS "decidedFor", (SELECT b.id FROM move_orders b WHERE b.batch_id = o.batch_id
             AND (b.from_vault_id, b.to_vault_id, b.asset, date_trunc('hour', b.requested_at, 'UTC'))
              <> (o.from_vault_id, o.to_vault_id, o.asset, date_trunc('hour', o.requested_at, 'UTC')) LIMIT 1) AS "strangerId", status, redeemed_amount AS "redeemedAmount", redeemed_value AS "redeemedValue", settled_amount AS "settledAmount",
          settled_value AS "settledValue", redeemed_withdrawn AS "redeemedWithdrawn", settled_withdrawn AS "settledWithdrawn", cost, gain, review_status AS "reviewStatus", review_gain AS "reviewGain", review_booked AS "reviewBooked",
          (SELECT coalesce(sum(waiting), 0) FROM move_order_positions m WHERE m.order_id = o.id) AS waiting,
          EXISTS (SELECT FROM positions p WHERE p.market_id = o.market_id AND p.transit_id = o.decision_id) AS "isInTransit", booking IS NOT NULL AS "isBooked",
          booking IS NOT NULL AND arrives_hour IS NULL AS "isReportBooked", exit_cost IS NOT NULL AS "isLate", moved.*
     FROM (SELECT * FROM move_orders WHERE id > $1 ORDER BY id LIMIT $2) AS o
     LEFT JOIN decisions d ON d.id = o.decision_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount) FILTER (WHERE e.type = 'rebalance' AND e.vault_id = ANY($3)), 0) AS "cashMoved",
             coalesce(sum(e.amount) FILTER (WHERE e.type = 'rebalance' AND e.vault_id <> ALL($3)), 0) AS "vaultMoved",
             coalesce(sum(e.cost), 0) AS "costMoved",
             coalesce(sum(e.amount) FILTER (WHERE e.type <> 'rebalance'), 0) AS "gainMoved"
        FROM ledger_entries e
       WHERE (e.at BETWEEN o.redeemed_at AND coalesce(o.redeemed_until, o.redeemed_at) OR e.at BETWEEN o.settled_at AND coalesce(o.settled_until, o.settled_at)
           OR e.at = o.reviewed_at) AND e.decision_id = o.decision_id) AS moved
    ORDER BY o.id`,
);

const SETTLEMENT = { id: text(), txHash: text(), positionId: text(), entered: bool(), takenBack: bool() };
/** Recorded transfers, by id, and whether the entry of each exists; for a voided one, also the entry that reverses it. */
const settlementsOf = (from: string): string =>
  `SELECT s.id, coalesce(s.tx_hash, s.voided_tx_hash) AS "txHash", s.position_id AS "positionId",
          EXISTS (SELECT FROM ledger_entries
                   WHERE position_id = s.position_id AND at = s.recorded_at AND tx_hash = coalesce(s.tx_hash, s.voided_tx_hash)) AS entered,
          s.voided_tx_hash IS NULL OR EXISTS (SELECT FROM ledger_entries
            WHERE position_id = s.position_id AND at = s.resolved_at AND voids = s.voided_tx_hash AND type <> 'yield_accrual') AS "takenBack"
     FROM ${from} ORDER BY s.id`;

export const PAGE_OF_SETTLEMENTS = statement(
  'ledger.page_of_settlements',
  { values: [text(), rowCount()], row: SETTLEMENT },
  settlementsOf('(SELECT * FROM settlements WHERE id > $1 ORDER BY id LIMIT $2) AS s'),
);

/** Transfers of positions that were recorded or resolved since their last covered entries. */
export const SETTLEMENTS_SINCE = statement(
  'ledger.settlements_since',
  { values: [listOf(text()), listOf(moment()), listOf(text())], row: SETTLEMENT },
  settlementsOf(`${SINCE} CROSS JOIN LATERAL (SELECT * FROM settlements
       WHERE position_id = of AND (recorded_at > after_at OR resolved_at > after_at)) AS s`),
);

/** Partners whose stored number of users differs from their users. */
export const FIND_MISCOUNTED_USERS = statement(
  'ledger.find_miscounted_users',
  { values: [], row: { partnerId: text(), kept: numeric(), there: long() } },
  `SELECT partner_id AS "partnerId", coalesce(kept.users, 0) AS kept, coalesce(there.users, 0) AS there
     FROM (SELECT partner_id, sum(users) AS users FROM book_users GROUP BY partner_id) AS kept
     FULL JOIN (SELECT partner_id, count(*) AS users FROM users GROUP BY partner_id) AS there USING (partner_id)
    WHERE coalesce(kept.users, 0) <> coalesce(there.users, 0)`,
);

/** Copies of the books in the checkpoint. */
export const CHECKED_BOOKS: Record<BookKind, string> = {
  shares: 'checked_shares',
  totals: 'checked_totals',
  revenue: 'checked_revenue',
  points: 'checked_points',
  vaults: 'checked_vaults',
};

/** Rows of a book by key. The values are its keys to continue after, and a number of rows. */
const pagesOfBook = (tableOf: (kind: BookKind) => string): Record<BookKind, Statement> =>
  Object.fromEntries(
    BOOK_KINDS.map((kind) => {
      const { keys, sums, more } = BOOK_TABLES[kind];
      const [row, table] = [{ ...keys, ...sums, ...more }, tableOf(kind)];
      const key = Object.keys(keys).map(columnOf).join(', ');
      const places = Object.keys(keys).map((_, place) => `$${place + 1}`);
      return [
        kind,
        statement(
          `ledger.page_of_${table}`,
          { values: [...Object.values<Column<unknown>>(keys), rowCount()], row },
          `SELECT ${columnsOf(row)} FROM ${table} WHERE (${key}) > (${places.join(', ')}) ORDER BY ${key} LIMIT $${places.length + 1}`,
        ),
      ];
    }),
  ) as unknown as Record<BookKind, Statement>;

export const PAGE_OF_BOOK = pagesOfBook((kind) => BOOK_TABLES[kind].table);
export const PAGE_OF_CHECKED_BOOK = pagesOfBook((kind) => CHECKED_BOOKS[kind]);
