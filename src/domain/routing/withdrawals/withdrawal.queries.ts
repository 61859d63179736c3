import {
  columnsOf,
  integer,
  json,
  listOf,
  moment,
  orNull,
  recordOf,
  rowCount,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { limitPage, WEIGHED } from '../../kernel/store/page.js';
import { statement } from '../../kernel/store/statement.js';
import { StoredWithdrawal, type WithdrawalFailure, type WithdrawalStatus } from './withdrawal.js';

const WALLETS = `SELECT ARRAY(SELECT address FROM wallets w WHERE w.user_id = u.id ORDER BY w.position) AS wallets
     FROM users u WHERE u.id = $1 AND u.partner_id = $2`;

/** Wallets of user $1 of partner $2. */
export const FIND_WALLETS = statement(
  'withdrawals.find_wallets',
  { values: [text(), text()], row: { wallets: listOf(text()) } },
  WALLETS,
);

/** As `FIND_WALLETS`; the user is locked until commit, so that its withdrawals are requested one after another. */
export const LOCK_USER = statement(
  'withdrawals.lock_user',
  { values: [text(), text()], row: { wallets: listOf(text()) } },
  `${WALLETS} FOR NO KEY UPDATE OF u`,
);

export const COUNT_OPEN = statement(
  'withdrawals.count_open',
  { values: [text()], row: { open: integer() } },
  `SELECT count(*)::int AS open FROM withdrawals WHERE user_id = $1 AND ended_at IS NULL`,
);

/** $1 withdrawal, $2 its parts (JSON), in their order. */
export const INSERT_PARTS = statement(
  'withdrawals.insert_parts',
  { values: [text(), json<string>()], row: {} },
  `INSERT INTO withdrawal_parts (withdrawal_id, place, position_id, vault_id, amount, cost, is_whole, is_reserved)
   SELECT $1, place, part->>'positionId', part->>'vaultId', (part->>'amount')::numeric, 0, (part->>'isWhole')::boolean, (part->>'isReserved')::boolean
     FROM json_array_elements($2) WITH ORDINALITY AS listed(part, place)`,
);

/** Parts of a withdrawal, in their order. */
export const FIND_PARTS = statement(
  'withdrawals.find_parts',
  { values: [text()], row: { positionId: text(), amount: whole(), cost: whole() } },
  `SELECT position_id AS "positionId", amount, cost FROM withdrawal_parts WHERE withdrawal_id = $1 ORDER BY place`,
);

/** What was paid of withdrawal $1 by position ($2, JSON); the other parts paid nothing. */
export const PAY_PARTS = statement(
  'withdrawals.pay_parts',
  { values: [text(), json<string>()], row: {} },
  `WITH paid AS (SELECT * FROM json_to_recordset($2) AS p("positionId" text, "vaultId" text, amount numeric, cost numeric))
   UPDATE withdrawal_parts w
      SET is_reserved = false, amount = coalesce(paid.amount, 0), cost = coalesce(paid.cost, 0), vault_id = coalesce(paid."vaultId", w.vault_id)
     FROM withdrawal_parts part LEFT JOIN paid ON paid."positionId" = part.position_id
    WHERE w.withdrawal_id = $1 AND part.withdrawal_id = $1 AND part.place = w.place`,
);

export const RELEASE_PARTS = statement(
  'withdrawals.release_parts',
  { values: [text()], row: {} },
  'UPDATE withdrawal_parts SET is_reserved = false WHERE withdrawal_id = $1 AND is_reserved',
);

/** Ids of withdrawals that nobody took by $1, the oldest $2. */
export const FIND_EXPIRED = statement(
  'withdrawals.find_expired',
  { values: [time(), rowCount()], row: { id: text() } },
  `SELECT id FROM withdrawals WHERE ended_at IS NULL AND taken_at IS NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2`,
);

const LAPSED = {
  ...{ id: text(), partnerId: text(), userId: text(), asset: text(), amount: whole() },
  ...{ failure: orNull(text<WithdrawalFailure>()), note: orNull(text()) },
};
/** Ends those of withdrawals $1 that nobody has taken, at $2: their parts are reserved no longer. */
export const LAPSE = statement(
  'withdrawals.lapse',
  {
    values: [listOf(text()), time()],
    row: LAPSED,
  },
  `WITH untaken AS MATERIALIZED (
     SELECT id FROM withdrawals WHERE id = ANY($1) AND status = 'requested' ORDER BY id FOR UPDATE
   ), released AS (
     UPDATE withdrawal_parts p SET is_reserved = false FROM untaken WHERE p.withdrawal_id = untaken.id AND p.is_reserved
   )
   UPDATE withdrawals w SET status = 'lapsed', ended_at = $2 FROM untaken WHERE w.id = untaken.id
   RETURNING w.id, w.partner_id AS "partnerId", w.user_id AS "userId", w.asset, w.amount, w.failure, w.note`,
);

export const COUNT = statement(
  'withdrawals.count',
  { values: [], row: { status: text<WithdrawalStatus>(), count: integer(), oldest: time() } },
  `SELECT status, count(*)::int AS count, min(requested_at) AS oldest FROM withdrawals WHERE ended_at IS NULL GROUP BY status`,
);

const STORED = recordOf(StoredWithdrawal);
/** Amounts are texts: a JSON number may be a double. */
export interface ShownPart {
  positionId: string;
  vaultId: string;
  amount: string;
}
const SHOWN = { ...STORED, parts: json<ShownPart[]>(), bytes: integer() };

/**
 * Withdrawals at indexes $1 (JSON by vault). Funds of an open one are where its position is, and what leaves it is what a payment would be now: at most
 * what earlier withdrawals leave of it and, of everything, what all others leave.
 */
const shown = (page: string): string =>
  `SELECT ${columnsOf(STORED, 'w')}, part.list AS parts, 900 + part.bytes + coalesce(octet_length(w.note), 0) AS bytes
     FROM (${page}) AS w
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('positionId', m.position_id, 'vaultId', CASE WHEN m.is_reserved THEN p.vault_id ELSE m.vault_id END,
                'amount', CASE WHEN m.is_reserved THEN greatest(least(CASE WHEN NOT m.is_whole THEN m.amount END, div(p.shares * i.index, 1e30) - (
                   SELECT coalesce(sum(o.amount), 0) FROM withdrawal_parts o
                    WHERE o.position_id = m.position_id AND o.is_reserved AND NOT o.is_whole AND (m.is_whole OR o.withdrawal_id < m.withdrawal_id))), 0)
                  ELSE m.amount END::text) ORDER BY m.place) AS list,
             150 * count(*)::int AS bytes
        FROM withdrawal_parts m
        JOIN positions p ON p.id = m.position_id
        LEFT JOIN json_to_recordset($1) AS i("vaultId" text, index numeric) ON i."vaultId" = p.vault_id
       WHERE m.withdrawal_id = w.id) AS part`;

/** $2: the withdrawal; $3: only of this partner; null: of any. */
export const FIND = statement(
  'withdrawals.find',
  { values: [json<string>(), text(), orNull(text())], row: SHOWN },
  shown('SELECT * FROM withdrawals WHERE id = $2 AND ($3::text IS NULL OR partner_id = $3)'),
);

/**
 * Page, newest first, planned for its filters, each of which walks an index of its own; null: any. $2/$3 keyset position (time, id; infinity for the
 * first page), $4 partner, $5 rows, $6 status, $7 user.
 */
export const LIST = statement(
  'withdrawals.list',
  {
    values: [
      json<string>(),
      moment(),
      text(),
      orNull(text()),
      rowCount(),
      orNull(text<WithdrawalStatus>()),
      orNull(text()),
    ],
    row: { ...SHOWN, ...WEIGHED },
    isPlannedAnew: true,
  },
  limitPage(
    `${shown(
      `SELECT * FROM withdrawals WHERE (requested_at, id) < ($2, $3) AND ($4::text IS NULL OR partner_id = $4) AND ($6::text IS NULL OR status = $6)
          AND ($7::text IS NULL OR user_id = $7)
        ORDER BY requested_at DESC, id DESC LIMIT $5`,
    )} ORDER BY w.requested_at DESC, w.id DESC`,
    '"requestedAt" DESC, id DESC',
  ),
);
