import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { answerOf, json, LlamaServer, row, USDC_POOL } from '../support/llama-server.js';
import { newTxHash } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const POSITIONS = 25;
const HOURS_BACK = 30;

/** Two processes that start at once find the same missing hours, and the same day to post. */
describe('the hourly cycle of two replicas', () => {
  const adminKey = newKeySecret('live');
  let database: TestDatabase;
  let feed: LlamaServer;
  let env: Record<string, string>;
  const replicas: Replica[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    feed = await LlamaServer.open();
    feed.pools = json(answerOf([row()]));
    const supply = { pool: USDC_POOL, totalSupplyUsd: 152_003_211, totalBorrowUsd: 0 };
    feed.lending = json(JSON.stringify([supply]));
    env = {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      DEFILLAMA_BASE_URL: feed.url,
      SETTLEMENT: 'instant',
    };
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    feed.close();
    await database.drop();
  });

  const count = async (sql: string): Promise<number> =>
    (await database.query<{ count: number }>('live', `SELECT count(*)::int AS count FROM ${sql}`))[0]!.count;

  it('adds each hour once, and posts each position to the statement once', async () => {
    const first = await Replica.start('partner', env);
    replicas.push(first);
    await until(async () => (await count('markets WHERE routed_hour IS NOT NULL')) === 1);
    const admin = first.api(adminKey);
    const protocol = first.api(
      (await admin.post('/keys', { label: 'protocol', scopes: ['write'] })).body.data.secret,
    );
    const { api } = await createPartner(admin);
    const { id: userId } = (await api.post('/users', { external_id: 'two-cycles' })).body.data;
    for (let one = 0; one < POSITIONS; one++) {
      const deposit = { user_id: userId, asset: 'USDC', amount: 1_000, tx_hash: newTxHash() };
      expect((await protocol.post('/positions', deposit)).body.data?.status).toBe('active');
    }
    await first.kill();
    // The state after an outage of more than a day.
    const back = `interval '${HOURS_BACK} hours'`;
    await database.query('live', 'DELETE FROM snapshots');
    await database.query('live', 'DELETE FROM blended_points');
    await database.query(
      'live',
      `UPDATE markets SET ticked_hour = ticked_hour - ${back}, routed_hour = routed_hour - ${back}`,
    );
    await database.query('live', `UPDATE vault_states SET observed_hour = observed_hour - ${back}`);
    await database.query(
      'live',
      `UPDATE positions SET opened_at = opened_at - ${back}, active_at = active_at - ${back}, accrued_at = accrued_at - ${back}`,
    );
    await database.query('live', 'DELETE FROM statements');

    replicas.push(...(await Promise.all([Replica.start('partner', env), Replica.start('partner', env)])));
    await until(
      async () =>
        (await count(
          `markets WHERE routed_hour = ticked_hour AND ticked_hour > now() - interval '2 hours'`,
        )) === 1,
    );
    await until(async () => (await count('statements WHERE done_at IS NOT NULL')) >= 1);

    const vaults = await count('vault_states');
    const hours = await count('(SELECT DISTINCT hour FROM snapshots) AS hours');
    expect([HOURS_BACK, HOURS_BACK + 1]).toContain(hours);
    expect(await count('snapshots')).toBe(hours * vaults);
    expect(await count(`ledger_entries WHERE type = 'yield_accrual'`)).toBe(POSITIONS);
    expect(await count(`statements WHERE posted = ${POSITIONS}`)).toBe(1);
    const [books] = await database.query(
      'live',
      `SELECT (SELECT sum(accrued) FROM positions) = (SELECT sum(accrued) FROM book_totals) AS agree,
              (SELECT sum(accrued) FROM positions) > 0 AS grown`,
    );
    expect(books).toEqual({ agree: true, grown: true });
  });
});
