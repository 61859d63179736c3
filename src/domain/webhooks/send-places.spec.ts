import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../config/settings.js';
import type { Places } from '../places.js';
import { SendPlaces } from './send-places.js';

const settings = loadSettings({ CONTRACT: 'sandbox', SECRETS_KEY: Buffer.alloc(32).toString('base64') });
const { concurrency, concurrencyPerEndpoint, endpointsPerPartner } = settings.constants.webhooks;

/** Slots that an owner gets before one is refused. */
function taken(places: Places, whose: string): number {
  for (let count = 0; ; count++) if (!places.enterNow(whose)) return count;
}

/** Slots that partners get, one after another, until nobody gets one. */
function takenByAll(places: Places): number {
  for (let [all, partner] = [0, 0]; ; partner++) {
    const count = taken(places, `partner ${partner}`);
    if (count === 0) return all;
    all += count;
  }
}

describe('concurrency slots of sends', () => {
  it('of a partner are one for each of its endpoints and of its test sends, and further ones as many as its endpoints take', () => {
    const places = new SendPlaces(settings);
    expect(taken(places.first, 'one')).toBe(endpointsPerPartner + 4);
    expect(taken(places.further, 'one')).toBe(endpointsPerPartner * (concurrencyPerEndpoint - 1));
  });

  it('are three quarters for first sends to an endpoint, and a quarter for further ones', () => {
    const places = new SendPlaces(settings);
    expect(takenByAll(places.first)).toBe(concurrency * 0.75);
    expect(takenByAll(places.further)).toBe(concurrency * 0.25);
  });
});
