import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../config/settings.js';
import type { FairSemaphore } from '../../kernel/fair-semaphore.js';
import { SendSlots } from './send-slots.js';

const settings = loadSettings({ CONTRACT: 'sandbox', SECRETS_KEY: Buffer.alloc(32).toString('base64') });
const { concurrency, concurrencyPerEndpoint, endpointsPerPartner } = settings.constants.webhooks;

/** Slots that an owner gets before one is refused. */
function takenSlots(slots: FairSemaphore, owner: string): number {
  for (let count = 0; ; count++) if (!slots.enterNow(owner)) return count;
}
const takenByAll = (slots: FairSemaphore): number =>
  Array.from({ length: concurrency }, (_, partner) => takenSlots(slots, String(partner))).reduce(
    (a, b) => a + b,
  );

describe('the concurrency slots of sends', () => {
  it('The concurrency slots of sends of a partner are one per endpoint and test send, plus further ones up to its endpoints’ limits', () => {
    const { first, further } = new SendSlots(settings);
    expect(takenSlots(first, 'one')).toBe(endpointsPerPartner + 4);
    expect(takenSlots(further, 'one')).toBe(endpointsPerPartner * (concurrencyPerEndpoint - 1));
  });

  it('The concurrency slots of sends are three quarters for first sends to endpoints, and a quarter for further ones', () => {
    const { first, further } = new SendSlots(settings);
    expect([takenByAll(first), takenByAll(further)]).toEqual([concurrency * 0.75, concurrency * 0.25]);
  });
});
