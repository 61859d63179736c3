import { Engine, type EngineOptions } from '../support/engine.js';

/** A deployment without a job queue: only the test removes rows. */
export const startEngine = (options: EngineOptions = {}): Promise<Engine> => Engine.start('partner', options);

/** A deployment's schema, for statements in SQL. */
export interface RowQuery {
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface InsertedRow {
  /** Default: delivered. */
  status?: 'queued' | 'pending' | 'delivered' | 'failed';
  /** Age of the claim and of the event; default: two days, for an event without deliveries 31. */
  hoursAgo?: number;
  /** Whether the fan-out of its event is done; default: yes. */
  fannedOut?: boolean;
  /** Default: an endpoint that does not exist, like a deleted one. */
  webhookId?: string;
}

/** Adds deliveries with an event each, a millisecond apart. @returns their ids, oldest first */
export async function addDeliveries(
  asked: RowQuery,
  partnerId: string,
  name: string,
  count: number,
  { status = 'delivered', hoursAgo = 48, fannedOut = true, webhookId = `wh_${name}` }: InsertedRow = {},
): Promise<string[]> {
  const rows = await asked.sql<{ id: string }>(
    `WITH made AS (
       SELECT lpad(n::text, 6, '0') AS tail, clock_timestamp() - $4 * interval '1 hour' + n * interval '1 millisecond' AS at
         FROM generate_series(1, $3::int) AS n
     ), recorded AS (
       INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
       SELECT 'evt_' || $2::text || tail, $1, 'system.status', '{}', at, $6 FROM made RETURNING id
     )
     INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, failure, at, claimed_at)
     SELECT 'del_' || $2::text || tail, 'evt_' || $2::text || tail, $7, $1, $5, 0, 'http://hooks.acme.example/', '',
            CASE WHEN $5 = 'failed' THEN 'timeout' END, at, at FROM made
     RETURNING id`,
    [partnerId, name, count, hoursAgo, status, fannedOut, webhookId],
  );
  return rows.map(({ id }) => id).sort();
}

/** Adds events without deliveries. @returns their ids */
export async function addEvents(
  asked: RowQuery,
  name: string,
  count: number,
  { hoursAgo = 24 * 31, fannedOut = true }: InsertedRow = {},
): Promise<string[]> {
  const rows = await asked.sql<{ id: string }>(
    `INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
     SELECT 'evt_' || $1::text || lpad(n::text, 6, '0'), NULL, 'system.status', '{}', clock_timestamp() - $3 * interval '1 hour', $4
       FROM generate_series(1, $2::int) AS n RETURNING id`,
    [name, count, hoursAgo, fannedOut],
  );
  return rows.map(({ id }) => id).sort();
}

/** Adds an endpoint as it is stored. @returns its id */
export async function addEndpoint(asked: RowQuery, partnerId: string, id: string): Promise<string> {
  await asked.sql(
    `INSERT INTO webhook_endpoints (id, partner_id, url, events, secret_sealed, secret_masked, active, created_at, updated_at)
     VALUES ($1, $2, 'http://hooks.acme.example/', '{system.status}', '', '', true, now(), now())`,
    [id, partnerId],
  );
  return id;
}

/** Empties the tables whose rows these tests count. */
export async function removeAll(asked: RowQuery): Promise<void> {
  await asked.sql(
    'TRUNCATE deliveries, undelivered, events, idempotency_claims, endpoint_health, webhook_endpoints',
  );
}

/** Ids of a table, in ascending order. */
export async function idsOf(
  asked: RowQuery,
  table: 'deliveries' | 'events',
  where = 'true',
): Promise<string[]> {
  const rows = await asked.sql<{ id: string }>(`SELECT id FROM ${table} WHERE ${where} ORDER BY id`);
  return rows.map(({ id }) => id);
}
