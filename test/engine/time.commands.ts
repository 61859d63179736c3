import { expect } from '@jest/globals';
import fc from 'fast-check';
import { PAGE } from '../../src/domain/books/ledger/position-verifier.js';
import { MarketService } from '../../src/domain/markets/hours/market.service.js';
import { HOUR_MS, hourOf } from '../../src/domain/kernel/clock.js';
import type { Engine, Sights } from '../support/engine.js';
import { turnYields } from './prelude.js';
import { amount, asset, type Command, hasPosition, pick, part, step } from './step.js';
import { outcome } from './outcome.js';

const DAY_MS = 24 * HOUR_MS;
// Pages of a verification end between the positions, and between the revenue accounts, of a user.
PAGE.positions = 3;

/** Yields of vaults, among them zero, losses and silence. A vault without an entry is not observed. */
export const sights = (vaultIds: readonly string[]): fc.Arbitrary<Sights> => {
  const seen = fc.record({
    apy: fc
      .oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: -900, max: 9_000 }))
      .map((bps) => bps / 1e3),
    tvl: fc.constantFrom(null, 10n ** 11n, 10n ** 14n, 10n ** 19n),
  });
  return fc.record(Object.fromEntries(vaultIds.map((id) => [id, fc.option(seen, { freq: 8 })])));
};

/** Advances the clock, with new yields from then on. */
function pass(engine: Engine, milliseconds: number, sights: Sights): void {
  engine.now = new Date(engine.now.getTime() + milliseconds);
  engine.sights = sights;
}

/** Commands that advance time. @param vaultIds ids of the catalogue */
export function timeCommands(vaultIds: readonly string[]): fc.Arbitrary<Command>[] {
  const seen = sights(vaultIds);
  const hours = step(
    'hours',
    fc.record({ number: fc.integer({ min: 1, max: 4 }), seen }),
    async ({ engine }, { number, seen }) => {
      engine.sights = seen;
      await engine.hours(number);
      return null;
    },
  );
  const wait = step('wait', fc.integer({ min: 1, max: 100_000 }), async ({ engine }, milliseconds) => {
    const untilNextHour = HOUR_MS - (engine.now.getTime() % HOUR_MS) - 1;
    if (untilNextHour > 0) engine.wait(Math.min(milliseconds, untilNextHour));
    return [];
  });
  const gap = step(
    'skip hours',
    fc.record({ hours: fc.integer({ min: 1, max: 60 }), seen }),
    async ({ engine }, { hours, seen }) => {
      pass(engine, hours * HOUR_MS, seen);
      await engine.cycle();
      return null;
    },
  );
  const endOfDay = step('end of day', fc.record({ seen }), async ({ engine }, { seen }) => {
    pass(engine, DAY_MS - (engine.now.getTime() % DAY_MS), seen);
    await engine.cycle();
    return null;
  });
  // A tick alone, as if the process had died after it: nothing is posted, judged or moved yet.
  const tickAlone = step('tick alone', fc.record({ seen }), async ({ engine }, { seen }) => {
    pass(engine, HOUR_MS, seen);
    await engine.context.get(MarketService).tick();
    return null;
  });
  const turn = step('yields turn', fc.integer({ min: 2, max: 4 }), async (world, hours) => {
    await turnYields(world);
    await world.engine.hours(hours);
    return null;
  });
  const again = step('an hour again', fc.constant(null), async (world) => {
    await world.engine.cycle();
    await world.expectNoEffect(() => outcome(async () => void (await world.engine.cycle())), ['done']);
    return null;
  });
  // Commands that add an hour are listed several times, so that they are chosen more often.
  return [
    ...[hours, hours, hours, wait, gap, endOfDay, tickAlone, again, atOnce(seen), atOnce(seen)],
    ...[inAndOut(seen), inAndOut(seen), turn, turn, turn],
  ];
}

/** A deposit and a withdrawal at any two moments, before or after a late tick: no more is paid than the vault's index grew between them. */
function inAndOut(seen: fc.Arbitrary<Sights>): fc.Arbitrary<Command> {
  const moment = fc.integer({ min: 0, max: HOUR_MS - 1 });
  return step(
    'in and out',
    fc.record({ pick, asset, amount, into: moment, stay: moment, ticks: fc.boolean(), seen }),
    async (world, { pick, asset, amount, into, stay, ticks, seen }) => {
      const { engine } = world;
      const hour = hourOf(engine.now).getTime();
      engine.now = new Date(Math.max(engine.now.getTime(), hour + into));
      if ((await world.deposit(world.partner(pick), amount, asset, null)) !== 'done')
        return [world.partner(pick)];
      const position = world.positions.at(-1)!;
      const later = engine.now.getTime() + stay;
      if (ticks && later >= hour + HOUR_MS) {
        pass(engine, hour + HOUR_MS - engine.now.getTime(), seen);
        await engine.cycle();
      }
      pass(engine, later - engine.now.getTime(), seen);
      const paid = await world.withdrawAll(position);
      const transfer = await engine.row<{ bought: string; sold: string; moved: boolean }>(
        `SELECT min(share_index) FILTER (WHERE type = 'deposit') AS bought, min(share_index) FILTER (WHERE type = 'withdrawal') AS sold,
                bool_or(type = 'rebalance') AS moved FROM ledger_entries WHERE position_id = $1`,
        [position.id],
      );
      // The number of shares is rounded up by less than 1e-12 of a micro-unit, which may complete a micro-unit.
      if (paid !== null && !transfer.moved)
        expect(paid).toBeLessThanOrEqual((amount * BigInt(transfer.sold)) / BigInt(transfer.bought) + 1n);
      // The late tick.
      await engine.cycle();
      return null;
    },
    (world, { pick }) => !world.partner(pick).disabled,
  );
}

/** Two operations at once: in either order, each has its whole effect. */
function atOnce(seen: fc.Arbitrary<Sights>): fc.Arbitrary<Command> {
  const kind = fc.constantFrom('deposit', 'withdraw', 'hour');
  const operation = fc.record({ kind, pick, asset, amount, part });
  return step(
    'of concurrent requests',
    fc.record({ pair: fc.tuple(operation, operation), seen }),
    async (world, { pair, seen }) => {
      if (pair.some((each) => each.kind === 'hour')) pass(world.engine, HOUR_MS, seen);
      const ready: (() => Promise<unknown>)[] = [];
      for (const each of pair) {
        const [partner, position] = [world.partner(each.pick), world.position(each.pick)];
        const paid = ((await world.valueOf(position)) * each.part) / 1_000_000n;
        if (each.kind === 'hour') ready.push(() => world.engine.cycle());
        else if (each.kind === 'deposit')
          ready.push(() => world.deposit(partner, each.amount, each.asset, null));
        else if (paid > 0n) ready.push(() => world.withdraw(position, paid, null));
      }
      await Promise.all(ready.map((work) => work()));
      return null;
    },
    hasPosition,
  );
}
