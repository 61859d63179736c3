import type { Database } from '../../engine/audit.js';
import { answerTo, type Write, type WriteKind } from './journal.js';
import { KEPT, ofTestSend } from './delivery.audit.js';
import type { Load } from './load.js';

/** For each kind of write, the rows of its effect: the id that the answer names, and the mark. $1: the prefix of the marks, or the partners. */
const EFFECTS: Record<Exclude<WriteKind, 'test-send'>, string> = {
  partner: `SELECT id, name AS mark FROM partners WHERE starts_with(name, $1 || '-')`,
  key: `SELECT id, label AS mark FROM api_keys WHERE starts_with(label, $1 || '-') AND scopes = '{read}'`,
  user: `SELECT id, external_id AS mark FROM users WHERE starts_with(external_id, $1 || '-')`,
  webhook: `SELECT id, description AS mark FROM webhook_endpoints WHERE starts_with(description, $1 || '-')`,
  deposit: `SELECT position_id AS id, tx_hash AS mark FROM ledger_entries WHERE type = 'deposit' AND tx_hash LIKE $2`,
  withdrawal: `SELECT position_id AS id, tx_hash AS mark FROM ledger_entries WHERE type = 'withdrawal' AND tx_hash LIKE $2`,
};

/** Deposits by partner, as the ledger has them. */
const DEPOSITED = `
SELECT p.partner_id AS id, sum(e.amount)::text AS amount FROM ledger_entries e JOIN positions p ON p.id = e.position_id
 WHERE e.type = 'deposit' AND p.partner_id = ANY($1) GROUP BY 1`;

/** Test sends: each has an event of its own, sent to one endpoint. */
const TEST_SENDS = `
SELECT d.id FROM deliveries d JOIN events e ON e.id = d.event_id WHERE ${ofTestSend('e')} AND d.partner_id = ANY($1)`;

/** Partners with the full number of kept deliveries, whose older ones may have been pruned. */
const FULL = `SELECT partner_id AS id FROM deliveries WHERE partner_id = ANY($1) GROUP BY 1 HAVING count(*) >= $2`;

/** Events and the ledger entries that raised them. */
const EVENTS = `
WITH raised AS (
  SELECT envelope #>> '{data,id}' AS id, type, count(*) AS times FROM events WHERE partner_id = ANY($1) AND type LIKE 'position.%' GROUP BY 1, 2
), due AS (
  SELECT e.position_id AS id, rule.event AS type, count(*) AS times
    FROM ledger_entries e JOIN positions p ON p.id = e.position_id
    JOIN (VALUES ('deposit', 'position.opened'), ('withdrawal', 'position.withdrawn'), ('rebalance', 'position.rebalanced')) AS rule(entry, event)
      ON rule.entry = e.type
   -- The move into the first yield vault is told as such.
   WHERE p.partner_id = ANY($1) AND NOT (e.type = 'rebalance' AND e.at = p.active_at) GROUP BY 1, 2
  UNION ALL
  SELECT id, 'position.active', 1 FROM positions WHERE partner_id = ANY($1) AND active_at IS NOT NULL
  UNION ALL
  SELECT id, 'position.closed', 1 FROM positions WHERE partner_id = ANY($1) AND status = 'closed'
)
SELECT format('%s of %s was raised %s times, not %s', type, id, coalesce(raised.times, 0), coalesce(due.times, 0)) AS trouble
  FROM raised FULL JOIN due USING (id, type) WHERE raised.times IS DISTINCT FROM due.times`;

/** @returns a sentence for each acknowledged write that does not exist exactly once, and for each that exists without an acknowledgement */
export async function writeTroubles(database: Database, load: Load): Promise<string[]> {
  const partnerIds = load.accounts.map(({ partnerId }) => partnerId);
  const troubles: string[] = [];
  for (const [kind, sql] of Object.entries(EFFECTS) as [WriteKind, string][]) {
    const hashes = `0x%${Buffer.from(`${load.name}-`).toString('hex')}%`;
    const values = sql.includes('$2') ? [load.name, hashes] : [load.name];
    // PostgreSQL cannot infer the type of an unused parameter, so it is used.
    const text = sql.includes('$2') ? sql.replace('$2', '$2 AND $1::text IS NOT NULL') : sql;
    const rows = await database.sql<{ id: string; mark: string }>(text, values);
    troubles.push(...unequal(kind, load.journal.of(kind), rows));
  }
  const sends = await database.sql<{ id: string }>(TEST_SENDS, [partnerIds]);
  const full = new Set((await database.sql<{ id: string }>(FULL, [partnerIds, KEPT])).map(({ id }) => id));
  const maybePruned = load.accounts
    .filter(({ partnerId }) => full.has(partnerId))
    .map(({ secret }) => secret);
  const stored = sends.map(({ id }) => id);
  const answered = load.journal.of('test-send').flatMap((write) => {
    const id = answerTo(write)?.data.id;
    return id === undefined || (maybePruned.includes(write.secret) && !stored.includes(id)) ? [] : [id];
  });
  troubles.push(...difference('test send', answered, stored));
  const deposited = await database.sql<{ id: string; amount: string }>(DEPOSITED, [partnerIds]);
  for (const { partnerId } of load.accounts) {
    const said = deposited.find(({ id }) => id === partnerId)?.amount ?? '0';
    const sum = String(depositedBy(load, partnerId));
    if (said !== sum) troubles.push(`${partnerId}: the ledger says ${said} came in, the answers were ${sum}`);
  }
  const events = await database.sql<{ trouble: string }>(EVENTS, [partnerIds]);
  return [...troubles, ...events.map(({ trouble }) => trouble)];
}

/** Micro-units. */
function depositedBy({ journal, accounts }: Load, partnerId: string): bigint {
  const account = accounts.find((account) => account.partnerId === partnerId)!;
  const users = new Set(account.userIds);
  for (const write of journal.of('user')) {
    const answer = answerTo(write);
    if (answer && write.secret === account.secret) users.add(answer.data.id);
  }
  return journal
    .of('deposit')
    .filter((write) => answerTo(write) && users.has((write.body as { user_id: string }).user_id))
    .reduce((sum, { body }) => sum + BigInt((body as { amount: number }).amount) * 1_000_000n, 0n);
}

function unequal(
  kind: string,
  writes: readonly Write[],
  rows: readonly { id: string; mark: string }[],
): string[] {
  const told = writes.flatMap((write) => {
    const answer = answerTo(write);
    const id = kind === 'partner' ? answer?.data.partner.id : answer?.data.id;
    return answer ? [`${write.mark} ${id}`] : [];
  });
  return difference(
    kind,
    told,
    rows.map(({ id, mark }) => `${mark} ${id}`),
  );
}

/** Both lists must be without duplicates. */
function difference(what: string, told: readonly string[], stored: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const id of stored) times.set(id, (times.get(id) ?? 0) + 1);
  const lost = told.filter((id) => !times.has(id)).map((one) => `${what} ${one}: acknowledged, and lost`);
  const twice = [...times].filter(([, count]) => count > 1).map(([id]) => `${what} ${id}: written twice`);
  const acknowledgedIds = new Set(told);
  const unknown = [...times.keys()]
    .filter((id) => !acknowledgedIds.has(id))
    .map((id) => `${what} ${id}: never acknowledged`);
  return [...lost, ...twice, ...unknown];
}
