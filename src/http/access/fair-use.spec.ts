import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../config/settings.js';
import { CallerGone } from '../request/exchange.js';
import { Visit } from '../request/visit.js';
import { FairUse, PROMPT_REFUSALS } from './fair-use.js';

const settings = loadSettings({
  CONTRACT: 'sandbox',
  RATE_LIMIT_PER_MINUTE: '1',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
});
const response = Object.assign(new EventEmitter(), {
  closed: false,
  setHeader: () => undefined,
  getHeader: () => undefined,
}) as never;
const caller = (partnerId: string) => ({ partnerId, keyId: `key of ${partnerId}` }) as never;

describe('refusals of a tenant', () => {
  it('are given at once, until it has had too many: then each waits, for as long as its caller does', async () => {
    const fairUse = new FairUse(settings);
    const ask = (partnerId: string, visit = new Visit(response)) =>
      fairUse.pay(caller(partnerId), visit, response).catch((error: unknown) => error);
    await ask('hostile');
    let prompt = 0;
    for (; prompt < 3 * PROMPT_REFUSALS; prompt++) {
      const visit = new Visit(response);
      const refused = ask('hostile', visit);
      if ((await Promise.race([refused, nextTurn('held')])) !== 'held') continue;
      await ask('other');
      expect(await Promise.race([ask('other'), nextTurn('held')])).toMatchObject({ code: 'rate_limited' });
      visit.callerLeft();
      expect(await refused).toBeInstanceOf(CallerGone);
      break;
    }
    // Some come back while they are used up.
    expect(prompt).toBeGreaterThanOrEqual(PROMPT_REFUSALS);
    expect(prompt).toBeLessThan(3 * PROMPT_REFUSALS);
  });
});
