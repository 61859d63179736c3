import { statement } from '../store/statement.js';

/** Locks a market until commit: an hour is judged once. */
export const LOCK_MARKET = statement(
  'routing.lock_market',
  `SELECT ticked_hour AS "tickedHour", routed_hour AS "routedHour" FROM markets WHERE id = $1 FOR NO KEY UPDATE`,
);

/** A market's routed funds, a row a partner, asset and vault. */
export const FIND_GROUPS = statement(
  'routing.find_groups',
  `SELECT partner_id AS "partnerId", asset, vault_id AS "vaultId", sum(shares) AS shares, sum(positions)::int AS positions, min(since) AS since
     FROM book_shares WHERE market_id = $1 AND book = 'routed' AND positions > 0
    GROUP BY partner_id, asset, vault_id ORDER BY partner_id, asset, vault_id`,
);

/** Positions that a part looks at, the largest that fit: more go in the next hours. */
const LARGEST = 10_000;

/** Of a partner's positions in a vault those that fit into $3 shares together, the largest first. */
export const FIND_PART = statement(
  'routing.find_part',
  `SELECT count(*)::int AS positions, coalesce(sum(shares), 0) AS shares
     FROM (SELECT shares, sum(shares) OVER (ORDER BY shares DESC, id) AS together
             FROM (SELECT id, shares FROM positions
                    WHERE partner_id = $1 AND vault_id = $2 AND status <> 'closed' AND shares <= $3
                    ORDER BY shares DESC, id LIMIT ${LARGEST}) AS largest) AS summed
    WHERE together <= $3`,
);

/** Moves, as JSON. */
export const INSERT_MOVES = statement(
  'routing.insert_moves',
  `INSERT INTO moves (decision_id, market_id, partner_id, asset, from_vault_id, to_vault_id, decided_at, amount, cost, room, after_shares, promised,
          due_hour)
   SELECT id, "marketId", "partnerId", asset, "fromVaultId", "toVaultId", at, amount, cost, room, room, promised, "dueHour"
     FROM json_to_recordset($1) AS new(id text, "marketId" text, "partnerId" text, asset text, "fromVaultId" text, "toVaultId" text, at timestamptz,
          amount numeric, cost numeric, room numeric, promised numeric, "dueHour" timestamptz)`,
);

export const SET_ROUTED_HOUR = statement(
  'routing.set_routed_hour',
  `UPDATE markets SET routed_hour = $2 WHERE id = $1`,
);

/** Rebalances on their way, oldest first. */
export const FIND_OPEN_MOVES = statement(
  'routing.find_open_moves',
  `SELECT decision_id AS "decisionId", partner_id AS "partnerId", from_vault_id AS "fromVaultId", to_vault_id AS "toVaultId"
     FROM moves WHERE market_id = $1 AND done_at IS NULL ORDER BY decision_id`,
);

export const LOCK_MOVE = statement(
  'routing.lock_move',
  `SELECT market_id AS "marketId", partner_id AS "partnerId", from_vault_id AS "fromVaultId", to_vault_id AS "toVaultId",
          decided_at AS "decidedAt", after_id AS "afterId", amount, cost, amount_moved AS "amountMoved", cost_taken AS "costTaken", room,
          after_shares AS "afterShares", done_at AS "doneAt"
     FROM moves WHERE decision_id = $1 FOR UPDATE`,
);

export const ADVANCE_MOVE = statement(
  'routing.advance_move',
  `UPDATE moves SET after_id = coalesce($2, after_id), moved = moved + $3, done_at = $4, after_shares = coalesce($5, after_shares),
          room = coalesce($6, room), amount_moved = amount_moved + $7, cost_taken = cost_taken + $8
    WHERE decision_id = $1`,
);

/** Outcomes of one hour. */
const OUTCOMES = 1_000;

/**
 * What moves brought whose horizon has passed, over staying: their amount by what a share of each vault was worth at the two hours, less the cost. Cash is always worth the
 * same. One whose hours are not kept any more has no outcome.
 */
export const SETTLE_OUTCOMES = statement(
  'routing.settle_outcomes',
  `WITH due AS (
     SELECT decision_id, market_id, from_vault_id, to_vault_id, due_hour FROM moves
      WHERE market_id = $1 AND realised_hour IS NULL AND due_hour <= (SELECT ticked_hour FROM markets WHERE id = $1) ORDER BY due_hour LIMIT ${OUTCOMES} FOR UPDATE SKIP LOCKED
   ), grown AS (
     SELECT decision_id, side.name, after.share_index / before.share_index AS ratio
       FROM due JOIN decisions d ON d.id = decision_id
      CROSS JOIN LATERAL (VALUES ('from', due.from_vault_id), ('to', due.to_vault_id)) AS side(name, vault_id)
       JOIN snapshots before ON before.market_id = due.market_id AND before.vault_id = side.vault_id AND before.hour = d.hour
       JOIN snapshots after ON after.market_id = due.market_id AND after.vault_id = side.vault_id AND after.hour = due.due_hour
   ), settled AS (
     UPDATE moves m
        SET realised_hour = m.due_hour,
            -- Of what was moved, which is less where a move ended on its way.
            promised = CASE WHEN m.amount_moved < m.amount THEN floor(m.promised * m.amount_moved / m.amount) ELSE m.promised END,
            realised = floor(nullif(m.amount_moved, 0) * ((SELECT ratio FROM grown g WHERE g.decision_id = m.decision_id AND name = 'to')
                                       - (SELECT ratio FROM grown g WHERE g.decision_id = m.decision_id AND name = 'from'))) - m.cost_taken
       FROM due WHERE m.decision_id = due.decision_id
     RETURNING m.promised, m.realised
   )
   SELECT count(*)::int AS moves, coalesce(sum(promised), 0) AS promised, coalesce(sum(realised), 0) AS realised
     FROM settled WHERE realised IS NOT NULL AND promised IS NOT NULL`,
);
