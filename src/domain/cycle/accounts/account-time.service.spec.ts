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
});
