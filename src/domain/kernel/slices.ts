import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FairSemaphore } from './fair-semaphore.js';

/** Ends the current step if it has run long enough; to be called often. */
export type GiveWay = () => Promise<void>;

/** Minimum length of a step: shorter pieces of work share one, because a turn of a busy event loop may take milliseconds. */
const STEP_MS = 1;

/** Maps rows, such as those of a large page, and gives way to other requests after each millisecond. */
export async function mapInTurns<Row, T>(rows: readonly Row[], transform: (row: Row) => T): Promise<T[]> {
  const mapped: T[] = [];
  let endsAt = performance.now() + STEP_MS;
  for (const row of rows) {
    if (performance.now() >= endsAt) {
      await nextTurn();
      endsAt = performance.now() + STEP_MS;
    }
    mapped.push(transform(row));
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

  /**
   * Runs work in steps. A step must not wait for a lock held by other sliced work: only one step runs at a time, so this would deadlock.
   * @param owner of the work
   */
  async run<T>(work: (giveWay: GiveWay) => Promise<T>, owner = ''): Promise<T> {
    let step = await this.begin(owner);
    const giveWay = async (): Promise<void> => {
      if (performance.now() < step.endsAt) return;
      // The slot is held until the next turn: released earlier, it would let every waiting task run a step in this turn.
      await nextTurn();
      // Queued before the slot is released: otherwise an owner with several tasks would be served twice as often as the others.
      const next = this.begin(owner);
      step.leave();
      step = await next;
    };
    try {
      return await work(giveWay);
    } finally {
      step.leave();
    }
  }

  private async begin(owner: string): Promise<{ endsAt: number; leave: () => void }> {
    const { leave } = await this.slots.enter(owner);
    return { endsAt: performance.now() + STEP_MS, leave };
  }
}
