import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { route } from '../../src/domain/routing/backtest/router.js';
import { marketOf } from '../bench/routing/growth-of-year.js';
import { benchRules, HISTORY_HOURS, yearOf } from '../bench/routing/year.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
const HOURS = 90 * 24;
/** More than a vault of the sandbox takes at once: parts of it move. */
const AMOUNTS = [4_000_000n, 2_000_000n, 1_000_000n, 1_000_000n].map((amount) => amount * UNIT);

let engine: Engine;
beforeAll(async () => {
  engine = await Engine.start('sandbox');
  await engine.hours();
});
afterAll(() => engine.stop());

it('the bench decides as the engine does: the same moves, at the same hours, of the same positions', async () => {
  const user = await engine.createUser(await engine.createPartner());
  for (const amount of AMOUNTS) await engine.deposit(user, amount);
  await engine.hours(HOURS);
  const moves = await engine.sql<{ at: Date; from: string; to: string; positions: number; moved: number }>(
    `SELECT d.hour AS at, d.from_vault_id AS "from", d.to_vault_id AS "to", d.positions, m.moved
       FROM decisions d JOIN moves m ON m.decision_id = d.id ORDER BY d.hour, d.id`,
  );
  const firsts = await engine.sql<{ vault: string }>(
    `SELECT origin_vault_id AS vault FROM positions ORDER BY id`,
  );

  const { begun } = await engine.row<{ begun: Date }>('SELECT begun_hour AS begun FROM markets');
  const year = yearOf('base', 'plain', HOURS + 1, begun);
  const { first, steps } = await route(marketOf(year), AMOUNTS, benchRules());
  const name = (place: number): string => (year.vaults[place] ?? year.idle).id;

  expect(firsts.map(({ vault }) => vault)).toEqual(first.map(name));
  expect(steps.length).toBeGreaterThanOrEqual(5);
  const hourOf = (at: number): Date => new Date(begun.getTime() + (HISTORY_HOURS + at) * HOUR_MS);
  expect(moves).toEqual(
    steps.map(({ at, from, to, positions }) => ({
      at: hourOf(at),
      from: name(from),
      to: name(to),
      positions,
      moved: positions,
    })),
  );
});
