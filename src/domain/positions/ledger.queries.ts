import { statement } from '../store/statement.js';

/**
 * $1 user, $2 partner, $3/$4 time and id to go on after (the first page: infinity), $5 rows. A user without entries is one row of nulls, an unknown
 * one is none. The bound on `at` alone spares the partitions of later months.
 */
export const LIST_ENTRIES_OF_USER = statement(
  'positions.list_entries_of_user',
  `SELECT e.id, e.at, e.type, u.id AS "userId", e.position_id AS "positionId", e.asset, e.vault_id AS "vaultId",
          e.from_vault_id AS "fromVaultId", e.amount, e.cost, e.apy, e.decision_id AS "decisionId", e.tx_hash AS "txHash", e.voids
     FROM users u
     LEFT JOIN LATERAL (
       SELECT * FROM ledger_entries
        WHERE user_id = $1 AND at <= $3 AND (at, id) < ($3, $4)
        ORDER BY at DESC, id DESC
        LIMIT $5) AS e ON true
    WHERE u.id = $1 AND u.partner_id = $2
    ORDER BY e.at DESC, e.id DESC`,
);
