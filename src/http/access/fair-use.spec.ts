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
    for (let count = 0; count < PROMPT_REFUSALS; count++)
      expect(await ask('hostile')).toMatchObject({ code: 'rate_limited' });
    const visit = new Visit(response);
    let told: unknown = null;
    const held = ask('hostile', visit).then((error) => (told = error));
    await ask('other');
    expect(await ask('other')).toMatchObject({ code: 'rate_limited' });
    await nextTurn();
    expect(told).toBeNull();
    visit.callerLeft();
    await held;
    expect(told).toBeInstanceOf(CallerGone);
  });
});
