import { afterEach, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import type { Settings } from '../../src/config/settings.js';
import { OrderBooking } from '../../src/domain/routing/orders/order-booking.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { listed, onlyVaults } from '../support/catalogue.js';
import { differencesOf } from '../support/differences.js';
import { Engine } from '../support/engine.js';
import { decisionTroubles, troubles } from './audit.js';
import { change } from '../support/change.js';

const UNIT = 1_000_000n;
const [A, B, C] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', 'vlt_spark_savings_usdc'] as const;
const IDLE = 'vlt_idle_usdc';
const DELAY = 5;
const BATCH = 50;
/** Hours within which a move has to pay. */
const HORIZON = 7 * 24;

/** Three vaults of one risk tier; A, the lending vault, pays out five hours late, and leaving it costs 2 units. */
function oneLate(settings: Settings): void {
  onlyVaults(A, B, C)(settings);
  for (const vault of listed(settings))
    change(vault, {
      riskTier: 'low',
      entryCost: UNIT,
      exitCost: UNIT,
      dilution: 'none',
      exitDelayHours: 0,
    });
  change(vaultIn(settings, A), { exitCost: 2n * UNIT, exitDelayHours: DELAY });
}
/** Signals use only the observations of the last hours. */
const shortMemory = ({ routing, signals }: Constants): void => {
  change(signals, {
    windowHours: 4,
    minSnapshots: 2,
    recentHalfLifeHours: 1,
    longHalfLifeHours: 1,
  });
  // With equal horizons, an outcome is due as soon as the promise ends.
  routing.lastingHorizonDays = routing.horizonDays;
};

const vaultIn = (settings: Settings, id: string) => settings.vaults.find((vault) => vault.id === id)!;

describe('funds that leave a vault with an exit delay', () => {
  let engine: Engine;
  let partner: string;
  let user: string;

  async function start(): Promise<void> {
    engine = await Engine.start('partner', { adjust: shortMemory, change: oneLate });
    partner = await engine.createPartner();
    user = await engine.createUser(partner);
    see(0.04, 0.04, 0.04);
    await engine.hours(4);
  }
  afterEach(async () => {
    await check();
    await engine.stop();
  });

  /** Checks that books, ledger and decisions agree. */
  async function check(): Promise<void> {
    expect(await troubles(engine)).toEqual([]);
    expect(await decisionTroubles(engine, [partner])).toEqual([]);
    expect(await differencesOf(engine.context)).toEqual([]);
  }

  function see(a: number, b: number, c: number): void {
    engine.sights = { [A]: { apy: a, tvl: 10n ** 15n }, [B]: { apy: b }, [C]: { apy: c } };
  }

  const places = async (...ids: string[]): Promise<string[]> =>
    (
      await engine.sql<{ vault: string }>(
        'SELECT vault_id AS vault FROM positions WHERE id = ANY($1) ORDER BY array_position($1, id)',
        [ids],
      )
    ).map(({ vault }) => vault);
  const rebalances = (id: string) =>
    engine.sql<{ at: Date; from: string; to: string; cost: string; decision: string }>(
      `SELECT at, from_vault_id AS "from", vault_id AS "to", cost, decision_id AS decision FROM ledger_entries
        WHERE position_id = $1 AND type = 'rebalance' ORDER BY at, id`,
      [id],
    );
  const decisions = () =>
    engine.sql<{ from: string; to: string; reason: string }>(
      `SELECT from_vault_id AS "from", to_vault_id AS "to", record->>'reason' AS reason FROM decisions WHERE kind = 'rebalance' ORDER BY id`,
    );
  /** Runs hours until funds have left A for the better vault B. */
  async function depart(): Promise<void> {
    see(0.04, 0.12, 0.04);
    for (let hour = 0; hour < 100; hour++) if ((await engine.skip(1)).moved > 0) return;
    throw new Error('Nothing has left.');
  }

  it('Funds that leave a vault with an exit delay are cash until they arrive, pay each leg, and may be withdrawn meanwhile', async () => {
    await start();
    const [large, small] = [
      await engine.deposit(user, 100_000n * UNIT),
      await engine.deposit(user, 50_000n * UNIT),
    ];
    await depart();
    const leftAt = engine.now;
    expect(await places(large.id, small.id)).toEqual([IDLE, IDLE]);
    await check();
    const { netTvl, assets } = await engine.context.get(ReportService).tvl(partner);
    expect(assets[0]!.vaults).toEqual([{ vaultId: IDLE, value: netTvl, share: 1 }]);
    // Funds on the way are not judged as cash, and a deposit that comes meanwhile goes to the best vault.
    await engine.hours(2);
    const late = await engine.deposit(user, 1_000n * UNIT);
    expect(await engine.withdraw(small.id, 10_000n * UNIT)).toMatchObject({
      vault_id: IDLE,
      status: 'active',
    });
    await engine.hours(DELAY - 3);
    expect(await places(large.id, small.id, late.id)).toEqual([IDLE, IDLE, B]);
    await engine.hours();
    expect(await places(large.id, small.id)).toEqual([B, B]);
    const [leaving, arriving, ...more] = await rebalances(large.id);
    expect(more).toEqual([]);
    expect(leaving).toMatchObject({ at: leftAt, from: A, to: IDLE });
    expect(arriving).toMatchObject({
      at: addHours(leftAt, DELAY),
      from: IDLE,
      to: B,
      decision: leaving!.decision,
    });
    // Cost: two thirds of the 2 units for leaving, and the share of 100,000 among the 150,000 that left in the 1 unit for arriving.
    expect(Number(leaving!.cost)).toBeCloseTo(1_333_333, -1);
    expect(Number(arriving!.cost)).toBeCloseTo(666_666, -1);
    expect(await engine.sql('SELECT status, positions AS moved, cost FROM move_orders')).toEqual([
      { status: 'settled', moved: 2, cost: '2933335' },
    ]);
    expect(await decisions()).toEqual([{ from: A, to: B, reason: 'all_gates_passed' }]);
    const raised = await engine.sql<{ type: string; vault: string }>(
      `SELECT envelope->>'type' AS type, envelope #>> '{data,vault_id}' AS vault FROM events
        WHERE envelope #>> '{data,id}' = $1 AND envelope->>'type' = 'position.rebalanced' ORDER BY id`,
      [large.id],
    );
    expect(raised.map(({ vault }) => vault)).toEqual([IDLE, B]);
    // The horizon of the promise begins with the arrival.
    await engine.hours(HORIZON + 1);
    const outcome = await engine.row<{ hours: number; promised: string; realised: string }>(
      `SELECT (extract(epoch FROM realised_hour - $1) / 3600)::int AS hours, promised, realised FROM move_orders WHERE realised IS NOT NULL`,
      [hourOf(leftAt)],
    );
    expect(outcome.hours).toBe(HORIZON + DELAY);
    expect(Number(outcome.realised)).toBeGreaterThan(0);
  });

  it('Funds that leave a vault with an exit delay continue after a process died while they left, or while they arrived', async () => {
    await start();
    engine.context.get(OrderBooking).partSize = BATCH;
    const ids: string[] = [];
    for (let count = 0; count < BATCH + 10; count++) ids.push((await engine.deposit(user, 1_000n * UNIT)).id);
    const interrupt = (leg: number) =>
      engine.sql(
        `CREATE OR REPLACE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'interrupted'; END $$;
         CREATE TRIGGER interrupts BEFORE UPDATE ON move_orders FOR EACH ROW WHEN (OLD.booking IS NOT NULL AND (OLD.status = 'arriving') = ${leg === 2}) EXECUTE FUNCTION interrupt()`,
      );
    await interrupt(1);
    await expect(depart()).rejects.toThrow('interrupted');
    const where = () =>
      engine.sql('SELECT vault_id AS vault, count(*)::int AS positions FROM positions GROUP BY 1 ORDER BY 1');
    expect(await where()).toEqual([
      { vault: A, positions: 10 },
      { vault: IDLE, positions: BATCH },
    ]);
    await check();
    await engine.sql('DROP TRIGGER interrupts ON move_orders');
    await interrupt(2);
    // The last batch leaves an hour later, so all funds arrive that much later.
    expect(await engine.skip(1)).toMatchObject({ moved: 10 });
    await engine.hours(DELAY - 1);
    expect(await where()).toEqual([{ vault: IDLE, positions: BATCH + 10 }]);
    await expect(engine.skip(1)).rejects.toThrow('interrupted');
    expect(await where()).toEqual([
      { vault: B, positions: BATCH },
      { vault: IDLE, positions: 10 },
    ]);
    await check();
    await engine.sql('DROP TRIGGER interrupts ON move_orders');
    expect(await engine.cycle()).toMatchObject({ moved: 10 });
    expect(await where()).toEqual([{ vault: B, positions: BATCH + 10 }]);
    expect(
      await engine.row(
        `SELECT count(*)::int AS entries, sum(cost) AS cost FROM ledger_entries WHERE type = 'rebalance'`,
      ),
    ).toEqual({ entries: 2 * (BATCH + 10), cost: (3n * UNIT).toString() });
  });

  it('Funds that leave a vault with an exit delay stay cash when their target no longer takes them, and are routed like a deposit', async () => {
    await start();
    const { id } = await engine.deposit(user, 100_000n * UNIT);
    await depart();
    vaultIn(engine.settings, B).capacity = 50_000n * UNIT;
    await engine.hours(DELAY);
    expect(await places(id)).toEqual([IDLE]);
    await check();
    // Cash may be moved at once.
    await engine.hours();
    expect(await places(id)).not.toEqual([IDLE]);
    expect((await decisions()).map(({ reason }) => reason)).toEqual(['all_gates_passed', 'best_vault']);
    // Costs: 2 for leaving, and 1 for entering the next vault; the vault that did not take the funds charged nothing.
    expect((await rebalances(id)).map(({ cost }) => cost)).toEqual([2n * UNIT, UNIT].map(String));
  });
});
