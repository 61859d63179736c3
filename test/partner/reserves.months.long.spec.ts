import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../faults/load/random.js';
import { CustodyWorld } from '../support/chain/custody-world.js';
import { HonestLife } from '../support/chain/honest-life.js';
import { A } from '../support/moves.js';
import { createPartner } from '../support/partner.js';

/** Some weeks; MONTHS_STEPS=10000 is a quarter of a year. */
const STEPS = Number(process.env['MONTHS_STEPS'] ?? 400);
const SEED = Number(process.env['MONTHS_SEED'] ?? 3);

describe('partner contract: honest months on a chain', () => {
  let world: CustodyWorld;

  beforeAll(async () => {
    world = await CustodyWorld.start();
  }, 90_000);
  afterAll(() => world?.close());

  it(`Honest months: no step of an honest executor is flagged, and the chain holds what is in the books, in ${STEPS} random steps`, async () => {
    let [readings, at] = [0, 0];
    const watch = async (rows: Record<string, any>): Promise<void> => {
      readings += 1;
      const [alerts, contradicted] = [await world.openAlerts(), await world.contradicted()];
      const unknown = Object.values(rows).filter(({ reason }) => reason !== null);
      if (alerts.length + contradicted.length + unknown.length === 0) return;
      const shown = Object.entries(rows).map(
        ([vault, { difference, in_flight, books, as_of, block_at }]) =>
          `${vault} ${difference} of ${books}, ${in_flight} in flight, ${as_of} ${block_at}`,
      );
      throw new Error([...alerts, ...contradicted, ...unknown, ...shown].join('\n'));
    };
    const life = await HonestLife.begin(world, new Random(SEED), watch);
    const since = Date.now();
    for (at = 1; at <= STEPS; at++)
      await life.step().catch((error: Error) => {
        throw new Error(`seed ${SEED}, step ${at}: ${error.message}`, { cause: error });
      });
    await life.end();
    const rows = await world.read();
    const beyond = Object.values(rows).reduce((sum, { difference }) => sum + difference, 0);
    const [counts] = await world.stage.sql<Record<'reports' | 'confirmed', number>>(
      `SELECT count(*)::int AS reports, (count(*) FILTER (WHERE status = 'confirmed'))::int AS confirmed FROM report_checks`,
    );
    const perStep = Math.round((Date.now() - since) / STEPS);
    process.stdout.write(
      `seed ${SEED}: ${JSON.stringify({ ...life.done, ...counts, beyond, explained: life.beyond / 1e6, perStep })}\n`,
    );
    expect(readings).toBeGreaterThan(STEPS / 20);
    expect(counts!.confirmed).toBe(counts!.reports);
    // What the chain has beyond the books is explained, but for rounding and the seconds of a turn of the hour.
    expect(Math.abs(beyond - world.own - life.beyond / 1e6)).toBeLessThan(2);
    expect(await world.stage.differences()).toEqual([]);
  }, 3_600_000);
});

describe('partner contract: steps of a share price that the books follow', () => {
  let world: CustodyWorld;

  beforeAll(async () => {
    world = await CustodyWorld.start({ follows: true });
    const { stage } = world;
    // A yield needs most of a day of prices.
    for (let hour = 0; hour < 24; hour++) await world.turnHour([0.05, 0.01, 0.01]);
    const partner = await createPartner(stage.market.app.admin);
    const user = await stage.market.createUser(partner);
    await world.token.send('mint', world.account.address, 40_000_000_000n);
    const { vault_id } = await stage.deposit(user, 40_000);
    expect(vault_id).toBe(A);
    await world.run(...world.calls.enter(A, 40_000_000_000n));
  }, 90_000);
  afterAll(() => world?.close());

  it.each([
    ['A loss', -0.003],
    ['A small loss', -0.0003],
    ['A rise', 0.002],
  ])('%s that the chain shows hours before the books is in flight, and begins no alert', async (_, part) => {
    for (const when of ['before the tick', 'between tick and reading', 'in a block of the hour before']) {
      if (when === 'before the tick') await world.stepPrice(part);
      if (when === 'in a block of the hour before') {
        world.wait(45 * 60_000);
        await world.stepPrice(part);
        await world.finalize();
      }
      let differed = 0;
      for (let hour = 0; hour < 5; hour++) {
        await world.turnHour();
        if (hour === 0 && when === 'between tick and reading') await world.stepPrice(part);
        if (when !== 'in a block of the hour before') await world.finalize();
        const row = (await world.read())[A];
        if (Math.abs(row.difference) > row.books * 0.0001) differed += 1;
        expect([when, hour, await world.openAlerts()]).toEqual([when, hour, []]);
        if (when !== 'in a block of the hour before') continue;
        world.wait(45 * 60_000);
        await world.finalize();
      }
      expect(differed).toBeGreaterThan(0);
      const row = (await world.read())[A];
      expect(Math.abs(row.difference)).toBeLessThan(row.books * 0.0001);
    }
  });
});
