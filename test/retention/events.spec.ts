import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Batches } from '../../src/domain/store/batches.js';
import { WebhookRetention } from '../../src/domain/webhooks/webhook-retention.service.js';
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

  it('that no delivery shows go a day after they were recorded, and none sooner', async () => {
    await addEvents(engine, 'old', 3, { hoursAgo: 24.001 });
    const young = await addEvents(engine, 'young', 3, { hoursAgo: 23.99 });
    expect(await prune()).toBe(3);
    expect(await idsOf(engine, 'events')).toEqual(young);
  });

  it('that a delivery shows stay as long as it does', async () => {
    const partner = await engine.createPartner();
    const [shown] = await addDeliveries(engine, partner, 'shown', 1);
    await addEvents(engine, 'unshown', 1);
    expect(await prune()).toBe(1);
    expect(await idsOf(engine, 'events')).toHaveLength(1);
    await engine.sql('DELETE FROM deliveries WHERE id = $1', [shown]);
    expect(await prune()).toBe(1);
    expect(await idsOf(engine, 'events')).toEqual([]);
  });

  it('whose fan-out is not done stay, however old: nobody was there to do it, and it is still to be sent', async () => {
    const owed = await addEvents(engine, 'owed', 2, { hoursAgo: 24 * 30, fannedOut: false });
    await addEvents(engine, 'done', 2);
    expect(await prune()).toBe(2);
    expect(await idsOf(engine, 'events')).toEqual(owed);
  });

  it('are walked page by page: a run goes on where the one before ended, and begins anew at the end', async () => {
    const partner = await engine.createPartner();
    const shown = await addDeliveries(engine, partner, 'a', 25, { hoursAgo: 72 });
    await addEvents(engine, 'b', 25, { hoursAgo: 48 });
    expect(await prune(new Batches(10, 2))).toBe(0); // the 20 oldest: all are shown
    expect(await prune(new Batches(10, 2))).toBe(15);
    expect(await prune(new Batches(10, 2))).toBe(10);
    await engine.sql('DELETE FROM deliveries WHERE id = $1', [shown[0]]);
    expect(await prune(new Batches(10, 2))).toBe(1);
    expect(await idsOf(engine, 'events')).toHaveLength(24);
  });

  it('that another transaction holds are passed by, not waited for', async () => {
    const [held] = await addEvents(engine, 'old', 2);
    await engine.sql('BEGIN');
    await engine.sql('SELECT FROM events WHERE id = $1 FOR KEY SHARE', [held]);
    expect(await prune()).toBe(1);
    expect(await idsOf(engine, 'events')).toEqual([held]);
    await engine.sql('COMMIT');
    expect(await prune()).toBe(1);
  });
});
