import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { Store } from '../../src/domain/kernel/store/store.js';
import { Housekeeping } from '../../src/jobs/housekeeping.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';

const ENDPOINTS = 50;
const EVENTS = 25;
/** Sends that its endpoints take at once: four each. */
const AT_ONCE = 4 * ENDPOINTS;
const SETTLED_MS = 300_000;

/**
 * A partner with many events to many endpoints delays others by its turn, not by all of its deliveries. Its receivers answer nothing until the other
 * partner's send has come, so that the result does not depend on how fast the machine is.
 */
describe(`a partner with ${ENDPOINTS * EVENTS} unsent deliveries`, () => {
  let app: TestApp;
  let events: EventService;
  let receiver: Receiver;
  let loud: TestPartner;
  let quiet: TestPartner;
  /** Sends that are not answered yet. */
  let held: ServerResponse[] = [];

  beforeAll(async () => {
    app = await startApp('partner', { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_TIMEOUT_MS: '30000' });
    // Housekeeping is stopped, so that its sweep, due after two seconds, finds no work here.
    await app.application.get(Housekeeping).stop();
    events = app.application.get(EventService);
    receiver = await Receiver.start((response) => {
      held.push(response);
      if (!receiver.received.some(isQuiet)) return;
      held.forEach((one) => one.end());
      held = [];
    });
    [loud, quiet] = [await createPartner(app.admin), await createPartner(app.admin)];
    for (let number = 0; number < ENDPOINTS; number++) await register(loud, `/loud/${number}`);
    await register(quiet, '/quiet');
  });
  afterAll(async () => {
    await app?.close();
    await receiver?.close();
  });

  const isQuiet = ({ path }: { path: string }): boolean => path === '/quiet';
  const register = async ({ api }: TestPartner, path: string): Promise<string> =>
    (await api.post('/webhooks', { url: receiver.url.replace('/hook', path) })).body.data.id;
  const raise = ({ id: partnerId }: TestPartner, n = 0): Promise<string[]> =>
    events.raise([{ type: 'position.opened', partnerId, data: { n } }]);
  /** The number of sends of the loud partner that had begun when the quiet partner's did. */
  const before = async (): Promise<number> => {
    await until(async () => receiver.received.some(isQuiet), SETTLED_MS);
    return receiver.received.findIndex(isQuiet);
  };
  const expectAllInOrder = async (): Promise<void> => {
    await until(async () => receiver.received.length >= ENDPOINTS * EVENTS + 1, SETTLED_MS);
    await untilSettled(app);
    const sent = receiver.received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(ENDPOINTS * EVENTS + 1);
  };

  it(
    'delays another partner by no more sends than its endpoints take at once',
    async () => {
      await app.application.get(Store).transaction(async () => {
        for (let n = 0; n < EVENTS; n++) await raise(loud, n);
        await raise(quiet);
      });
      expect(await before()).toBeLessThanOrEqual(AT_ONCE);
      await expectAllInOrder();
    },
    SETTLED_MS,
  );
});
