import { isIP } from 'node:net';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../domain/kernel/clock.js';
import type { Caller, Refusal } from '../../domain/tenants/access/authenticator.js';
import { type HttpError, rateLimited } from '../answer/http-error.js';

/** Set of a bounded size, which evicts the member that was used the longest ago. */
class RecentlyUsed {
  private readonly members = new Set<string>();

  constructor(private readonly maximum: number) {}

  has(member: string): boolean {
    return this.members.has(member);
  }

  /** @returns the evicted member; undefined: there was room */
  use(member: string): string | undefined {
    this.members.delete(member);
    this.members.add(member);
    if (this.members.size <= this.maximum) return undefined;
    const [oldest] = this.members;
    this.members.delete(oldest!);
    return oldest;
  }

  delete(member: string): void {
    this.members.delete(member);
  }
}

/** Limit on remembered keys: some seven megabytes. */
const MAX_KEYS = 100_000;
const REFRESH_MS = 1_000;
/** Overlap of consecutive loads: covers keys of a process whose clock is behind, and those that were committed late. */
const OVERLAP_MS = 600_000;
/** Length in bytes of a remembered digest prefix. */
const HINT_BYTES = 12;

/**
 * @param since creation time; null: any
 * @returns concatenated digest prefixes of active keys, the most recently used first
 */
type LoadHints = (since: Date | null, maximum: number, bytes: number) => Promise<Buffer>;

/**
 * Digest prefixes of recently active keys: a hint that an authentication attempt may ask the database, never an answer. A key that was revoked
 * meanwhile is refused by the database like any other. Keys that authenticated here are remembered at once. Others (from before a restart, or created
 * by another process) are loaded at the first miss; after that, new ones are loaded at most once a second, in one statement.
 */
export class KnownKeys {
  private readonly hints: RecentlyUsed;
  private loadedUpTo: Date | null = null;
  private mayLoadAt = -Infinity;
  private loading: Promise<void> | null = null;

  constructor(
    private readonly load: LoadHints,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly maximum = MAX_KEYS,
  ) {
    this.hints = new RecentlyUsed(maximum);
  }

  has(digest: Buffer): boolean {
    return this.hints.has(hintOf(digest));
  }

  /** Remembers a key that authenticated; beyond the limit, the least recently used one is evicted. */
  remember(digest: Buffer): void {
    this.hints.use(hintOf(digest));
  }

  /** Forgets a key that was refused. */
  forget(digest: Buffer): void {
    this.hints.delete(hintOf(digest));
  }

  /** Loads missing keys, unless that was done within the last second. @returns whether the key is known now */
  async lookFor(digest: Buffer): Promise<boolean> {
    if (!this.loading && performance.now() >= this.mayLoadAt) {
      this.mayLoadAt = performance.now() + REFRESH_MS;
      this.loading = this.refresh().finally(() => (this.loading = null));
    }
    await this.loading;
    return this.has(digest);
  }

  private async refresh(): Promise<void> {
    const startedAt = this.clock.now().getTime();
    const loaded = await this.load(this.loadedUpTo, this.maximum, HINT_BYTES);
    for (let end = loaded.length; end > 0; end -= HINT_BYTES)
      this.hints.use(loaded.toString('base64', end - HINT_BYTES, end));
    this.loadedUpTo = new Date(startedAt - OVERLAP_MS);
  }
}

const hintOf = (digest: Buffer): string => digest.toString('base64', 0, HINT_BYTES);

const WINDOW_SECONDS = 60;

/** Bound on the addresses with failures left, and on those without: some ten megabytes when both are full. */
const MAX_ADDRESSES = 10_000;

/** A counted attempt of an address. */
interface Attempt {
  /** Seconds until the address may try again; null: the attempt is within its limit. */
  refusedFor: number | null;
  /** Takes the attempt out of the count, unless its minute is over. */
  takeBack: () => void;
}

/**
 * Limit on failed authentication per address: how often the database is asked about keys that turn out invalid. A key that was accepted before
 * passes, whatever other callers at that address do; it is still verified in the database on every request. A string that cannot be a key of
 * this deployment never reaches the database and is not counted here. Counters are in memory and bounded. An address that has used up its failures is
 * evicted only by as many others that did.
 */
export class FailedAuthenticationLimit {
  private readonly failures: RateLimiterMemory;
  private readonly admitted: RecentlyUsed;
  private readonly refused: RecentlyUsed;

  /** @param limit failures a minute; 0 turns the limit off */
  constructor(
    private readonly limit: number,
    private readonly keys: KnownKeys,
    maxAddresses = MAX_ADDRESSES,
  ) {
    this.failures = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
    this.admitted = new RecentlyUsed(maxAddresses);
    this.refused = new RecentlyUsed(maxAddresses);
  }

  /**
   * Makes one attempt with the digest of a key. An unknown key counts as a failure until it turns out valid, so the limit also holds for concurrent
   * requests. @throws HttpError `rate_limited`, without an attempt
   */
  async admit<R extends string = Refusal>(
    ip: () => string,
    key: Buffer,
    attempt: () => Promise<Caller | R>,
  ): Promise<Caller | R> {
    if (this.limit === 0) return attempt();
    const takeBack = this.keys.has(key) ? null : await this.enter(ip(), key);
    let failed = false;
    try {
      const outcome = await attempt();
      failed = typeof outcome !== 'object';
      // A refused key counts as unknown from now on. That it was revoked is no guess, so this refusal is not a failure.
      if (failed) this.keys.forget(key);
      else this.keys.remember(key);
      return outcome;
    } finally {
      if (!failed) takeBack?.();
    }
  }

  /**
   * Reserves a failure for work that is done before a caller's attempt, such as reading its body.
   * @returns releases the reservation, once there is a key to attempt
   * @throws HttpError `rate_limited` when the address has none left
   */
  async reserve(ip: string): Promise<() => void> {
    if (this.limit === 0) return () => undefined;
    const { refusedFor, takeBack } = await this.count(countedAddress(ip));
    if (refusedFor !== null) throw tooMany(refusedFor);
    return takeBack;
  }

  /** @returns takes the attempt back; null for a key that is in use elsewhere, which is not counted */
  private async enter(ip: string, key: Buffer): Promise<(() => void) | null> {
    const { refusedFor, takeBack } = await this.count(countedAddress(ip));
    if (refusedFor === null) return takeBack;
    if (await this.keys.lookFor(key)) return null;
    throw tooMany(refusedFor);
  }

  private async count(address: string): Promise<Attempt> {
    const { consumedPoints, msBeforeNext } = await this.change(address, 1);
    const endsAt = performance.now() + msBeforeNext;
    const takeBack = (): void => {
      const isCounted = this.admitted.has(address) || this.refused.has(address);
      if (isCounted && performance.now() < endsAt) void this.change(address, -1);
    };
    if (consumedPoints <= this.limit) return { refusedFor: null, takeBack };
    takeBack();
    return { refusedFor: Math.max(1, Math.ceil(msBeforeNext / 1000)), takeBack: () => undefined };
  }

  private async change(address: string, points: 1 | -1): Promise<RateLimiterRes> {
    const state = await this.failures.penalty(address, points);
    const isRefused = state.consumedPoints >= this.limit;
    const [members, others] = isRefused ? [this.refused, this.admitted] : [this.admitted, this.refused];
    others.delete(address);
    const evicted = members.use(address);
    if (evicted !== undefined) void this.failures.delete(evicted);
    return state;
  }
}

const tooMany = (seconds: number): HttpError =>
  rateLimited('Too many requests from your address came without a valid API key.', seconds);

/** The counted address: a whole IPv4 address, or the /64 network of an IPv6 address, since one caller usually has all of it. */
export function countedAddress(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (v4 !== undefined || isIP(ip) !== 6) return v4 ?? ip;
  // The zone id means nothing beyond this machine. A dotted IPv4 tail stands for two groups.
  const expanded = ip.replace(/%.*/, '').replace(/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/, '0:0');
  const [head = '', tail] = expanded.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
