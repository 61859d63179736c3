import { describe, expect, it } from '@jest/globals';
import type { Contract } from '../../src/config/deployments.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { PositionService } from '../../src/domain/books/positions/position.service.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { Engine } from '../support/engine.js';
import { change } from '../support/change.js';

const BEGINNING = new Date('2026-01-15T00:00:00.000Z');
const HOURS = 31;
const UNIT = 1_000_000n;
const at = (hour: number, minute = 0, second = 0): number => ((hour * 60 + minute) * 60 + second) * 1_000;

/** Milliseconds from the beginning of an hour to its tick, by hour; null: no tick runs. */
type Lateness = (hour: number) => number | null;

/** The same transfers whenever the ticks run: just before and after full hours, between changes of terms, at the end of a day. */
async function live(contract: Contract, lateness: Lateness) {
  const engine = await Engine.start(contract, {
    now: BEGINNING,
    // The minimum gain excludes moves, because a move is dated by the tick that makes it.
    adjust: ({ routing }) => void change(routing, { minDelta: 1 }),
  });
  const shown: object[] = [];
  const ids: string[] = [];
  try {
    await engine.cycle();
    const partner = await engine.createPartner();
    const user = await engine.createUser(partner);
    const deposit = async (): Promise<void> => {
      ids.push((await engine.deposit(user, 1_000_000n * UNIT + 123_457n)).id);
    };
    const share = (revenueShareBps: number) => async () =>
      void (await engine.context.get(PartnerService).update(partner, { revenueShareBps }));
    const look = async (): Promise<void> => {
      const { netTvl, assets } = await engine.context.get(ReportService).tvl(partner);
      const positions = engine.context.get(PositionService);
      const values = await Promise.all(ids.map(async (id) => (await positions.get(id, null)).value));
      shown.push({ netTvl, vaults: assets.map(({ vaults }) => vaults), values });
    };
    const life: [number, () => Promise<unknown>][] = [
      [at(2, 59, 59.999), deposit],
      [at(3), deposit],
      [at(3, 0, 1.79), deposit],
      [at(3, 0, 1.79), look],
      [at(5, 20), share(7_000)],
      [at(7), () => engine.withdraw(ids[0]!, 5_000n * UNIT)],
      [at(9, 0, 2), look],
      [at(23, 59, 59.5), share(1_000)],
      [at(24, 0, 0.001), () => engine.withdraw(ids[1]!, null)],
      [at(24, 0, 0.002), look],
      [at(28, 0, 3), look],
      [at(30, 30), () => engine.withdraw(ids[0]!, null)],
      [at(30, 30, 1), () => engine.withdraw(ids[2]!, null)],
    ];
    const tick = (hour: number) => async () => {
      engine.sights = { vlt_aave_v3_usdc: { apy: 0.03 + (hour % 5) / 50, tvl: 10n ** 17n } };
      await engine.cycle();
    };
    const ticks = Array.from({ length: HOURS - 1 }, (_, index) => index + 1).flatMap((hour): typeof life => {
      const late = lateness(hour);
      return late === null ? [] : [[hour * HOUR_MS + late, tick(hour)]];
    });
    for (const [moment, happens] of [...life, ...ticks].toSorted(([item], [other]) => item - other)) {
      engine.now = new Date(BEGINNING.getTime() + moment);
      await happens();
    }
    // Sums at each share are compared, not single entries: where a withdrawal came before a late statement, it posted the day's yield. The APY of an
    // entry is the last one observed, and is left out.
    const flows = await engine.sql(
      `SELECT at, type, amount, share_index, lending_index, hold_index FROM ledger_entries WHERE type <> 'yield_accrual' ORDER BY at, amount, share_index`,
    );
    const yields = await engine.sql<{ amount: string }>(
      `SELECT array_position($1, position_id) AS position, share_bps, sum(amount) AS amount FROM ledger_entries
        WHERE type = 'yield_accrual' GROUP BY 1, 2 ORDER BY 1, 2`,
      [ids],
    );
    return { flows, yields, shown };
  } finally {
    await engine.stop();
  }
}

describe('values, yields and entries', () => {
  it('Values, yields and entries are the same with ticks at the full hour and with late ticks of a real feed', async () => {
    const missing = (hour: number): boolean => hour % 7 === 4;
    const prompt = await live('partner', (hour) => (missing(hour) ? null : 0));
    const late = await live('partner', (hour) => (missing(hour) ? null : at(0, (hour * 13) % 60, 12)));
    expect(prompt.yields.every(({ amount }) => BigInt(amount) > 0n)).toBe(true);
    expect(prompt.yields).toHaveLength(9);
    expect(late).toEqual(prompt);
  }, 60_000);

  it('Values, yields and entries are the same with ticks at the full hour and with late or missing ticks of simulated vaults', async () => {
    const prompt = await live('sandbox', () => 0);
    const late = await live('sandbox', (hour) => (hour % 3 === 1 ? null : at(0, (hour * 17) % 60, 30)));
    expect(prompt.yields).toHaveLength(9);
    expect(late).toEqual(prompt);
  }, 60_000);
});
