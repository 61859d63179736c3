import { Injectable } from '@nestjs/common';

/** Partners whose last write is remembered; for evicted ones, only an upper bound. */
const REMEMBERED = 10_000;

/** Time of each partner's last commit in this process: a report must show what its reader just wrote. In `performance.now()`. */
@Injectable()
export class RecentWrites {
  /** Oldest first. */
  private readonly times = new Map<string, number>();
  private forgotten = -Infinity;

  note(partnerId: string): void {
    this.times.delete(partnerId);
    this.times.set(partnerId, performance.now());
    if (this.times.size <= REMEMBERED) return;
    const [oldest, at] = this.times.entries().next().value!;
    this.times.delete(oldest);
    this.forgotten = at;
  }

  /**
   * Time not before the partner's last commit.
   * @param partnerId null: the caller is no partner, and has written nothing that a report shows
   */
  lastOf(partnerId: string | null): number {
    return partnerId === null ? -Infinity : (this.times.get(partnerId) ?? this.forgotten);
  }
}
