import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { IdempotencyService } from '../../src/domain/kernel/idempotency/idempotency.service.js';
import type { DomainError } from '../../src/domain/kernel/domain-error.js';
import { Store } from '../../src/domain/kernel/store/store.js';
import { newTxHash } from '../support/engine.js';
import { amount, asset, hasPosition, MOST, one, part, step } from './step.js';
import { type ModelPosition, type Outcome, outcome, type World } from './world.js';

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

/** One deposit, and the same amount in parts: the parts are not worth more where they went to the same vault. */
const splits = step(
  'split',
  fc.record({ one, asset, parts: fc.array(amount, { minLength: 2, maxLength: 3 }) }),
  async (world, given) => {
    const partner = world.partner(given.one);
    const whole = given.parts.reduce((sum, each) => sum + each);
    const outcomes: Outcome[] = [];
    for (const each of [whole, ...given.parts])
      outcomes.push(await world.deposit(partner, each, given.asset, null));
    if (outcomes.some((each) => each !== 'done')) return [partner];
    const made = world.positions.slice(-outcomes.length);
    const vaults = await world.engine.sql('SELECT DISTINCT vault_id FROM positions WHERE id = ANY($1)', [
      made.map(({ id }) => id),
    ]);
    if (vaults.length === 1) {
      const [first, ...rest] = made;
      let parts = 0n;
      for (const position of rest) parts += await world.valueOf(position);
      expect(parts).toBeLessThanOrEqual(await world.valueOf(first!));
    }
    return [partner];
  },
  (world, given) =>
    !world.partner(given.one).disabled && given.parts.reduce((sum, each) => sum + each) <= MOST,
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

/** Claim, effect and answer in one transaction, as the HTTP layer does it. */
const repeatedRequests = step(
  'repeat a request',
  fc.record({ one, asset, amount, atOnce: fc.boolean() }),
  async (world, given) => {
    const partner = world.partner(given.one);
    const [store, idempotency] = [
      world.engine.context.get(Store),
      world.engine.context.get(IdempotencyService),
    ];
    const { keyId } = partner;
    const content = Buffer.from('same');
    const claim = {
      ...{ scope: partner.id, keyId, route: 'POST /positions', key: newTxHash() },
      ...{ content, fingerprint: content },
    };
    const ids: string[] = [];
    const request = (): Promise<Outcome> =>
      outcome(async () => {
        const attempt = (): Promise<string | null> =>
          store
            .transaction(async () => {
              const earlier = await idempotency.claim(claim);
              if (earlier) return earlier.answer!.toString();
              const made = await world.engine.deposit(partner.userId, given.amount, given.asset);
              await idempotency.answer(claim, Buffer.from(made.id));
              return made.id;
            })
            .catch((error: unknown) => {
              if ((error as DomainError).code === 'idempotency_in_progress') return null;
              throw error;
            });
        let id = await attempt();
        for (; id === null; id = await attempt()) await sleep(1);
        ids.push(id);
      });
    await (given.atOnce ? Promise.all([request(), request()]) : request());
    if (ids.length === 0) return [];
    world.deposited(ids[0]!, partner, given.amount, given.asset, null);
    await world.expectNoEffect(request, ['done']);
    expect(new Set(ids).size).toBe(1);
    return [partner];
  },
  (world, given) => !world.partner(given.one).disabled,
);

/** Commands that are listed twice are chosen twice as often. */
export const transferCommands = [
  ...[deposits, deposits, withdrawals, withdrawals, overdrafts, splits],
  ...[repeatedTransfers, repeatedRequests],
];

async function expectWorth(world: World, position: ModelPosition, deposited: bigint): Promise<void> {
  expect(await world.valueOf(position)).toBe(deposited);
}
