import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import * as markets from '../../src/domain/markets/hours/market-retention.queries.js';
import { statements, type Statement } from '../../src/domain/kernel/store/statement.js';
import { EVENT_TYPES } from '../../src/domain/outbound/webhooks/event-type.js';
import * as history from '../../src/domain/outbound/webhooks/event-history.queries.js';
import * as webhooks from '../../src/domain/outbound/webhooks/webhook-retention.queries.js';
import { Account } from '../sandbox/account.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { statementsDuring } from '../support/statements.js';
import { type Explained, rowsRead } from '../reports/plan.js';
import { addDeliveries, addEvents, type Asked } from './rows.js';

const KEPT = 100;
const HOURS = 200;
const OTHERS = 60;
const BATCH = 10;

/** A market for each of the first partners, with so many hours of two vaults. */
const MARKETS = `
WITH made AS (
  INSERT INTO markets (id, owner_id, ticked_hour) SELECT id, id, date_trunc('hour', now(), 'UTC') FROM partners WHERE id = ANY($1) RETURNING *
), states AS (
  INSERT INTO vault_states (market_id, vault_id, share_index) SELECT id, vault, 1 FROM made, unnest(array['a', 'b']) AS vault
), regime AS (
  INSERT INTO regimes (market_id, asset, hour, regime, candidate_hours, observations)
  SELECT id, asset, ticked_hour, 'stable', 0, 0 FROM made, unnest(array['*', 'USDC', 'USDT']) AS asset
), points AS (
  INSERT INTO blended_points (market_id, asset, hour, vaults)
  SELECT id, asset, ticked_hour - n * interval '1 hour', 2 FROM made, unnest(array['USDC', 'USDT']) AS asset, generate_series(0, $2::int) AS n
)
INSERT INTO snapshots (market_id, vault_id, hour, share_index)
SELECT id, vault, ticked_hour - n * interval '1 hour', 1 FROM made, unnest(array['a', 'b']) AS vault, generate_series(0, $2::int) AS n`;

/** Rows to remove are found by an index: rows of others, and rows that are kept, are not read. */
describe('a batch reads what it removes and little else', () => {
  let app: TestApp;
  let asked: Asked;
  let owner: string;
  let client: Client;

  beforeAll(async () => {
    app = await startFreshApp('sandbox');
    asked = { sql: (text, values) => app.database.query('sandbox', text, values) };
    const partners = await asked.sql<{ id: string }>(
      `INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at)
       SELECT 'ptn_' || lpad(n::text, 26, '0'), n::text, 'active', 0, 0, '{}', now(), now() FROM generate_series(1, $1::int) AS n RETURNING id`,
      [OTHERS],
    );
    const ids = partners.map(({ id }) => id);
    owner = ids[30]!;
    for (const id of ids) await addDeliveries(asked, id, id.slice(-3), KEPT + 5);
    await addEvents(asked, 'unshown', 50, { hoursAgo: 60 });
    await addEvents(asked, 'young', 5000, { hoursAgo: 1 });
    await asked.sql(MARKETS, [ids, HOURS]);
    await asked.sql(
      `INSERT INTO idempotency_claims (key_id, scope, route, key, fingerprint, claimed_at)
       SELECT (SELECT min(id) FROM api_keys), 's', 'r', n::text, '', now() - n * interval '1 minute' FROM generate_series(1, 5000) AS n`,
    );
    client = new Client({ connectionString: app.database.url, options: '-c search_path=sandbox' });
    await client.connect();
    await client.query('ANALYZE');
  });
  afterAll(async () => {
    await client.end();
    await app.close();
  });

  const explain = async (
    { text }: Pick<Statement, 'text'>,
    values: readonly unknown[],
  ): Promise<Map<string, number>> => {
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [...values],
    );
    return rowsRead(rows[0]!['QUERY PLAN'][0]!);
  };
  /** Rows read of each table by a statement that is rolled back. */
  const read = async (
    statement: Pick<Statement, 'text'>,
    values: readonly unknown[],
  ): Promise<Record<string, number>> => {
    await client.query('BEGIN');
    try {
      return Object.fromEntries(await explain(statement, values));
    } finally {
      await client.query('ROLLBACK');
    }
  };

  // A removed row is read a few times: found, locked, deleted.
  const few = 4 * BATCH;

  it('deliveries of a partner', async () => {
    const rows = await read(webhooks.PRUNE_DELIVERIES, [owner, KEPT, BATCH, 0]);
    expect(rows['deliveries']).toBeLessThanOrEqual(KEPT + few);
    expect(rows['events'] ?? 0).toBeLessThanOrEqual(few);
    expect(rows['idempotency_claims'] ?? 0).toBeLessThanOrEqual(few);
  });

  it('partners that have too many', async () => {
    const rows = await read(webhooks.FIND_CROWDED, ['', BATCH, KEPT]);
    expect(rows['deliveries']).toBeLessThanOrEqual(BATCH * (KEPT + 1));
    expect(rows['partners']).toBeLessThanOrEqual(BATCH);
  });

  it('events', async () => {
    const rows = await read(webhooks.PRUNE_EVENTS, ['-infinity', '', 1, BATCH]);
    expect(rows['events']).toBeLessThanOrEqual(10 * BATCH); // Rows of one millisecond are sorted.
    expect(rows['deliveries'] ?? 0).toBeLessThanOrEqual(few);
  });

  it('a page of events, and of what an endpoint has missed, whatever there is beside', async () => {
    await asked.sql(
      `INSERT INTO undelivered SELECT event_id, webhook_id, partner_id, 'system.status', clock_timestamp() - interval '48 hours' FROM deliveries`,
    );
    await asked.sql(
      `INSERT INTO webhook_endpoints (id, partner_id, url, events, secret_sealed, secret_masked, active, created_at, updated_at)
       SELECT id, partner_id, 'http://hooks.acme.example/', '{system.status}', '', '', true, now(), now()
         FROM (SELECT DISTINCT webhook_id AS id, partner_id FROM deliveries) AS those`,
    );
    await client.query('ANALYZE');
    const values = [owner, 30, new Date(), '-infinity', '', BATCH + 1, EVENT_TYPES];
    const page = await read(history.LIST_EVENTS, values);
    expect(page['events']).toBeLessThanOrEqual(10 * BATCH);
    expect(page['deliveries']).toBeLessThanOrEqual(few);
    const missed = await read(history.LIST_UNDELIVERED, [...values, `wh_${owner.slice(-3)}`]);
    expect(missed['undelivered']).toBeLessThanOrEqual(few);
    expect(missed['events']).toBeLessThanOrEqual(few);
    expect(missed['deliveries']).toBeLessThanOrEqual(few);
    // The index finds a rare type without scanning the others.
    const [rare] = EVENT_TYPES.filter((type) => type === 'position.closed');
    const none = [...values.slice(0, 6), [rare]];
    expect((await read(history.LIST_EVENTS, none))['events'] ?? 0).toBeLessThanOrEqual(5);
    const unmissed = await read(history.LIST_UNDELIVERED, [...none, `wh_${owner.slice(-3)}`]);
    expect(unmissed['undelivered'] ?? 0).toBeLessThanOrEqual(5);
  });

  it('idempotency keys', async () => {
    const rows = await read(statements.get('idempotency.prune')!, [24, BATCH]);
    expect(rows['idempotency_claims']).toBeLessThanOrEqual(few);
  });

  it('hours of a market', async () => {
    expect((await read(markets.PRUNE_SNAPSHOTS, [owner, 100, BATCH]))['snapshots']).toBeLessThanOrEqual(few);
    expect((await read(markets.PRUNE_POINTS, [owner, 100, BATCH]))['blended_points']).toBeLessThanOrEqual(
      few,
    );
    const found = await read(markets.FIND_AGED, ['', 100, BATCH]);
    expect(found['snapshots']).toBeLessThanOrEqual(2 * BATCH);
  });

  it('a reset: the account alone, whatever others have', async () => {
    const [first, second] = [await Account.open(app), await Account.open(app)];
    for (const account of [first, second]) {
      await account.deposit(1_000);
      await account.advance(25);
      await addDeliveries(asked, account.id, account.id.slice(-8), KEPT);
    }
    await client.query('ANALYZE');
    const sent = await statementsDuring(() => first.reset());
    const deletions = sent.filter(({ name }) => name?.startsWith('accounts.'));
    expect(deletions.length).toBeGreaterThan(20);
    const sum: Record<string, number> = {};
    await client.query('BEGIN');
    for (const { text, values } of deletions)
      for (const [table, rows] of await explain(
        { text },
        values.map((one) => (one === first.id ? second.id : one)),
      ))
        sum[table] = (sum[table] ?? 0) + rows;
    await client.query('ROLLBACK');
    const bounds: Record<string, number> = {
      deliveries: 3 * KEPT,
      events: 4 * KEPT,
      moves: 20,
      decisions: 20,
      positions: 20,
      ledger_entries: 40,
      snapshots: 2 * 8 * (720 + 26),
      blended_points: 2 * 2 * (720 + 26),
    };
    for (const [table, most] of Object.entries(bounds))
      expect([table, (sum[table] ?? 0) <= most, sum[table]]).toEqual([table, true, sum[table]]);
  });
});
