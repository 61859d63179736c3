import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerPartitions } from '../../src/domain/markets/hours/ledger-partitions.service.js';
import { PositionService } from '../../src/domain/books/positions/position.service.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { addHours } from '../../src/domain/kernel/clock.js';
import { onlyVaults } from '../support/catalogue.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
const VAULT = 'vlt_aave_v3_usdc';

let engine: Engine;
beforeAll(async () => {
  engine = await Engine.start('partner', { change: onlyVaults(VAULT) });
});
afterAll(() => engine.stop());

/** The entries of a position, in order. */
const apysOf = (id: string): Promise<{ type: string; apy: number | null }[]> =>
  engine.sql('SELECT type, apy FROM ledger_entries WHERE position_id = $1 ORDER BY at, id', [id]);
/** Those that name the last observed yield. */
const at5Percent = (...types: string[]) => types.map((type) => ({ type, apy: 0.05 }));

it('Before the first tick a deposit is cash; the first tick moves it to a vault', async () => {
  const user = await engine.createUser(await engine.createPartner());
  // Prepares the ledger's partitions, as a start of a deployment does.
  await engine.context.get(LedgerPartitions).prepare(engine.now);
  const deposited = await engine.deposit(user, 100n * UNIT);
  expect(deposited).toMatchObject({ status: 'pending', vault_id: 'vlt_idle_usdc', value: 100, apy: 0 });
  const read = () => engine.context.get(PositionService).get(deposited.id, null);
  expect(await read()).toEqual(deposited);
  engine.sights = { [VAULT]: { apy: 0.05 } };
  expect(await engine.cycle()).toMatchObject({ hours: 1, moved: 1 });
  expect(await read()).toMatchObject({ status: 'active', vault_id: VAULT, value: 99, costs: 1 });
});

it('Without ticks an APY is shown and earned for a day after its observation, and nothing afterwards', async () => {
  const partner = await engine.createPartner();
  const user = await engine.createUser(partner);
  engine.sights = { [VAULT]: { apy: 0.05 } };
  await engine.hours(2);
  const { id } = await engine.deposit(user, 100n * UNIT);
  const shown = async (): Promise<(number | null)[]> => [
    (await engine.context.get(PositionService).get(id, null)).apy,
    (await engine.context.get(PositionService).list({ partnerId: partner }, { limit: 1, after: null }))
      .items[0]!.apy,
    (await engine.context.get(ReportService).summary(partner)).assets[0]!.apy,
    (await engine.context.get(ReportService).yield(partner)).assets[0]!.apy,
  ];
  engine.now = addHours(engine.now, 24);
  expect(await shown()).toEqual([0.05, 0.05, 0.05, 0.05]);
  engine.now = addHours(engine.now, 1);
  expect(await shown()).toEqual([null, null, null, null]);
  // The hour of the deposit at the yield observed in the hour before, and 24 hours at the last observed yield.
  const value = 100 * 1.05 ** (25 / 8_760);
  for (const hours of [0, 1, 500]) {
    engine.now = addHours(engine.now, hours);
    expect((await engine.context.get(PositionService).get(id, null)).value).toBeCloseTo(value, 5);
    expect((await engine.context.get(ReportService).summary(partner)).totals.netTvl).toBe(100_013_925n);
  }
  expect(await engine.withdraw(id, UNIT)).toMatchObject({ amount: 1, apy: null, status: 'active' });
  // What accrued did so at the last observed yield, which the ledger names also after it became too old to be shown: up to each midnight on its own.
  expect(await apysOf(id)).toEqual(at5Percent('deposit', 'yield_accrual', 'yield_accrual', 'withdrawal'));
});

describe("the last observed yield is a ledger entry's apy", () => {
  /** Advances to an hour of the day, with a cycle at each full hour. */
  const until = async (hour: number): Promise<void> => {
    do await engine.hours();
    while (engine.now.getUTCHours() !== hour);
  };
  const deposit = async (): Promise<string> => {
    engine.sights = { [VAULT]: { apy: 0.05 } };
    await engine.hours(2);
    await until(22);
    const user = await engine.createUser(await engine.createPartner());
    return (await engine.deposit(user, 100n * UNIT)).id;
  };

  it("The last observed yield is a ledger entry's apy in a statement of more than a day after the observation", async () => {
    const id = await deposit();
    await until(23);
    engine.sights = {};
    await until(0);
    await engine.skip(24);
    expect(await apysOf(id)).toEqual(at5Percent('deposit', 'yield_accrual', 'yield_accrual'));
  });

  it("The last observed yield is a ledger entry's apy when newer observations have a price alone", async () => {
    const id = await deposit();
    engine.sights = { [VAULT]: { apy: null } };
    await engine.hours();
    await engine.withdraw(id, UNIT);
    expect(await apysOf(id)).toEqual(at5Percent('deposit', 'yield_accrual', 'withdrawal'));
  });
});
