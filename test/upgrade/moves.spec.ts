import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import type { Settings } from '../../src/config/settings.js';
import { MIGRATIONS } from '../../src/database/data-source.js';
import { MoveOrderService } from '../../src/domain/routing/allocation/move-order.service.js';
import { OrderBooking } from '../../src/domain/routing/orders/order-booking.js';
import { onDatabase } from '../faults/load/audit.js';
import { listed, onlyVaults } from '../support/catalogue.js';
import { change } from '../support/change.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { differencesOf } from '../support/differences.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
const [A, B, C] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', 'vlt_spark_savings_usdc'] as const;
const STEP = 'OneLifeOfAMove1200000000030';
/** Time of the data. */
const NOW = new Date('2026-01-15T20:00:00.080Z');

function oneLate(settings: Settings): void {
  onlyVaults(A, B, C)(settings);
  const terms = { riskTier: 'low', entryCost: UNIT, exitCost: UNIT, dilution: 'none' } as const;
  for (const vault of listed(settings)) change(vault, { ...terms, exitDelayHours: vault.id === A ? 5 : 0 });
}

/** What the version before made of the same hours: shares, costs and accrued yield of each position, promised and realised gain of each move. */
const POSITIONS = [
  ['9999440946909293745068', '476203', '5869932'],
  ['9999444678753654038852', '472471', '5869934'],
  ['10776401530115020372660', '509182', '6326028'],
  ['11552689281579231963307', '545893', '6112624'],
  ['9997838414425925265148', '472469', '4262712'],
  ['10774670459303804931051', '509180', '4593925'],
  ['11551528616138491020989', '545893', '4951267'],
  ['9997984229511921087101', '476199', '4412343'],
];
const OUTCOMES = [
  ['7257029', '3811204'],
  // Interrupted, it arrived an hour late, from which its outcome counts; the version before counted from the decision.
  ['23474766', '9914846'],
  ['67348801', '9120152'],
  ['20827300', '2966773'],
];

/**
 * `moves.tsv` has the tables of a deployment whose moves had legs, as JSON: one move is settled, one has left a vault that pays out five hours late, one is
 * leaving it, and one was interrupted after two of three positions.
 */
describe('moves in flight under the version before', () => {
  let database: TestDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await createTestDatabase('template1');
    await onDatabase(database.url, async (client) => {
      const query = (text: string, values?: unknown[]) => client.sql(text, values);
      await query('CREATE SCHEMA live');
      await query('SET search_path = live');
      await query(
        'CREATE TABLE migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL)',
      );
      const steps = MIGRATIONS.slice(
        0,
        MIGRATIONS.findIndex(({ name }) => name === STEP),
      );
      for (const Step of steps) {
        await new Step().up({ query } as unknown as QueryRunner);
        await query('INSERT INTO migrations ("timestamp", name) VALUES ($1, $2)', [
          Step.name.slice(-13),
          Step.name,
        ]);
      }
      await query(`SELECT prepare_ledger('${NOW.toISOString()}')`);
      await query('SET session_replication_role = replica');
      for (const line of readFileSync('test/upgrade/moves.tsv', 'utf8').trimEnd().split('\n')) {
        const [table, rows] = line.split('\t') as [string, string];
        await query(
          `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1) ON CONFLICT DO NOTHING`,
          [rows],
        );
      }
    });
    engine = await Engine.start('partner', {
      database,
      change: oneLate,
      now: NOW,
      adjust: ({ signals, routing }) => {
        change(signals, { windowHours: 4, minSnapshots: 2, recentHalfLifeHours: 1, longHalfLifeHours: 1 });
        routing.lastingHorizonDays = routing.horizonDays;
      },
    });
    engine.context.get(OrderBooking).partSize = 2;
    const sight = (apy: number) => ({ apy, tvl: 10n ** 15n });
    engine.sights = { [A]: sight(0.02), [B]: sight(0.14), [C]: sight(0.03) };
  }, 60_000);
  afterAll(async () => {
    await engine.stop();
    await database.drop();
  });

  it('Moves in flight under the version before are orders in the state of their legs, and their books are right', async () => {
    const { items } = await engine.context
      .get(MoveOrderService)
      .list({ partnerId: null }, { limit: 10, after: null });
    expect(
      items.map(({ status, fromVaultId, positions, booking }) => [
        status,
        fromVaultId,
        positions,
        booking?.positions,
      ]),
    ).toEqual([
      ['arriving', A, 1, undefined],
      ['redeeming', A, 3, 2],
      ['redeeming', C, 1, 2],
      ['settled', C, 1, undefined],
    ]);
    expect(await differencesOf(engine.context)).toEqual([]);
  });

  it('Moves in flight under the version before arrive, and have the outcomes that they would have had', async () => {
    for (let hour = 0; hour < 8; hour++) await engine.skip(1);
    await engine.skip(24 * 9);
    await engine.skip(1);
    expect(await differencesOf(engine.context)).toEqual([]);
    const positions = await engine.sql<Record<string, string>>(
      'SELECT vault_id AS vault, shares, costs, accrued FROM positions ORDER BY opened_at, id',
    );
    expect(positions.map(({ vault, ...figures }) => [vault, Object.values(figures)])).toEqual(
      POSITIONS.map((figures) => [B, figures]),
    );
    const outcomes = await engine.sql<Record<string, string>>(
      'SELECT promised, realised FROM move_orders WHERE realised IS NOT NULL ORDER BY decision_id',
    );
    expect(outcomes.map((outcome) => Object.values(outcome))).toEqual(OUTCOMES);
  });
});
