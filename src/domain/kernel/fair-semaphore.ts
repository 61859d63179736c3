import { FairQueue } from './fair-queue.js';

export interface SemaphoreBounds {
  /** Slots over all owners together. Default: unlimited. */
  slots?: number;
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
  owner: string;
  /** Called with a slot. */
  go: () => void;
}

/**
 * Fair semaphore: a bounded number of slots with a bounded queue. A free slot goes to the waiting owners in round-robin order, and within an owner in
 * order of arrival. A wait ends with a slot, at its deadline, or when its signal is aborted, and holds nothing meanwhile. Without an owner, all
 * callers share one. Every limit on concurrency in this process is one of these: a partner's requests and database connections, advances and
 * catch-ups of accounts, sends.
 */
export class FairSemaphore {
  private free: number;
  private readonly line = new FairQueue<Waiting>();
  /** Number of slots by owner; only owners with slots. */
  private readonly held = new Map<string, number>();

  constructor(private readonly bounds: SemaphoreBounds) {
    this.free = bounds.slots ?? Infinity;
  }

  /**
   * Acquires a slot, or waits for one.
   * @returns whether it had to wait, and a function that releases the slot, to be called once
   * @throws the refusal; the signal's reason
   */
  async enter(owner = '', wait: Wait = {}): Promise<{ waited: boolean; leave: () => void }> {
    wait.gone?.throwIfAborted();
    const waited = !this.take(owner);
    if (waited) await this.wait(owner, wait);
    return { waited, leave: () => this.leave(owner) };
  }

  /**
   * Acquires a slot that is free now.
   * @returns releases it, to be called once; null when none is free
   */
  enterNow(owner = ''): (() => void) | null {
    return this.take(owner) ? () => this.leave(owner) : null;
  }

  /**
   * Runs work with a slot, and releases it.
   * @throws the refusal; the signal's reason; errors of the work
   */
  async run<T>(work: () => Promise<T>, owner = '', wait: Wait = {}): Promise<T> {
    wait.gone?.throwIfAborted();
    if (!this.take(owner)) await this.wait(owner, wait);
    return this.occupy(owner, work);
  }

  /**
   * Runs work when a slot is free now.
   * @returns null when none is free
   */
  runNow<T>(work: () => Promise<T>, owner = ''): Promise<T> | null {
    return this.take(owner) ? this.occupy(owner, work) : null;
  }

  /** Number of an owner's waiting entries. */
  waitingOf(owner = ''): number {
    return this.line.lengthOf(owner);
  }

  private wait(owner: string, { ms = this.bounds.waitMs, gone }: Wait): Promise<void> {
    const { length = Infinity, refusal = noSlot } = this.bounds;
    if (this.line.lengthOf(owner) >= length) throw refusal();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', abandon);
      };
      const one: Waiting = {
        owner,
        go: () => {
          stop();
          resolve();
        },
      };
      const giveUp = (reason: Error): void => {
        stop();
        this.line.remove(owner, one);
        reject(reason);
      };
      const abandon = (): void => giveUp(gone!.reason as Error);
      const timer = ms === undefined ? undefined : setTimeout(() => giveUp(refusal()), ms);
      gone?.addEventListener('abort', abandon);
      this.line.push(owner, one);
    });
  }

  private take(owner: string): boolean {
    if (this.free === 0 || !this.hasRoom(owner)) return false;
    this.free--;
    this.held.set(owner, this.heldBy(owner) + 1);
    return true;
  }

  private readonly hasRoom = (owner: string): boolean => this.heldBy(owner) < (this.bounds.share ?? Infinity);

  private heldBy(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  private async occupy<T>(owner: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.leave(owner);
    }
  }

  private leave(owner: string): void {
    // While slots were free, every waiting owner was at its own limit: only this owner has room now.
    const next = this.free > 0 ? () => this.line.nextOf(owner) : () => this.line.next(this.hasRoom);
    this.free++;
    const left = this.heldBy(owner) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    const one = next();
    if (!one) return;
    this.take(one.owner);
    one.go();
  }
}

const noSlot = (): Error => new Error('no slot is free');
