import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { Clock } from '../../src/domain/kernel/clock.js';
import { WallClock } from '../faults/load/wall-clock.js';
import type { Api, Answer } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { newTxHash, startMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { expectFirst } from '../support/posts.js';
import { Replica } from '../support/replica.js';

const MONTH_HOURS = 24 * 31;

describe.each([
  ['ahead', MONTH_HOURS],
  ['behind', -MONTH_HOURS],
])('a process of the sandbox whose clock is a month %s', (_, hours) => {
  const adminKey = newKeySecret('sandbox');
  const clock = new WallClock(hours);
  let database: TestDatabase;
  let replica: Replica;
  let api: Api;
  let userId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, BOOTSTRAP_ADMIN_KEY: adminKey };
    const right = await Replica.start('sandbox', env);
    const partner = await createPartner(right.api(adminKey));
    userId = (await partner.api.post('/users', { external_id: 'clock' })).body.data.id;
    await right.kill();
    replica = await Replica.spawn('sandbox', { ...env, ...clock.env });
    await replica.untilDegraded('clock');
    api = replica.api(partner.key);
  }, 60_000);
  afterAll(async () => {
    await replica?.kill();
    clock.remove();
    await database?.drop();
  });

  const deposit = (): Promise<Answer> =>
    api.post('/positions', { user_id: userId, asset: 'USDC', amount: 1 });
  const kept = async (): Promise<number> =>
    (await database.query('sandbox', 'SELECT FROM ledger_entries')).length;

  it('A process of the sandbox whose clock is a month wrong answers transfers and advances with 503, logs why, and recovers once its clock is right', async () => {
    const refused = await deposit();
    expectError(refused, 503, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('2');
    expectError(await api.post('/simulation/clock/advance', { hours: 1 }), 503, 'service_unavailable');
    expect(await kept()).toBe(0);
    expect(replica.logs).toMatch(/"ahead_ms":-?2\d{9},.*transfers get 503/);
    clock.add(-hours);
    expectFirst(await deposit());
    expect(await kept()).toBe(1);
    // The clock is set wrong while the process runs, which it notices before a check is due.
    clock.add(hours);
    expectError(await deposit(), 503, 'service_unavailable');
    expect(await kept()).toBe(1);
  }, 60_000);
});

describe('a transfer in a month without a ledger partition', () => {
  let market: Awaited<ReturnType<typeof startMarket>>;

  beforeAll(async () => {
    market = await startMarket('partner');
  });
  afterAll(() => market?.close());

  it('A transfer in a month without a ledger partition is refused with 503, logged, and not stored', async () => {
    const { app, protocol, partner } = market;
    const userId = (await partner.api.post('/users', { external_id: 'month' })).body.data.id;
    const deposited = await protocol.post('/positions', {
      user_id: userId,
      asset: 'USDC',
      amount: 10,
      tx_hash: newTxHash(),
    });
    expectFirst(deposited);
    const withdraw = (): Promise<Answer> =>
      protocol.post(`/positions/${deposited.body.data.id}/withdrawals`, { amount: 1, tx_hash: newTxHash() });
    // This is not the machine's clock, which is watched, but the clock of the domain.
    const clock = app.application.get(Clock);
    const now = clock.now.bind(clock);
    clock.now = () => new Date(now().getTime() + 100 * 24 * 3_600_000);
    try {
      const refused = await withdraw();
      expectError(refused, 503, 'service_unavailable');
      expect(refused.headers.get('retry-after')).toBe('2');
      expect(app.logs()).toContain('the ledger has no partition for this moment');
    } finally {
      clock.now = now;
    }
    expect(await app.sql('SELECT FROM ledger_entries WHERE user_id = $1', [userId])).toHaveLength(1);
    expectFirst(await withdraw());
  });
});
