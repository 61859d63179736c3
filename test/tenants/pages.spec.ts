import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Account } from '../sandbox/account.js';
import type { Api } from '../support/api.js';
import { DecisionLog } from '../../src/domain/routing/allocation/decision-log.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';

/** About 1 MB: the most of a page, with its last row and its frame. */
const PAGE = 1_100_000;
const ROWS = 120;

interface Walk {
  ids: string[];
  /** Bytes of each page. */
  sizes: number[];
}

async function walk(api: Api, path: string): Promise<Walk> {
  const walked: Walk = { ids: [], sizes: [] };
  for (let cursor = ''; ;) {
    const mark = path.includes('?') ? '&' : '?';
    const { status, text, body } = await api.get(`${path}${mark}limit=500${cursor}`);
    expect(status).toBe(200);
    walked.ids.push(...body.data.map(({ id }: { id: string }) => id));
    walked.sizes.push(Buffer.byteLength(text));
    if (!body.meta.has_more) return walked;
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
}

/** Checks that a list is complete and in order, and that each page but the last is about a megabyte. */
function expectBounded({ ids, sizes }: Walk, expected: string[], inAll: number): void {
  expect(ids).toEqual(expected);
  expect(sizes.filter((size) => size > PAGE)).toEqual([]);
  expect(sizes.length).toBeGreaterThan(1);
  // All pages but the last are full: a page ends no earlier than it must.
  expect(sizes.slice(0, -1).filter((size) => size < 700_000)).toEqual([]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(inAll);
}

/** `rows` ids, newest first, each with its own time. */
const idsOf = (prefix: string, behind = 0): string[] =>
  Array.from({ length: ROWS }, (_, n) => `${prefix}_${String(behind + ROWS - n).padStart(26, '0')}`);

/** In the sandbox, where an account makes a decision to copy; the pages of both contracts are of one making. */
describe('a page of', () => {
  let app: TestApp;
  let account: Account;

  beforeAll(async () => {
    app = await startApp('sandbox', { RATE_LIMIT_PER_MINUTE: '0' }, undefined, shortMarkets);
    account = await Account.open(app);
  });
  afterAll(() => app.close());

  it('A page of deliveries of 60 kB each ends at about 1 MB, whatever its limit', async () => {
    // Text that PostgreSQL compresses to a hundredth: the size of the answer counts.
    await app.sql(
      `WITH made AS (
         SELECT lpad(n::text, 26, '0') AS tail, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 millisecond' AS at
           FROM generate_series(1, $2::int) AS n
       ), recorded AS (
         INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT 'evt_' || tail, $1, 'system.status',
                json_build_object('id', 'evt_' || tail, 'type', 'system.status', 'created_at', at, 'data',
                  json_build_object('message', repeat('a', 60000))), at, true FROM made
       )
       INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, at, claimed_at)
       SELECT 'del_' || tail, 'evt_' || tail, 'wh_x', $1, 'delivered', 1, 'http://hooks.acme.example/', 't=1,v1=0', at, at FROM made`,
      [account.id, ROWS],
    );
    expectBounded(await walk(account.api, '/webhooks/events'), idsOf('del'), ROWS * 60_000);
  });

  it('A page of partners with the largest metadata ends there as well', async () => {
    await app.sql(
      `INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at)
       SELECT 'ptn_' || lpad(n::text, 26, '0'), 'Row', 'active', 0, 0, jsonb_build_object('note', repeat('ü', 12000)), at, at
         FROM generate_series(1, $1::int) AS n, LATERAL (SELECT timestamptz '2025-01-01' + n * interval '1 second' AS at) AS t`,
      [ROWS],
    );
    const walked = await walk(app.admin, '/partners');
    const others = walked.ids.length - ROWS;
    expectBounded({ ...walked, ids: walked.ids.slice(others) }, idsOf('ptn'), ROWS * 24_000);
  });

  /** Copies of a decision, each of which an entry of its position names. @param record its SQL @param marketId likewise */
  const copyDecision = (id: string, record: string, marketId: string, behind = 0, ...values: unknown[]) =>
    app.sql(
      `WITH made AS (
         INSERT INTO decisions (id, market_id, partner_id, kind, asset, user_id, position_id, positions, to_vault_id, hour, record, at, decision_market_id)
         SELECT 'dec_' || lpad((n + $3::int)::text, 26, '0'), market_id, partner_id, kind, asset, user_id, position_id, positions, to_vault_id, hour,
                ${record}, at - interval '1 day' + n * interval '1 second', ${marketId}
           FROM decisions, generate_series(1, $2::int) AS n WHERE id = $1
         RETURNING id, at)
       INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, from_vault_id, amount, cost, apy, share_index, from_index, decision_id)
       SELECT 'evt' || substr(made.id, 4), made.at, made.at, 'rebalance', e.partner_id, e.user_id, e.position_id, e.asset, e.vault_id, e.vault_id, 1, 0, 0, 1, 1, made.id
         FROM made, ledger_entries e WHERE e.decision_id = $1`,
      [id, ROWS, behind, ...values],
    );

  it('A page of decisions ends there as well, however they are filtered', async () => {
    const { id: positionId } = await account.deposit(1_000);
    const [decision] = await account.list('/analytics/decisions');
    await copyDecision(decision.id, 'record', 'decision_market_id');
    const all = [decision.id, ...idsOf('dec')];
    const bytes = Buffer.byteLength(JSON.stringify(decision));
    for (const filter of ['', `?position_id=${positionId}`, `?user_id=${account.userId}`])
      expectBounded(await walk(account.api, `/analytics/decisions${filter}`), all, (ROWS * bytes * 4) / 5);
    const summaries = await walk(account.api, '/analytics/decisions?view=summary');
    expect([summaries.ids, summaries.sizes.length]).toEqual([all, 1]);
    expect(summaries.sizes[0]).toBeLessThan(ROWS * 1_200);
  });

  it('A page of decisions whose records are whole ends there as well', async () => {
    const another = await Account.open(app);
    await another.deposit(1_000);
    const [decision] = await another.list('/analytics/decisions');
    const { record } = await app.application.get(DecisionLog).find(decision.id);
    // As many candidates as with a catalogue of 50 vaults.
    const many = `jsonb_set($4::jsonb, '{alternatives}', (SELECT jsonb_agg(one) FROM jsonb_array_elements($4::jsonb->'alternatives') AS one,
                  generate_series(1, (26000 / (SELECT octet_length($4::jsonb->>'alternatives')))::int)))::json`;
    await copyDecision(decision.id, many, 'NULL', ROWS, JSON.stringify(record));
    const { ids, sizes } = await walk(another.api, '/analytics/decisions');
    expectBounded({ ids, sizes }, [decision.id, ...idsOf('dec', ROWS)], ROWS * 20_000);
  });
});
