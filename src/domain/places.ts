import { Line } from './line.js';

export interface PlaceBounds {
  /** Taken at once, by all owners together. Default: any number. */
  places?: number;
  /** Of these by one owner. Default: all. */
  share?: number;
  /** Waits of one owner at once. Default: any number. */
  length?: number;
  /** How long each wait lasts, in milliseconds. Default: as long as it takes. */
  waitMs?: number;
  /** What is thrown at whoever finds the line full, or waited for too long. To be given where either is bounded. */
  refusal?: () => Error;
}

/** Bounds of one wait. */
export interface Wait {
  /** In place of the usual. */
  ms?: number;
  /** Aborted when nobody asks for the place any more. */
  gone?: AbortSignal;
}

interface Waiting {
  whose: string;
  /** A place was taken for it. */
  go: () => void;
}

/**
 * A bounded number of places with a bounded line before them. A place that comes free goes to whoever waits, one of each owner in turn, and of one owner in the order of coming.
 * A wait ends with a place, at its deadline, or when its signal is aborted, and holds nothing. Where owners do not matter, all are one.
 *
 * Everything in this process that is bounded by waiting is bounded by this: a partner's requests and its connections to the database, accounts that are moved or caught up, sends.
 */
export class Places {
  private free: number;
  private readonly line = new Line<Waiting>();
  /** Owner -> the places that it holds. Those without are not in it. */
  private readonly held = new Map<string, number>();

  constructor(private readonly bounds: PlaceBounds) {
    this.free = bounds.places ?? Infinity;
  }

  /**
   * Takes a place, or waits for one.
   *
   * @returns whether it had to wait, and what gives the place back, to be called once
   * @throws the refusal; the signal's reason
   */
  async enter(whose = '', wait: Wait = {}): Promise<{ waited: boolean; leave: () => void }> {
    wait.gone?.throwIfAborted();
    const waited = !this.take(whose);
    if (waited) await this.wait(whose, wait);
    return { waited, leave: () => this.leave(whose) };
  }

  /** Takes a place that is free at this moment. @returns what gives it back, to be called once; null where there is none */
  enterNow(whose = ''): (() => void) | null {
    return this.take(whose) ? () => this.leave(whose) : null;
  }

  /** Works in a place, and gives it back. @throws the refusal; the signal's reason; what the work throws */
  async run<T>(work: () => Promise<T>, whose = '', wait: Wait = {}): Promise<T> {
    wait.gone?.throwIfAborted();
    if (!this.take(whose)) await this.wait(whose, wait);
    return this.occupy(whose, work);
  }

  /** Works where there is a place at this moment. @returns null where there is none */
  runNow<T>(work: () => Promise<T>, whose = ''): Promise<T> | null {
    return this.take(whose) ? this.occupy(whose, work) : null;
  }

  /** How many of an owner wait. */
  waitingOf(whose = ''): number {
    return this.line.lengthOf(whose);
  }

  private wait(whose: string, { ms = this.bounds.waitMs, gone }: Wait): Promise<void> {
    const { length = Infinity, refusal = noPlace } = this.bounds;
    if (this.line.lengthOf(whose) >= length) throw refusal();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', abandon);
      };
      const one: Waiting = {
        whose,
        go: () => {
          stop();
          resolve();
        },
      };
      const giveUp = (reason: Error): void => {
        stop();
        this.line.remove(whose, one);
        reject(reason);
      };
      const abandon = (): void => giveUp(gone!.reason as Error);
      const timer = ms === undefined ? undefined : setTimeout(() => giveUp(refusal()), ms);
      gone?.addEventListener('abort', abandon);
      this.line.push(whose, one);
    });
  }

  private take(whose: string): boolean {
    if (this.free === 0 || !this.hasRoom(whose)) return false;
    this.free--;
    this.held.set(whose, this.heldBy(whose) + 1);
    return true;
  }

  private readonly hasRoom = (whose: string): boolean => this.heldBy(whose) < (this.bounds.share ?? Infinity);

  private heldBy(whose: string): number {
    return this.held.get(whose) ?? 0;
  }

  private async occupy<T>(whose: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.leave(whose);
    }
  }

  private leave(whose: string): void {
    // While places were free, everybody who waits had its share: only this owner has room now.
    const next = this.free > 0 ? () => this.line.nextOf(whose) : () => this.line.next(this.hasRoom);
    this.free++;
    const left = this.heldBy(whose) - 1;
    if (left > 0) this.held.set(whose, left);
    else this.held.delete(whose);
    const one = next();
    if (!one) return;
    this.take(one.whose);
    one.go();
  }
}

const noPlace = (): Error => new Error('no place is free');
