const MINUTE_MS = 60_000;

/** Answered bytes that cost a point. */
export const BYTES_A_POINT = 10_000;
/** Hours of a simulated market that cost a point. */
export const HOURS_A_POINT = 10;
/** What an event that is sent out on request costs beside its own point: up to 50 requests to receivers. */
export const EVENT_POINTS = 5;

/**
 * What everybody may use up, by name: points, which come back evenly, a minute's number in a minute, up to that number. What something costs is known
 * when it is done, so it is charged afterwards, and what is owed then is worked off before anything else begins. Nobody owes more than a minute's points.
 */
export class Points {
  /** When all points of a name are back; the one touched last at the end. Told by this moment alone, in milliseconds. */
  private readonly fullAt = new Map<string, number>();
  private readonly pointMs: number;

  /** @param now milliseconds of a clock that nobody sets */
  constructor(
    perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.pointMs = MINUTE_MS / perMinute;
  }

  /** Takes the point that a request costs at least. @returns 0; or after how many seconds there is one, and none is taken */
  take(name: string): number {
    const missingMs = this.usedMs(name) + this.pointMs - MINUTE_MS;
    if (missingMs > 0) return Math.ceil(missingMs / 1000);
    this.charge(name, 1);
    return 0;
  }

  /** How many points there are, and in how many seconds all are back; without any, in how many there is one. */
  left(name: string): { points: number; resetSeconds: number } {
    const usedMs = this.usedMs(name);
    const points = Math.max(0, Math.floor((MINUTE_MS - usedMs) / this.pointMs));
    const resetMs = points > 0 ? usedMs : usedMs + this.pointMs - MINUTE_MS;
    return { points, resetSeconds: Math.ceil(resetMs / 1000) };
  }

  /** Charges what a request cost beyond that. */
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

  /** How long it takes until all points of a name are back; beyond a minute they are owed. */
  private usedMs(name: string): number {
    return Math.max(0, (this.fullAt.get(name) ?? 0) - this.now());
  }
}
