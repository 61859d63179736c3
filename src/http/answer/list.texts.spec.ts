import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { Listed } from '../request/paging.js';
import { ListTexts } from './list.texts.js';

const by = (partnerId: string, leaves = (): void => undefined): Request =>
  ({ caller: { partnerId, keyId: 'key_1' }, visit: { requireCaller: leaves } }) as unknown as Request;

/** Items of about ten thousand characters each. */
const items = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ index, text: 'ü'.repeat(10_000) }));

const whole = (list: object[]): string =>
  JSON.stringify({ object: 'list', data: list, meta: { has_more: true, next_cursor: 'abc' } });

describe('the text of a list', () => {
  it('says whether there is a further page, and where', async () => {
    const texts = new ListTexts();
    expect(String(await texts.textOf(new Listed([], null), by('a')))).toBe(
      '{"object":"list","data":[],"meta":{"has_more":false}}',
    );
    expect(String(await texts.textOf(new Listed([{ id: 1 }], 'abc'), by('a')))).toBe(
      '{"object":"list","data":[{"id":1}],"meta":{"has_more":true,"next_cursor":"abc"}}',
    );
  });

  it('is the same in pieces as in one', async () => {
    for (const count of [2, 3, 4, 7, 100]) {
      const text = await new ListTexts().textOf(new Listed(items(count), 'abc'), by('a'));
      expect(String(text)).toBe(whole(items(count)));
    }
  });

  it('leaves the event loop a turn between slices, and tenants their turns', async () => {
    const texts = new ListTexts();
    const order: string[] = [];
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    function* slow(name: string, count: number): Iterable<object> {
      for (const item of items(count)) {
        for (const until = performance.now() + 2; performance.now() < until;);
        order.push(name);
        yield item;
      }
    }
    const asked = (name: string, partner: string) =>
      texts.textOf(new Listed(slow(name, 40), null), by(partner));
    await Promise.all([asked('a', 'greedy'), asked('b', 'greedy'), asked('c', 'other')]);
    clearInterval(other);
    expect(turns).toBeGreaterThan(5);
    // The other tenant's page is through while the second of the greedy one's is not.
    expect(order.lastIndexOf('c')).toBeLessThan(order.lastIndexOf('b'));
  });

  it('is given up when the caller has left', async () => {
    const left = (): never => {
      throw new Error('left');
    };
    await expect(new ListTexts().textOf(new Listed(items(20), null), by('a', left))).rejects.toThrow('left');
  });
});
