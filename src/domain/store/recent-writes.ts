import { Injectable } from '@nestjs/common';

/** Partners of which each is remembered; of those before them, only that they were no later. */
const REMEMBERED = 10_000;

/** When something of each partner was last committed by this process: a report must not miss what its reader just did. In `performance.now()`. */
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

  /** No earlier than its last one. @param partnerId null: who asks is no partner, and wrote nothing that a report shows */
  lastOf(partnerId: string | null): number {
    return partnerId === null ? -Infinity : (this.times.get(partnerId) ?? this.forgotten);
  }
}
