import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/domain/kernel/clock.js';
import { MarketRetention } from '../../src/domain/markets/hours/market-retention.service.js';
import { Batches } from '../../src/domain/kernel/store/batches.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { differencesOf } from '../support/differences.js';
import { Account } from '../sandbox/account.js';

const WALL = '2026-11-20T12:20:00.000Z';
/** Hours of a new market's history, its newest included. */
const BEGINNING = 720;
const KEPT = 200;
const ADVANCE = 60;

/** An account's own market keeps its newest hours only. */
describe('hours of an own market', () => {
  let app: TestApp;
  const prune = (batches?: Batches): Promise<number> => app.application.get(MarketRetention).prune(batches);
  /** The number of rows of a vault or an asset, and the age of the oldest in hours behind the market's newest. */
  const path = async (
    marketId: string,
    table: 'snapshots' | 'blended_points',
    name: string,
  ): Promise<unknown> => {
    const [row] = await app.sql(
      `SELECT count(*)::int AS rows, (extract(epoch FROM max(m.ticked_hour) - min(hour)) / 3600)::int AS behind
         FROM ${table} JOIN markets m ON m.id = market_id
        WHERE market_id = $1 AND ${table === 'snapshots' ? 'vault_id' : 'asset'} = $2`,
      [marketId, name],
    );
    return row;
  };
  /**
   * Everything that the owner is shown, without parts that contain another account’s ids. None of it is older than the retention, so that a
   * concurrent pruning job changes nothing of it.
   */
  const shown = async (account: Account): Promise<unknown> => {
    const figures: unknown[] = [];
    for (const name of ['summary', 'tvl', 'yield', 'points', 'revenue'])
      figures.push(await account.read(`/partner/${name}`));
    for (const name of ['signals', 'regime', 'uplift', 'advisor'])
      figures.push(await account.read(`/analytics/${name}`));
    figures.push(
      await account.read(
        `/yield/history/USDC?from=${hoursAgo(-ADVANCE + KEPT - 40)}&to=${hoursAgo(-ADVANCE)}`,
      ),
    );
    const ids = /"(?:partner_id|campaign_id|user_id|position_id|id)":"[^"]+"/g;
    return JSON.parse(JSON.stringify(figures).replace(ids, '"id":""'));
  };
  const hoursAgo = (hours: number): string => new Date(Date.parse(WALL) - hours * 3_600_000).toISOString();

  beforeAll(async () => {
    app = await startFreshApp('sandbox', {}, (constants) => (constants.retention.ownMarketHours = KEPT));
    app.application.get(Clock).now = () => new Date(WALL);
  });
  afterAll(() => app.close());

  it('Hours of an own market that lie too far behind its newest hour are deleted, whether it was advanced or not; the shared market keeps all', async () => {
    const [ahead, still] = [await Account.open(app, 'seed'), await Account.open(app)];
    await ahead.advance(ADVANCE);
    const base = await path('base', 'snapshots', 'vlt_meridian_usdc');
    await prune();
    for (const { id } of [ahead, still]) {
      expect(await path(id, 'snapshots', 'vlt_meridian_usdc')).toEqual({ rows: KEPT + 1, behind: KEPT });
      expect(await path(id, 'blended_points', 'USDT')).toEqual({ rows: KEPT + 1, behind: KEPT });
    }
    expect(await path('base', 'snapshots', 'vlt_meridian_usdc')).toEqual(base);
    expect(base).toMatchObject({ rows: BEGINNING });
  });

  it('Hours of an own market are deleted without a change of the account’s figures and further hours', async () => {
    const lives: unknown[] = [];
    for (const pruned of [true, false]) {
      const account = await Account.open(app, 'twin');
      await account.deposit(10_000);
      await account.advance(ADVANCE);
      const before = await shown(account);
      if (pruned) {
        await prune();
        expect(await shown(account)).toEqual(before);
      }
      await account.advance(30);
      const ledger = (await account.list(`/users/${account.userId}/ledger`)).map(({ type, amount, at }) => [
        type,
        amount,
        at,
      ]);
      lives.push({ before, after: await shown(account), ledger });
    }
    expect(lives[0]).toEqual(lives[1]);
  });

  it('Hours of an own market are missing in a yield history of that time, which has no points there', async () => {
    const account = await Account.open(app);
    const history = (): Promise<any> =>
      account.read(`/yield/history/USDC?from=${hoursAgo(KEPT + 9)}&to=${hoursAgo(KEPT - 10)}`);
    expect((await history()).points).toHaveLength(19);
    await prune();
    const { points, apy } = await history();
    expect(points).toHaveLength(11);
    expect(apy).not.toBeNull();
    expect(
      (await account.read(`/yield/history/USDC?from=${hoursAgo(KEPT + 100)}&to=${hoursAgo(KEPT + 90)}`))
        .points,
    ).toEqual([]);
  });

  it('Hours of an own market with a change of terms stay, because yield too small to be posted since then is settled by them', async () => {
    const account = await Account.open(app);
    await account.deposit(0.000001);
    const small = await account.deposit(0.05);
    await account.advance(1);
    await app.admin.patch(`/partners/${account.id}`, { revenue_share_bps: 1234 });
    await account.advance(KEPT + 10);
    await prune();
    expect(await path(account.id, 'snapshots', 'vlt_meridian_usdc')).toMatchObject({
      rows: KEPT + 1 + 2, // The first terms, and those that followed.
    });
    await account.advance(24);
    await account.withdraw(small.id);
    expect(await differencesOf(app.application)).toEqual([]);
  });

  it('Hours of an own market are deleted in batches, also across a reset', async () => {
    const account = await Account.open(app);
    await account.advance(1);
    await prune(new Batches(50, 3));
    const pruning = prune(new Batches(50));
    await account.reset();
    await pruning;
    await prune();
    expect(await path(account.id, 'snapshots', 'vlt_meridian_usdc')).toEqual({
      rows: KEPT + 1,
      behind: KEPT,
    });
    await account.advance(1);
    expect(await path(account.id, 'snapshots', 'vlt_meridian_usdc')).toEqual({
      rows: KEPT + 2,
      behind: KEPT + 1,
    });
  });
});
