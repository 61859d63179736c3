import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { MarketPoints1000000000012 } from '../../src/database/migrations/1000000000012-market-points.js';
import { Engine } from '../support/engine.js';

interface Point {
  apy: number | null;
  tvl: string | null;
  vaults: number | null;
}

/** A database of before, in which points were weighed by what the service held, is weighed anew. */
describe('the migration of the market series', () => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await Engine.start('partner', { adjust: ({ signals }) => (signals.min_snapshots = 3) });
    const [first, second, third] = engine.settings.vaults
      .filter(({ asset }) => asset === 'USDC')
      .map(({ id }) => id);
    engine.sights = { [first!]: { apy: 0.04, tvl: 60n }, [second!]: { apy: 0.065, tvl: 40n } };
    await engine.hours(6);
    await engine.deposit(await engine.createUser(await engine.createPartner()), 1_000_000_000n);
    for (const seen of [{ apy: 0.1, tvl: null }, null, { apy: 0.1, tvl: 0n }, { apy: 0.09, tvl: 7n }]) {
      engine.sights[third!] = seen;
      await engine.hours();
    }
    engine.sights = { [first!]: { apy: 0.04, tvl: null }, [third!]: { apy: 0.06, tvl: null } };
    await engine.hours();
    engine.sights = {};
    await engine.hours();
  }, 60_000);
  afterAll(() => engine.stop());

  const points = (asset: string): Promise<Point[]> =>
    engine.sql<Point>('SELECT apy, tvl, vaults FROM blended_points WHERE asset = $1 ORDER BY hour', [asset]);

  it('makes every point as the tick would have, of assets in which anything is held', async () => {
    const [before, other] = [await points('USDC'), await points('USDT0')];
    expect(new Set(before.map(({ vaults }) => vaults))).toEqual(new Set([0, 2, 3]));
    await engine.sql('ALTER TABLE blended_points DROP COLUMN vaults');
    await engine.sql('SET session_replication_role = replica');
    await engine.sql('UPDATE blended_points SET apy = 0.0123, tvl = 1000000123');
    await engine.sql('SET session_replication_role = DEFAULT');
    await new MarketPoints1000000000012().up({ query: (sql: string) => engine.sql(sql) } as QueryRunner);
    const after = await points('USDC');
    for (const [place, { apy, tvl, vaults }] of before.entries())
      expect(after[place]).toEqual(
        apy === null
          ? { apy: 0.0123, tvl: '1000000123', vaults: null }
          : { apy: expect.closeTo(apy, 12), tvl, vaults },
      );
    // What it knows nothing of has no number of vaults, and so is not shown.
    expect(new Set((await points('USDT0')).map(({ vaults }) => vaults))).toEqual(new Set([null]));
    expect(other).toHaveLength(before.length);
    await expect(engine.sql('UPDATE blended_points SET vaults = 1')).rejects.toThrow('append-only');
  });
});
