import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RecentWrites } from './recent-writes.js';

describe('recent writes', () => {
  it('are known by partner, and none is of who is no partner', async () => {
    const writes = new RecentWrites();
    expect(writes.lastOf('a')).toBe(-Infinity);
    writes.note('a');
    await sleep(2);
    writes.note('b');
    expect(writes.lastOf('a')).toBeLessThan(writes.lastOf('b'));
    expect(writes.lastOf(null)).toBe(-Infinity);
  });

  it('count on, once more than can be remembered have come, as no later than the last that was forgotten', async () => {
    const writes = new RecentWrites();
    writes.note('first');
    const first = writes.lastOf('first');
    await sleep(2);
    for (let count = 0; count < 10_000; count++) writes.note(`partner ${count}`);
    expect(writes.lastOf('first')).toBe(first);
    expect(writes.lastOf('never heard of')).toBe(first);
    expect(writes.lastOf('partner 0')).toBeGreaterThan(first);
  });
});
