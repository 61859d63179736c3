import { expect } from '@jest/globals';
import fc from 'fast-check';
import { newTxHash } from '../support/engine.js';
import { amount, asset, hasPosition, one, part, step } from './step.js';
import type { ModelPosition, Outcome, World } from './world.js';

const deposits = step(
  'deposit',
  fc.record({ one, asset, amount, settled: fc.boolean() }),
  async (world, given) => {
    const partner = world.partner(given.one);
    const txHash = given.settled ? newTxHash() : null;
    const deposit = (): Promise<Outcome> => world.deposit(partner, given.amount, given.asset, txHash);
    if (partner.disabled) {
      await world.expectNoEffect(deposit, ['partner_disabled']);
      return [];
    }
    if ((await deposit()) === 'done') await expectWorth(world, world.positions.at(-1)!, given.amount);
    return [partner];
  },
);

const withdrawals = step(
  'withdraw',
  fc.record({ one, part, settled: fc.boolean() }),
  async (world, given) => {
    const position = world.position(given.one);
    const value = await world.valueOf(position);
    const paid = (value * given.part) / 1_000_000n;
    const txHash = given.settled ? newTxHash() : null;
    const withdraw = (): Promise<Outcome> => world.withdraw(position, paid, txHash);
    if (position.closed) await world.expectNoEffect(withdraw, ['position_closed']);
    else if (value === 0n) await world.expectNoEffect(withdraw, ['insufficient_balance']);
    else if (paid > 0n) {
      expect(await withdraw()).toBe('done');
      expect([0n, 1n]).toContain(value - paid - (await world.valueOf(position)));
    }
    return [position.partner];
  },
  hasPosition,
);

const overdrafts = step(
  'withdraw too much',
  fc.record({ one, more: amount }),
  async (world, given) => {
    const position = world.position(given.one);
    const tooMuch = (await world.valueOf(position)) + given.more;
    const refused = position.closed ? 'position_closed' : 'insufficient_balance';
    await world.expectNoEffect(() => world.withdraw(position, tooMuch, newTxHash()), [refused]);
    return [];
  },
  hasPosition,
);

const repeatedTransfers = step(
  'repeat a transfer',
  fc.record({ one, asset, shouted: fc.boolean() }),
  async (world, given) => {
    const known = world.txHashes[given.one % world.txHashes.length]!;
    const txHash = given.shouted ? `0x${known.slice(2).toUpperCase()}` : known;
    const partner = world.partner(given.one);
    const refused: Outcome[] = ['settlement_already_recorded'];
    const again = partner.disabled ? (['partner_disabled'] as const) : refused;
    await world.expectNoEffect(() => world.deposit(partner, 5n, given.asset, txHash), again);
    await world.expectNoEffect(() => world.withdraw(world.position(given.one), 1n, txHash), refused);
    return [];
  },
  (world) => hasPosition(world) && world.txHashes.length > 0,
);

/** Commands that are listed twice are chosen twice as often. */
export const transferCommands = [
  ...[deposits, deposits, deposits, withdrawals, withdrawals, overdrafts, repeatedTransfers],
];

async function expectWorth(world: World, position: ModelPosition, deposited: bigint): Promise<void> {
  expect(await world.valueOf(position)).toBe(deposited);
}
