import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../config/settings.js';
import type { FairSemaphore } from '../../kernel/fair-semaphore.js';
import { SendSlots } from './send-slots.js';

const settings = loadSettings({ CONTRACT: 'sandbox', SECRETS_KEY: Buffer.alloc(32).toString('base64') });
const { concurrency, concurrencyPerEndpoint, endpointsPerPartner } = settings.constants.webhooks;

/** Slots that an owner gets before one is refused. */
function taken(slots: FairSemaphore, owner: string): number {
  for (let count = 0; ; count++) if (!slots.enterNow(owner)) return count;
}

/** Slots that partners get, one after another, until nobody gets one. */
function takenByAll(slots: FairSemaphore): number {
  for (let [all, partner] = [0, 0]; ; partner++) {
    const count = taken(slots, `partner ${partner}`);
    if (count === 0) return all;
    all += count;
  }
}

describe('the concurrency slots of sends', () => {
  it('of a partner are one per endpoint and per test send, plus further ones up to its endpoints’ limits', () => {
    const slots = new SendSlots(settings);
    expect(taken(slots.first, 'one')).toBe(endpointsPerPartner + 4);
    expect(taken(slots.further, 'one')).toBe(endpointsPerPartner * (concurrencyPerEndpoint - 1));
  });

  it('are three quarters for first sends to endpoints, and a quarter for further ones', () => {
    const slots = new SendSlots(settings);
    expect(takenByAll(slots.first)).toBe(concurrency * 0.75);
    expect(takenByAll(slots.further)).toBe(concurrency * 0.25);
  });
});
