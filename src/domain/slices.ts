import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Places } from './places.js';

/** Length of a slice. */
const SLICE_MS = 10;

/** Yields when the slice is used up; to be called often. */
type Rest = () => Promise<void>;

/**
 * Time slices of long work in this thread: one piece of work runs at a time, so that all of it, its database time included, takes about one core at most. Between two slices the event loop
 * gets a turn; awaiting promises that are resolved already gives none.
 */
@Injectable()
export class Slices {
  private readonly places = new Places({ places: 1 });

  /** Runs work in slices. Within one it must not wait for a lock that other such work holds: that one is not running. */
  async run<T>(work: (rest: Rest) => Promise<T>): Promise<T> {
    let slice = await this.begin();
    const rest = async (): Promise<void> => {
      if (performance.now() < slice.endsAt) return;
      slice.leave();
      await nextTurn();
      slice = await this.begin();
    };
    try {
      return await work(rest);
    } finally {
      slice.leave();
    }
  }

  private async begin(): Promise<{ endsAt: number; leave: () => void }> {
    const { leave } = await this.places.enter();
    return { endsAt: performance.now() + SLICE_MS, leave };
  }
}
