import { double, integer, jsonb, orNull, rowCount, text, time, uuid } from '../store/column.js';
import { statement } from '../store/statement.js';

/** The queue is a table of another schema, which the function knows. */
export const WAITING_JOBS = statement(
  'deployment.waiting_jobs',
  { values: [], row: { task: text(), waiting: integer(), oldestSeconds: double() } },
  `SELECT task, waiting, oldest_seconds AS "oldestSeconds" FROM waiting_jobs()`,
);

/**
 * Deliveries that are queued, up to $1, and for how long the oldest is: 0 and null where there is none. The oldest of each endpoint is the first of its range in the index, so the
 * time that this takes is bounded by the endpoints and by $1, not by the backlog (loose index scan).
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

/** A process says that it is there: $1 its id, $2 name, $3 role, $4 version, $5 sends by outcome, $6 seconds since its start. */
export const BEAT = statement(
  'deployment.beat',
  { values: [uuid(), text(), text(), text(), jsonb<string>(), double()], row: {} },
  `INSERT INTO replicas (id, name, role, version, sends, started_at, seen_at)
   VALUES ($1, $2, $3, $4, $5, clock_timestamp() - $6 * interval '1 second', clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET sends = excluded.sends, seen_at = excluded.seen_at`,
);

/** Processes that ended without a word. $1: seconds for which they are remembered. Two that do it at once pass each other by. */
export const FORGET_REPLICAS = statement(
  'deployment.forget_replicas',
  { values: [double()], row: {} },
  `DELETE FROM replicas WHERE id IN (
     SELECT id FROM replicas WHERE seen_at < clock_timestamp() - $1 * interval '1 second' FOR UPDATE SKIP LOCKED)`,
);

export const LEAVE = statement(
  'deployment.leave',
  { values: [uuid()], row: {} },
  `DELETE FROM replicas WHERE id = $1`,
);

/** The newest $2 that were seen within $1 seconds. */
export const FIND_REPLICAS = statement(
  'deployment.find_replicas',
  {
    values: [double(), integer()],
    row: {
      name: text(),
      role: text(),
      version: text(),
      sends: jsonb<Record<string, number>>(),
      startedAt: time(),
      seenAt: time(),
    },
  },
  `SELECT name, role, version, sends, started_at AS "startedAt", seen_at AS "seenAt" FROM replicas
    WHERE seen_at >= clock_timestamp() - $1 * interval '1 second' ORDER BY started_at DESC, id LIMIT $2::int`,
);
