import { orNull, rowCount, text, time, whole, double, listOf } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { POSITION } from './position.js';
import { COLUMNS } from './position-store.queries.js';

/** Position that a writer looks for: its size then, and its part of an order. */
export const HELD = { id: text(), shares: whole(), part: orNull(whole()) };

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

export const LOCK_DEPOSIT = statement(
  'positions.lock_deposit',
  { values: [text()], row: HELD },
  held('positions p WHERE p.deposit_id = $1 ORDER BY p.id'),
);

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
