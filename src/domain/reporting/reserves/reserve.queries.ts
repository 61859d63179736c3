import {
  bool,
  columnsOf,
  insertOf,
  json,
  listOf,
  moment,
  orNull,
  rowCount,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { CHANGE } from '../../books/ledger/ledger.queries.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { UnknownReserve } from './reserve.js';

const RESERVE = {
  hour: time(),
  partnerId: orNull(text()),
  vaultId: text(),
  asset: text(),
  chain: orNull(text()),
  readAt: time(),
  block: orNull(rowCount()),
  blockAt: orNull(time()),
  custodyAccounts: listOf(text<Hex>()),
  books: whole(),
  chainHolds: orNull(whole()),
  inFlight: whole(),
  reason: orNull(text<UnknownReserve>()),
};
const COLUMNS = columnsOf(RESERVE, 'r');

export const INSERT = statement(
  'reserves.insert',
  { values: [json<string>()], row: {} },
  `${insertOf('reserves', { ...RESERVE, custodyAccounts: json() }, '$1', {
    custodyAccounts: 'ARRAY(SELECT json_array_elements_text(new."custodyAccounts"))',
  })} ON CONFLICT DO NOTHING`,
);

export const FIND_HOUR = statement(
  'reserves.find_hour',
  { values: [time()], row: RESERVE },
  `SELECT ${COLUMNS} FROM reserves r WHERE hour = $1 ORDER BY vault_id, partner_id`,
);

/** Of one partner: of accounts that hold everybody's funds, and of its own. */
const isSeen = (all: string, partner: string): string =>
  `(${all} OR r.partner_id IS NULL OR r.partner_id = ${partner})`;

/** $1 whether all partners are seen, else only partner $2; null: none. */
export const FIND_NEWEST = statement(
  'reserves.find_newest',
  { values: [bool(), orNull(text())], row: RESERVE },
  `SELECT ${COLUMNS} FROM reserves r
    WHERE hour = (SELECT max(hour) FROM reserves) AND ${isSeen('$1', '$2')} ORDER BY vault_id, partner_id`,
);

/** The last reading of each vault, by partner, before hour $1, and within two days of it, in which the chain was known. */
export const FIND_KNOWN_BEFORE = statement(
  'reserves.find_known_before',
  { values: [time()], row: RESERVE },
  `SELECT DISTINCT ON (r.vault_id, r.partner_id) ${COLUMNS} FROM reserves r
    WHERE r.hour < $1 AND r.hour >= $1 - interval '48 hours' AND r.chain_holds IS NOT NULL
    ORDER BY r.vault_id, r.partner_id, r.hour DESC`,
);

/** Partners with funds in market $1. */
export const FIND_PARTNERS_WITH_FUNDS = statement(
  'reserves.find_partners_with_funds',
  { values: [text()], row: { partnerId: text() } },
  `SELECT DISTINCT partner_id AS "partnerId" FROM book_shares WHERE market_id = $1 AND book = 'routed' AND positions > 0`,
);

/** Vaults that partner $1 has funds in. */
export const FIND_VAULTS_OF_PARTNER = statement(
  'reserves.find_vaults_of_partner',
  { values: [text()], row: { vaultId: text() } },
  `SELECT DISTINCT vault_id AS "vaultId" FROM book_shares WHERE partner_id = $1 AND book = 'routed' AND positions > 0`,
);

/** Place of a reserve within its hour. */
const PLACE = `(r.vault_id || ' ' || coalesce(r.partner_id, ''))`;

/**
 * Page, newest first. $1/$2 keyset position (hour, place), $3 rows; filters, null: any: $4 chain, $5 asset, $6 vaults of readings of everybody's
 * accounts, $7 and $8 first and last time, $9 whether all partners are seen, else only partner $10, $11 vault, $12 partner.
 */
export const LIST = statement(
  'reserves.list',
  {
    values: [
      moment(),
      text(),
      rowCount(),
      orNull(text()),
      orNull(text()),
      orNull(listOf(text())),
      moment(),
      moment(),
      ...([bool(), orNull(text()), orNull(text()), orNull(text())] as const),
    ],
    row: RESERVE,
    isPlannedAnew: true,
  },
  `SELECT ${COLUMNS} FROM reserves r
    WHERE (r.hour, ${PLACE}) < ($1, $2) AND ($4::text IS NULL OR r.chain = $4) AND ($5::text IS NULL OR r.asset = $5)
      AND ($6::text[] IS NULL OR r.partner_id IS NOT NULL OR r.vault_id = ANY($6)) AND r.hour >= $7 AND r.hour <= $8
      AND ${isSeen('$9', '$10')} AND ($11::text IS NULL OR r.vault_id = $11) AND ($12::text IS NULL OR r.partner_id = $12)
    ORDER BY r.hour DESC, ${PLACE} DESC LIMIT $3`,
);

/** Condition of readings nearest to a moment, within two hours of it, of vaults that a partner had funds in when a day ended then. */
const atClosing = (partner: string, dayEnd: string): string =>
  `r.hour = (
            SELECT hour FROM reserves
             WHERE hour BETWEEN ${dayEnd}::timestamptz - interval '3 hours' AND ${dayEnd}::timestamptz + interval '2 hours'
               AND read_at BETWEEN ${dayEnd}::timestamptz - interval '2 hours' AND ${dayEnd}::timestamptz + interval '2 hours'
             ORDER BY abs(extract(epoch FROM read_at - ${dayEnd})), hour LIMIT 1)
      AND ${isSeen('false', partner)}
      AND r.vault_id IN (
            SELECT share->>'vaultId' FROM closed_books b CROSS JOIN jsonb_array_elements(b.books->'shares') AS share
             WHERE b.partner_id = ${partner} AND b.day = ${dayEnd}::timestamptz - interval '24 hours'
               AND share->>'book' = 'routed' AND share->>'shares' <> '0')`;

export const FIND_AT_CLOSING = statement(
  'reserves.find_at_closing',
  { values: [text(), time()], row: RESERVE },
  `SELECT ${COLUMNS} FROM reserves r WHERE ${atClosing('$1', '$2')}`,
);

/** Readings as a closed month keeps them. */
export const reservesAtClosing = (partner: string, dayEnd: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object('vaultId', vault_id, 'asset', asset, 'chain', chain, 'readAt', read_at, 'block', block,
             'blockAt', block_at, 'books', books::text, 'chainHolds', chain_holds::text, 'reason', reason) ORDER BY vault_id), '[]')
      FROM reserves r WHERE ${atClosing(partner, dayEnd)})`;

/** Column of the partner, by which is summed where a parameter says so. */
const holderOf = (partner: string, isByPartner: string): string =>
  `CASE WHEN ${isByPartner} THEN ${partner} END`;

/** Routed shares of market $1 by vault; $2: of this partner alone; null: of all; $3 whether by partner. */
export const SUM_SHARES = statement(
  'reserves.sum_shares',
  {
    values: [text(), orNull(text()), bool()],
    row: { holder: orNull(text()), vaultId: text(), shares: whole() },
  },
  `SELECT ${holderOf('partner_id', '$3')} AS holder, vault_id AS "vaultId", sum(shares) AS shares FROM book_shares
    WHERE market_id = $1 AND book = 'routed' AND ($2::text IS NULL OR partner_id = $2) GROUP BY 1, 2`,
);

/** Positions of which anything that is dated at $1 or later changed more than what they accrued. */
export const FIND_CHANGED = statement(
  'reserves.find_changed',
  {
    values: [time()],
    row: { positionId: text() },
    // A plan for any time reads all entries.
    isPlannedAnew: true,
  },
  `SELECT DISTINCT position_id AS "positionId" FROM ledger_entries WHERE at >= $1 AND ${CHANGE}`,
);

/** Of partner $2, the positions of `FIND_CHANGED`. Ids begin with the time of booking, which never lies before the date. */
export const FIND_CHANGED_OF_PARTNER = statement(
  'reserves.find_changed_of_partner',
  { values: [time(), text()], row: { positionId: text() } },
  `SELECT DISTINCT position_id AS "positionId" FROM ledger_entries
    WHERE partner_id = $2 AND id >= booked_id('evt_00000000000000000000000000', $1) AND at >= $1 AND ${CHANGE}`,
);

/** Reported gains of market $1 that wait for a review since $2 or before, by the vault in which an approval would book them. $3 partner; null: of any; $4 whether by partner. */
export const SUM_WAITING = statement(
  'reserves.sum_waiting',
  {
    values: [text(), time(), orNull(text()), bool()],
    row: { holder: orNull(text()), vaultId: text(), amount: whole() },
  },
  `SELECT ${holderOf('o.partner_id', '$4')} AS holder, p.vault_id AS "vaultId", sum(m.waiting) AS amount
     FROM move_orders o JOIN move_order_positions m ON m.order_id = o.id JOIN positions p ON p.id = m.position_id
    WHERE o.review_status = 'pending_review' AND o.market_id = $1 AND o.review_since <= $2 AND ($3::text IS NULL OR o.partner_id = $3)
    GROUP BY 1, 2`,
);

/** Taken within a day of $2 at the most; one that was taken later had left by then only if it was reported since. */
const isTaken = (row: string, reported: string): string =>
  `${row}.taken_by IS NOT NULL AND ${row}.taken_at > $2::timestamptz - interval '24 hours' AND (${row}.taken_at <= $2 OR ${reported} > $2)
      AND (${row}.ended_at IS NULL OR ${row}.ended_at > $2)`;

/** Moves of market $1 whose next step executors had taken at $2 and not reported; `isCash`: their funds had left their vault. $3 whether by partner. */
export const SUM_MOVES = statement(
  'reserves.sum_moves',
  {
    values: [text(), time(), bool()],
    row: {
      holder: orNull(text()),
      asset: text(),
      fromVaultId: text(),
      toVaultId: text(),
      isCash: bool(),
      amount: whole(),
    },
  },
  `SELECT ${holderOf('o.partner_id', '$3')} AS holder, asset, from_vault_id AS "fromVaultId", to_vault_id AS "toVaultId",
          (position_id IS NOT NULL OR (redeemed_at IS NOT NULL AND redeemed_at <= $2)) AS "isCash", sum(amount) AS amount
     FROM move_orders o WHERE market_id = $1 AND ${isTaken('o', 'coalesce(redeemed_at, settled_at)')} GROUP BY 1, 2, 3, 4, 5`,
);

/** Withdrawals of market $1 that executors had taken at $2 and not reported, by the vault of their parts. $3 whether by partner. */
export const SUM_PAYOUTS = statement(
  'reserves.sum_payouts',
  {
    values: [text(), time(), bool()],
    row: { holder: orNull(text()), asset: text(), vaultId: text(), amount: whole() },
  },
  `SELECT ${holderOf('w.partner_id', '$3')} AS holder, w.asset, CASE WHEN m.is_reserved THEN p.vault_id ELSE m.vault_id END AS "vaultId", sum(m.amount) AS amount
     FROM withdrawals w JOIN withdrawal_parts m ON m.withdrawal_id = w.id JOIN positions p ON p.id = m.position_id
    WHERE w.market_id = $1 AND ${isTaken('w', 'w.paid_at')} GROUP BY 1, 2, 3`,
);
