import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/config/environment.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { freePort, Replica } from '../support/replica.js';

/** The roles `api` and `worker` in separate processes on one database: each continues without the other. */
describe('separate api and worker processes', () => {
  const adminKey = newKeySecret('sandbox');
  const running = new Set<Replica>();
  let database: TestDatabase;
  let receiver: Receiver;
  let partner: TestPartner;
  let api: Replica;

  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await Receiver.start();
    api = await start('api');
    partner = await createPartner(api.api(adminKey));
    expect((await partner.api.post('/webhooks', { url: receiver.url })).status).toBe(201);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...running].map((replica) => replica.kill()));
    await receiver.close();
    await database.drop();
  });

  const start = async (role: Role, env: Record<string, string> = {}): Promise<Replica> => {
    const replica = await Replica.start('sandbox', {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      WEBHOOK_TIMEOUT_MS: '1000',
      ROLE: role,
      ...env,
    });
    running.add(replica);
    return replica;
  };
  it('A worker answers probes alone, and shows its role in its metrics', async () => {
    const managementPort = String(await freePort());
    const worker = await start('worker', { MANAGEMENT_PORT: managementPort });
    expect((await fetch(`${worker.url}/health/live`)).status).toBe(200);
    const refused = await fetch(`${worker.url}/api/v1/keys`);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ error: { code: 'route_not_found' } });
    const text = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
    expect(text).toMatch(/^vaultline_role\{role="worker"\} 1$/m);
    expect(text).toMatch(/^vaultline_worker_running 1$/m);
    expect(await worker.kill()).toBe(0);
  }, 60_000);

  it('A worker that hangs fails its liveness probe and is shown as silent until it is restarted', async () => {
    await Promise.all([...running].map((replica) => replica.kill('SIGKILL')));
    await database.query('sandbox', 'DELETE FROM replicas');
    const all = await start('all');
    const worker = await start('worker');
    const workers = async (): Promise<boolean[]> =>
      (await all.api(adminKey).get('/deployment')).body.data.replicas
        .filter(({ role }: { role: string }) => role === 'worker')
        .map(({ silent }: { silent: boolean }) => silent);
    expect(await workers()).toEqual([false]);
    worker.child.kill('SIGSTOP');
    await expect(
      fetch(`${worker.url}/health/live`, { signal: AbortSignal.timeout(1_000) }),
    ).rejects.toMatchObject({ name: 'TimeoutError' });
    await database.query(
      'sandbox',
      `UPDATE replicas SET seen_at = seen_at - interval '70 seconds', started_at = started_at - interval '80 seconds' WHERE role = 'worker'`,
    );
    expect(await workers()).toEqual([true]);
    await worker.kill('SIGKILL');
    await start('worker');
    expect(await workers()).toEqual([false]);
  }, 60_000);
});
