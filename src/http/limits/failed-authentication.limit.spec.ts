import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Caller, digestOf, type Refusal } from '../../domain/tenants/access/authenticator.js';
import { HttpError } from '../answer/http-error.js';
import { countedAddress, FailedAuthenticationLimit, KnownKeys } from './failed-authentication.limit.js';

const CALLER: Caller = { keyId: 'key_1', label: 'one', scopes: ['read'], partnerId: null, sessionId: null };
const HOME = '192.0.2.1';
const LIMIT = 3;

let asked: string[] = [];
/** Keys that the database knows, and how often it was asked. */
let active: string[] = [];
let loads = 0;
let since: (Date | null)[] = [];
let isDown = false;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());
const pass = (ms: number): void => void jest.advanceTimersByTime(ms);

const throttle = (limit = LIMIT, mostAddresses?: number): FailedAuthenticationLimit => {
  [asked, active, loads, since] = [[], [], 0, []];
  const load = async (from: Date | null, _most: number, bytes: number): Promise<Buffer> => {
    if (isDown) throw new Error('down');
    loads++;
    since.push(from);
    return Buffer.concat(active.map((key) => digestOf(key).subarray(0, bytes)));
  };
  return new FailedAuthenticationLimit(limit, new KnownKeys(load, { now: () => new Date() }), mostAddresses);
};

/** @returns a lookup as the database would answer it: a key that begins with `good` is accepted */
const of = (key: string) => async (): Promise<Caller | Refusal> => {
  asked.push(key);
  return key.startsWith('good') ? CALLER : 'invalid_api_key';
};

/**
 * One authentication attempt.
 * @returns `in`, `refused`, or the seconds of `Retry-After`
 */
async function call(
  gate: FailedAuthenticationLimit,
  key: string,
  ip = HOME,
  attempt = of(key),
): Promise<string> {
  try {
    return typeof (await gate.admit(() => ip, digestOf(key), attempt)) === 'object' ? 'in' : 'refused';
  } catch (error) {
    if (error instanceof HttpError) return `after ${error.extra.headers!['Retry-After']} s`;
    throw error;
  }
}

describe('an address with failed authentications', () => {
  it('An address with failed authentications is refused beyond the limit without a query, until its minute is over', async () => {
    const gate = throttle();
    for (const key of ['bad1', 'bad2', 'bad3']) expect(await call(gate, key)).toBe('refused');
    pass(20_500);
    expect(await call(gate, 'bad4')).toBe('after 40 s');
    expect(await call(gate, 'good')).toBe('after 40 s');
    expect(asked).toEqual(['bad1', 'bad2', 'bad3']);
    pass(39_499);
    expect(await call(gate, 'bad5')).toBe('after 1 s');
    pass(1);
    expect(await call(gate, 'bad6')).toBe('refused');
    expect(await call(gate, 'good')).toBe('in');
  });

  it('An address is refused beyond the limit also while its attempts are in progress; an attempt with a valid key does not count', async () => {
    const gate = throttle();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const slowly = (key: string) => () => answered.then(of(key));
    const keys = ['bad1', 'good1', 'good2', 'bad2', 'bad3'];
    const outcomes = Promise.all(keys.map((key) => call(gate, key, HOME, slowly(key))));
    await jest.advanceTimersByTimeAsync(0);
    answer();
    expect(await outcomes).toEqual(['refused', 'in', 'in', 'after 60 s', 'after 60 s']);
    for (const key of ['bad4', 'bad5']) expect(await call(gate, key)).toBe('refused');
    expect(await call(gate, 'bad6')).toBe('after 60 s');
  });

  it('A reservation that is taken back after its minute changes no later count of the address', async () => {
    const gate = throttle();
    const takeBack = await gate.reserve(HOME);
    pass(60_000);
    for (const key of ['bad1', 'bad2', 'bad3']) expect(await call(gate, key)).toBe('refused');
    takeBack();
    expect(await call(gate, 'bad4')).toBe('after 60 s');
  });

  it('An address is not limited if the limit is 0', async () => {
    const gate = throttle(0);
    for (let turn = 0; turn < 1000; turn++) expect(await call(gate, 'bad')).toBe('refused');
  });
});

describe('a caller with many addresses', () => {
  const MOST_ADDRESSES = 10;
  const network = (host: number): string => `2001:db8:0:${host.toString(16)}::1`;
  const exhaust = async (gate: FailedAuthenticationLimit, ip: string): Promise<void> => {
    for (let turn = 0; turn < LIMIT; turn++) expect(await call(gate, `bad${turn}`, ip)).toBe('refused');
  };

  it('Attempts below the limit from other addresses do not lift a refusal', async () => {
    const gate = throttle(LIMIT, MOST_ADDRESSES);
    await exhaust(gate, HOME);
    for (let host = 0; host < 1_000; host++) expect(await call(gate, 'bad', network(host))).toBe('refused');
    expect(await call(gate, 'bad', HOME)).toMatch(/^after/);
  });

  it('A refused address is forgotten only after as many other addresses are refused as the limit can remember', async () => {
    const gate = throttle(LIMIT, MOST_ADDRESSES);
    await exhaust(gate, HOME);
    for (let host = 1; host < MOST_ADDRESSES; host++) await exhaust(gate, network(host));
    expect(await call(gate, 'bad', HOME)).toMatch(/^after/);
    // Its attempt made it the last one used, so all of them have to be others.
    for (let host = 1; host <= MOST_ADDRESSES; host++) await exhaust(gate, network(MOST_ADDRESSES + host));
    expect(await call(gate, 'bad', HOME)).toBe('refused');
  });

  it('The limit counts at most twice as many addresses of a caller as it remembers, and none once the minute is over', async () => {
    const gate = throttle(LIMIT, MOST_ADDRESSES);
    for (let host = 0; host < 100; host++) await exhaust(gate, network(host));
    for (let host = 100; host < 200; host++) await call(gate, 'bad', network(host));
    expect(jest.getTimerCount()).toBe(2 * MOST_ADDRESSES);
    pass(60_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a recently authenticated key', () => {
  const locked = async (gate: FailedAuthenticationLimit): Promise<void> => {
    for (let turn = 0; turn < LIMIT; turn++) expect(await call(gate, `bad${turn}`)).toBe('refused');
    expect(await call(gate, 'bad')).toMatch(/^after/);
  };

  it('A recently authenticated key is accepted at a locked address, and is looked up each time', async () => {
    const gate = throttle();
    await call(gate, 'good');
    await locked(gate);
    asked = [];
    for (let turn = 0; turn < 3; turn++) expect(await call(gate, 'good')).toBe('in');
    expect(asked).toEqual(['good', 'good', 'good']);
  });

  it('A recently authenticated key is refused once revoked, without counting as a failure, and is unknown from then on', async () => {
    const gate = throttle();
    await call(gate, 'good');
    const revoked = async (): Promise<Refusal> => 'invalid_api_key';
    expect(await call(gate, 'good', HOME, revoked)).toBe('refused');
    await locked(gate);
    expect(await call(gate, 'good', HOME, revoked)).toMatch(/^after/);
  });

  it('A recently authenticated key remains known after a failed query', async () => {
    const gate = throttle();
    await call(gate, 'good');
    await expect(call(gate, 'good', HOME, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    await locked(gate);
    expect(await call(gate, 'good')).toBe('in');
  });
});

describe('an active key that this process has not seen', () => {
  const locked = async (...keys: string[]): Promise<FailedAuthenticationLimit> => {
    const gate = throttle();
    active = keys;
    for (let turn = 0; turn < LIMIT; turn++) await call(gate, `bad${turn}`);
    asked = [];
    return gate;
  };

  it('An active key that this process has not seen is accepted at a locked address; an unknown key is refused there without a query', async () => {
    const gate = await locked('good1', 'good2');
    expect(await call(gate, 'good1')).toBe('in');
    expect(await call(gate, 'good2')).toBe('in');
    expect(await call(gate, 'bad')).toMatch(/^after/);
    expect([asked, loads]).toEqual([['good1', 'good2'], 1]);
  });

  it('An active key that this process has not seen is accepted at a locked address at most a second after it was created', async () => {
    const begin = Date.now();
    const gate = await locked('good1');
    expect(await call(gate, 'good1')).toBe('in');
    active.push('good2');
    expect(await call(gate, 'good2')).toMatch(/^after/);
    pass(1_000);
    expect(await call(gate, 'good2')).toBe('in');
    // Only keys of the last minutes are read again.
    expect(since).toEqual([null, new Date(begin - 600_000)]);
  });

  it('An active key that this process has not seen is accepted at a locked address a second after the keys could not be read', async () => {
    const gate = await locked('good');
    isDown = true;
    await expect(call(gate, 'good')).rejects.toThrow('down');
    isDown = false;
    pass(1_000);
    expect(await call(gate, 'good')).toBe('in');
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
  ])('%s is counted as %s', (ip, counted) => {
    expect(countedAddress(ip)).toBe(counted);
  });
});
