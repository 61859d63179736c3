import { expect } from '@jest/globals';
import fc from 'fast-check';
import { GainReviews, REVIEW_ACTIONS } from '../../src/domain/routing/orders/gain-review.service.js';
import { MoveReportService } from '../../src/domain/routing/orders/move-report.service.js';
import { MoveOrderService } from '../../src/domain/routing/allocation/move-order.service.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { newTxHash } from '../support/engine.js';
import { amount, asset, type Command, one, step } from './step.js';
import { type ModelPartner, outcome, type World } from './world.js';

const STEPS = ['next', 'next', 'next', 'taken', 'redeemed', 'settled', 'failed'] as const;
/** Deviation of the amount that arrives, in millionths: sometimes more than a move can cost, or a gain that waits for a review. */
const deviation = fc.oneof(
  fc.integer({ min: -5_000, max: 100 }),
  fc.constantFrom(0, 2_000, 4_000, 9_000, -50_000, 50_000, -60_000, 60_000),
);
/** Keys of two executors. */
const KEYS = ['key_one', 'key_two'] as const;
const REFUSALS = ['done', 'move_not_open', 'move_already_reported', 'amount_out_of_bounds', 'vault_refused'];

interface Open {
  id: string;
  partner: ModelPartner;
  status: string;
  positionId: string | null;
  fromIdle: boolean;
}

/** Orders of the model's partners that are under way. */
async function open({ engine, partners }: World): Promise<Open[]> {
  const rows = await engine.sql<Omit<Open, 'partner'> & { partnerId: string }>(
    `SELECT id, partner_id AS "partnerId", status, position_id AS "positionId", from_vault_id LIKE 'vlt_idle_%' AS "fromIdle"
       FROM move_orders WHERE ended_at IS NULL AND partner_id = ANY($1) ORDER BY id`,
    [partners.map(({ id }) => id)],
  );
  return rows.map((row) => ({ ...row, partner: partners.find(({ id }) => id === row.partnerId)! }));
}

/** A report of an executor: usually the next step of a move, with some slippage; sometimes another step, or nonsense. */
const report = step(
  'report',
  fc.record({ one, what: fc.constantFrom(...STEPS), deviation }),
  async (world, given) => {
    const orders = await open(world);
    if (orders.length === 0) return [];
    const { id, partner, ...order } = orders[given.one % orders.length]!;
    const { context } = world.engine;
    const service = context.get(MoveReportService);
    const worth = (await context.get(MoveOrderService).get(id, null)).amount;
    const amount = worth + (worth * BigInt(given.deviation)) / 1_000_000n;
    if (amount <= 0n) return [];
    const next = order.status === 'arriving' || order.fromIdle ? 'settled' : 'redeemed';
    const what = given.what === 'next' ? next : given.what;
    const reported = { txHash: newTxHash(), amount, keyId: KEYS[given.one % 2]! };
    const which = { id, partnerId: partner.id };
    const reporting = (): Promise<unknown> => {
      if (what === 'taken') return service.take(which, reported.keyId);
      if (what === 'failed') return service.failed(which, 'no');
      if (what === 'redeemed') return service.redeemed(which, reported);
      return order.positionId === null || given.one % 2 === 0
        ? service.settled(which, reported)
        : service.allocated(order.positionId, partner.id, reported);
    };
    const first = await outcome(reporting);
    expect(REFUSALS).toContain(first);
    if (what === 'taken' || first !== 'done') return [partner];
    // A repeated report changes nothing.
    await world.expectNoEffect(() => outcome(reporting), ['done']);
    return [partner];
  },
);

const receipts = step(
  'receive',
  fc.record({ one, asset, amount }),
  async (world, given) => {
    const partner = world.partner(given.one);
    await outcome(async () => {
      const { userId } = partner;
      const deposit = { userId, asset: given.asset, amount: given.amount, txHash: null, partnerId: null };
      const { id } = await world.engine.context.get(DepositService).deposit({ ...deposit, received: true });
      world.deposited(id, partner, given.amount, given.asset, null);
    });
    return [partner];
  },
  (world, given) => !world.partner(given.one).disabled,
);

/** An administrator's decision on a gain that waits. */
const review = step(
  'review',
  fc.record({ one, action: fc.constantFrom(...REVIEW_ACTIONS) }),
  async (world, given) => {
    const { engine, partners } = world;
    const waiting = await engine.sql<{ id: string; partnerId: string }>(
      `SELECT id, partner_id AS "partnerId" FROM move_orders WHERE review_status = 'pending_review' AND partner_id = ANY($1) ORDER BY id`,
      [partners.map(({ id }) => id)],
    );
    if (waiting.length === 0) return [];
    const { id, partnerId } = waiting[given.one % waiting.length]!;
    const reviewing = (): Promise<unknown> =>
      engine.context.get(GainReviews).review(id, given.action, 'reviewed');
    expect(await outcome(reviewing)).toBe('done');
    await world.expectNoEffect(() => outcome(reviewing), ['done']);
    return partners.filter((partner) => partner.id === partnerId);
  },
);

/** Reports and reviews are listed several times, so that they are chosen more often. */
const often = Array.from({ length: 10 }, () => report);
export const orderCommands: fc.Arbitrary<Command>[] = [...often, review, review, receipts];
