import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerService } from '../../src/domain/books/ledger/ledger.service.js';
import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';
import { StatementReports, totalOf } from '../../src/domain/reporting/statement-report.service.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
const DAYS = 3;
/** More than 10,000 in all. */
const WRITES_AN_HOUR = 140;

describe('books that close', () => {
  let engine: Engine;
  let partner: string;
  const users: string[] = [];
  const read: string[] = [];
  beforeAll(async () => {
    engine = await Engine.start('partner', { now: new Date('2026-01-30T20:00:00.000Z') });
    engine.sights = Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: 0.05 }]));
    await engine.hours();
    partner = await engine.createPartner();
    for (let n = 0; n < 8; n++) users.push(await engine.createUser(partner));
  });
  afterAll(() => engine.stop());

  /** Reads what was booked since the last entry that is known. */
  const readOn = async (): Promise<void> => {
    const after = read.at(-1);
    const page = { limit: 500, after: null };
    const { items } = await engine.context.get(LedgerService).list(partner, after ? { after } : {}, page);
    // Without an id to go on from, the newest comes first.
    if (!after) items.reverse();
    read.push(...items.map(({ id }) => id));
  };

  it('give a reader that asks after its last id every entry once, while others write', async () => {
    const open: string[] = [];
    for (let hour = 0; hour < DAYS * 24; hour++) {
      const writes = Array.from({ length: WRITES_AN_HOUR }, async (_, n) => {
        const user = users[(hour + n) % users.length]!;
        const position = n % 3 === 0 ? open.shift() : undefined;
        if (position === undefined)
          open.push((await engine.deposit(user, BigInt(n + 1) * UNIT, n % 2 === 0 ? 'USDC' : 'USDT0')).id);
        else await engine.withdraw(position, n % 2 === 0 ? null : UNIT / 2n);
      });
      await Promise.all([...writes, readOn()]);
      await engine.hours(1);
      // After midnight, and before the statement of the day has reached anything.
      engine.wait(1_000);
    }
    for (let known = -1; known < read.length;) {
      known = read.length;
      await readOn();
    }
    const all = await engine.sql<{ id: string }>(
      'SELECT id FROM ledger_entries WHERE partner_id = $1 ORDER BY id',
      [partner],
    );
    expect(read).toEqual(all.map(({ id }) => id));
    expect(all.length).toBeGreaterThan(DAYS * 24 * WRITES_AN_HOUR);
  }, 600_000);

  it('tie: statements of users to the statement, months to days, and the ledger to the closings', async () => {
    const reports = engine.context.get(StatementReports);
    const closed = ['2026-01', '2026-01-31', '2026-02-01', '2026-02'];
    for (const name of closed) {
      const statement = await reports.read(partner, name);
      const { items } = await reports.users(partner, name, { limit: 100, after: null });
      for (const asset of statement.assets) {
        const own = items.flatMap(({ assets }) => assets.filter((row) => row.asset === asset.asset));
        const { asset: _, lendingUplift, holdUplift, ...figures } = asset;
        const { lendingUplift: lending, holdUplift: hold, ...total } = totalOf(own);
        expect([name, total]).toEqual([name, figures]);
        // Each position is rounded down by itself.
        for (const off of [lending - lendingUplift, hold - holdUplift])
          expect(Math.abs(Number(off))).toBeLessThan(read.length);
        const { openingValue, deposits, withdrawals, yield: earned, costs, closingValue } = figures;
        expect(openingValue + deposits - withdrawals + earned - costs).toBe(closingValue);
      }
    }
    expect((await reports.read(partner, '2026-01')).closed).toBe(true);
    const differences: string[] = [];
    await engine.context
      .get(LedgerVerifier)
      .verify(({ subject, problem }) => differences.push(`${subject} ${problem}`));
    expect(differences).toEqual([]);
  }, 120_000);
});
