import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDomain } from '../../src/cli/context.js';
import { isId, slotOf } from '../../src/domain/kernel/identifier.js';
import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { benchSettings } from './deployment.js';
import { seed } from './seed.js';

const SEED = {
  positions: 2_100,
  entries: 21_000,
  partners: 20,
  days: 120,
  now: new Date('2026-11-20T12:34:56Z'),
};

/** The seeded database must be one that real traffic could have produced, so that figures measured on it mean something. */
describe('the benchmark database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await seed(benchSettings(database.url), SEED, (_, work) => work());
  });
  afterAll(() => database.drop());

  it('is borne out by its ledger, over several pages of it', async () => {
    const lines: string[] = [];
    const verified = await withDomain(benchSettings(database.url), (context) =>
      context.get(LedgerVerifier).verify(({ subject, problem }) => void lines.push(`${subject}: ${problem}`)),
    );
    expect(lines).toEqual([]);
    expect(verified).toMatchObject({ positions: 2_100, entries: 21_000, settlements: 2_100, differences: 0 });
  });

  it('has ids of the right form, and positions in all slots', async () => {
    const positions = await database.query<{ id: string; userId: string; partnerId: string; slot: number }>(
      'live',
      `SELECT id, user_id AS "userId", partner_id AS "partnerId", slot FROM positions`,
    );
    for (const { id, userId, partnerId, slot } of positions) {
      expect(isId('position', id) && isId('user', userId) && isId('partner', partnerId)).toBe(true);
      expect(slotOf(id)).toBe(slot);
    }
    expect(new Set(positions.map(({ slot }) => slot)).size).toBe(16);
  });

  it('spreads its entries over months', async () => {
    const months = await database.query<{ entries: number }>(
      'live',
      `SELECT count(*)::int AS entries FROM ledger_entries GROUP BY date_trunc('month', at)`,
    );
    expect(months.length).toBe(5);
  });

  it('is made once', async () => {
    const again = seed(benchSettings(database.url), SEED, (_, work) => work());
    await expect(again).rejects.toThrow('The database is in use');
  });
});
