import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { Batches } from '../../src/domain/kernel/store/batches.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { WebhookRetention } from '../../src/domain/outbound/webhooks/webhook-retention.service.js';
import type { Engine } from '../support/engine.js';
import { addDeliveries, addEndpoint, idsOf, removeAll, startEngine } from './rows.js';

const KEPT = 20;
const keepFew = (constants: Constants): number => (constants.webhooks.deliveriesKept = KEPT);

describe('deliveries', () => {
  let engine: Engine;
  let owner: string;
  const prune = (batches?: Batches, from = engine): Promise<number> =>
    from.context.get(WebhookRetention).pruneDeliveries(batches);

  beforeAll(async () => {
    engine = await startEngine({ adjust: keepFew });
  });
  afterAll(() => engine.stop());
  beforeEach(async () => {
    await removeAll(engine);
    owner = await engine.createPartner();
  });

  it('beyond the newest of each partner are deleted, also of a disabled one; a partner with fewer keeps all', async () => {
    const disabled = await engine.createPartner();
    const few = await engine.createPartner();
    const many = await addDeliveries(engine, owner, 'many', KEPT + 7);
    const stopped = await addDeliveries(engine, disabled, 'stopped', KEPT + 1, { status: 'failed' });
    const own = await addDeliveries(engine, few, 'few', KEPT);
    await engine.context.get(PartnerService).update(disabled, { status: 'disabled' });
    expect(await prune()).toBe(8);
    expect(await idsOf(engine, 'deliveries')).toEqual([...many.slice(7), ...stopped.slice(1), ...own].sort());
    expect(await prune()).toBe(0);
  });

  it('that a running request may return stay, however many are newer', async () => {
    const { timeoutMs } = engine.settings.webhooks;
    const spareHours =
      (timeoutMs + engine.settings.constants.webhooks.interruptedGraceSeconds * 1000) / 3_600_000;
    const [old, young] = [
      await addDeliveries(engine, owner, 'a', 2, { hoursAgo: spareHours + 0.1 }),
      await addDeliveries(engine, owner, 'b', 2, { hoursAgo: spareHours - 0.001 }),
    ];
    await addDeliveries(engine, owner, 'c', KEPT, { hoursAgo: 0 });
    expect(await prune()).toBe(2);
    const left = await idsOf(engine, 'deliveries');
    expect(left).toEqual(expect.arrayContaining(young));
    expect(left).not.toEqual(expect.arrayContaining([old[0]]));
  });

  it('that have not ended stay: queued, pending, and those of an event during its fan-out', async () => {
    const endpoint = await addEndpoint(engine, owner, 'wh_there');
    const owed = [
      ...(await addDeliveries(engine, owner, 'queued', 3, {
        status: 'queued',
        hoursAgo: 90,
        webhookId: endpoint,
      })),
      ...(await addDeliveries(engine, owner, 'pending', 3, { status: 'pending', hoursAgo: 90 })),
      ...(await addDeliveries(engine, owner, 'fanning', 3, { fannedOut: false, hoursAgo: 90 })),
    ];
    await addDeliveries(engine, owner, 'others', KEPT + 2);
    expect(await prune()).toBe(2);
    expect(await idsOf(engine, 'deliveries')).toEqual(expect.arrayContaining(owed));
  });

  it('of a test send stay while a retry of it may return them', async () => {
    const [tested] = await addDeliveries(engine, owner, 'tested', 1, { hoursAgo: 60 });
    await addDeliveries(engine, owner, 'later', KEPT);
    await engine.sql(
      `INSERT INTO idempotency_claims (key_id, scope, route, key, fingerprint, subject_id, claimed_at)
       SELECT id, 's', 'POST /webhooks/:id/test', 'k', '', $1, now() FROM api_keys LIMIT 1`,
      [tested],
    );
    expect(await prune()).toBe(0);
    await engine.sql(`UPDATE idempotency_claims SET answer = ''`);
    expect(await prune()).toBe(1);
    expect(await idsOf(engine, 'deliveries', `id = '${tested}'`)).toEqual([]);
  });

  it('queued for a deleted endpoint are deleted, and those of others are not', async () => {
    const endpoint = await addEndpoint(engine, owner, 'wh_there');
    const wanted = await addDeliveries(engine, owner, 'wanted', 3, { status: 'queued', webhookId: endpoint });
    await addDeliveries(engine, owner, 'orphan', 5, { status: 'queued' });
    expect(await prune()).toBe(5);
    expect(await idsOf(engine, 'deliveries')).toEqual(wanted);
  });

  it('are deleted once when two replicas delete them at the same time', async () => {
    const other = await startEngine({ database: engine.database, adjust: keepFew });
    try {
      const all = await addDeliveries(engine, owner, 'many', KEPT + 400);
      const removed = await Promise.all([prune(new Batches(10, 1000)), prune(new Batches(10, 1000), other)]);
      const after = await prune();
      expect(removed[0] + removed[1] + after).toBe(400);
      expect(await idsOf(engine, 'deliveries')).toEqual(all.slice(400));
    } finally {
      await other.stop();
    }
  });
});
