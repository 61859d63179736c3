import {
  assigned,
  columnsOf,
  insertOf,
  integer,
  json,
  jsonb,
  listOf,
  orNull,
  rowCount,
  rowsIn,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { BOOK_TABLES, type BookKind } from './books.js';
import { ENTRY, POSITION } from './position.js';
import type { RevenueAccountRow } from './settled-revenue.js';

export const COLUMNS = columnsOf(POSITION, 'p');

/** Positions in the order of their ids given. */
export const FIND = statement(
  'positions.find',
  { values: [listOf(text())], row: POSITION },
  `SELECT ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS held(id, place) JOIN positions p ON p.id = held.id ORDER BY held.place`,
);

/** Inputs of settling positions $1 of one market: terms of their partners, oldest first; their revenue accounts; the newest posted day end. */
export const FIND_REVENUE = statement(
  'positions.find_revenue',
  {
    values: [listOf(text())],
    row: {
      terms: json<{ partnerId: string; fromAt: string; feeBps: number; shareBps: number }[]>(),
      accounts: json<RevenueAccountRow[]>(),
      stated: orNull(time()),
    },
  },
  `WITH held AS MATERIALIZED (
     SELECT DISTINCT partner_id, user_id, asset, market_id FROM positions WHERE id = ANY($1)
   )
   SELECT
     (SELECT coalesce(json_agg(t), '[]') FROM (
        SELECT partner_id AS "partnerId", from_at AS "fromAt", performance_fee_bps AS "feeBps", revenue_share_bps AS "shareBps"
          FROM partner_terms WHERE partner_id IN (SELECT partner_id FROM held) ORDER BY partner_id, from_at) AS t) AS terms,
     (SELECT coalesce(json_agg(a), '[]') FROM (
        SELECT user_id AS "userId", asset, partner_id AS "partnerId", settled, round(date_part('epoch', settled_at) * 1000) AS "settledAt", carried_loss::text AS "carriedLoss", sums,
               total_fee::text AS "totalFee", total_partner::text AS "totalPartner"
          FROM revenue_accounts WHERE (user_id, asset) IN (SELECT user_id, asset FROM held)
         ORDER BY user_id, asset) AS a) AS accounts,
     (SELECT max(day_end) FROM statements WHERE market_id = (SELECT market_id FROM held LIMIT 1) AND done_at IS NOT NULL) AS stated`,
);

/** Columns of a position that stay as they were when it was opened. */
const FIXED = [
  'id',
  'marketId',
  'partnerId',
  'userId',
  'asset',
  'lendingVaultId',
  'slot',
  'depositId',
  'campaignId',
  'openedAt',
];
const CHANGING = Object.keys(POSITION).filter((name) => !FIXED.includes(name));

const STORED_ENTRY = {
  id: text(),
  partnerId: text(),
  userId: text(),
  positionId: text(),
  asset: text(),
  ...ENTRY,
};

export const REVENUE_ACCOUNT = {
  userId: text(),
  asset: text(),
  partnerId: text(),
  settled: rowCount(),
  carriedLoss: whole(),
  sums: jsonb<RevenueAccountRow['sums']>(),
  totalFee: whole(),
  totalPartner: whole(),
};

/** Adds rows to a book, in the order of its keys. @param more further assignments where the row exists */
function booked(
  kind: BookKind,
  parameter: string,
  assignments: Record<string, string> = {},
  ...more: string[]
): string {
  const { table, keys, sums, more: otherColumns } = BOOK_TABLES[kind];
  const order = Object.entries(keys).map(
    ([name, { type }]) => `new."${name}"${type === 'text' ? ' COLLATE "C"' : ''}`,
  );
  const added = assigned(Object.keys(sums), (column) => `t.${column} + excluded.${column}`);
  return `${insertOf(table, { ...keys, ...sums, ...otherColumns }, parameter, assignments)}
      WHERE (SELECT count(*) FROM head) >= 0
      ORDER BY ${order.join(', ')}
     ON CONFLICT ON CONSTRAINT ${table}_pkey DO UPDATE SET ${[added, ...more].join(', ')}`;
}

/**
 * Stores positions, their entries and the changes of the books in one round trip: $1 opened positions, $2 changed ones, $3 entries, $4 revenue
 * accounts; $5 time of the changes, $6 of booking; $7 1, or 0 where the transaction continues a booking; $8 partners; then the books. It locks the
 * partners' heads until commit and books now, or a millisecond after the newest booking, and never in a closed day: entries become visible in the
 * order of their ids, so a reader that continues after the last one misses none.
 */
export const SAVE = statement(
  'positions.save',
  {
    values: [
      json<string>(),
      json<string>(),
      json<string>(),
      json<string>(),
      time(),
      time(),
      integer(),
      listOf(text()),
      json<string>(),
      json<string>(),
      json<string>(),
      json<string>(),
      json<string>(),
    ],
    row: {},
  },
  `WITH opened AS (
     ${insertOf('positions', POSITION, '$1')}
   ), changed AS (
     UPDATE positions p SET ${assigned(CHANGING, (_, name) => `new."${name}"`)} FROM ${rowsIn('$2', POSITION)} WHERE p.id = new.id
   ), head AS (
     INSERT INTO ledger_heads AS h (partner_id, recorded_at)
     SELECT partner, $6::timestamptz FROM unnest($8::text[]) AS booking(partner) ORDER BY partner COLLATE "C"
     ON CONFLICT (partner_id) DO UPDATE SET recorded_at =
       booked_after(greatest(excluded.recorded_at, h.recorded_at + $7::int * interval '1 millisecond'), $5, h.closed_until)
     RETURNING partner_id, recorded_at
   ), entered AS (
     ${insertOf('ledger_entries', STORED_ENTRY, '$3', { id: 'booked_id(new.id, recorded_at)', recordedAt: 'recorded_at' })}
       JOIN head ON partner_id = new."partnerId"
   ), accounts AS (
     INSERT INTO revenue_accounts (user_id, asset, partner_id)
     SELECT DISTINCT "userId", asset, "partnerId" FROM ${rowsIn('$1', { userId: text(), asset: text(), partnerId: text() })}
     ON CONFLICT (user_id, asset) DO NOTHING
   ), settled AS (
     UPDATE revenue_accounts a
        SET settled_at = $5, ${assigned(['settled', 'carriedLoss', 'sums', 'totalFee', 'totalPartner'], (_, name) => `new."${name}"`)}
       FROM ${rowsIn('$4', REVENUE_ACCOUNT)} WHERE a.user_id = new."userId" AND a.asset = new.asset
   ), shares AS (
     ${booked('shares', '$9', { since: '$5' }, 'since = CASE WHEN t.positions = 0 THEN excluded.since ELSE t.since END')}
   ), totals AS (
     ${booked('totals', '$10', {}, 'first_at = least(t.first_at, excluded.first_at)')}
   ), revenue AS (
     ${booked('revenue', '$11')}
   ), points AS (
     ${booked('points', '$12')}
   )
   ${booked('vaults', '$13')}`,
);
