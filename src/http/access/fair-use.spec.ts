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
  req: { headers: {} },
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

it('long pages of a tenant are read one at a time, beside its other requests and those of others', async () => {
  const fairUse = new FairUse(settings);
  const join = async (partnerId: string, isLong: boolean): Promise<Visit | 'waits'> => {
    const visit = new Visit(response);
    const joined = fairUse.join(caller(partnerId), visit, { isLong }).then(() => visit);
    waiting = joined;
    return Promise.race([joined, nextTurn('waits' as const)]);
  };
  let waiting: Promise<Visit>;
  const first = (await join('one', true)) as Visit;
  expect(await join('one', true)).toBe('waits');
  const second = waiting!;
  expect(await join('one', false)).not.toBe('waits');
  expect(await join('another', true)).not.toBe('waits');
  first.callerLeft();
  (await second).callerLeft();
  expect(await join('one', true)).not.toBe('waits');
});
