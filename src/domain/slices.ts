import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { Places } from './places.js';

/** Yields when the slice is used up; to be called often. */
export type Rest = () => Promise<void>;

/**
 * Time slices of long work in this thread: one piece of work runs at a time, so that all of it, its database time included, takes about one core at most. Between two slices the event loop
 * gets a turn; awaiting promises that are resolved already gives none.
 */
@Injectable()
export class Slices {
  private readonly places = new Places({ places: 1 });

  /** @param sliceMs length of a slice */
  constructor(@Optional() private readonly sliceMs = 10) {}

  /**
   * Runs work in slices. Within one it must not wait for a lock that other such work holds: that one is not running.
   * @param whose owner of the work; owners take turns
   */
  async run<T>(work: (rest: Rest) => Promise<T>, whose = ''): Promise<T> {
    let slice = await this.begin(whose);
    const rest = async (): Promise<void> => {
      if (performance.now() < slice.endsAt) return;
      // The place is kept until the next turn: left before it, each waiting piece of work would have a slice in this one.
      await nextTurn();
      // Queued before it leaves: an owner with several pieces of work would be served twice for once of the others.
      const next = this.begin(whose);
      slice.leave();
      slice = await next;
    };
    try {
      return await work(rest);
    } finally {
      slice.leave();
    }
  }

  private async begin(whose: string): Promise<{ endsAt: number; leave: () => void }> {
    const { leave } = await this.places.enter(whose);
    return { endsAt: performance.now() + this.sliceMs, leave };
  }
}
