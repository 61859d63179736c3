import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { withDomain } from '../../src/cli/context.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market.service.js';
import { PAGE_OF_SETTLED } from '../../src/domain/books/ledger/ledger-verifier.queries.js';
import { PositionService } from '../../src/domain/books/positions/position.service.js';
import { InsightService } from '../../src/domain/reporting/insight.service.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { UpliftService } from '../../src/domain/reporting/uplift.service.js';
import { YieldHistoryService } from '../../src/domain/reporting/yield-history.service.js';
import { DecisionLog } from '../../src/domain/routing/allocation/decision-log.js';
import { Store } from '../../src/domain/kernel/store/store.js';
import { benchSettings } from '../bench/deployment.js';
import { seed } from '../bench/seed.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { statementsDuring } from '../support/statements.js';
import { type Explained, rowsRead } from './plan.js';

jest.setTimeout(120_000);

const NOW = new Date('2026-11-20T12:34:56.000Z');
const PARTNERS = 5;
/** Enough positions to use each slot of each sum. */
const FEW = 4_000;
const MANY = 5 * FEW;
const PAGE = { limit: 100, after: null };

/** The record of a deposit that went to no vault, which is enough here. */
const RECORD = JSON.stringify({
  kind: 'route',
  reason: 'no_open_vault',
  toVaultId: 'vlt_idle_usdc',
  inputs: { amount: '1', groupAmount: '1', idle: { vaultId: 'vlt_idle_usdc', cost: '0' }, candidates: [] },
  alternatives: [],
});

/** A decision for each position, and the entry that names it. */
const DECISIONS = `
WITH made AS (
  INSERT INTO decisions (id, market_id, partner_id, kind, asset, user_id, position_id, positions, to_vault_id, hour, record, at)
  SELECT 'dec' || substr(id, 4), market_id, partner_id, 'route', asset, user_id, id, 1, vault_id, date_trunc('hour', opened_at), '${RECORD}', opened_at
    FROM positions
)
INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, from_vault_id, amount, cost, apy, share_index, from_index, decision_id)
SELECT 'evt_moved' || substr(id, 4), opened_at, opened_at, 'rebalance', partner_id, user_id, id, asset, vault_id, vault_id, 1, 0, 0, 1, 1, 'dec' || substr(id, 4)
  FROM positions`;

/** Market data of 30 days: a blended point for each asset and hour, signals, regimes. */
const MARKET = `
WITH points AS (
  INSERT INTO blended_points (market_id, asset, hour, apy, tvl, vaults)
  SELECT DISTINCT s.market_id, p.asset, s.hour, 0.04, 1, 1 FROM snapshots s JOIN (SELECT DISTINCT asset, vault_id FROM positions) p USING (vault_id)
), regime AS (
  INSERT INTO regimes (market_id, asset, hour, regime, candidate_hours, observations)
  SELECT id, asset, ticked_hour, 'stable', 0, 168 FROM markets, unnest(array['*', 'USDC', 'USDT0']) AS asset
)
INSERT INTO signals (market_id, vault_id, hour, apy, mean_apy, insufficient_history, observations)
SELECT market_id, vault_id, observed_hour, last_apy, last_apy, true, 168 FROM vault_states`;

/** Ids of a partner to ask for. */
interface Asked {
  partnerId: string;
  userId: string;
  positionId: string;
}

type Ask = (context: INestApplicationContext, asked: Asked) => Promise<unknown>;
const report =
  (name: 'summary' | 'deposits' | 'withdrawals' | 'tvl' | 'yield' | 'points' | 'revenue'): Ask =>
  (context, { partnerId }) =>
    context.get(ReportService)[name](partnerId);

/** The requests of each report, and the number of its statements. */
const OF_PARTNER: Record<string, { statements: number; ask: Ask }> = {
  summary: { statements: 2, ask: report('summary') },
  deposits: { statements: 2, ask: report('deposits') },
  withdrawals: { statements: 2, ask: report('withdrawals') },
  tvl: { statements: 2, ask: report('tvl') },
  yield: { statements: 2, ask: report('yield') },
  points: { statements: 2, ask: report('points') },
  revenue: { statements: 2, ask: report('revenue') },
  uplift: {
    statements: 2,
    ask: (context, { partnerId }) => context.get(UpliftService).read(partnerId, {}),
  },
  'uplift of an asset': {
    statements: 2,
    ask: (context, { partnerId }) => context.get(UpliftService).read(partnerId, { asset: 'USDC' }),
  },
};
const OF_MARKET: Record<string, { statements: number; ask: Ask }> = {
  'yield history': {
    statements: 2,
    ask: (context) => context.get(YieldHistoryService).read(BASE_MARKET, 'USDC'),
  },
  'yield history by day': {
    statements: 2,
    ask: (context) => context.get(YieldHistoryService).read(BASE_MARKET, 'USDC', { interval: 'day' }),
  },
  signals: { statements: 2, ask: (context) => context.get(InsightService).signals(BASE_MARKET) },
  regime: { statements: 1, ask: (context) => context.get(InsightService).regime(BASE_MARKET) },
};
/** `most`: the bound on rows read of the big tables; a user of the seed has two positions with three entries each. */
const OF_SOME: Record<string, { statements: number; most: Record<string, number>; ask: Ask }> = {
  'a page of users': {
    statements: 2,
    most: { users: 101, positions: 202 },
    ask: (context, { partnerId }) => context.get(ReportService).users(partnerId, PAGE),
  },
  "a user's positions": {
    statements: 1,
    most: { users: 1, positions: 2 },
    ask: (context, { partnerId, userId }) => context.get(PositionService).list({ partnerId, userId }, PAGE),
  },
  "a user's uplift": {
    statements: 3,
    most: { users: 1, positions: 2 },
    ask: (context, { partnerId, userId }) => context.get(UpliftService).read(partnerId, { userId }),
  },
  "a position's uplift": {
    statements: 3,
    most: { positions: 2 },
    ask: (context, { partnerId, positionId }) => context.get(UpliftService).read(partnerId, { positionId }),
  },
  'a page of what was settled, to verify it': {
    statements: 1,
    // The page's rows, and the next row of each monthly partition.
    most: { ledger_entries: 20 + 5 },
    ask: (context, { userId }) => context.get(Store).query(PAGE_OF_SETTLED, [userId, '', 0, '', 20]),
  },
  'a page of decisions': {
    statements: 1,
    // Each reads those that were planned with it: here itself alone.
    most: { decisions: 2 * 101 },
    ask: (context, { partnerId }) => context.get(DecisionLog).list(partnerId, {}, PAGE),
  },
  "a user's decisions": {
    statements: 1,
    most: { users: 1, decisions: 2 * 2, ledger_entries: 2 },
    ask: (context, { partnerId, userId }) => context.get(DecisionLog).list(partnerId, { userId }, PAGE),
  },
  "a position's decisions": {
    statements: 1,
    most: { positions: 1, decisions: 2, ledger_entries: 1 },
    ask: (context, { partnerId, positionId }) =>
      context.get(DecisionLog).list(partnerId, { positionId }, PAGE),
  },
};

/** Tables that grow with positions. */
const BIG = ['positions', 'ledger_entries', 'users', 'wallets', 'decisions', 'settlements', 'snapshots'];

/** A deployment with a number of positions, and the rows that its reports read. */
class Measured {
  private constructor(
    private readonly database: TestDatabase,
    private readonly asked: Asked,
  ) {}

  static async seeded(positions: number): Promise<Measured> {
    const database = await createTestDatabase();
    const wanted = { positions, entries: 2 * positions, partners: PARTNERS, days: 30, now: NOW };
    await seed(benchSettings(database.url), wanted, (_, work) => work());
    await database.query('live', DECISIONS);
    await database.query('live', MARKET);
    await database.query('live', 'ANALYZE');
    const [asked] = await database.query<Asked>(
      'live',
      `SELECT partner_id AS "partnerId", user_id AS "userId", id AS "positionId" FROM positions ORDER BY id LIMIT 1`,
    );
    return new Measured(database, asked!);
  }

  drop(): Promise<void> {
    return this.database.drop();
  }

  /** @returns for each report, its statements and the rows that they read of each table */
  async read(reports: Record<string, { ask: Ask }>): Promise<Map<string, Reading>> {
    const settings = benchSettings(this.database.url);
    const readings = new Map<string, Reading>();
    await withDomain(settings, async (context) => {
      for (const [name, { ask }] of Object.entries(reports)) {
        const sent = await statementsDuring(() => ask(context, this.asked));
        const reading: Reading = { statements: sent.length, milliseconds: 0, rows: {} };
        for (const { text, values } of sent) {
          const [row] = await this.database.query<{ 'QUERY PLAN': Explained[] }>(
            'live',
            `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
            [...values],
          );
          const [explained] = row!['QUERY PLAN'];
          reading.milliseconds += explained!['Execution Time'];
          for (const [table, rows] of rowsRead(explained!))
            reading.rows[table] = (reading.rows[table] ?? 0) + rows;
        }
        readings.set(name, reading);
      }
    });
    return readings;
  }
}

interface Reading {
  statements: number;
  milliseconds: number;
  /** Rows read, by table. */
  rows: Record<string, number>;
}

describe(`reports read as many rows of ${MANY} positions as of ${FEW}`, () => {
  let few: Measured;
  let many: Measured;
  const of = { few: new Map<string, Reading>(), many: new Map<string, Reading>() };
  beforeAll(async () => {
    [few, many] = await Promise.all([Measured.seeded(FEW), Measured.seeded(MANY)]);
    const all = { ...OF_PARTNER, ...OF_MARKET, ...OF_SOME };
    of.few = await few.read(all);
    of.many = await many.read(all);
    process.stdout.write(table(of.few, of.many));
  });
  afterAll(async () => {
    await few.drop();
    await many.drop();
  });

  it.each(Object.entries(OF_PARTNER))(
    '%s: the sums of the partner, and never a position',
    (name, { statements }) => {
      const [small, big] = [of.few.get(name)!, of.many.get(name)!];
      expect([small.statements, big.statements]).toEqual([statements, statements]);
      expect(big.rows).toEqual(small.rows);
      expect(Object.keys(big.rows).filter((one) => BIG.includes(one))).toEqual([]);
      expect(big.rows['book_totals']).toBeGreaterThan(0);
    },
  );

  it.each(Object.entries(OF_MARKET))('%s: the market, whoever is in it', (name, { statements }) => {
    const [small, big] = [of.few.get(name)!, of.many.get(name)!];
    expect([small.statements, big.statements]).toEqual([statements, statements]);
    expect(big.rows).toEqual(small.rows);
    expect(Object.keys(big.rows).filter((one) => BIG.includes(one))).toEqual([]);
    expect(Object.values(big.rows).reduce((sum, rows) => sum + rows)).toBeGreaterThan(0);
  });

  it.each(Object.entries(OF_SOME))('%s: only what is asked for', (name, { statements, most }) => {
    for (const reading of [of.few.get(name)!, of.many.get(name)!]) {
      expect(reading.statements).toBe(statements);
      const above = BIG.filter((one) => (reading.rows[one] ?? 0) > (most[one] ?? 0));
      expect(above.map((one) => [one, reading.rows[one]])).toEqual([]);
    }
  });
});

/** A table for the reader of the log; times are not asserted. */
function table(few: Map<string, Reading>, many: Map<string, Reading>): string {
  const cells = ({ statements, milliseconds, rows }: Reading): string =>
    `${String(Object.values(rows).reduce((a, b) => a + b, 0)).padStart(7)} rows ${milliseconds.toFixed(1).padStart(7)} ms ${statements} statements`;
  const lines = [...few].map(
    ([name, reading]) => `  ${name.padEnd(24)}${cells(reading)} | ${cells(many.get(name)!)}\n`,
  );
  return `  ${FEW} positions | ${MANY} positions\n${lines.join('')}`;
}
