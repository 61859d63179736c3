import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { Settings } from '../../src/config/settings.js';
import { Batches } from '../../src/domain/kernel/store/batches.js';
import { StorageLimit } from '../../src/domain/kernel/store/storage-limit.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { WebhookRetention } from '../../src/domain/outbound/webhooks/webhook-retention.service.js';
import type { Engine } from '../support/engine.js';
import { addDeliveries, addEndpoint, addEvents, idsOf, removeAll, startEngine } from './rows.js';

const KEPT = 20;
const keepFew = (constants: Constants): number => (constants.webhooks.deliveriesKept = KEPT);

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ adjust: keepFew });
});
afterAll(() => engine.stop());
beforeEach(() => removeAll(engine));

describe('deliveries', () => {
  let owner: string;
  const prune = (batches?: Batches, from = engine): Promise<number> =>
    from.context.get(WebhookRetention).pruneDeliveries(batches);

  beforeEach(async () => {
    owner = await engine.createPartner();
  });

  it('Deliveries beyond the newest of each partner are deleted, also of a disabled one; a partner with fewer keeps all', async () => {
    const disabled = await engine.createPartner();
    const few = await engine.createPartner();
    const many = await addDeliveries(engine, owner, 'many', KEPT + 7);
    const stopped = await addDeliveries(engine, disabled, 'stopped', KEPT + 1, { status: 'failed' });
    const ownDeliveries = await addDeliveries(engine, few, 'few', KEPT);
    await engine.context.get(PartnerService).update(disabled, { status: 'disabled' });
    expect(await prune()).toBe(8);
    expect(await idsOf(engine, 'deliveries')).toEqual(
      [...many.slice(7), ...stopped.slice(1), ...ownDeliveries].sort(),
    );
    expect(await prune()).toBe(0);
  });

  it('Deliveries that a running request may return stay, however many are newer', async () => {
    const { webhookTimeoutMs: timeoutMs } = engine.settings;
    const spareHours =
      (timeoutMs + engine.settings.constants.webhooks.interruptedGraceSeconds * 1000) / 3_600_000;
    const [old, young] = [
      await addDeliveries(engine, owner, 'a', 2, { hoursAgo: spareHours + 0.1 }),
      await addDeliveries(engine, owner, 'b', 2, { hoursAgo: spareHours - 0.001 }),
    ];
    await addDeliveries(engine, owner, 'c', KEPT, { hoursAgo: 0 });
    expect(await prune()).toBe(2);
    const remainingIds = await idsOf(engine, 'deliveries');
    expect(remainingIds).toEqual(expect.arrayContaining(young));
    expect(remainingIds).not.toEqual(expect.arrayContaining([old[0]]));
  });

  it('Deliveries that have not ended stay: queued, pending, and those of an event during its fan-out', async () => {
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

  it('Deliveries of a test send stay while a retry of it may return them', async () => {
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

  it('Deliveries queued for a deleted endpoint are deleted, and those of others are not', async () => {
    const endpoint = await addEndpoint(engine, owner, 'wh_there');
    const wanted = await addDeliveries(engine, owner, 'wanted', 3, { status: 'queued', webhookId: endpoint });
    await addDeliveries(engine, owner, 'orphan', 5, { status: 'queued' });
    expect(await prune()).toBe(5);
    expect(await idsOf(engine, 'deliveries')).toEqual(wanted);
  });

  it('Deliveries are deleted once when two replicas delete them at the same time', async () => {
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

describe('events', () => {
  const pruneEvents = (batches?: Batches): Promise<number> =>
    engine.context.get(WebhookRetention).pruneEvents(batches);

  it('Events without a delivery are deleted 30 days after they were recorded, and none sooner', async () => {
    await addEvents(engine, 'old', 3, { hoursAgo: 24 * 30 + 0.001 });
    const young = await addEvents(engine, 'young', 3, { hoursAgo: 24 * 30 - 0.01 });
    expect(await pruneEvents()).toBe(3);
    expect(await idsOf(engine, 'events')).toEqual(young);
  });

  it('Events with a delivery stay as long as it does', async () => {
    const partner = await engine.createPartner();
    const [shown] = await addDeliveries(engine, partner, 'shown', 1, { hoursAgo: 24 * 32 });
    await addEvents(engine, 'unshown', 1);
    expect(await pruneEvents()).toBe(1);
    expect(await idsOf(engine, 'events')).toHaveLength(1);
    await engine.sql('DELETE FROM deliveries WHERE id = $1', [shown]);
    expect(await pruneEvents()).toBe(1);
    expect(await idsOf(engine, 'events')).toEqual([]);
  });

  it('Events that still await their fan-out stay, however old', async () => {
    const owed = await addEvents(engine, 'owed', 2, { hoursAgo: 24 * 60, fannedOut: false });
    await addEvents(engine, 'done', 2);
    expect(await pruneEvents()).toBe(2);
    expect(await idsOf(engine, 'events')).toEqual(owed);
  });

  it('Events are scanned page by page: a run continues after the one before, and restarts at the end', async () => {
    const partner = await engine.createPartner();
    const shown = await addDeliveries(engine, partner, 'a', 25, { hoursAgo: 24 * 33 });
    await addEvents(engine, 'b', 25, { hoursAgo: 24 * 32 });
    expect(await pruneEvents(new Batches(10, 2))).toBe(0); // The 20 oldest events all have deliveries.
    expect(await pruneEvents(new Batches(10, 2))).toBe(15);
    expect(await pruneEvents(new Batches(10, 2))).toBe(10);
    await engine.sql('DELETE FROM deliveries WHERE id = $1', [shown[0]]);
    expect(await pruneEvents(new Batches(10, 2))).toBe(1);
    expect(await idsOf(engine, 'events')).toHaveLength(24);
  });

  it('Events are deleted with their marks', async () => {
    const [event] = await addEvents(engine, 'old', 1);
    await engine.sql(`INSERT INTO undelivered VALUES ($1, 'wh_gone', 'ptn_any', 'system.status', now())`, [
      event,
    ]);
    expect(await pruneEvents()).toBe(1);
    expect(await engine.sql('SELECT FROM undelivered')).toEqual([]);
  });

  it('Events of a partner over its storage limit are deleted early, the oldest first, except for those still to be sent', async () => {
    const { storage } = engine.context.get(Settings).constants;
    const { trafficMibPerPartner: before } = storage;
    const [partner, other] = [await engine.createPartner(), await engine.createPartner()];
    const fill = (owner: string): Promise<unknown[]> =>
      engine.sql(
        `INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT 'evt_' || $1 || n, $1, 'system.status', to_json((SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 280))), now() - (1000 - n) * interval '1 minute', true
           FROM generate_series(100, 199) AS n`,
        [owner],
      );
    await fill(partner);
    await engine.context.get(StorageLimit).count(partner);
    storage.trafficMibPerPartner = 1;
    const makeRoom = (): Promise<number> => engine.context.get(WebhookRetention).makeRoom(new Batches(10));
    const removed = await makeRoom();
    storage.trafficMibPerPartner = before;
    await fill(other);
    await engine.context.get(StorageLimit).count(other);
    expect(removed).toBe(50);
    const remainingIds = await idsOf(engine, 'events', `partner_id = '${partner}'`);
    expect(remainingIds).toEqual(Array.from({ length: 50 }, (_, n) => `evt_${partner}${150 + n}`));
    const [row] = await engine.sql<{ fits: boolean }>(
      `SELECT p.events_from > (now() - interval '852 minutes') AND p.events_from <= min(e.recorded_at) AS fits
         FROM partners p JOIN events e ON e.partner_id = p.id WHERE p.id = $1 GROUP BY p.id`,
      [partner],
    );
    expect(row).toEqual({ fits: true });

    await engine.sql('UPDATE events SET fanned_out = false WHERE id = $1', [`evt_${other}103`]);
    storage.trafficMibPerPartner = 1;
    expect(await makeRoom()).toBe(3);
    storage.trafficMibPerPartner = before;
  });
});
