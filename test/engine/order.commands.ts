import { expect } from '@jest/globals';
import fc from 'fast-check';
import { REVIEW_ACTIONS } from '../../src/domain/routing/orders/gain-review.service.js';
import { listed } from '../support/catalogue.js';
import { amount, asset, type Command, pick, part, step } from './step.js';
import { outcome, type Outcome } from './outcome.js';
import type { World } from './world.js';

const orders = (world: World) => world.reported!.orders;

/** The executor looks at all orders, and does what its habit is. */
const work = step('executor', fc.constant(null), async ({ partners, reported }) => {
  await reported!.executor.work();
  return partners;
});

/** A deposit of funds that were received, and are not in a vault yet. */
const receipts = step(
  'receive',
  fc.record({ pick, asset, amount }),
  async (world, given) => {
    const partner = world.partner(given.pick);
    await world.receive(partner, given.amount, given.asset);
    return [partner];
  },
  (world, given) => !world.partner(given.pick).disabled,
);

/** An administrator's decision on a gain that waits. */
const review = step(
  'review',
  fc.record({ pick, action: fc.constantFrom(...REVIEW_ACTIONS) }),
  async (world, given) => {
    const { waiting } = orders(world);
    const order = waiting[given.pick % waiting.length]!;
    await orders(world).review(order, given.action);
    return world.partners.filter(({ id }) => id === order.partnerId);
  },
  (world) => orders(world).waiting.length > 0,
);

/** A user takes funds out of a move that is under way: a part of a position, or all of it. */
const withdrawals = step(
  'withdraw from a move',
  fc.record({ pick, part }),
  async (world, given) => {
    const moving = new Set(orders(world).open.flatMap(({ positionIds }) => positionIds));
    const positions = world.positions.filter(({ id, closed }) => moving.has(id) && !closed);
    const position = positions[given.pick % positions.length];
    if (!position) return [];
    const paid = ((await world.availableIn(position)) * given.part) / 1_000_000n;
    if (paid > 0n) await world.withdraw(position, paid, null);
    return [position.partner];
  },
  (world) => orders(world).open.length > 0,
);

/** The operator closes a vault that an order leaves or goes to, or opens those that are closed: the next hour evicts, and replaces orders. */
const closings = step('close a vault', fc.record({ pick }), async (world, given) => {
  const vaults = listed(world.engine.settings);
  const isClosed = vaults.some(({ active }) => !active);
  for (const vault of vaults) vault.active = true;
  const ids = orders(world).open.flatMap(({ fromVaultId, toVaultId }) => [fromVaultId, toVaultId]);
  const vault = vaults.find(({ id }) => id === ids[given.pick % ids.length]);
  if (vault && !isClosed) vault.active = false;
  return [];
});

/** Two executors report the same while a user withdraws: whoever comes first, one report and the withdrawal have their whole effect. */
const atOnce = step(
  'reports and a withdrawal at once',
  fc.record({ pick, part }),
  async (world, given) => {
    const { executor } = world.reported!;
    const [order] = await executor.open();
    const positionIds = orders(world).open.find(({ id }) => id === order?.id)?.positionIds ?? [];
    const position = world.positions.find(({ id, closed }) => positionIds.includes(id) && !closed);
    if (!order || !position || order.amount === 0n) return [];
    const paid = ((await world.availableIn(position)) * given.part) / 1_000_000n;
    const paying = paid > 0n ? world.withdraw(position, paid, null) : 'done';
    const reporting = (): Promise<Outcome> => outcome(() => executor.reportNext(order));
    const [withdrawn, ...said] = await Promise.all([paying, reporting(), reporting()]);
    expect(withdrawn).toBe('done');
    expect(said.filter((text) => text === 'done').length).toBeLessThanOrEqual(1);
    await orders(world).adopt();
    return world.partners;
  },
  (world) => orders(world).open.length > 0,
);

/** Commands that are listed several times are chosen more often. */
export const orderCommands: fc.Arbitrary<Command>[] = [
  ...Array.from({ length: 6 }, () => work),
  ...[
    review,
    review,
    receipts,
    receipts,
    withdrawals,
    withdrawals,
    withdrawals,
    closings,
    closings,
    atOnce,
    atOnce,
  ],
];
