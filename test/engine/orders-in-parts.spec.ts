import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MoveOrderService } from '../../src/domain/routing/allocation/move-order.service.js';
import { InstantExecutor } from '../../src/domain/routing/orders/instant-executor.service.js';
import { MoveReportService } from '../../src/domain/routing/orders/move-report.service.js';
import { OrderBooking } from '../../src/domain/routing/orders/order-booking.js';
import { listed, onlyVaults } from '../support/catalogue.js';
import { change } from '../support/change.js';
import { differencesOf } from '../support/differences.js';
import { Engine, newTxHash } from '../support/engine.js';
import { decisionTroubles, troubles } from './audit.js';

const UNIT = 1_000_000n;
const [A, B] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc'] as const;
const IDLE = 'vlt_idle_usdc';
const PART = 4;
const POSITIONS = 10;

describe('an order of more positions than one transaction books', () => {
  let engine: Engine;
  let partner: string;
  let ids: string[];
  let move: string;

  beforeEach(async () => {
    engine = await Engine.start('partner', {
      settlement: 'reported',
      change: (settings) => {
        onlyVaults(A, B)(settings);
        for (const vault of listed(settings)) change(vault, { riskTier: 'low', dilution: 'none' });
      },
    });
    engine.context.get(OrderBooking).partSize = PART;
    engine.sights = { [A]: { apy: 0.04 }, [B]: { apy: 0.03 } };
    await engine.hours(60);
    partner = await engine.createPartner();
    const user = await engine.createUser(partner);
    ids = [];
    while (ids.length < POSITIONS) ids.push((await engine.deposit(user, 10_000n * UNIT)).id);
    listed(engine.settings).find(({ id }) => id === A)!.active = false;
    await engine.hours();
    move = (await engine.row<{ id: string }>('SELECT id FROM move_orders')).id;
  });
  afterEach(async () => {
    expect(await troubles(engine)).toEqual([]);
    expect(await decisionTroubles(engine, [partner])).toEqual([]);
    expect(await differencesOf(engine.context)).toEqual([]);
    await engine.stop();
  });

  const order = () => engine.context.get(MoveOrderService).get(move, null);
  const report = async (step: 'redeemed' | 'settled', lost: bigint) => {
    const amount = (await order()).amount - lost;
    const given = { txHash: newTxHash(), amount, keyId: 'key_a' };
    await engine.context.get(MoveReportService)[step]({ id: move, partnerId: null }, given);
    return amount;
  };
  const resume = () => engine.context.get(InstantExecutor).resume();
  const places = async () =>
    Object.fromEntries(
      (
        await engine.sql<{ vault: string; positions: number }>(
          'SELECT vault_id AS vault, count(*)::int AS positions FROM positions WHERE closed_at IS NULL GROUP BY 1',
        )
      ).map(({ vault, positions }) => [vault, positions]),
    );
  const worth = async () =>
    (
      await engine.row<{ worth: bigint }>(
        `SELECT sum(amount) AS worth FROM ledger_entries WHERE type = 'rebalance' AND vault_id = $1`,
        [IDLE],
      )
    ).worth;

  it('An order of more positions than one transaction books is booked in parts, and to the reported amount whatever they are', async () => {
    const redeemed = await report('redeemed', 7n * UNIT + 1n);
    expect(await places()).toEqual({ [A]: POSITIONS - PART, [IDLE]: PART });
    expect(await order()).toMatchObject({ status: 'redeeming', redeemed: { amount: redeemed } });
    expect(await differencesOf(engine.context)).toEqual([]);
    // Yield since the report did not arrive.
    engine.wait(1_800_000);
    await resume();
    expect(await places()).toEqual({ [IDLE]: POSITIONS });
    expect(BigInt(await worth())).toBe(redeemed);
    expect(await order()).toMatchObject({ status: 'arriving', amount: redeemed, booking: null });
    await report('settled', UNIT);
    expect(await order()).toMatchObject({ status: 'arriving' });
    await resume();
    expect(await order()).toMatchObject({ status: 'settled', amount: redeemed - UNIT, positions: POSITIONS });
    expect(await places()).toEqual({ [B]: POSITIONS });
    const raised = await engine.row(
      `SELECT count(*)::int AS events, count(DISTINCT envelope #>> '{data,id}')::int AS positions FROM events WHERE envelope->>'type' = 'position.rebalanced'`,
    );
    expect(raised).toEqual({ events: POSITIONS, positions: POSITIONS });
  });

  it('An order of more positions than one transaction books accepts no further report, and changes nothing by a repeated one, until its report is booked', async () => {
    const given = { txHash: newTxHash(), amount: (await order()).amount, keyId: 'key_a' };
    const reports = engine.context.get(MoveReportService);
    const which = { id: move, partnerId: null };
    await reports.redeemed(which, given);
    await reports.redeemed(which, given);
    const refused = { code: 'move_not_open', message: expect.stringContaining('is being booked') };
    await expect(reports.failed(which, 'no')).rejects.toMatchObject(refused);
    await expect(reports.take(which, 'key_b')).rejects.toMatchObject(refused);
    expect(await places()).toEqual({ [A]: POSITIONS - PART, [IDLE]: PART });
    await resume();
    await reports.redeemed(which, given);
    expect(await places()).toEqual({ [IDLE]: POSITIONS });
  });

  it('An order of more positions than one transaction books is booked to its end by the next hour, without what was withdrawn meanwhile', async () => {
    const redeemed = await report('redeemed', 5n * UNIT);
    await engine.withdraw(ids.at(-1)!, null);
    await engine.withdraw(ids[0]!, null);
    expect(await engine.skip(1)).toMatchObject({ moved: POSITIONS - PART - 1 });
    expect(await places()).toEqual({ [IDLE]: POSITIONS - 2 });
    // Those that are left bear the cost of the report.
    expect(await order()).toMatchObject({ status: 'arriving', cost: 5n * UNIT });
    const { paid } = await engine.row<{ paid: string }>(
      `SELECT sum(amount) AS paid FROM ledger_entries WHERE type = 'withdrawal' AND position_id = $1`,
      [ids.at(-1)],
    );
    const short = redeemed - BigInt(await worth()) - BigInt(paid);
    // The yield of half an hour on what was not booked yet.
    expect(short <= 0n && short > -UNIT).toBe(true);
  });
});
