import { describe, expect, it } from '@jest/globals';
import { type Caller, digestOf, type Refusal } from '../../domain/tenants/access/authenticator.js';
import { HttpError } from '../answer/http-error.js';
import { countedAddress, FailedAuthenticationLimit, KnownKeys } from './failed-authentication.limit.js';

const CALLER: Caller = { keyId: 'key_1', label: 'one', scopes: ['read'], partnerId: null, sessionId: null };
const HOME = '192.0.2.1';
const LIMIT = 3;

let now = 0;
let asked: string[] = [];
/** Keys that the database knows, and how often it was asked. */
let active: string[] = [];
let loads = 0;
let since: (Date | null)[] = [];
let isDown = false;

const throttle = (limit = LIMIT, mostAddresses?: number): FailedAuthenticationLimit => {
  [now, asked, active, loads, since] = [1_000, [], [], 0, []];
  const load = async (from: Date | null, _most: number, bytes: number): Promise<Buffer> => {
    if (isDown) throw new Error('down');
    loads++;
    since.push(from);
    return Buffer.concat(active.map((key) => digestOf(key).subarray(0, bytes)));
  };
  const known = new KnownKeys(load, { now: () => new Date(now) }, undefined, () => now);
  return new FailedAuthenticationLimit(limit, known, () => now, mostAddresses);
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
  it('is refused beyond the limit without a query, until its minute is over', async () => {
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

  it('is not limited if the limit is 0', async () => {
    const gate = throttle(0);
    for (let turn = 0; turn < 1000; turn++) expect(await call(gate, 'bad')).toBe('refused');
  });
});

describe('a recently authenticated key', () => {
  const locked = async (gate: FailedAuthenticationLimit): Promise<void> => {
    for (let turn = 0; turn < LIMIT; turn++) expect(await call(gate, `bad${turn}`)).toBe('refused');
    expect(await call(gate, 'bad')).toMatch(/^after/);
  };

  it('is accepted at a locked address, and is looked up each time', async () => {
    const gate = throttle();
    await call(gate, 'good');
    await locked(gate);
    asked = [];
    for (let turn = 0; turn < 3; turn++) expect(await call(gate, 'good')).toBe('in');
    expect(asked).toEqual(['good', 'good', 'good']);
  });

  it('is refused once revoked, without counting as a failure, and is unknown from then on', async () => {
    const gate = throttle();
    await call(gate, 'good');
    const revoked = async (): Promise<Refusal> => 'invalid_api_key';
    expect(await call(gate, 'good', HOME, revoked)).toBe('refused');
    await locked(gate);
    expect(await call(gate, 'good', HOME, revoked)).toMatch(/^after/);
  });

  it('remains known after a failed query', async () => {
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

  it('is accepted at a locked address; an unknown key is refused there without a query', async () => {
    const gate = await locked('good1', 'good2');
    expect(await call(gate, 'good1')).toBe('in');
    expect(await call(gate, 'good2')).toBe('in');
    expect(await call(gate, 'bad')).toMatch(/^after/);
    expect([asked, loads]).toEqual([['good1', 'good2'], 1]);
  });

  it('is accepted there a second after it was created, at the latest', async () => {
    const gate = await locked('good1');
    expect(await call(gate, 'good1')).toBe('in');
    active.push('good2');
    expect(await call(gate, 'good2')).toMatch(/^after/);
    now += 1_000;
    expect(await call(gate, 'good2')).toBe('in');
    // Only keys of the last minutes are read again.
    expect(since).toEqual([null, new Date(1_000 - 600_000)]);
  });

  it('is accepted there a second after the keys could not be read', async () => {
    const gate = await locked('good');
    isDown = true;
    await expect(call(gate, 'good')).rejects.toThrow('down');
    isDown = false;
    now += 1_000;
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
