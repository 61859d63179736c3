import { orNull, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** Newest hour of a market, and its newest statement. */
export const FIND_NEWEST = statement(
  'statements.find_newest',
  { values: [text()], row: { tickedHour: orNull(time()), dayEnd: orNull(time()), doneAt: orNull(time()) } },
  `SELECT m.ticked_hour AS "tickedHour", s.day_end AS "dayEnd", s.done_at AS "doneAt"
     FROM markets m
     LEFT JOIN LATERAL (SELECT day_end, done_at FROM statements WHERE market_id = m.id ORDER BY day_end DESC LIMIT 1) s ON true
    WHERE m.id = $1`,
);

/** Creation of a market's oldest open position, before which nothing was held; ids sort by time. */
export const FIND_OLDEST_OPEN = statement(
  'statements.find_oldest_open',
  { values: [text()], row: { openedAt: time() } },
  `SELECT opened_at AS "openedAt" FROM positions WHERE market_id = $1 AND closed_at IS NULL ORDER BY id LIMIT 1`,
);

export const BEGIN = statement(
  'statements.begin',
  { values: [text(), time()], row: {} },
  `INSERT INTO statements (market_id, day_end) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);

/** Lock by which one process at a time posts statements. */
export const LOCK = statement(
  'statements.lock',
  { values: [text(), time()], row: { afterId: text(), doneAt: orNull(time()) } },
  `SELECT after_id AS "afterId", done_at AS "doneAt" FROM statements WHERE market_id = $1 AND day_end = $2 FOR UPDATE`,
);

export const ADVANCE = statement(
  'statements.advance',
  { values: [text(), time(), orNull(text()), rowCount(), orNull(time())], row: {} },
  `UPDATE statements SET after_id = coalesce($3, after_id), posted = posted + $4, done_at = $5 WHERE market_id = $1 AND day_end = $2`,
);
