import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FairSemaphore } from './fair-semaphore.js';

/** Ends a step where it is long enough; to be called often. */
export type GiveWay = () => Promise<void>;

/** Shortest step: what is quicker shares one, because a turn of a busy event loop may take milliseconds. */
const STEP_MS = 1;

/** Maps rows, such as those of a large page, and gives way to other requests after each millisecond. */
export async function inTurns<Row, T>(rows: readonly Row[], of: (row: Row) => T): Promise<T[]> {
  const mapped: T[] = [];
  let endsAt = performance.now() + STEP_MS;
  for (const row of rows) {
    if (performance.now() >= endsAt) {
      await nextTurn();
      endsAt = performance.now() + STEP_MS;
    }
    mapped.push(of(row));
  }
  return mapped;
}

/**
 * Steps of long work, such as the hours of an account. One step runs in a turn of the event loop, so that a request waits for one at most; owners
 * take turns. Awaiting promises that are resolved already gives no turn.
 */
@Injectable()
export class Slices {
  private readonly slots = new FairSemaphore({ slots: 1 });

  /** Runs work in steps. Within one it must not wait for a lock that other such work holds: that one is not running. @param owner of the work */
  async run<T>(work: (rest: GiveWay) => Promise<T>, owner = ''): Promise<T> {
    let step = await this.begin(owner);
    const rest = async (): Promise<void> => {
      if (performance.now() < step.endsAt) return;
      // The slot is kept until the next turn: left before it, each waiting piece of work would have a step in this one.
      await nextTurn();
      // Queued before it leaves: an owner with several pieces of work would be served twice for once of the others.
      const next = this.begin(owner);
      step.leave();
      step = await next;
    };
    try {
      return await work(rest);
    } finally {
      step.leave();
    }
  }

  private async begin(owner: string): Promise<{ endsAt: number; leave: () => void }> {
    const { leave } = await this.slots.enter(owner);
    return { endsAt: performance.now() + STEP_MS, leave };
  }
}
