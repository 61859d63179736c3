import { bool, integer, orNull, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { SEVENTHS } from './partner-sevenths.js';

/** Lock of a run: one at a time. Pages are joined by index: the planner does not know how few rows a page has, and read whole tables for each. */
export const LOCK_VERIFICATION = statement(
  'ledger.lock_verification',
  { values: [], row: { isFree: bool(), hash: text(), merge: text() } },
  `SELECT pg_try_advisory_xact_lock(hashtextextended('verification of ' || current_schema(), 0)) AS "isFree",
          set_config('enable_hashjoin', 'off', true) AS hash, set_config('enable_mergejoin', 'off', true) AS merge`,
);

/** Seventh of the partners that was verified the longest ago, where the ledger has more than $1 entries; otherwise null: all partners. */
export const CHOOSE_SEVENTH = statement(
  'ledger.choose_seventh',
  { values: [rowCount()], row: { seventh: orNull(integer()) } },
  `SELECT CASE WHEN EXISTS (SELECT FROM ledger_entries OFFSET $1) THEN (
            SELECT s FROM generate_series(0, ${SEVENTHS - 1}) AS s
             ORDER BY (SELECT max(number) FROM ledger_checks WHERE seventh = s) NULLS FIRST, s LIMIT 1) END AS seventh`,
);

/**
 * Newest run, with the differences that stand: those of the newest run over each seventh of the partners since the newest run over all, and those of
 * that one until each seventh was verified since.
 */
export const FIND_LAST_CHECK = statement(
  'ledger.find_last_check',
  {
    values: [],
    row: { verifiedAt: time(), isFull: bool(), entries: rowCount(), differences: rowCount() },
  },
  `WITH newest AS (SELECT DISTINCT ON (seventh) * FROM ledger_checks ORDER BY seventh, number DESC),
        whole AS (SELECT * FROM newest WHERE seventh IS NULL),
        parts AS (SELECT * FROM newest WHERE seventh IS NOT NULL AND number > coalesce((SELECT number FROM whole), 0))
   SELECT verified_at AS "verifiedAt", seventh IS NULL AS "isFull", entries,
          coalesce((SELECT sum(differences) FROM parts), 0)
          + coalesce((SELECT differences FROM whole WHERE (SELECT count(*) FROM parts) < ${SEVENTHS}), 0) AS differences
     FROM newest ORDER BY number DESC LIMIT 1`,
);

/** $1: seventh of the partners; null: all. */
export const RECORD_CHECK = statement(
  'ledger.record_check',
  { values: [orNull(integer()), rowCount(), integer()], row: {} },
  `INSERT INTO ledger_checks (seventh, entries, differences) VALUES ($1, $2, $3)`,
);
