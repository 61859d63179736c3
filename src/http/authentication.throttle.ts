import { isIP } from 'node:net';
import type { Caller, Refusal } from '../domain/access/authenticator.js';

const MINUTE_MS = 60_000;

/** How much is remembered; a few megabytes when full. */
const BOUNDS = { addresses: 10_000, keys: 10_000 };

/** What came from one address since its first attempt of the minute. */
interface Window {
  readonly endsAt: number;
  failures: number;
  /** Attempts whose outcome is open. */
  pending: number;
  /** Wakes those that wait for such an outcome. */
  waiting: (() => void)[];
}

/** An address that has no attempt left. */
export class TooManyFailures extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('too many failed authentications from one address');
  }
}

/**
 * Bounds how often one address may fail to authenticate, before anything is asked of the database. A key that authenticated lately passes,
 * whatever its neighbours do: it is remembered for this alone, and every request of it is accepted by the database alone.
 *
 * Counted in this process's memory, which is bounded: of too many addresses those whose minute ends first are forgotten.
 */
export class AuthenticationThrottle {
  /** In the order in which they end. */
  private readonly windows = new Map<string, Window>();
  /** The one used last at the end. */
  private readonly keys = new Set<string>();

  /**
   * @param limit failures a minute; 0 is off
   * @param now milliseconds of a clock that nobody sets
   */
  constructor(
    private readonly limit: number,
    private readonly now: () => number = () => performance.now(),
    private readonly bounds = BOUNDS,
  ) {}

  /**
   * Makes one attempt. Of strangers no more are under way than could fail within the limit, so that it also holds for many at once; the others
   * wait for the outcome of those.
   *
   * @param ip who calls
   * @param key digest of the key; null for what cannot be one
   * @returns what `attempt` resolved to
   * @throws TooManyFailures without an attempt
   */
  async admit(
    ip: string,
    key: string | null,
    attempt: () => Promise<Caller | Refusal>,
  ): Promise<Caller | Refusal> {
    if (this.limit === 0) return attempt();
    const window = await this.enter(countedAddress(ip), key);
    try {
      const outcome = await attempt();
      const accepted = typeof outcome === 'object';
      // One that is refused is a stranger from here on; that it was revoked is no guess, and not counted.
      if (key !== null) this.keys.delete(key);
      if (key !== null && accepted) this.remember(key);
      if (window && !accepted) window.failures++;
      return outcome;
    } finally {
      if (window) this.leave(window);
    }
  }

  /** @returns what the attempt counts in; null for a key that is known */
  private async enter(address: string, key: string | null): Promise<Window | null> {
    for (;;) {
      if (key !== null && this.keys.has(key)) return null;
      const window = this.windowOf(address);
      if (window.failures >= this.limit) {
        throw new TooManyFailures(Math.max(1, Math.ceil((window.endsAt - this.now()) / 1000)));
      }
      if (window.failures + window.pending < this.limit) {
        window.pending++;
        return window;
      }
      await new Promise<void>((resolve) => window.waiting.push(resolve));
    }
  }

  private leave(window: Window): void {
    window.pending--;
    const woken = window.waiting;
    window.waiting = [];
    woken.forEach((wake) => wake());
  }

  private windowOf(address: string): Window {
    const now = this.now();
    const known = this.windows.get(address);
    if (known && known.endsAt > now) return known;
    this.windows.delete(address);
    for (const [oldest, { endsAt }] of this.windows) {
      if (endsAt > now && this.windows.size < this.bounds.addresses) break;
      this.windows.delete(oldest);
    }
    const window = { endsAt: now + MINUTE_MS, failures: 0, pending: 0, waiting: [] };
    this.windows.set(address, window);
    return window;
  }

  private remember(key: string): void {
    this.keys.add(key);
    if (this.keys.size > this.bounds.keys) this.keys.delete(this.keys.values().next().value!);
  }
}

/** IPv4 whole; of IPv6 the network of 64 bits, all of which one caller has. */
export function countedAddress(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (v4 !== undefined || isIP(ip) !== 6) return v4 ?? ip;
  // Its zone is of this machine. A dotted end stands for two groups.
  const whole = ip.replace(/%.*$/, '').replace(/\d+\.\d+\.\d+\.\d+$/, '0:0');
  const [head = '', tail] = whole.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
