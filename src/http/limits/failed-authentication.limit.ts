import { isIP } from 'node:net';
import type { Request } from 'express';
import type { Clock } from '../../domain/kernel/clock.js';
import type { Caller, Refusal } from '../../domain/tenants/access/authenticator.js';
import { type HttpError, rateLimited } from '../answer/http-error.js';

/** Limit on remembered keys: some seven megabytes. */
const MOST = 100_000;
const REFRESH_MS = 1_000;
/** Overlap of consecutive loads: covers keys of a process whose clock is behind, and those that were committed late. */
const OVERLAP_MS = 600_000;
/** Length in bytes of a remembered digest prefix. */
const HINT_BYTES = 12;

/**
 * @param since creation time; null: any
 * @returns concatenated digest prefixes of active keys, the most recently used first
 */
type LoadHints = (since: Date | null, most: number, bytes: number) => Promise<Buffer>;

/**
 * Digest prefixes of recently active keys: a hint that an authentication attempt may ask the database, never an answer. A key that was revoked
 * meanwhile is refused by the database like any other. Keys that authenticated here are remembered at once. Others (from before a restart, or created
 * by another process) are loaded at the first miss; after that, new ones are loaded at most once a second, in one statement.
 */
export class KnownKeys {
  /** In order of use, the most recent last. */
  private readonly hints = new Set<string>();
  private loadedUpTo: Date | null = null;
  private mayLoadAt = -Infinity;
  private loading: Promise<void> | null = null;

  /** @param now monotonic clock, in milliseconds */
  constructor(
    private readonly load: LoadHints,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly most = MOST,
    private readonly now: () => number = () => performance.now(),
  ) {}

  has(digest: Buffer): boolean {
    return this.hints.has(hintOf(digest));
  }

  /** Remembers a key that authenticated; beyond the limit, the least recently used one is evicted. */
  remember(digest: Buffer): void {
    this.add(hintOf(digest));
  }

  /** Forgets a key that was refused. */
  forget(digest: Buffer): void {
    this.hints.delete(hintOf(digest));
  }

  /** Loads missing keys, unless that was done within the last second. @returns whether the key is known now */
  async lookFor(digest: Buffer): Promise<boolean> {
    if (!this.loading && this.now() >= this.mayLoadAt) {
      this.mayLoadAt = this.now() + REFRESH_MS;
      this.loading = this.refresh().finally(() => (this.loading = null));
    }
    await this.loading;
    return this.has(digest);
  }

  private async refresh(): Promise<void> {
    const startedAt = this.clock.now().getTime();
    const loaded = await this.load(this.loadedUpTo, this.most, HINT_BYTES);
    for (let end = loaded.length; end > 0; end -= HINT_BYTES)
      this.add(loaded.toString('base64', end - HINT_BYTES, end));
    this.loadedUpTo = new Date(startedAt - OVERLAP_MS);
  }

  private add(hint: string): void {
    this.hints.delete(hint);
    this.hints.add(hint);
    if (this.hints.size > this.most) this.hints.delete(this.hints.values().next().value!);
  }
}

const hintOf = (digest: Buffer): string => digest.toString('base64', 0, HINT_BYTES);

const MINUTE_MS = 60_000;

/** Bound on remembered addresses; a few megabytes when full. */
const MOST_ADDRESSES = 10_000;

interface Window {
  readonly endsAt: number;
  failures: number;
  /** Attempts whose outcome is not known yet. */
  pending: number;
  /** Wake-ups of requests that wait for such an outcome. */
  waiting: (() => void)[];
}

/**
 * Limit on failed authentication per address: how often the database is asked about keys that turn out invalid. A key that was accepted before
 * passes, whatever other callers behind the same address do; it is still verified in the database on every request. A string that cannot be a key of
 * this deployment never reaches the database and is not counted here. Counters are in memory and bounded: when there are too many addresses, those
 * whose minute ends first are evicted.
 */
export class FailedAuthenticationLimit {
  /** Windows by address, in the order in which they end. */
  private readonly windows = new Map<string, Window>();

  /**
   * @param limit failures a minute; 0 turns the limit off
   * @param now monotonic clock, in milliseconds
   */
  constructor(
    private readonly limit: number,
    private readonly known: KnownKeys,
    private readonly now: () => number = () => performance.now(),
    private readonly mostAddresses = MOST_ADDRESSES,
  ) {}

  /**
   * Makes one attempt with the digest of a key. Unknown keys of one address never have more attempts in flight than it has failures left, so the
   * limit also holds for concurrent requests; others wait for an outcome. Throws HttpError `rate_limited`, without an attempt.
   */
  async admit<R extends string = Refusal>(
    ip: () => string,
    key: Buffer,
    attempt: () => Promise<Caller | R>,
  ): Promise<Caller | R> {
    if (this.limit === 0) return attempt();
    const window = await this.enter(ip, key);
    try {
      const outcome = await attempt();
      const accepted = typeof outcome === 'object';
      // A refused key counts as unknown from now on. That it was revoked is no guess, so this refusal is not a failure.
      if (accepted) this.known.remember(key);
      else this.known.forget(key);
      if (window && !accepted) window.failures++;
      return outcome;
    } finally {
      if (window) this.leave(window);
    }
  }

  /**
   * Reserves a failure for work that is done before a caller's attempt, such as reading its body.
   * @returns releases the reservation, once there is a key to attempt
   * @throws HttpError `rate_limited` when the address has none left
   */
  reserve(ip: string): () => void {
    if (this.limit === 0) return () => undefined;
    const window = this.windowOf(countedAddress(ip));
    if (window.failures >= this.limit) throw this.tooMany(window);
    window.failures++;
    return () => void window.failures--;
  }

  private tooMany({ endsAt }: Window): HttpError {
    return rateLimited(
      'Too many requests from your address came without a valid API key.',
      Math.max(1, Math.ceil((endsAt - this.now()) / 1000)),
    );
  }

  /** @returns the window that counts the attempt; null for a key that was accepted before */
  private async enter(ip: () => string, key: Buffer): Promise<Window | null> {
    for (;;) {
      if (this.known.has(key)) return null;
      const window = this.windowOf(countedAddress(ip()));
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

/** The counted address: a whole IPv4 address, or the /64 network of an IPv6 address, since one caller usually has all of it. */
export function countedAddress(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (v4 !== undefined || isIP(ip) !== 6) return v4 ?? ip;
  // The zone id means nothing beyond this machine. A dotted IPv4 tail stands for two groups.
  const whole = ip.replace(/%.*/, '').replace(/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/, '0:0');
  const [head = '', tail] = whole.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Address of the caller: the peer of the connection, or the client address that a trusted proxy forwards. */
export function callerAddress({ ip, socket }: Request): string {
  return ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
}
