import { afterEach, describe, expect, it } from '@jest/globals';
import { Foreground } from './foreground.js';

describe('work that gives way to requests', () => {
  const LONG_MS = 500;
  const pauses: Promise<void>[] = [];
  afterEach(() => Promise.all(pauses));
  const settled = async (pause: Promise<void>): Promise<boolean> => {
    pauses.push(pause);
    let is = false;
    void pause.then(() => (is = true));
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    return is;
  };

  it('goes on at the next turn where there are none', async () => {
    expect(await settled(new Foreground().giveWay(LONG_MS))).toBe(true);
  });

  it('leaves them the time that it is told, while one is under way and for a moment after', async () => {
    const foreground = new Foreground();
    const leave = foreground.enter();
    expect(await settled(foreground.giveWay(LONG_MS))).toBe(false);
    leave();
    expect(await settled(foreground.giveWay(LONG_MS))).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await settled(foreground.giveWay(LONG_MS))).toBe(true);
  });

  it('counts each request once, however often it is said to be over', async () => {
    const foreground = new Foreground();
    const [first] = [foreground.enter(), foreground.enter()];
    first();
    first();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await settled(foreground.giveWay(LONG_MS))).toBe(false);
  });
});
