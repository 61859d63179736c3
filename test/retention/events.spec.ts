import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Settings } from '../../src/config/settings.js';
import { StorageLimit } from '../../src/domain/kernel/store/storage-limit.js';
import { Batches } from '../../src/domain/kernel/store/batches.js';
import { WebhookRetention } from '../../src/domain/outbound/webhooks/webhook-retention.service.js';
import type { Engine } from '../support/engine.js';
import { addDeliveries, addEvents, idsOf, removeAll, startEngine } from './rows.js';

describe('events', () => {
  let engine: Engine;
  const prune = (batches?: Batches): Promise<number> =>
    engine.context.get(WebhookRetention).pruneEvents(batches);

  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.stop());
  beforeEach(() => removeAll(engine));

  it('without a delivery are deleted 30 days after they were recorded, and none sooner', async () => {
    await addEvents(engine, 'old', 3, { hoursAgo: 24 * 30 + 0.001 });
    const young = await addEvents(engine, 'young', 3, { hoursAgo: 24 * 30 - 0.01 });
    expect(await prune()).toBe(3);
    expect(await idsOf(engine, 'events')).toEqual(young);
  });

  it('with a delivery stay as long as it does', async () => {
    const partner = await engine.createPartner();
    const [shown] = await addDeliveries(engine, partner, 'shown', 1, { hoursAgo: 24 * 32 });
    await addEvents(engine, 'unshown', 1);
    expect(await prune()).toBe(1);
    expect(await idsOf(engine, 'events')).toHaveLength(1);
    await engine.sql('DELETE FROM deliveries WHERE id = $1', [shown]);
    expect(await prune()).toBe(1);
    expect(await idsOf(engine, 'events')).toEqual([]);
  });

  it('that still await their fan-out stay, however old', async () => {
    const owed = await addEvents(engine, 'owed', 2, { hoursAgo: 24 * 60, fannedOut: false });
    await addEvents(engine, 'done', 2);
    expect(await prune()).toBe(2);
    expect(await idsOf(engine, 'events')).toEqual(owed);
  });

  it('are scanned page by page: a run continues after the one before, and restarts at the end', async () => {
    const partner = await engine.createPartner();
    const shown = await addDeliveries(engine, partner, 'a', 25, { hoursAgo: 24 * 33 });
    await addEvents(engine, 'b', 25, { hoursAgo: 24 * 32 });
    expect(await prune(new Batches(10, 2))).toBe(0); // The 20 oldest events all have deliveries.
    expect(await prune(new Batches(10, 2))).toBe(15);
    expect(await prune(new Batches(10, 2))).toBe(10);
    await engine.sql('DELETE FROM deliveries WHERE id = $1', [shown[0]]);
    expect(await prune(new Batches(10, 2))).toBe(1);
    expect(await idsOf(engine, 'events')).toHaveLength(24);
  });

  it('are deleted with their marks', async () => {
    const [event] = await addEvents(engine, 'old', 1);
    await engine.sql(`INSERT INTO undelivered VALUES ($1, 'wh_gone', 'ptn_any', 'system.status', now())`, [
      event,
    ]);
    expect(await prune()).toBe(1);
    expect(await engine.sql('SELECT FROM undelivered')).toEqual([]);
  });

  it('of a partner over its storage limit are deleted early, the oldest first, except for those still to be sent', async () => {
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
    const left = await idsOf(engine, 'events', `partner_id = '${partner}'`);
    expect(left).toEqual(Array.from({ length: 50 }, (_, n) => `evt_${partner}${150 + n}`));
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
