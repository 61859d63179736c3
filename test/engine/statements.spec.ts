import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { recordOf } from '../../src/domain/kernel/store/column.js';
import { statements } from '../../src/domain/kernel/store/statement.js';
import { Engine } from '../support/engine.js';

describe('every SQL query', () => {
  /** A plan of PostgreSQL's EXPLAIN. */
  interface Plan {
    'Node Type': string;
    'Relation Name'?: string;
    'Index Cond'?: string;
    'Recheck Cond'?: string;
    Filter?: string;
    Plans?: Plan[];
  }
  /** Statements that read whole tables by design: the verifier reads everything, page by page; a reset of a sandbox account deletes everything. */
  const WHOLE = /^(ledger\.|accounts\.delete_all\.)/;
  const growing = /^(positions|ledger_entries_2026_0[12]|decisions|settlements|users|snapshots)$/;
  let engine: Engine;

  beforeAll(async () => {
    engine = await Engine.start('partner');
    await engine.hours();
    await engine.sql(SEED);
    await engine.sql('ANALYZE');
    // Generic plans: the values here are null, and partition pruning would leave no partition for them.
    await engine.sql('SET plan_cache_mode = force_generic_plan; SET enable_partition_pruning = off');
  }, 60_000);
  afterAll(() => engine.stop());

  /** @param values absent: a plan for any */
  const planOf = async (name: string, text: string, values?: string): Promise<Plan> => {
    await engine.sql(`PREPARE explained AS ${text}`);
    const { parameters } = await engine.row<{ parameters: number }>(
      `SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name = 'explained'`,
    );
    const nulls = Array.from({ length: parameters }, () => 'NULL').join(', ');
    const explained = await engine.row<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE explained${parameters > 0 ? `(${values ?? nulls})` : ''}`,
    );
    await engine.sql('DEALLOCATE explained');
    const [plan] = explained['QUERY PLAN'];
    if (!plan) throw new Error(`${name} has no plan.`);
    return plan.Plan;
  };
  /** A scan that walks along an index until it meets a partner's rows is no better than a scan of the table. */
  const readsAll = (plan: Plan): boolean => {
    const owner = /\b(user|partner|position|decision)_id = /;
    const within = plan['Index Cond'] ?? plan['Recheck Cond'] ?? '';
    return (
      plan['Node Type'] === 'Seq Scan' ||
      (owner.test(plan.Filter ?? '') && !owner.test(within) && !/\b(external_)?id = /.test(within))
    );
  };
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  it('Every SQL query has the parameter and column types that its declaration states', async () => {
    const typesOf = (columns: object): Record<string, string> =>
      Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, type]));
    for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' }))
      if (/(?<!spec)\.ts$/.test(file) && readFileSync(`src/${file}`, 'utf8').includes('statement('))
        await import(`../../src/${file.replace(/ts$/, 'js')}`);
    const wrong: unknown[] = [];
    for (const { name, text, shape } of statements.values()) {
      const declared = {
        values: shape.values.map(({ type }) => type),
        row: typesOf({ ...shape.row, ...shape.joined }),
      };
      const described = await engine.described(text);
      if (!isDeepStrictEqual(described, declared)) wrong.push({ name, described, declared });
    }
    expect(wrong).toEqual([]);
  });

  it('Every SQL query uses entities with the types, nullability, keys and mandatory columns of their tables', async () => {
    const tables = engine.context.get(DataSource).entityMetadatas;
    expect(tables.length).toBeGreaterThan(10);
    for (const { target, tableName, columns } of tables) {
      const types = recordOf(target as new () => Record<string, unknown>);
      const declared = columns.map(({ databaseName, propertyName, isNullable, isPrimary }) =>
        [databaseName, types[propertyName]?.type, isNullable, isPrimary].join(' '),
      );
      const actual = await engine.sql<{ name: string; optional: boolean; column: string }>(
        `SELECT attname AS name, NOT attnotnull OR atthasdef OR attidentity <> '' AS optional,
                concat_ws(' ', attname, format_type(atttypid, NULL), (NOT attnotnull)::text,
                  EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisprimary AND attnum = ANY (indkey))::text) AS "column"
           FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        [tableName],
      );
      const columnNames = new Set(columns.map(({ databaseName }) => databaseName));
      const wanted = actual.filter(({ name, optional }) => columnNames.has(name) || !optional);
      expect([tableName, ...declared.sort()]).toEqual([
        tableName,
        ...wanted.map(({ column }) => column).sort(),
      ]);
    }
  });

  it('Every SQL query scans no whole table that grows with positions in its generic plan', async () => {
    const reading: string[] = [];
    const touched = new Set<string>();
    for (const { name, text, shape } of statements.values()) {
      if (WHOLE.test(name) || shape.isPlannedAnew) continue;
      for (const node of nodesOf(await planOf(name, text))) {
        const relation = node['Relation Name'] ?? '';
        if (!growing.test(relation)) continue;
        touched.add(relation);
        if (readsAll(node)) reading.push(`${name} reads all of ${relation}`);
      }
    }
    expect(reading).toEqual([]);
    // The plans covered every table, and its partitions.
    const expected = ['positions', 'ledger_entries_2026_01', 'ledger_entries_2026_02', 'decisions', 'users'];
    expect([...touched]).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['positions.list', `'infinity', '', NULL, NULL, 51, NULL, NULL`],
    ['positions.list', `'infinity', '', NULL, NULL, 51, 'ptn_1', NULL`],
    ['positions.list', `'infinity', '', NULL, NULL, 51, 'ptn_2', 'usr_1'`],
    ['routing.list_decisions', `'ptn_1', 'infinity', '', NULL, NULL, 51, '-infinity', NULL, NULL`],
    ['routing.list_decisions', `'ptn_2', 'infinity', '', NULL, NULL, 51, '-infinity', 'usr_1', NULL`],
    ['routing.list_decisions', `'ptn_2', 'infinity', '', NULL, NULL, 51, '-infinity', NULL, 'pos_00000001'`],
    ['settlements.list', `'infinity', '', false, 51, NULL, NULL, NULL`],
    ['settlements.list', `'infinity', '', false, 51, 'ptn_1', NULL, NULL`],
    ['settlements.list', `'infinity', '', false, 51, NULL, NULL, 'pos_00000001'`],
  ])('Every SQL query reads no whole table for a page of %s (%s)', async (name, values) => {
    await engine.sql('SET plan_cache_mode = force_custom_plan');
    const nodes = nodesOf(await planOf(name, statements.get(name)!.text, values));
    const scans = nodes.filter((node) => growing.test(node['Relation Name'] ?? '') && readsAll(node));
    expect(scans).toEqual([]);
  });
});

/** 20,000 positions of 50 partners and 5,000 users, with 80,000 entries and 20,000 decisions: well-formed rows whose figures do not matter. */
const SEED = `
SET session_replication_role = replica;
SELECT prepare_ledger('2026-01-15');
INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at)
SELECT 'ptn_' || n, 'P', 'active', 1000, 4000, '{}', '2026-01-01', '2026-01-01' FROM generate_series(1, 50) AS n;
INSERT INTO partner_terms SELECT id, created_at, performance_fee_bps, revenue_share_bps FROM partners ON CONFLICT DO NOTHING;
INSERT INTO users (id, partner_id, external_id, label, metadata, status, created_at, updated_at)
SELECT 'usr_' || n, 'ptn_' || n % 50 + 1, 'seed:' || n, 'U', '{}', 'active', '2026-01-01', '2026-01-01' FROM generate_series(1, 5000) AS n;
INSERT INTO positions (id, market_id, partner_id, user_id, asset, status, vault_id, origin_vault_id, lending_vault_id, slot, shares, lending_shares, hold_shares,
       deposited, withdrawn, accrued, costs, settled_lending, settled_hold, withdrawals, campaign_moment, plain_moment, capital_moment, opened_at, active_at, closed_at,
       accrued_at)
SELECT 'pos_' || lpad(n::text, 8, '0'), 'base', 'ptn_' || n % 50 + 1, 'usr_' || n % 5000 + 1, 'USDC', CASE WHEN n % 4 = 0 THEN 'closed' ELSE 'active' END,
       'vlt_' || n % 7, 'vlt_' || n % 7, 'vlt_0', n % 16, CASE WHEN n % 4 = 0 THEN 0 ELSE 1 END, 1, 1, 10, CASE WHEN n % 4 = 0 THEN 10 ELSE 0 END, 0,
       0, 0, 0, 0, 0, 0, 0, opened, opened, CASE WHEN n % 4 = 0 THEN timestamptz '2026-02-20' END, '2026-02-20'
  FROM generate_series(1, 20000) AS n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '2 minutes 30 seconds' AS opened) AS o;
INSERT INTO revenue_accounts (user_id, asset, partner_id) SELECT 'usr_' || n, 'USDC', 'ptn_' || n % 50 + 1 FROM generate_series(1, 5000) AS n;
INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, amount, cost, apy, share_index, lending_index, hold_index, decision_id, tx_hash)
SELECT 'evt_' || lpad(n::text, 8, '0'), timestamptz '2026-01-01' + n * interval '62 seconds', timestamptz '2026-01-01' + n * interval '62 seconds', 'deposit',
       'ptn_' || (n % 5000 + 1) % 50 + 1, 'usr_' || n % 5000 + 1,
       'pos_' || lpad((n % 20000 + 1)::text, 8, '0'), 'USDC', 'vlt_1', 10, 0, 0.05, 1, 1, 1, 'dec_' || lpad((n % 20000)::text, 8, '0'), null
  FROM generate_series(1, 80000) AS n;
INSERT INTO decisions (id, market_id, partner_id, kind, asset, positions, hour, record, at)
SELECT 'dec_' || lpad(n::text, 8, '0'), 'base', 'ptn_' || n % 50 + 1, CASE WHEN n % 20 = 0 THEN 'hold' ELSE 'route' END, 'USDC', 1,
       date_trunc('hour', timestamptz '2026-01-01' + n * interval '2 minutes 30 seconds'), '{}', timestamptz '2026-01-01' + n * interval '2 minutes 30 seconds'
  FROM generate_series(0, 19999) AS n;
INSERT INTO settlements (id, tx_hash, position_id, recorded_at, partner_id, asset, chain)
SELECT 'set_' || lpad(n::text, 8, '0'), '0x' || lpad(to_hex(n), 64, '0'), 'pos_' || lpad(n::text, 8, '0'), timestamptz '2026-01-01' + n * interval '2 minutes 30 seconds', 'ptn_' || n % 50 + 1, 'USDC', 'ethereum'
  FROM generate_series(1, 20000) AS n;
INSERT INTO snapshots (market_id, vault_id, hour, apy, tvl, share_index)
SELECT 'base', 'vlt_' || v, timestamptz '2025-01-01' + n * interval '1 hour', 0.05, 1, 1 FROM generate_series(0, 6) AS v, generate_series(1, 8000) AS n;
SET session_replication_role = DEFAULT;
`;
