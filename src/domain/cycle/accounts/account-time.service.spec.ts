import { describe, expect, it } from '@jest/globals';
import { AccountSlots } from './account-time.service.js';

const never = new AbortController().signal;

/** Work of an account that holds its slot until the test ends it. */
function begin(slots: AccountSlots, account: string, gone = never) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const done = slots.run(account, gone, () => promise);
  done.catch(() => undefined);
  return { end, done };
}

describe('the slots of accounts', () => {
  it('are one for each account, running or waiting, also after failed work', async () => {
    const slots = new AccountSlots({ slots: 1, length: 2, waitMs: 60_000 });
    const held = ['a', 'b'].map((account) => begin(slots, account));
    for (const account of ['a', 'b'])
      await expect(begin(slots, account).done).rejects.toMatchObject({ code: 'advance_in_progress' });
    held.forEach(({ end }) => end());
    await Promise.all(held.map(({ done }) => done));
    for (const _ of [1, 2, 3])
      await expect(slots.run('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('are refused when the queue is full or too slow, and not given to an aborted request', async () => {
    const slots = new AccountSlots({ slots: 1, length: 1, waitMs: 20 });
    const { end } = begin(slots, 'a');
    const gone = new AbortController();
    const leaving = begin(slots, 'b', gone.signal);
    await expect(begin(slots, 'c').done).rejects.toMatchObject({ code: 'service_unavailable' });
    gone.abort(new Error('gone'));
    await expect(leaving.done).rejects.toThrow('gone');
    expect(slots.waiting).toBe(0);
    await expect(begin(slots, 'd').done).rejects.toMatchObject({ code: 'service_unavailable' });
    end();
  });
});
