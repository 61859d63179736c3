import type { DeploymentIdentity } from '../../../config/deployment-identity.js';
import {
  double,
  integer,
  jsonb,
  nothing,
  orNull,
  rowCount,
  text,
  time,
  uuid,
} from '../../kernel/store/column.js';
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

/** Lock of the transaction on the identity: of processes that start together, one records it. */
export const LOCK_IDENTITY = statement(
  'deployment.lock_identity',
  { values: [], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('identity of ' || current_schema(), 0))`,
);

export const FIND_IDENTITY = statement(
  'deployment.find_identity',
  { values: [], row: { identity: jsonb<DeploymentIdentity>() } },
  `SELECT identity FROM deployment_changes ORDER BY number DESC LIMIT 1`,
);

export const RECORD_IDENTITY = statement(
  'deployment.record_identity',
  { values: [jsonb<string>(), text()], row: {} },
  `INSERT INTO deployment_changes (identity, reason) VALUES ($1, $2)`,
);
