import { describe, expect, it } from '@jest/globals';
import type { Caller, Refusal } from '../domain/access/authenticator.js';
import { AuthenticationThrottle, countedAddress, TooManyFailures } from './authentication.throttle.js';

const CALLER: Caller = { keyId: 'key_1', scopes: ['read'], partnerId: null };
const HOME = '192.0.2.1';
const LIMIT = 3;

let now = 0;
let asked: string[] = [];

const throttle = (bounds?: { addresses: number; keys: number }, limit = LIMIT): AuthenticationThrottle => {
  [now, asked] = [1_000, []];
  return new AuthenticationThrottle(limit, () => now, bounds);
};

/** @returns what the database would be asked for, and says of a key that begins with `good` */
const of = (key: string) => async (): Promise<Caller | Refusal> => {
  asked.push(key);
  return key.startsWith('good') ? CALLER : 'invalid_api_key';
};

/** One request. @returns `in`, `refused`, or after how many seconds to come back */
async function call(
  gate: AuthenticationThrottle,
  key: string,
  ip = HOME,
  attempt = of(key),
): Promise<string> {
  try {
    return typeof (await gate.admit(ip, key, attempt)) === 'object' ? 'in' : 'refused';
  } catch (error) {
    if (error instanceof TooManyFailures) return `after ${error.retryAfterSeconds} s`;
    throw error;
  }
}

describe('an address that fails to authenticate', () => {
  it('may do so up to the limit; then nothing is asked for it until its minute is over', async () => {
    const gate = throttle();
    for (const key of ['bad1', 'bad2', 'bad3']) expect(await call(gate, key)).toBe('refused');
    now += 20_500;
    expect(await call(gate, 'bad4')).toBe('after 40 s');
    expect(await call(gate, 'good')).toBe('after 40 s');
    expect(asked).toEqual(['bad1', 'bad2', 'bad3']);
    now += 39_499;
    expect(await call(gate, 'bad5')).toBe('after 1 s');
    now += 1;
    expect(await call(gate, 'bad6')).toBe('refused');
    expect(await call(gate, 'good')).toBe('in');
  });

  it('is not another', async () => {
    const gate = throttle();
    for (let turn = 0; turn < LIMIT; turn++) await call(gate, 'bad');
    expect(await call(gate, 'bad')).toBe('after 60 s');
    expect(await call(gate, 'bad', '192.0.2.2')).toBe('refused');
  });

  it('uses nothing up by what succeeds, or fails for another reason', async () => {
    const gate = throttle();
    for (let turn = 0; turn < LIMIT; turn++) {
      expect(await call(gate, `good${turn}`)).toBe('in');
      const down = call(gate, 'bad', HOME, () => Promise.reject(new Error('down')));
      await expect(down).rejects.toThrow('down');
    }
    for (let turn = 0; turn < LIMIT; turn++) expect(await call(gate, 'bad')).toBe('refused');
    expect(await call(gate, 'bad')).toMatch(/^after/);
  });

  it('has no more attempts when it makes all at once', async () => {
    const gate = throttle();
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, turn) => call(gate, `bad${turn}`)));
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(LIMIT);
    expect(outcomes.filter((outcome) => outcome === 'after 60 s')).toHaveLength(50 - LIMIT);
    expect(asked).toHaveLength(LIMIT);
  });

  it('makes as many at once as it likes with keys that are good, each of which is looked up', async () => {
    const gate = throttle();
    const keys = Array.from({ length: 50 }, (_, turn) => (turn % 2 ? 'good' : `good${turn}`));
    expect(new Set(await Promise.all(keys.map((key) => call(gate, key))))).toEqual(new Set(['in']));
    expect(asked.sort()).toEqual(keys.sort());
  });

  it('is let alone where the limit is 0', async () => {
    const gate = throttle(undefined, 0);
    for (let turn = 0; turn < 1000; turn++) expect(await call(gate, 'bad')).toBe('refused');
  });
});

describe('a key that authenticated lately', () => {
  const locked = async (gate: AuthenticationThrottle): Promise<void> => {
    for (let turn = 0; turn < LIMIT; turn++) expect(await call(gate, `bad${turn}`)).toBe('refused');
    expect(await call(gate, 'bad')).toMatch(/^after/);
  };

  it('passes whatever its neighbours do, and is looked up every time', async () => {
    const gate = throttle();
    await call(gate, 'good');
    await locked(gate);
    asked = [];
    for (let turn = 0; turn < 3; turn++) expect(await call(gate, 'good')).toBe('in');
    expect(asked).toEqual(['good', 'good', 'good']);
  });

  it('is refused once it is revoked, not counted for that, and a stranger from there on', async () => {
    const gate = throttle();
    await call(gate, 'good');
    const revoked = async (): Promise<Refusal> => 'invalid_api_key';
    expect(await call(gate, 'good', HOME, revoked)).toBe('refused');
    await locked(gate);
    expect(await call(gate, 'good', HOME, revoked)).toMatch(/^after/);
  });

  it('is still known where the database could not be asked', async () => {
    const gate = throttle();
    await call(gate, 'good');
    await expect(call(gate, 'good', HOME, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    await locked(gate);
    expect(await call(gate, 'good')).toBe('in');
  });
});

describe('what is remembered', () => {
  const sizes = (gate: AuthenticationThrottle): number[] => {
    const { windows, keys } = gate as unknown as { windows: Map<string, unknown>; keys: Set<string> };
    return [windows.size, keys.size];
  };

  it('has bounds: the address whose minute ends first and the key used longest ago go', async () => {
    const gate = throttle({ addresses: 10, keys: 5 });
    for (let host = 0; host < 100; host++) {
      await call(gate, 'bad', `198.51.100.${host}`);
      await call(gate, 'good', `198.51.100.${host}`);
      await call(gate, `good${host}`, `198.51.100.${host}`);
    }
    expect(sizes(gate)).toEqual([10, 5]);
    // Used all the time, so it is still known.
    for (let turn = 0; turn < LIMIT; turn++) await call(gate, 'bad');
    expect(await call(gate, 'good0')).toMatch(/^after/);
    expect(await call(gate, 'good')).toBe('in');
  });

  it('of addresses ends with their minute', async () => {
    const gate = throttle({ addresses: 1000, keys: 1000 });
    for (let host = 0; host < 100; host++) await call(gate, 'bad', `198.51.100.${host}`);
    now += 60_000;
    await call(gate, 'bad');
    expect(sizes(gate)).toEqual([1, 0]);
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (ip, counted) => {
    expect(countedAddress(ip)).toBe(counted);
  });
});
