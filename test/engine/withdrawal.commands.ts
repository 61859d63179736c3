import { expect } from '@jest/globals';
import fc from 'fast-check';
import { outcome, type Outcome } from './outcome.js';
import { asset, type Command, hasPosition, part, pick, step } from './step.js';
import type { ModelWithdrawal } from './withdrawal.model.js';
import type { World } from './world.js';

const wish = fc.record({
  pick,
  asset,
  part: fc.oneof(fc.constant(null), part, part, fc.bigInt({ min: 1_000_001n, max: 3_000_000n })),
});

/** A user withdraws an amount, everything, or more than it has. */
const requests = step(
  'withdraw of a user',
  fc.record({ wish, crashes: fc.boolean() }),
  (world, given) => world.withdrawals.request(given.wish, given.crashes),
  hasPosition,
);

const chosen = (world: World, place: number): ModelWithdrawal => {
  // Mostly an open one; sometimes one that has ended.
  const { open, all } = world.withdrawals;
  const among = open.length > 0 && place % 5 > 0 ? open : all;
  return among[place % among.length]!;
};
const hasWithdrawal = ({ withdrawals }: World): boolean => withdrawals.all.length > 0;

const takes = step(
  'take a withdrawal',
  fc.record({ pick }),
  async (world, given) => {
    await world.withdrawals.take(chosen(world, given.pick));
    return [];
  },
  hasWithdrawal,
);

/** Payments of what is expected, of less within the bounds or beyond them, and of more. */
const payments = step(
  'pay a withdrawal',
  fc.record({
    pick,
    shortBy: fc.oneof(
      fc.constant(0n),
      fc.constant(0n),
      fc.bigInt({ min: 1n, max: 4_000n }),
      fc.bigInt({ min: -10_000n, max: 900_000n }),
    ),
    crashes: fc.boolean(),
  }),
  async (world, given) => {
    const withdrawal = chosen(world, given.pick);
    await world.withdrawals.pay(withdrawal, given.shortBy, given.crashes);
    return [withdrawal.partner];
  },
  hasWithdrawal,
);

const failures = step(
  'fail a withdrawal',
  fc.record({ pick }),
  async (world, given) => {
    await world.withdrawals.fail(chosen(world, given.pick));
    return [];
  },
  hasWithdrawal,
);

/** The executor moves the funds of an order while it pays a withdrawal of the same positions: one of the two waits, and nothing leaves twice. */
const atOnce = step(
  'pay and move at once',
  fc.record({ pick }),
  async (world, given) => {
    const { executor, orders } = world.reported!;
    const [order] = await executor.open();
    const withdrawal = chosen(world, given.pick);
    if (!order || order.amount === 0n) return [];
    world.engine.wait(2);
    const moving = (): Promise<Outcome> => outcome(() => executor.reportNext(order));
    const said = await Promise.all([moving(), world.withdrawals.payBlindly(withdrawal)]);
    const refusals = ['move_not_open', 'withdrawal_not_open', 'withdrawal_already_reported'];
    for (const each of said)
      expect(['done', 'insufficient_balance', 'amount_out_of_bounds', ...refusals]).toContain(each);
    await orders.adopt();
    await world.withdrawals.adopt();
    return world.partners;
  },
  (world) => world.withdrawals.open.length > 0 && (world.reported?.orders.open.length ?? 0) > 0,
);

/** Those of both modes; then those of an executor. */
export const withdrawalCommands: fc.Arbitrary<Command>[] = [requests, requests];
export const paymentCommands: fc.Arbitrary<Command>[] = [
  ...[requests, takes, payments, payments, payments, failures, atOnce],
];
