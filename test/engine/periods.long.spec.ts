import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerService } from '../../src/domain/books/ledger/ledger.service.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
/** Past a midnight, at which each position accrues. */
const HOURS = 10;
const WRITES_AN_HOUR = 30;

describe('the ledger', () => {
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

  it('The ledger gives a reader that continues after its last id every entry once, while others write', async () => {
    const open: string[] = [];
    for (let hour = 0; hour < HOURS; hour++) {
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
    for (let lengthBefore = -1; lengthBefore < read.length;) {
      lengthBefore = read.length;
      await readOn();
    }
    const all = await engine.sql<{ id: string }>(
      'SELECT id FROM ledger_entries WHERE partner_id = $1 ORDER BY id',
      [partner],
    );
    expect(read).toEqual(all.map(({ id }) => id));
    expect(all.length).toBeGreaterThan(HOURS * WRITES_AN_HOUR);
  }, 600_000);
});
