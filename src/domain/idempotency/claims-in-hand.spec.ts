import { describe, expect, it } from '@jest/globals';
import { ClaimsInHand } from './claims-in-hand.js';

const claim = (key: string, scope = 'ptn_1') => ({ scope, route: 'POST /x', key });
const never = new AbortController().signal;
const BOUNDS = { waitMs: 60_000, perClaim: 2, perCaller: 3 };
const refused = { code: 'idempotency_in_progress' };

describe('claims in hand', () => {
  it('are held by one, until he lets go', () => {
    const claims = new ClaimsInHand(BOUNDS);
    const letGo = claims.take(claim('a'))!;
    expect(claims.take(claim('a'))).toBeNull();
    expect(claims.take(claim('a', 'ptn_2'))).not.toBeNull();
    expect(claims.isHeld(claim('a'))).toBe(true);
    letGo();
    expect(claims.isHeld(claim('a'))).toBe(false);
  });

  it('are waited for until they are let go', async () => {
    const claims = new ClaimsInHand(BOUNDS);
    const letGo = claims.take(claim('a'))!;
    const waiting = claims.patience(claim('a'), never)();
    expect(claims.waiters).toBe(1);
    letGo();
    await waiting;
    expect(claims.waiters).toBe(0);
  });

  it('are waited for by a few of one claim, and by a few of one caller; the next is refused at once', async () => {
    const claims = new ClaimsInHand(BOUNDS);
    const letGo = ['a', 'b'].map((key) => claims.take(claim(key))!);
    const wait = (key: string, scope?: string) => claims.patience(claim(key, scope), never)();
    const waiting = [wait('a'), wait('a')];
    await expect(wait('a')).rejects.toMatchObject(refused);
    waiting.push(wait('b'));
    await expect(wait('b')).rejects.toMatchObject(refused);
    claims.take(claim('a', 'ptn_2'));
    void wait('a', 'ptn_2');
    expect(claims.waiters).toBe(4);
    letGo.forEach((let_) => let_());
    await Promise.all(waiting);
    expect(claims.waiters).toBe(1);
  });

  it('are waited for so long and no longer', async () => {
    const claims = new ClaimsInHand({ ...BOUNDS, waitMs: 20 });
    claims.take(claim('a'));
    const wait = claims.patience(claim('a'), never);
    // A timer may fire a fraction of a millisecond early, which leaves one more short wait.
    const waits = async (): Promise<never> => {
      for (;;) await wait();
    };
    await expect(waits()).rejects.toMatchObject(refused);
    await expect(
      new ClaimsInHand({ ...BOUNDS, waitMs: 0 }).patience(claim('a'), never)(),
    ).rejects.toMatchObject(refused);
  });

  it('lose who is gone', async () => {
    const claims = new ClaimsInHand(BOUNDS);
    claims.take(claim('a'));
    const gone = new AbortController();
    const waiting = claims.patience(claim('a'), gone.signal)();
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(claims.waiters).toBe(0);
  });
});
