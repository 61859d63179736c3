import { isIP } from 'node:net';
import type { Caller, Refusal } from '../../domain/access/authenticator.js';
import type { KnownKeys } from '../../domain/access/known-keys.js';

const MINUTE_MS = 60_000;

/** Addresses that are remembered; a few megabytes when full. */
const MOST_ADDRESSES = 10_000;

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
 * Bounds how often the database is asked in vain for keys that come from one address. A key that is known passes, whatever its neighbours do: it is
 * known for this alone, and every request of it is accepted by the database alone. What cannot be a key of this deployment asks nothing, and does not
 * come here.
 *
 * Counted in this process's memory, which is bounded: of too many addresses those whose minute ends first are forgotten.
 */
export class AuthenticationThrottle {
  /** In the order in which they end. */
  private readonly windows = new Map<string, Window>();

  /**
   * @param limit failures a minute; 0 is off
   * @param now milliseconds of a clock that nobody sets
   */
  constructor(
    private readonly limit: number,
    private readonly known: KnownKeys,
    private readonly now: () => number = () => performance.now(),
    private readonly mostAddresses = MOST_ADDRESSES,
  ) {}

  /**
   * Makes one attempt. Of strangers no more are under way than could fail within the limit, so that it also holds for many at once; the others
   * wait for the outcome of those.
   *
   * @param ip who calls
   * @param key digest of the key
   * @returns what `attempt` resolved to
   * @throws TooManyFailures without an attempt
   */
  async admit<R extends string = Refusal>(
    ip: string,
    key: Buffer,
    attempt: () => Promise<Caller | R>,
  ): Promise<Caller | R> {
    if (this.limit === 0) return attempt();
    const window = await this.enter(countedAddress(ip), key);
    try {
      const outcome = await attempt();
      const accepted = typeof outcome === 'object';
      // One that is refused is a stranger from here on; that it was revoked is no guess, and not counted.
      if (accepted) this.known.remember(key);
      else this.known.forget(key);
      if (window && !accepted) window.failures++;
      return outcome;
    } finally {
      if (window) this.leave(window);
    }
  }

  /**
   * For what is done for a stranger before its attempt: it counts as a failure from now on.
   *
   * @returns takes it back, once there is something to attempt
   * @throws TooManyFailures where an address has none left
   */
  reserve(ip: string): () => void {
    if (this.limit === 0) return () => undefined;
    const window = this.windowOf(countedAddress(ip));
    if (window.failures >= this.limit) throw this.tooMany(window);
    window.failures++;
    return () => void window.failures--;
  }

  private tooMany({ endsAt }: Window): TooManyFailures {
    return new TooManyFailures(Math.max(1, Math.ceil((endsAt - this.now()) / 1000)));
  }

  /** @returns what the attempt counts in; null for a key that is known */
  private async enter(address: string, key: Buffer): Promise<Window | null> {
    for (;;) {
      if (this.known.has(key)) return null;
      const window = this.windowOf(address);
      if (window.failures >= this.limit) {
        if (await this.known.lookFor(key)) return null;
        throw this.tooMany(window);
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
      if (endsAt > now && this.windows.size < this.mostAddresses) break;
      this.windows.delete(oldest);
    }
    const window = { endsAt: now + MINUTE_MS, failures: 0, pending: 0, waiting: [] };
    this.windows.set(address, window);
    return window;
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
