import { describe, expect, it } from '@jest/globals';
import { AccountSlots } from './account-slots.js';

const never = new AbortController().signal;
const BOUNDS = { slots: 1, length: 2, waitMs: 60_000 };
const next = () => new Promise(setImmediate);

/** Run of an account that holds its slot until the test ends it. */
function runner(turns: AccountSlots, account: string, gone = never) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const one = { runs: false, end: resolve, done: Promise.resolve() };
  one.done = turns.run(account, gone, async () => {
    one.runs = true;
    await promise;
  });
  one.done.catch(() => undefined);
  return one;
}

describe('the slots of accounts', () => {
  it('are given in order of request, and their queue is limited', async () => {
    const turns = new AccountSlots(BOUNDS);
    const [a, b, c] = ['a', 'b', 'c'].map((account) => runner(turns, account)) as [any, any, any];
    await expect(runner(turns, 'd').done).rejects.toMatchObject({ code: 'service_unavailable' });
    expect([a.runs, b.runs, c.runs]).toEqual([true, false, false]);
    a.end();
    await next();
    expect([b.runs, c.runs]).toEqual([true, false]);
    b.end();
    c.end();
    await Promise.all([a.done, b.done, c.done]);
    expect(turns.waiting).toBe(0);
  });

  it('are limited to one for each account, running or waiting', async () => {
    const turns = new AccountSlots(BOUNDS);
    const [a, b] = [runner(turns, 'a'), runner(turns, 'b')];
    for (const account of ['a', 'b'])
      await expect(runner(turns, account).done).rejects.toMatchObject({ code: 'advance_in_progress' });
    a.end();
    b.end();
    await Promise.all([a.done, b.done]);
    const again = runner(turns, 'a');
    again.end();
    await again.done;
    expect(again.runs).toBe(true);
  });

  it('are not given to an aborted or timed-out request', async () => {
    const turns = new AccountSlots({ slots: 1, length: 1, waitMs: 20 });
    const a = runner(turns, 'a');
    const gone = new AbortController();
    const b = runner(turns, 'b', gone.signal);
    gone.abort(new Error('gone'));
    await expect(b.done).rejects.toThrow('gone');
    expect(turns.waiting).toBe(0);
    const c = runner(turns, 'c');
    await expect(c.done).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(runner(turns, 'd', gone.signal).done).rejects.toThrow('gone');
    a.end();
    await a.done;
    expect([b.runs, c.runs]).toEqual([false, false]);
  });

  it('are released after failed work', async () => {
    const turns = new AccountSlots(BOUNDS);
    const fail = () => turns.run('a', never, () => Promise.reject(new Error('no')));
    for (let count = 0; count < 3; count++) await expect(fail()).rejects.toThrow('no');
  });
});
