import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CallerGone } from './exchange.js';
import { LaneIsFull, Lanes } from './lanes.js';

const lanes = (bounds: Partial<ConstructorParameters<typeof Lanes>[0]> = {}): Lanes =>
  new Lanes({ atOnce: 2, waiting: 3, patienceMs: 60_000, ...bounds });
const caller = (): EventEmitter => new EventEmitter();
const size = (of: Lanes): number => (of as unknown as { lanes: Map<string, unknown> }).lanes.size;

describe('a lane', () => {
  it('has so many places; who comes after waits for one, in the order of coming', async () => {
    const own = lanes();
    const [first, second] = [await own.enter('a', caller()), await own.enter('a', caller())];
    expect([first.waited, second.waited]).toEqual([false, false]);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (turn) => {
      const { waited, leave } = await own.enter('a', caller());
      order.push(turn);
      expect(waited).toBe(true);
      leave();
    });
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    first.leave();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
    second.leave();
    expect(size(own)).toBe(0);
  });

  it('is nobody else’s', async () => {
    const own = lanes({ waiting: 0 });
    for (const name of ['a', 'b', 'a', 'b']) await own.enter(name, caller());
    for (const name of ['a', 'b']) await expect(own.enter(name, caller())).rejects.toThrow(LaneIsFull);
  });

  it('lets so many wait, and each so long', async () => {
    const own = lanes({ patienceMs: 20 });
    const { leave } = await own.enter('a', caller());
    await own.enter('a', caller());
    const waits = [1, 2, 3].map(() => own.enter('a', caller()));
    await expect(own.enter('a', caller())).rejects.toThrow(LaneIsFull);
    for (const wait of await Promise.allSettled(waits))
      expect(wait).toMatchObject({ status: 'rejected', reason: expect.any(LaneIsFull) });
    leave();
    expect((await own.enter('a', caller())).waited).toBe(false);
  });

  it('forgets who goes while it waits', async () => {
    const own = lanes({ atOnce: 1, waiting: 1 });
    const { leave } = await own.enter('a', caller());
    const gone = caller();
    const wait = own.enter('a', gone);
    gone.emit('close');
    await expect(wait).rejects.toThrow(CallerGone);
    expect(gone.listenerCount('close')).toBe(0);
    const next = own.enter('a', caller());
    leave();
    expect((await next).waited).toBe(true);
  });
});
