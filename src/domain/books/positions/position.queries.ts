import { integer, orNull, rowCount, text, time, whole, double, listOf } from '../../kernel/store/column.js';
import {
  statement,
  type Statement,
  type StatementShape,
  type ValuesOf,
} from '../../kernel/store/statement.js';
import { type Position, POSITION } from './position.js';
import { COLUMNS } from './position-store.queries.js';

const CANDIDATE = { id: text(), part: orNull(whole()), place: orNull(integer()) };

/** Looks for positions, and locks their revenue accounts until commit, by user and asset. */
const candidates = (positions: string, part = 'NULL::numeric', bookingOrder = 'NULL::int'): string =>
  `WITH found AS MATERIALIZED (
     SELECT p.id, p.user_id, p.asset, ${part} AS part, ${bookingOrder} AS place FROM ${positions}
   ), accounts AS MATERIALIZED (
     SELECT FROM (SELECT DISTINCT user_id, asset FROM found ORDER BY user_id, asset) AS own
      CROSS JOIN LATERAL (SELECT FROM revenue_accounts a WHERE a.user_id = own.user_id AND a.asset = own.asset FOR NO KEY UPDATE) AS account
   )
   SELECT id, part, place FROM found WHERE (SELECT count(*) FROM accounts) >= 0`;

/**
 * What a writer looks for: the positions, their part of an order, and their place in it. Others may change them until they are locked, so `holds` asks
 * again.
 */
export interface PositionLock<Values extends StatementShape['values']> {
  find: Statement<{ values: Values; row: typeof CANDIDATE }>;
  holds(this: void, position: Position, values: ValuesOf<{ values: Values }>): boolean;
}

function lock<const Values extends StatementShape['values']>(
  name: string,
  values: Values,
  positions: string,
  holds: PositionLock<Values>['holds'],
  part?: string,
  index?: string,
): PositionLock<Values> {
  return {
    find: statement(`positions.${name}`, { values, row: CANDIDATE }, candidates(positions, part, index)),
    holds,
  };
}

const inAnyState = (): boolean => true;
const isOpen = ({ closedAt }: Position): boolean => closedAt === null;
/** Open in a vault, in transit by a decision or, for null, at rest. */
const isAt = (position: Position, vaultId: string, transitId: string | null): boolean =>
  isOpen(position) && position.vaultId === vaultId && position.transitId === transitId;

/** $2: only of this partner; null: of any. */
export const LOCK = lock(
  'lock',
  [text(), orNull(text())],
  'positions p WHERE p.id = $1 AND ($2::text IS NULL OR p.partner_id = $2)',
  inAnyState,
);

/** Positions $1 of one user and asset, by id. */
export const LOCK_LISTED = lock(
  'lock_listed',
  [listOf(text())],
  'positions p WHERE p.id = ANY($1) ORDER BY p.id',
  inAnyState,
);

export const LOCK_DEPOSIT = lock(
  'lock_deposit',
  [text()],
  'positions p WHERE p.deposit_id = $1 ORDER BY p.id',
  inAnyState,
);

export const LOCK_OF_PARTNER = lock(
  'lock_of_partner',
  [text()],
  'positions p WHERE p.partner_id = $1 AND p.closed_at IS NULL ORDER BY p.id',
  isOpen,
);

export const LOCK_NEXT = lock(
  'lock_next',
  [text(), text(), rowCount()],
  'positions p WHERE p.market_id = $1 AND p.closed_at IS NULL AND p.id > $2 ORDER BY p.id LIMIT $3',
  isOpen,
);

/** The next $5 open positions of an order behind place $4 that are in vault $2, in transit by decision $3 or, for null, at rest; each with its payments of the order so far. */
export const LOCK_ORDERED = lock(
  'lock_ordered',
  [text(), text(), orNull(text()), integer(), rowCount()],
  `move_order_positions m JOIN positions p ON p.id = m.position_id
      WHERE m.order_id = $1 AND m.place > $4 AND p.vault_id = $2 AND p.transit_id IS NOT DISTINCT FROM $3 AND p.closed_at IS NULL
      ORDER BY m.place LIMIT $5`,
  (position, [, vaultId, transitId]) => isAt(position, vaultId, transitId),
  'm.cost',
  'm.place',
);

/** Open positions with a part of an order's gain that waits for review, by id. */
export const LOCK_WAITING = lock(
  'lock_waiting',
  [text()],
  `move_order_positions m JOIN positions p ON p.id = m.position_id
      WHERE m.order_id = $1 AND m.waiting > 0 AND p.closed_at IS NULL ORDER BY p.id`,
  isOpen,
  'm.waiting',
);

/** Ends the transit of all positions of a decision where they are: in cash. Returns their shares. */
export const RELEASE = statement(
  'positions.release',
  { values: [text(), text()], row: { shares: whole() } },
  `WITH held AS MATERIALIZED (
     ${candidates('positions p WHERE p.market_id = $1 AND p.transit_id = $2')}
   ), released AS (
     UPDATE positions p SET transit_id = NULL FROM held WHERE p.id = held.id AND p.transit_id = $2 RETURNING p.shares
   )
   SELECT coalesce(sum(shares), 0) AS shares FROM released`,
);

/** Open positions of users $1 in assets $2 with nothing posted at $3 or later, by id; none of $4. */
export const FIND_OTHERS = statement(
  'positions.find_others',
  { values: [listOf(text()), listOf(text()), time(), listOf(text())], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p
    WHERE (p.user_id, p.asset) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND p.closed_at IS NULL AND p.accrued_at < $3 AND p.id <> ALL($4)
    ORDER BY p.id`,
);

/** A user's holdings in an asset, by vault. */
export const FIND_SHARES_OF_USER = statement(
  'positions.find_shares_of_user',
  { values: [text(), text()], row: { vaultId: text(), shares: whole() } },
  `SELECT vault_id AS "vaultId", sum(shares) AS shares FROM positions
    WHERE user_id = $1 AND asset = $2 AND closed_at IS NULL GROUP BY vault_id`,
);

/** Vault indexes at the beginning of each hour, and their growth in it; the APY is the newest observed by then. */
export const FIND_INDEXES = statement(
  'positions.find_indexes',
  {
    values: [text(), listOf(text()), listOf(time())],
    row: { vaultId: text(), hour: time(), index: whole(), factor: whole(), apy: orNull(double()) },
  },
  `SELECT s.vault_id AS "vaultId", s.hour, s.share_index AS index, s.factor, seen.apy
     FROM snapshots s
     LEFT JOIN LATERAL (
       SELECT apy FROM snapshots
        WHERE market_id = s.market_id AND vault_id = s.vault_id AND hour <= s.hour AND apy IS NOT NULL
        ORDER BY hour DESC LIMIT 1) AS seen ON true
    WHERE s.market_id = $1 AND s.vault_id = ANY($2) AND s.hour = ANY($3)`,
);
