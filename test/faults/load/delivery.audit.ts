import { sign } from '../../../src/domain/outbound/webhooks/signature.js';
import type { Database } from '../../engine/audit.js';
import { until } from '../../support/until.js';
import type { Received } from '../../support/receiver.js';
import type { Hooks } from './hooks.js';
import type { Load } from './load.js';
import { answerTo } from './journal.js';

/** Accepted outcomes of deliveries besides delivered. */
export interface DeliveryEnds {
  /** Accepted failures; `interrupted` where a process was killed. Default: none. */
  failures?: readonly string[];
}

interface Record {
  id: string;
  eventId: string;
  webhookId: string;
  partnerId: string;
  status: string;
  attempts: number;
  failure: string | null;
  signature: string;
  url: string;
  body: string;
}

/** A timeout longer than the lease on an endpoint of a killed process. */
const DELIVER_MS = 90_000;
/** Deliveries that are kept for a partner; older ones are pruned. */
export const KEPT = 500;

/** Whether an event is of a test send: vaults that lose their funds, or fall silent, are told of by `system.status` too, with an `alert`. */
export const ofTestSend = (event: string): string =>
  `(${event}.type = 'system.status' AND ${event}.envelope #> '{data,alert}' IS NULL)`;

const UNFINISHED = `
SELECT id, status FROM deliveries WHERE partner_id = ANY($1) AND status IN ('queued', 'pending')
UNION ALL SELECT id, 'not fanned out' FROM events WHERE (partner_id = ANY($1) OR partner_id IS NULL) AND NOT fanned_out`;

/** Records of sends. A row that is queued has no receiver yet: a tick may have raised its event after the wait for the others. */
const RECORDS = `
SELECT d.id, d.event_id AS "eventId", d.webhook_id AS "webhookId", d.partner_id AS "partnerId", d.status, d.attempts, d.failure, d.signature,
       d.url, e.envelope::text AS body
  FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.partner_id = ANY($1) AND d.status <> 'queued'`;

/** Events without a delivery to an endpoint that existed from the start and takes every type. */
const MISSING = `
SELECT e.id AS "eventId", w.id AS "webhookId" FROM events e JOIN webhook_endpoints w ON w.id = ANY($1) AND w.partner_id = e.partner_id
 WHERE NOT ${ofTestSend('e')} AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.webhook_id = w.id)`;

/** Waits until every event of a load is fanned out and every delivery has ended. @throws Error that names those left */
export async function untilDelivered(database: Database, load: Load): Promise<void> {
  const partnerIds = load.accounts.map(({ partnerId }) => partnerId);
  const unfinished = (): Promise<object[]> => database.sql(UNFINISHED, [partnerIds]);
  await until(async () => (await unfinished()).length === 0, DELIVER_MS).catch(async (error: Error) => {
    throw new Error(`${error.message} ${JSON.stringify((await unfinished()).slice(0, 10))}`);
  });
}

/**
 * Compares records with the receiver's count: 0 or 1 requests for each event and endpoint, exactly 1 where the record says delivered, with the bytes
 * and the signature of the record; and no request without a record.
 */
export async function deliveryTroubles(
  database: Database,
  load: Load,
  hooks: Hooks,
  { failures = [] }: DeliveryEnds,
): Promise<string[]> {
  const partnerIds = load.accounts.map(({ partnerId }) => partnerId);
  const records = await database.sql<Record>(RECORDS, [partnerIds]);
  const pruned = [...Map.groupBy(records, ({ partnerId }) => partnerId).values()].some(
    (own) => own.length >= KEPT,
  );
  const received = Map.groupBy(
    hooks.received.filter(({ path }) => path.includes(load.name)),
    ({ path, headers }) => `${path} ${String(headers['webhook-id'])}`,
  );
  const secrets = secretsOf(load);
  const found = records.flatMap((record) => {
    const key = `${new URL(record.url).pathname} ${record.eventId}`;
    const came = received.get(key) ?? [];
    received.delete(key);
    const problem = problemOf(record, came, failures, secrets.get(record.webhookId));
    return problem === null ? [] : [`delivery ${record.id} of ${key}: ${problem}`];
  });
  for (const [key, came] of received) {
    if (came.length > 1) found.push(`${key} came ${came.length} times`);
    else if (!pruned) found.push(`${key} came, and no record says so`);
  }
  const endpointIds = load.accounts.flatMap(({ endpoints }) => endpoints.map(({ id }) => id));
  const missing = pruned
    ? []
    : await database.sql<{ eventId: string; webhookId: string }>(MISSING, [endpointIds]);
  return [...found, ...missing.map(({ eventId, webhookId }) => `${eventId} was not queued for ${webhookId}`)];
}

function problemOf(
  { status, attempts, failure, signature, body }: Record,
  came: readonly Received[],
  failures: readonly string[],
  secret: string | undefined,
): string | null {
  if (came.length > 1) return `came ${came.length} times`;
  if (status !== 'delivered' && !(status === 'failed' && failures.includes(failure!)))
    return `ended as ${status}: ${failure}`;
  if (attempts !== 1) return `says ${attempts} attempts`;
  const [one] = came;
  if (!one) return status === 'delivered' ? 'is recorded as delivered, but never came' : null;
  if (one.body.toString() !== body) return 'came with other bytes than its record has';
  if (one.headers['webhook-signature'] !== signature)
    return 'came with another signature than its record has';
  const seconds = Number(/^t=(\d+),/.exec(signature)?.[1]);
  if (secret !== undefined && sign(secret, seconds, one.body) !== signature)
    return 'is signed with another key';
  return null;
}

/** Signing secrets of all endpoints, by endpoint. */
function secretsOf({ accounts, journal }: Load): Map<string, string> {
  const made = accounts.flatMap(({ endpoints }) =>
    endpoints.map(({ id, secret }): [string, string] => [id, secret]),
  );
  const later = journal.of('webhook').flatMap((write): [string, string][] => {
    const answer = answerTo(write);
    return answer ? [[answer.data.id, answer.data.secret]] : [];
  });
  return new Map([...made, ...later]);
}
