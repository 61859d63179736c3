import type { EntryType } from '../positions/position.js';
import type { RevenueAccountRow } from '../positions/settled-revenue.js';
import { CAMPAIGN_TERMS, CAMPAIGN_TERMS_COLUMNS } from '../positions/terms.queries.js';
import {
  bool,
  type Column,
  columnOf,
  columnsOf,
  double,
  integer,
  jsonb,
  listOf,
  long,
  moment,
  numeric,
  orNull,
  rowCount,
  small,
  text,
  time,
} from '../../kernel/store/column.js';
import { type Statement, statement } from '../../kernel/store/statement.js';
import { ADDED, CHANGE, REPLAYED } from './ledger.queries.js';
import { BOOK_FIELDS, type BookKind, type BookRow } from '../positions/book-sums.js';
import { POSITION } from '../positions/position-store.queries.js';
import { AMOUNTS } from '../positions/position.store.js';

/** Sums of a closing that are sums of entries. */
const CLOSED = Object.keys(ADDED);

const TIMES = ['openedAt', 'activeAt', 'closedAt', 'accruedAt'] as const;
type Others = Omit<typeof POSITION, (typeof TIMES)[number] | (typeof AMOUNTS)[number]>;
const OTHERS = Object.fromEntries(
  Object.entries(POSITION).filter(([name]) => ![...TIMES, ...AMOUNTS].includes(name as never)),
) as Others;

export const STORED_POSITION = {
  ...OTHERS,
  amounts: text(),
  openedAt: double(),
  activeAt: orNull(double()),
  closedAt: orNull(double()),
  accruedAt: double(),
  usersPartnerId: orNull(text()),
};

/**
 * Positions by id, each with its user's partner. Amounts are the text of an array of `AMOUNTS`, and times milliseconds since 1970: a million rows of
 * many columns, and their dates as text, take more time to read than to compare.
 * @param from which ones
 */
export const positionsOf = (from: string): string =>
  `SELECT ${columnsOf(OTHERS, 'p')}, ARRAY[${AMOUNTS.map((name) => `p.${columnOf(name)}`).join(', ')}]::text AS amounts, ${[
    'opened',
    'active',
    'closed',
    'accrued',
  ]
    .map((name) => `round(date_part('epoch', p.${name}_at) * 1000) AS "${name}At"`)
    .join(', ')}, u.partner_id AS "usersPartnerId"
     FROM (${from}) AS p
     LEFT JOIN users u ON u.id = p.user_id
    ORDER BY p.id`;

export const PAGE_OF_POSITIONS = statement(
  'ledger.page_of_positions',
  { values: [text(), rowCount()], row: STORED_POSITION },
  positionsOf('SELECT * FROM positions WHERE id > $1 ORDER BY id LIMIT $2'),
);

/** Settlement of the transfer of entry e, which may be of a split deposit. */
const OF_ENTRY =
  '(s.position_id = e.position_id OR s.deposit_id = (SELECT p.deposit_id FROM positions p WHERE p.id = e.position_id))';

/** The next $4 entries of a position by time and id, each with the position that its transfer is recorded for. */
export const PAGE_OF_ENTRIES = statement(
  'ledger.page_of_entries',
  {
    values: [text(), moment(), text(), rowCount()],
    row: {
      ...REPLAYED,
      settledPositionId: orNull(text()),
      isVoided: orNull(bool()),
    },
  },
  `SELECT ${columnsOf(REPLAYED)},
          CASE WHEN e.tx_hash IS NOT NULL THEN (SELECT e.position_id FROM settlements s
            WHERE ${OF_ENTRY} AND s.recorded_at = e.at AND coalesce(s.tx_hash, s.voided_tx_hash) = e.tx_hash) END AS "settledPositionId",
          CASE WHEN e.voids IS NOT NULL THEN
            (SELECT true FROM settlements s WHERE ${OF_ENTRY} AND s.voided_tx_hash = e.voids LIMIT 1) END AS "isVoided"
     FROM ledger_entries e
    WHERE position_id = $1 AND (at, id) > ($2, $3)
    ORDER BY at, id
    LIMIT $4`,
);

export const STORED_ACCOUNT = {
  userId: text(),
  asset: text(),
  partnerId: text(),
  settled: integer(),
  carriedLoss: numeric(),
  sums: jsonb<RevenueAccountRow['sums']>(),
  totalFee: numeric(),
  totalPartner: numeric(),
};
export const ACCOUNT_COLUMNS = columnsOf({ ...STORED_ACCOUNT }, 'a').replace(
  'a.settled',
  'a.settled::int AS settled',
);

/** The next $3 revenue accounts, by user and asset, in byte order like the entries settled in them. */
export const PAGE_OF_ACCOUNTS = statement(
  'ledger.page_of_accounts',
  { values: [text(), text(), rowCount()], row: STORED_ACCOUNT },
  `SELECT ${ACCOUNT_COLUMNS}
     FROM revenue_accounts a WHERE (user_id, asset COLLATE "C") > ($1, $2) ORDER BY user_id, asset COLLATE "C" LIMIT $3`,
);

/** The next $5 settled entries of a user's asset, by sequence number. */
export const PAGE_OF_SETTLED = statement(
  'ledger.page_of_settled',
  {
    values: [text(), text(), rowCount(), text(), rowCount()],
    row: {
      id: text(),
      type: text<EntryType>(),
      amount: numeric(),
      cost: numeric(),
      feeBps: orNull(integer()),
      shareBps: orNull(integer()),
      place: integer(),
      userValue: orNull(numeric()),
      voids: orNull(text()),
    },
  },
  `SELECT id, type, amount, cost, fee_bps AS "feeBps", share_bps AS "shareBps", revenue_place::int AS place, user_value AS "userValue", voids
     FROM ledger_entries
    WHERE revenue_place IS NOT NULL AND user_id = $1 AND asset COLLATE "C" = $2 AND (revenue_place, id) > ($3, $4)
    ORDER BY revenue_place, id LIMIT $5`,
);

export const FIND_TERMS_OF_CAMPAIGNS = statement(
  'ledger.find_terms_of_campaigns',
  { values: [listOf(text())], row: { campaignId: text(), ...CAMPAIGN_TERMS } },
  `SELECT campaign_id AS "campaignId", ${CAMPAIGN_TERMS_COLUMNS}
     FROM campaign_terms WHERE campaign_id = ANY($1) ORDER BY campaign_id, from_at`,
);

/** Decisions by which positions are in transit. */
export const FIND_TRANSITS = statement(
  'ledger.find_transits',
  { values: [], row: { transitId: text() } },
  `SELECT DISTINCT transit_id AS "transitId" FROM positions WHERE transit_id IS NOT NULL`,
);

export const PAGE_OF_ORDERS = statement(
  'ledger.page_of_orders',
  {
    values: [text(), rowCount()],
    row: {
      id: text(),
      decisionId: text(),
      status: text(),
      redeemedAmount: orNull(numeric()),
      redeemedValue: orNull(numeric()),
      settledAmount: orNull(numeric()),
      settledValue: orNull(numeric()),
      cost: numeric(),
      gain: numeric(),
      reviewStatus: orNull(text()),
      reviewGain: orNull(numeric()),
      reviewBooked: orNull(numeric()),
      waiting: numeric(),
    },
  },
  `SELECT id, decision_id AS "decisionId", status, redeemed_amount AS "redeemedAmount", redeemed_value AS "redeemedValue", settled_amount AS "settledAmount",
          settled_value AS "settledValue", cost, gain, review_status AS "reviewStatus", review_gain AS "reviewGain", review_booked AS "reviewBooked",
          (SELECT coalesce(sum(waiting), 0) FROM move_order_positions m WHERE m.order_id = o.id) AS waiting
     FROM move_orders o WHERE id > $1 ORDER BY id LIMIT $2`,
);

/** The next $2 recorded transfers, by id, and whether the entry of each exists; for a voided one, also the entry that reverses it. */
export const PAGE_OF_SETTLEMENTS = statement(
  'ledger.page_of_settlements',
  {
    values: [text(), rowCount()],
    row: { id: text(), txHash: text(), positionId: text(), entered: bool(), takenBack: bool() },
  },
  `SELECT s.id, coalesce(s.tx_hash, s.voided_tx_hash) AS "txHash", s.position_id AS "positionId", e.found IS NOT NULL AS entered,
          s.voided_tx_hash IS NULL OR back.found IS NOT NULL AS "takenBack"
     FROM (SELECT * FROM settlements WHERE id > $1 ORDER BY id LIMIT $2) AS s
     LEFT JOIN LATERAL (
       SELECT true AS found FROM ledger_entries
        WHERE position_id = s.position_id AND at = s.recorded_at AND tx_hash = coalesce(s.tx_hash, s.voided_tx_hash) LIMIT 1) AS e ON true
     LEFT JOIN LATERAL (
       SELECT true AS found FROM ledger_entries
        WHERE position_id = s.position_id AND at = s.resolved_at AND voids = s.voided_tx_hash AND type <> 'yield_accrual' LIMIT 1) AS back
       ON s.voided_tx_hash IS NOT NULL
    ORDER BY s.id`,
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

/**
 * Closings that are not the sums of the entries of the partner's users up to their moment, dated before it or accruals of that midnight itself; and those
 * whose books for reports have other sums. $1: only closings of so many days up to now, by what was entered since those before; null: all.
 */
export const FIND_CLOSING_DIFFERENCES = statement(
  'ledger.find_closing_differences',
  { values: [orNull(integer())], row: { subject: text(), problem: text() } },
  `WITH since AS (
     SELECT CASE WHEN $1::int IS NULL THEN '-infinity' ELSE (SELECT max(day) FROM daily_closings) - $1 * interval '24 hours' END AS day
   ), base AS (
     SELECT DISTINCT ON (partner_id, asset) c.* FROM daily_closings c, since WHERE c.day < since.day ORDER BY partner_id, asset, c.day DESC
   ), entered AS (
     SELECT e.partner_id, e.asset, date_trunc('day', CASE WHEN ${CHANGE} THEN e.at ELSE e.at - interval '1 millisecond' END, 'UTC') AS day,
            ${Object.entries(ADDED)
              .map(([name, added]) => `${added} AS ${name}`)
              .join(', ')}
       FROM since, ledger_entries e JOIN users u ON u.id = e.user_id AND u.partner_id = e.partner_id WHERE e.at >= since.day
   ), days AS (
     SELECT partner_id, asset, day, ${CLOSED.map((name) => `sum(${name}) AS ${name}`).join(', ')}, false AS closed
       FROM entered WHERE day >= (SELECT day FROM since) GROUP BY partner_id, asset, day
     UNION ALL
     SELECT c.partner_id, c.asset, c.day, ${CLOSED.map(() => '0').join(', ')}, true FROM daily_closings c, since WHERE c.day >= since.day
   ), summed AS (
     SELECT partner_id, asset, day, closed, ${CLOSED.map((name) => `sum(${name}) OVER w AS ${name}`).join(', ')}
       FROM days WINDOW w AS (PARTITION BY partner_id, asset ORDER BY day, closed)
   )
   SELECT format('daily_closings %s %s %s', s.partner_id, s.asset, to_char(s.day AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS subject,
          format('says %s, by the ledger it is %s', is_said, should) AS problem
     FROM summed s JOIN daily_closings c USING (partner_id, asset, day)
     LEFT JOIN base b ON b.partner_id = s.partner_id AND b.asset = s.asset
    CROSS JOIN LATERAL (SELECT ROW(${CLOSED.map((name) => `c.${name}`).join(', ')})::text AS is_said,
                               ROW(${CLOSED.map((name) => `s.${name} + coalesce(b.${name}, 0)`).join(', ')})::text AS should) AS both_of
    WHERE s.closed AND is_said <> should
   UNION ALL
   SELECT format('closed_books %s %s %s', c.partner_id, c.asset, to_char(c.day AT TIME ZONE 'UTC', 'YYYY-MM-DD')), format('says %s, the closing is %s', is_said, should)
     FROM since, daily_closings c LEFT JOIN closed_books b USING (partner_id, day)
    CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT coalesce((SELECT (sums ->> name)::numeric FROM jsonb_array_elements(books -> 'totals' || (books -> 'revenue')) AS sums
                                     WHERE sums ->> 'asset' = c.asset AND sums ? name), 0)
                     FROM unnest('{deposited,withdrawn,accrued,costs,settledLending,settledHold,fee,partnerRevenue,carriedLoss}'::text[]) AS name)::text AS is_said,
             ARRAY[c.deposits, c.withdrawals, c.accrued, c.costs, c.settled_lending, c.settled_hold, c.fee, c.partner_revenue, c.carried_loss]::text AS should
    ) AS both_of
    WHERE c.day >= since.day AND is_said <> should
    ORDER BY subject LIMIT 1000`,
);

export const BOOK_TABLES = {
  shares: 'book_shares',
  totals: 'book_totals',
  revenue: 'book_revenue',
  points: 'book_points',
  vaults: 'vault_shares',
} as const satisfies Record<BookKind, string>;

/** Book columns other than sums of shares or amounts. */
const BOOK_COLUMNS: Readonly<Record<string, Column<BookRow[string]>>> = {
  partnerId: text(),
  asset: text(),
  book: text(),
  vaultId: text(),
  campaignId: text(),
  marketId: text(),
  slot: small(),
  positions: integer(),
  deposits: long(),
  withdrawals: long(),
  opened: long(),
  closed: long(),
  firstAt: time(),
};

/** Copies of the books in the checkpoint. */
export const CHECKED_BOOKS = {
  shares: 'checked_shares',
  totals: 'checked_totals',
  revenue: 'checked_revenue',
  points: 'checked_points',
  vaults: 'checked_vaults',
} as const satisfies Record<BookKind, string>;

const pagesOf = (tables: Record<BookKind, string>) =>
  ({
    shares: pageOf('shares', tables),
    totals: pageOf('totals', tables),
    revenue: pageOf('revenue', tables),
    points: pageOf('points', tables),
    vaults: pageOf('vaults', tables),
  }) satisfies Record<BookKind, Statement>;

export const PAGE_OF_BOOK = pagesOf(BOOK_TABLES);
export const PAGE_OF_CHECKED_BOOK = pagesOf(CHECKED_BOOKS);

function pageOf(kind: BookKind, tables: Record<BookKind, string>) {
  const { keys, sums } = BOOK_FIELDS[kind];
  const firsts = kind === 'totals' ? ['firstAt'] : [];
  const typeOf = (name: string): Column<BookRow[string]> => BOOK_COLUMNS[name] ?? numeric();
  const row = Object.fromEntries([...keys, ...sums, ...firsts].map((name) => [name, typeOf(name)]));
  const key = keys.map(columnOf).join(', ');
  const after = keys.map((_, place) => `$${place + 1}`).join(', ');
  return statement(
    `ledger.page_of_${tables[kind]}`,
    { values: [...keys.map(typeOf), rowCount()] as readonly Column<BookRow[string]>[], row },
    `SELECT ${columnsOf(row)} FROM ${tables[kind]} WHERE (${key}) > (${after}) ORDER BY ${key} LIMIT $${keys.length + 1}`,
  );
}
