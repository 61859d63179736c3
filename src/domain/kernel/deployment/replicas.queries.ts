import { double, integer, jsonb, text, time, uuid } from '../store/column.js';
import { statement } from '../store/statement.js';

/** Heartbeat of a process: $1 id, $2 name, $3 role, $4 version, $5 sends by outcome, $6 seconds since its start. */
export const BEAT = statement(
  'deployment.beat',
  { values: [uuid(), text(), text(), text(), jsonb<string>(), double()], row: {} },
  `INSERT INTO replicas (id, name, role, version, sends, started_at, seen_at)
   VALUES ($1, $2, $3, $4, $5, clock_timestamp() - $6 * interval '1 second', clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET sends = excluded.sends, seen_at = excluded.seen_at`,
);

/** Removes processes whose heartbeats stopped. $1: seconds since the last one. Rows locked by another process are skipped. */
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

/** Live processes that answer requests, by a heartbeat within $1 seconds. */
export const COUNT_ANSWERING = statement(
  'deployment.count_answering',
  { values: [double()], row: { count: integer() } },
  `SELECT count(*)::int AS count FROM replicas
    WHERE role <> 'worker' AND seen_at >= clock_timestamp() - $1 * interval '1 second'`,
);

/**
 * The newest $2 processes. Without a heartbeat for $1 seconds, those that no process of the same name and role has followed: a supervisor restarts a container
 * under its name.
 */
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
      silentSeconds: double(),
    },
  },
  `SELECT name, role, version, sends, started_at AS "startedAt", seen_at AS "seenAt",
          greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::float8 AS "silentSeconds"
     FROM replicas r
    WHERE seen_at >= clock_timestamp() - $1 * interval '1 second'
       OR NOT EXISTS (SELECT FROM replicas next WHERE next.name = r.name AND next.role = r.role AND next.started_at > r.seen_at)
    ORDER BY started_at DESC, id LIMIT $2::int`,
);
