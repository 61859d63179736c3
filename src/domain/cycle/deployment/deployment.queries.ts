import { double, integer, nothing, orNull, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** The queue's tables are in another schema; the function knows its name. */
export const WAITING_JOBS = statement(
  'deployment.waiting_jobs',
  { values: [], row: { task: text(), waiting: integer(), oldestSeconds: double() } },
  `SELECT task, waiting, oldest_seconds AS "oldestSeconds" FROM waiting_jobs()`,
);

/**
 * Number of queued deliveries, up to $1, and the age of the oldest: 0 and null without any. The oldest of each endpoint is the first of its index
 * range, so the cost is bounded by the number of endpoints and $1, not by the backlog (loose index scan).
 */
export const QUEUED_DELIVERIES = statement(
  'deployment.queued_deliveries',
  { values: [rowCount()], row: { queued: integer(), oldest: orNull(time()) } },
  `WITH RECURSIVE heads AS (
     (SELECT webhook_id, at FROM deliveries WHERE status = 'queued' ORDER BY webhook_id, at LIMIT 1)
     UNION ALL
     SELECT next.* FROM heads CROSS JOIN LATERAL (
       SELECT d.webhook_id, d.at FROM deliveries d
        WHERE d.status = 'queued' AND d.webhook_id > heads.webhook_id ORDER BY d.webhook_id, d.at LIMIT 1) AS next
   )
   SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE status = 'queued' LIMIT $1) AS counted) AS queued, min(at) AS oldest
     FROM heads`,
);

/** Lock of the transaction on the identity: of processes that start together, one records it. */
export const LOCK_IDENTITY = statement(
  'deployment.lock_identity',
  { values: [], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('identity of ' || current_schema(), 0))`,
);
