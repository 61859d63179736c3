const MINUTE_MS = 60_000;

/** Bytes of a request's body and of its answer that cost one point. */
const BYTES_A_POINT = 10_000;
/** Hours of market simulation that cost one point. */
export const HOURS_A_POINT = 10;
/** Extra points of a request that sends an event: it causes up to 50 requests to receivers. */
export const EVENT_POINTS = 5;

/**
 * Cost of a request's bytes, beyond the point that every request costs.
 * @param read bytes of the body, refused or not
 */
export const pointsOf = ({ read, answered }: { read: number; answered: number }): number =>
  Math.floor((read + answered) / BYTES_A_POINT);

/**
 * Token bucket of a rate limit, by tenant: points refill evenly, a minute's worth in a minute, up to that number. The cost of a request is known only
 * when it ends, so it is charged afterwards; a tenant in debt is refused until it has refilled. The debt is limited to a minute's points.
 */
export class Points {
  /** Moment, in milliseconds, at which each tenant's bucket is full again; it is the bucket's whole state. The tenant touched last is at the end. */
  private readonly fullAt = new Map<string, number>();
  private readonly pointMs: number;

  /** @param now monotonic clock, in milliseconds */
  constructor(
    perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.pointMs = MINUTE_MS / perMinute;
  }

  /**
   * Takes one point, the least that a request costs.
   * @returns 0; or the seconds until there is a point, in which case none is taken
   */
  take(name: string): number {
    const missingMs = this.usedMs(name) + this.pointMs - MINUTE_MS;
    if (missingMs > 0) return Math.ceil(missingMs / 1000);
    this.charge(name, 1);
    return 0;
  }

  /** Points left, and the seconds until all are back; when none is left, the seconds until there is one. */
  left(name: string): { points: number; resetSeconds: number } {
    const usedMs = this.usedMs(name);
    const points = Math.max(0, Math.floor((MINUTE_MS - usedMs) / this.pointMs));
    const resetMs = points > 0 ? usedMs : usedMs + this.pointMs - MINUTE_MS;
    return { points, resetSeconds: Math.ceil(resetMs / 1000) };
  }

  /** Charges the cost of a request beyond its first point. */
  charge(name: string, points: number): void {
    const usedMs = Math.min(this.usedMs(name) + points * this.pointMs, 2 * MINUTE_MS - this.pointMs);
    const now = this.now();
    this.fullAt.delete(name);
    this.fullAt.set(name, now + usedMs);
    for (const [oldest, fullAt] of this.fullAt) {
      if (fullAt > now) break;
      this.fullAt.delete(oldest);
    }
  }

  /** Time until the bucket is full again; more than a minute means debt. */
  private usedMs(name: string): number {
    return Math.max(0, (this.fullAt.get(name) ?? 0) - this.now());
  }
}
