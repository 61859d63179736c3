import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { IdempotencyService } from '../../src/domain/kernel/idempotency/idempotency.service.js';
import { newTxHash } from '../support/engine.js';
import { amount, asset, hasPosition, MAX_SUM, pick, part, step } from './step.js';
import { type Outcome, outcome } from './outcome.js';
import type { ModelPosition, World } from './world.js';

const deposits = step(
  'deposit',
  fc.record({ pick, asset, amount, settled: fc.boolean() }),
  async (world, given) => {
    const partner = world.partner(given.pick);
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

/** One deposit, and the same amount in parts: the parts are not worth more where they went to the same vault. */
const splits = step(
  'split',
  fc.record({ pick, asset, parts: fc.array(amount, { minLength: 2, maxLength: 3 }) }),
  async (world, given) => {
    const partner = world.partner(given.pick);
    const amounts = [sumOf(given.parts), ...given.parts];
    for (const each of amounts)
      if ((await world.deposit(partner, each, given.asset, null)) !== 'done') return [partner];
    const made = world.positions.slice(-amounts.length);
    const vaults = await world.engine.sql('SELECT DISTINCT vault_id FROM positions WHERE id = ANY($1)', [
      made.map(({ id }) => id),
    ]);
    const [whole, ...parts] = await Promise.all(made.map((position) => world.valueOf(position)));
    if (vaults.length === 1) expect(sumOf(parts)).toBeLessThanOrEqual(whole!);
    return [partner];
  },
  (world, given) => !world.partner(given.pick).disabled && sumOf(given.parts) <= MAX_SUM,
);

const withdrawals = step(
  'withdraw',
  fc.record({ pick, part, settled: fc.boolean() }),
  async (world, given) => {
    const position = world.position(given.pick);
    const value = await world.valueOf(position);
    const available = await world.availableIn(position);
    const paid = (available * given.part) / 1_000_000n;
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
  fc.record({ pick, more: amount }),
  async (world, given) => {
    const position = world.position(given.pick);
    const tooMuch = (await world.availableIn(position)) + given.more;
    const refused = position.closed ? 'position_closed' : 'insufficient_balance';
    await world.expectNoEffect(() => world.withdraw(position, tooMuch, newTxHash()), [refused]);
    return [];
  },
  hasPosition,
);

const repeatedTransfers = step(
  'repeat a transfer',
  fc.record({ pick, asset, shouted: fc.boolean() }),
  async (world, given) => {
    const knownHash = world.txHashes[given.pick % world.txHashes.length]!;
    const txHash = given.shouted ? `0x${knownHash.slice(2).toUpperCase()}` : knownHash;
    const partner = world.partner(given.pick);
    const refused: Outcome[] = ['settlement_already_recorded'];
    const again = partner.disabled ? (['partner_disabled'] as const) : refused;
    await world.expectNoEffect(() => world.deposit(partner, 5n, given.asset, txHash), again);
    await world.expectNoEffect(() => world.withdraw(world.position(given.pick), 1n, txHash), refused);
    return [];
  },
  (world) => hasPosition(world) && world.txHashes.length > 0,
);

/** Claim, effect and answer are one transaction, also for two requests at once. */
const repeatedRequests = step(
  'repeat a request',
  fc.record({ pick, asset, amount, atOnce: fc.boolean() }),
  async (world, given) => {
    const partner = world.partner(given.pick);
    const idempotency = world.engine.context.get(IdempotencyService);
    const content = Buffer.from('same');
    const name = { scope: partner.id, route: 'POST /positions', key: newTxHash() };
    const claim = { ...name, keyId: partner.keyId, content, fingerprint: content };
    const ids: string[] = [];
    const deposit = async () => (await world.engine.deposit(partner.userId, given.amount, given.asset)).id;
    const request = async (): Promise<Outcome> => {
      const answered = await outcome(async () => {
        ids.push((await idempotency.once(claim, partner.id, deposit)).text);
      });
      if (answered !== 'idempotency_in_progress') return answered;
      await sleep(1);
      return request();
    };
    await (given.atOnce ? Promise.all([request(), request()]) : request());
    if (ids.length === 0) return [];
    world.deposited(ids[0]!, partner, given.amount, given.asset, null);
    await world.expectNoEffect(request, ['done']);
    expect(new Set(ids).size).toBe(1);
    return [partner];
  },
  (world, given) => !world.partner(given.pick).disabled,
);

/** Commands that are listed twice are chosen twice as often. */
export const transferCommands = [
  ...[deposits, deposits, withdrawals, withdrawals, overdrafts, splits],
  ...[repeatedTransfers, repeatedRequests],
];

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

async function expectWorth(world: World, position: ModelPosition, deposited: bigint): Promise<void> {
  expect(await world.valueOf(position)).toBe(deposited);
}
