import { decide } from '../../src/domain/routing/allocation/choice.js';
import type { Decision } from '../../src/domain/routing/allocation/decision.js';
import { RecordExpander } from '../../src/domain/routing/allocation/decision-log.js';
import { RECORD } from '../../src/domain/routing/allocation/decision.queries.js';

/** Runs SQL; integers of any size are returned as strings. */
export interface Database {
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * Compares each position with the sums of its entries and with its last entry. The value at that entry must be the value in the books, or one
 * micro-unit less after a withdrawal. What was received beyond a deposit is a second one, after the funds entered their vault.
 */
const LEDGER = `
WITH sums AS (
  SELECT position_id AS id, count(*) FILTER (WHERE type = 'deposit') AS deposits, sum(amount) FILTER (WHERE type = 'deposit') AS deposited,
         coalesce(sum(amount) FILTER (WHERE type = 'withdrawal'), 0) AS withdrawn, count(*) FILTER (WHERE type = 'withdrawal') AS withdrawals,
         coalesce(sum(amount) FILTER (WHERE type = 'yield_accrual'), 0) AS accrued, count(*) FILTER (WHERE type = 'rebalance') AS moves, sum(cost) AS costs,
         max(share_index) FILTER (WHERE type = 'deposit') AS opened,
         (array_agg(type ORDER BY at DESC, id DESC))[1] AS type, (array_agg(share_index ORDER BY at DESC, id DESC))[1] AS index
    FROM ledger_entries GROUP BY 1
), known AS (
  SELECT id, p, e, (e.deposits = 1 OR (e.deposits = 2 AND e.moves > 0)) AND e.deposited = p.deposited AND e.withdrawn = p.withdrawn AND e.withdrawals = p.withdrawals AS flows,
         e.moves > 0 OR e.withdrawals > 0 OR p.shares = div(p.deposited * 1e30 + e.opened - 1, e.opened) AS shares, e.accrued = p.accrued AND e.costs = p.costs AS accruals,
         p.deposited - p.withdrawn + p.accrued - p.costs - div(p.shares * e.index, 1e30) AS gap, e.type AS type,
         p.closed_at IS NULL OR (p.lending_shares = 0 AND p.hold_shares = 0) AS ended,
         (e.moves > 0 OR (p.shares = p.hold_shares AND p.settled_hold = 0))
           AND (e.moves > 0 OR p.vault_id <> p.lending_vault_id OR (p.shares = p.lending_shares AND p.settled_lending = 0)) AS baselines
    FROM positions p FULL JOIN sums e USING (id)
)
SELECT format('position %s: %s', id, problem) AS trouble
  FROM known CROSS JOIN LATERAL (VALUES
    (known.p IS NULL OR known.e IS NULL, 'has no entries, or its entries have no position'),
    (NOT flows, format('%s, but its entries say %s', p, e)),
    (NOT shares, 'has other shares than its deposit bought'),
    (NOT accruals, 'its accruals or its costs are not the sums of its entries'),
    (gap NOT IN (0, 1) OR (gap = 1 AND type <> 'withdrawal'), format('the books say %s more than it was worth', gap)),
    (NOT ended, 'is closed, and its uplift goes on'),
    (NOT baselines, 'was never moved, but is not what its baseline is')
  ) AS rule(broken, problem)
 WHERE broken
UNION ALL
SELECT format('entry %s: settled at a share of %s, not at what was in force before it', e.id, e.share_bps)
  FROM ledger_entries e JOIN positions p ON p.id = e.position_id
 WHERE e.type = 'yield_accrual' AND e.share_bps <> (
         SELECT revenue_share_bps FROM partner_terms t WHERE t.partner_id = p.partner_id
          ORDER BY t.from_at < e.at DESC, CASE WHEN t.from_at < e.at THEN t.from_at END DESC, t.from_at LIMIT 1)
UNION ALL
SELECT format('revenue of %s in %s: %s in all, its sums come to %s of a base of %s, of gains of %s', a.user_id, a.asset, a.total_fee, s.fee, s.base, e.gained)
  FROM revenue_accounts a
 CROSS JOIN LATERAL (SELECT coalesce(sum((one->>'base')::numeric), 0) AS base, coalesce(sum((one->>'fee')::numeric), 0) AS fee,
                            bool_and((one->>'fee')::numeric = div((one->>'base')::numeric * (one->>'performanceFeeBps')::numeric + 9999, 10000)) AS exact
                       FROM jsonb_array_elements(a.sums) AS one) AS s
  LEFT JOIN (SELECT user_id, asset, sum(amount) FILTER (WHERE type = 'yield_accrual' AND amount > 0) AS gained
               FROM ledger_entries WHERE revenue_place IS NOT NULL GROUP BY 1, 2) AS e USING (user_id, asset)
 WHERE a.total_fee <> s.fee OR NOT coalesce(s.exact, true) OR s.base > coalesce(e.gained, 0)
UNION ALL
SELECT format('revenue of %s in %s: %s, its entries say %s', a.user_id, a.asset, ROW(a.total_fee, a.total_partner, a.carried_loss), e.sums)
  FROM revenue_accounts a
 CROSS JOIN LATERAL (SELECT ROW(coalesce(sum(fee), 0), coalesce(sum(partner_revenue), 0), coalesce(sum(carried_loss), 0)) AS sums
                       FROM ledger_entries WHERE user_id = a.user_id AND asset = a.asset) AS e
 WHERE ROW(a.total_fee, a.total_partner, a.carried_loss) <> e.sums
UNION ALL
SELECT format('entry %s: booked at %s after one of %s', id, recorded_at, before)
  FROM (SELECT id, recorded_at, lag(recorded_at) OVER (PARTITION BY partner_id ORDER BY id) AS before FROM ledger_entries) AS e
 WHERE recorded_at < before`;

/**
 * Compares each entry with the index path of its vault: the entry's index is the index at its own millisecond, whenever the hour was added. So no
 * position gains more than the index.
 */
const INDEXES = `
SELECT format('entry %s at %s: an index of %s, the path of %s says %s', e.id, e.at, e.share_index, e.vault_id, s.share_index + whole.part - less.one) AS trouble
  FROM ledger_entries e JOIN positions p ON p.id = e.position_id
  JOIN snapshots s ON s.market_id = p.market_id AND s.vault_id = e.vault_id AND s.hour = date_trunc('hour', e.at, 'UTC')
 CROSS JOIN LATERAL (SELECT s.share_index * s.factor * (extract(epoch FROM e.at - s.hour) * 1000)::numeric(10, 0) AS grown) AS g
 CROSS JOIN LATERAL (SELECT div(grown, 3600000000000000000000000) AS part) AS whole
 CROSS JOIN LATERAL (SELECT (grown < 0 AND grown % 3600000000000000000000000 <> 0)::int AS one) AS less
 WHERE e.share_index <> s.share_index + whole.part - less.one`;

/** The inputs of each partner's reports; and under no partner the market series and the figures derived from it. */
const FIGURES = `
SELECT id, md5(string_agg(row, '|' ORDER BY row)) AS figures
  FROM (SELECT partner_id AS id, t::text AS row FROM book_shares t UNION ALL SELECT partner_id, t::text FROM book_totals t
        UNION ALL SELECT partner_id, t::text FROM book_points t
        UNION ALL SELECT partner_id, t::text FROM book_revenue t
        UNION ALL SELECT 'market', t::text FROM blended_points t
        UNION ALL SELECT 'market', t::text FROM regimes t
        UNION ALL SELECT 'market', t::text FROM signals t
        UNION ALL SELECT 'market', t::text FROM yield_thresholds t) AS rows
 GROUP BY id`;

/** A decision is large and never updated: the row version (xmin) stands for its text. */
const TABLES = `
SELECT string_agg(CASE relname
                    WHEN 'decisions' THEN 'SELECT ''decisions'' AS name, md5(string_agg(format(''%s %s %s'', id, ctid, xmin), ''|'' ORDER BY id)) AS rows FROM decisions'
                    ELSE format('SELECT %L AS name, md5(string_agg(t::text, ''|'' ORDER BY t::text)) AS rows FROM %I t', relname, relname)
                  END, ' UNION ALL ' ORDER BY relname) AS sql
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

/** @returns a sentence for each rule that the ledger breaks, beside those that `vaultline ledger verify` checks */
export async function troubles(database: Database): Promise<string[]> {
  const rows = [
    ...(await database.sql<{ trouble: string }>(LEDGER)),
    ...(await database.sql<{ trouble: string }>(INDEXES)),
  ];
  return rows.map(({ trouble }) => trouble);
}

/**
 * @param checked ids of decisions that were checked before and are skipped, since a decision never changes; the ids checked now are added
 * @returns a sentence for each stored decision of the partners that a replay of its inputs does not reproduce
 */
export async function decisionTroubles(
  database: Database,
  partnerIds: readonly string[],
  checked = new Set<string>(),
): Promise<string[]> {
  const rows = await wholeDecisions<{ id: string }>(
    database,
    'd.id',
    'd.partner_id = ANY($1) AND d.id <> ALL($2)',
    [partnerIds, [...checked]],
  );
  for (const { id } of rows) checked.add(id);
  return rows
    .filter(({ record }) => JSON.stringify(decide(record.inputs)) !== JSON.stringify(record))
    .map(({ id }) => `decision ${id}: its inputs make another one`);
}

/** The inputs of each partner's reports by partner id, and those of the market under `market`: equal strings are equal figures. */
export async function figures(database: Database): Promise<Map<string, string>> {
  const rows = await database.sql<{ id: string; figures: string }>(FIGURES);
  return new Map(rows.map((row) => [row.id, row.figures]));
}

/** Decisions `d` of a condition as they were made, by id. @param columns of each, beside its record */
export async function wholeDecisions<Row extends object>(
  database: Database,
  columns: string,
  condition: string,
  values: unknown[],
): Promise<(Row & { record: Decision })[]> {
  const rows = await database.sql<Row & Parameters<RecordExpander['expand']>[0]>(
    `SELECT ${columns}, ${RECORD} FROM decisions d WHERE ${condition} ORDER BY d.id`,
    values,
  );
  const records = new RecordExpander();
  return rows.map((row) => records.expand(row) as unknown as Row & { record: Decision });
}

/** Every row of every table: equal results are equal databases. */
export async function wholeState(database: Database): Promise<unknown> {
  const [tables] = await database.sql<{ sql: string }>(TABLES);
  return database.sql(`${tables!.sql} ORDER BY name`);
}
