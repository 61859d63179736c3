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

export const INSERT_MOVES = statement(
  'routing.insert_moves',
  `INSERT INTO moves (decision_id, market_id, partner_id, asset, from_vault_id, to_vault_id, decided_at)
   SELECT id, market_id, partner_id, asset, from_vault_id, to_vault_id, at FROM decisions WHERE id = ANY($1)`,
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
          decided_at AS "decidedAt", after_id AS "afterId", amount, cost, amount_moved AS "amountMoved", cost_taken AS "costTaken",
          done_at AS "doneAt"
     FROM moves WHERE decision_id = $1 FOR UPDATE`,
);

export const ADVANCE_MOVE = statement(
  'routing.advance_move',
  `UPDATE moves SET after_id = coalesce($2, after_id), moved = moved + $3, amount_moved = amount_moved + $4, cost_taken = cost_taken + $5, done_at = $6 WHERE decision_id = $1`,
);
