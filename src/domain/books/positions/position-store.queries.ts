import {
  assigned,
  columnsOf,
  insertOf,
  integer,
  json,
  jsonb,
  listOf,
  numeric,
  orNull,
  rowCount,
  rowsIn,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { BOOK_TABLES, type BookKind } from './book-sums.js';
import { ENTRY, POSITION } from './position.js';
import type { RevenueAccountRow } from './settled-revenue.js';

export const COLUMNS = columnsOf(POSITION, 'p');

/** Position that a writer looks for: its size then, and its part of an order. */
const HELD = { id: text(), shares: whole(), part: orNull(whole()) };

/** Looks for positions, and locks their revenue accounts until commit, by user and asset. What it found of a position was true before the lock. */
const held = (positions: string, part = 'NULL::numeric'): string =>
  `WITH found AS MATERIALIZED (
     SELECT p.id, p.user_id, p.asset, p.shares, ${part} AS part FROM ${positions}
   ), accounts AS MATERIALIZED (
     SELECT FROM (SELECT DISTINCT user_id, asset FROM found ORDER BY user_id, asset) AS own
      CROSS JOIN LATERAL (SELECT FROM revenue_accounts a WHERE a.user_id = own.user_id AND a.asset = own.asset FOR NO KEY UPDATE) AS account
   )
   SELECT id, shares, part FROM found WHERE (SELECT count(*) FROM accounts) >= 0`;

/** $2: only of this partner; null: of any. */
export const LOCK = statement(
  'positions.lock',
  { values: [text(), orNull(text())], row: HELD },
  held('positions p WHERE p.id = $1 AND ($2::text IS NULL OR p.partner_id = $2)'),
);

/** Positions of a split deposit, by id. */
export const LOCK_DEPOSIT = statement(
  'positions.lock_deposit',
  { values: [text()], row: HELD },
  held('positions p WHERE p.deposit_id = $1 ORDER BY p.id'),
);

/** All open positions of a partner, by id. */
export const LOCK_OF_PARTNER = statement(
  'positions.lock_of_partner',
  { values: [text()], row: HELD },
  held('positions p WHERE p.partner_id = $1 AND p.closed_at IS NULL ORDER BY p.id'),
);

export const LOCK_NEXT = statement(
  'positions.lock_next',
  { values: [text(), text(), rowCount()], row: HELD },
  held('positions p WHERE p.market_id = $1 AND p.closed_at IS NULL AND p.id > $2 ORDER BY p.id LIMIT $3'),
);

/** The next $5 open positions of a partner in a vault, by id, opened until $4; none that is in transit. */
export const LOCK_IN_VAULT = statement(
  'positions.lock_in_vault',
  { values: [text(), text(), text(), time(), rowCount()], row: HELD },
  held(`positions p
      WHERE p.partner_id = $1 AND p.vault_id = $2 AND p.closed_at IS NULL AND p.id > $3 AND p.opened_at <= $4 AND p.transit_id IS NULL
      ORDER BY p.id LIMIT $5`),
);

/** The same by size: those after the position with $6 shares and id $3, with at most $7 shares. */
export const LOCK_LARGEST = statement(
  'positions.lock_largest',
  { values: [text(), text(), text(), time(), rowCount(), whole(), whole()], row: HELD },
  held(`positions p
      WHERE p.partner_id = $1 AND p.vault_id = $2 AND p.status <> 'closed' AND p.opened_at <= $4 AND p.shares <= $7 AND p.transit_id IS NULL
        AND (p.shares < $6 OR (p.shares = $6 AND p.id > $3))
      ORDER BY p.shares DESC, p.id LIMIT $5`),
);

/** The next $4 positions of a market that are in transit by a decision, by id. */
export const LOCK_IN_TRANSIT = statement(
  'positions.lock_in_transit',
  { values: [text(), text(), text(), rowCount()], row: HELD },
  held('positions p WHERE p.market_id = $1 AND p.transit_id = $2 AND p.id > $3 ORDER BY p.id LIMIT $4'),
);

/** Open positions of an order, by id, each with its payments of the order so far. */
export const LOCK_ORDERED = statement(
  'positions.lock_ordered',
  { values: [text()], row: HELD },
  held(
    `move_order_positions m JOIN positions p ON p.id = m.position_id WHERE m.order_id = $1 AND p.closed_at IS NULL ORDER BY p.id`,
    'm.cost',
  ),
);

/** Open positions with a part of an order's gain that waits for review, by id. */
export const LOCK_WAITING = statement(
  'positions.lock_waiting',
  { values: [text()], row: HELD },
  held(
    `move_order_positions m JOIN positions p ON p.id = m.position_id
      WHERE m.order_id = $1 AND m.waiting > 0 AND p.closed_at IS NULL ORDER BY p.id`,
    'm.waiting',
  ),
);

/** Positions in the order of their ids given. */
export const FIND = statement(
  'positions.find',
  { values: [listOf(text())], row: POSITION },
  `SELECT ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS held(id, place) JOIN positions p ON p.id = held.id ORDER BY held.place`,
);

/** Ends the transit of all positions of a decision where they are: in cash. Returns their shares. */
export const RELEASE = statement(
  'positions.release',
  { values: [text(), text()], row: { shares: whole() } },
  `WITH held AS MATERIALIZED (
     ${held('positions p WHERE p.market_id = $1 AND p.transit_id = $2')}
   ), released AS (
     UPDATE positions p SET transit_id = NULL FROM held WHERE p.id = held.id AND p.transit_id = $2 RETURNING p.shares
   )
   SELECT coalesce(sum(shares), 0) AS shares FROM released`,
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
  given: Record<string, string> = {},
  ...more: string[]
): string {
  const { table, keys, sums, more: others } = BOOK_TABLES[kind];
  const order = Object.entries(keys).map(
    ([name, { type }]) => `new."${name}"${type === 'text' ? ' COLLATE "C"' : ''}`,
  );
  const added = assigned(Object.keys(sums), (column) => `t.${column} + excluded.${column}`);
  return `${insertOf(table, { ...keys, ...sums, ...others }, parameter, given)}
      WHERE (SELECT count(*) FROM head) >= 0
      ORDER BY ${order.join(', ')}
     ON CONFLICT ON CONSTRAINT ${table}_pkey DO UPDATE SET ${[added, ...more].join(', ')}`;
}

/**
 * Stores positions, their entries and the changes of the books in one round trip: $1 opened positions, $2 changed ones, $3 entries, $4 revenue
 * accounts; $5 time of the changes, $6 of booking; $7 1, or 0 where the transaction goes on with a booking; $8 partners; then the books. It locks the
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
