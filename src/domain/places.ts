import { Line } from './line.js';

export interface PlaceBounds {
  /** Slots over all owners together. Default: unlimited. */
  places?: number;
  /** Slots of one owner. Default: all. */
  share?: number;
  /** Limit on an owner's waiting entries. Default: unlimited. */
  length?: number;
  /** Limit of a wait in milliseconds. Default: unlimited. */
  waitMs?: number;
  /** Error for a caller that finds the queue full, or waited too long. Required when either is limited. */
  refusal?: () => Error;
}

/** Limits of one wait. */
export interface Wait {
  /** Overrides the default limit, in milliseconds. */
  ms?: number;
  /** Aborted when the caller gives up. */
  gone?: AbortSignal;
}

interface Waiting {
  whose: string;
  /** Called with a slot. */
  go: () => void;
}

/**
 * Fair semaphore: a bounded number of slots with a bounded queue. A free slot goes to the waiting owners in round-robin order, and within an owner in
 * order of arrival. A wait ends with a slot, at its deadline, or when its signal is aborted, and holds nothing meanwhile. Without an owner, all
 * callers share one. Every limit on concurrency in this process is one of these: a partner's requests and database connections, advances and
 * catch-ups of accounts, sends.
 */
export class Places {
  private free: number;
  private readonly line = new Line<Waiting>();
  /** Number of slots by owner; only owners with slots. */
  private readonly held = new Map<string, number>();

  constructor(private readonly bounds: PlaceBounds) {
    this.free = bounds.places ?? Infinity;
  }

  /**
   * Acquires a slot, or waits for one.
   * @returns whether it had to wait, and a function that releases the slot, to be called once
   * @throws the refusal; the signal's reason
   */
  async enter(whose = '', wait: Wait = {}): Promise<{ waited: boolean; leave: () => void }> {
    wait.gone?.throwIfAborted();
    const waited = !this.take(whose);
    if (waited) await this.wait(whose, wait);
    return { waited, leave: () => this.leave(whose) };
  }

  /**
   * Acquires a slot that is free now.
   * @returns releases it, to be called once; null when none is free
   */
  enterNow(whose = ''): (() => void) | null {
    return this.take(whose) ? () => this.leave(whose) : null;
  }

  /**
   * Runs work with a slot, and releases it.
   * @throws the refusal; the signal's reason; errors of the work
   */
  async run<T>(work: () => Promise<T>, whose = '', wait: Wait = {}): Promise<T> {
    wait.gone?.throwIfAborted();
    if (!this.take(whose)) await this.wait(whose, wait);
    return this.occupy(whose, work);
  }

  /**
   * Runs work when a slot is free now.
   * @returns null when none is free
   */
  runNow<T>(work: () => Promise<T>, whose = ''): Promise<T> | null {
    return this.take(whose) ? this.occupy(whose, work) : null;
  }

  /** Number of an owner's waiting entries. */
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
    // While slots were free, every waiting owner was at its own limit: only this owner has room now.
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
