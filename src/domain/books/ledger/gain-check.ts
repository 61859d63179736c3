import { listOf, text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import type { ReportDifference } from './verification.js';

/** Entry that added to a position under a decision. */
export interface Gain {
  id: string;
  positionId: string;
  decisionId: string | null;
}

/**
 * Those of decisions $2 that moved positions $1. Each position's entries are read once, and looked up in a hash of the decisions: a lookup for each
 * decision would read the entries of its position again, where statistics do not tell yet how many entries have a decision. `IS TRUE` keeps the hash.
 */
const FIND_MOVED = statement(
  'ledger.find_moved',
  { values: [listOf(text()), listOf(text())], row: { positionId: text(), decisionId: text() } },
  `SELECT DISTINCT asked.id AS "positionId", r.decision_id AS "decisionId" FROM unnest($1::text[]) AS asked(id)
    CROSS JOIN LATERAL (
      SELECT e.decision_id FROM ledger_entries e WHERE e.position_id = asked.id AND e.type = 'rebalance' OFFSET 0) AS r
    WHERE (r.decision_id IN (SELECT unnest($2::text[]))) IS TRUE`,
);

/** Checks that each gain booked under a decision belongs to a position that the decision moved. */
export async function checkGains(
  store: Store,
  gains: readonly Gain[],
  differs: ReportDifference,
): Promise<void> {
  if (gains.length === 0) return;
  const positionIds = [...new Set(gains.map(({ positionId }) => positionId))];
  const decisionIds = gains.map(({ decisionId }) => decisionId!);
  const rows = await store.query(FIND_MOVED, [positionIds, decisionIds]);
  const moved = new Set(rows.map(({ positionId, decisionId }) => `${positionId} ${decisionId}`));
  for (const { id, positionId, decisionId } of gains)
    if (!moved.has(`${positionId} ${decisionId}`))
      differs(positionId, `entry ${id} is a gain by ${decisionId}, but no entry of that decision moved it`);
}
