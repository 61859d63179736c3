import type { EventEmitter } from 'node:events';
import { CallerGone } from './exchange.js';

/** Nobody is let in: too many wait already, or the wait took too long. */
export class LaneIsFull extends Error {}

export interface LaneBounds {
  /** Under way in one lane. */
  atOnce: number;
  /** That wait for a place in one lane. */
  waiting: number;
  patienceMs: number;
}

interface Lane {
  underWay: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

/** Bounds how much of everybody's is under way at once, by name: who has more of it waits for its own, and takes no place of others. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly bounds: LaneBounds) {}

  /**
   * Takes a place, or waits for one in the order of coming; a wait holds nothing.
   *
   * @param caller says `close` when it has gone
   * @returns whether it had to wait, and what gives the place back, to be called once
   * @throws LaneIsFull, CallerGone
   */
  async enter(name: string, caller: EventEmitter): Promise<{ waited: boolean; leave: () => void }> {
    const lane = this.lanes.get(name) ?? { underWay: 0, waiting: new Set() };
    this.lanes.set(name, lane);
    const leave = (): void => this.leave(name, lane);
    if (lane.underWay < this.bounds.atOnce) {
      lane.underWay++;
      return { waited: false, leave };
    }
    if (lane.waiting.size >= this.bounds.waiting) throw new LaneIsFull();
    await this.wait(lane, caller);
    return { waited: true, leave };
  }

  private wait(lane: Lane, caller: EventEmitter): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => (): void => {
        clearTimeout(timer);
        caller.off('close', gone);
        lane.waiting.delete(admit);
        settle();
      };
      const admit = end(resolve);
      const gone = end(() => reject(new CallerGone()));
      const timer = setTimeout(
        end(() => reject(new LaneIsFull())),
        this.bounds.patienceMs,
      );
      caller.once('close', gone);
      lane.waiting.add(admit);
    });
  }

  /** The place goes to whoever waits longest. */
  private leave(name: string, lane: Lane): void {
    const [next] = lane.waiting;
    if (next) next();
    else if (--lane.underWay === 0) this.lanes.delete(name);
  }
}
