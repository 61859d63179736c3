import { bool, integer, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** Lock of a run: one at a time. Pages are joined by index: the planner does not know how few rows a page has, and read whole tables for each. */
export const LOCK_VERIFICATION = statement(
  'ledger.lock_verification',
  { values: [], row: { isFree: bool(), hash: text(), merge: text() } },
  `SELECT pg_try_advisory_xact_lock(hashtextextended('verification of ' || current_schema(), 0)) AS "isFree",
          set_config('enable_hashjoin', 'off', true) AS hash, set_config('enable_mergejoin', 'off', true) AS merge`,
);

export const COUNT_ENTRIES = statement(
  'ledger.count_entries',
  { values: [], row: { entries: rowCount() } },
  `SELECT count(*) AS entries FROM ledger_entries`,
);

export const FIND_LAST_CHECK = statement(
  'ledger.find_last_check',
  {
    values: [],
    row: { verifiedAt: time(), isFull: bool(), entries: rowCount(), differences: integer() },
  },
  `SELECT verified_at AS "verifiedAt", is_full AS "isFull", entries, differences FROM ledger_checks ORDER BY number DESC LIMIT 1`,
);

export const RECORD_CHECK = statement(
  'ledger.record_check',
  { values: [bool(), rowCount(), integer()], row: {} },
  `INSERT INTO ledger_checks (is_full, entries, differences) VALUES ($1, $2, $3)`,
);
