/** Queue with round-robin over owners, so that no owner waits behind all requests of another; within an owner it is first in, first out. */
export class FairQueue<T> {
  /** Owners with waiting entries only. The one served last is at the end. */
  private readonly waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  lengthOf(owner: string): number {
    return this.waiting.get(owner)?.length ?? 0;
  }

  push(owner: string, entry: T): void {
    const entries = this.waiting.get(owner);
    if (entries) entries.push(entry);
    else this.waiting.set(owner, [entry]);
  }

  /** Removes and returns the next entry of an owner that may be served; undefined without one. */
  next(admits: (owner: string) => boolean = () => true): T | undefined {
    for (const owner of this.waiting.keys()) if (admits(owner)) return this.nextOf(owner);
    return undefined;
  }

  /** Removes and returns an owner's next entry. @returns undefined when there is none */
  nextOf(owner: string): T | undefined {
    const entries = this.waiting.get(owner);
    const entry = entries?.shift();
    this.waiting.delete(owner);
    if (entries && entries.length > 0) this.waiting.set(owner, entries);
    return entry;
  }

  remove(owner: string, entry: T): boolean {
    const entries = this.waiting.get(owner) ?? [];
    const index = entries.indexOf(entry);
    if (index < 0) return false;
    entries.splice(index, 1);
    if (entries.length === 0) this.waiting.delete(owner);
    return true;
  }
}

export interface SemaphoreBounds {
  slots?: number;
  share?: number;
  length?: number;
  /** Limit of a wait in milliseconds. Default: unlimited. */
  waitMs?: number;
  /** Error for a caller that finds the queue full, or waited too long. Required when either is limited. */
  refusal?: () => Error;
}

interface Wait {
  /** Overrides the default limit, in milliseconds. */
  ms?: number;
  /** Aborted when the caller gives up. */
  signal?: AbortSignal;
}

interface Waiter {
  owner: string;
  /** Called with a slot. */
  go: () => void;
}

/**
 * Fair semaphore: a bounded number of slots with a bounded queue. A free slot goes to the waiting owners in round-robin order, and within an owner in
 * order of arrival. A wait ends with a slot, at its deadline, or when its signal is aborted. Without an owner, all callers share one.
 */
export class FairSemaphore {
  private free: number;
  private readonly queue = new FairQueue<Waiter>();
  /** Number of slots by owner; only owners with slots. */
  private readonly slotsByOwner = new Map<string, number>();

  constructor(private readonly bounds: SemaphoreBounds) {
    this.free = bounds.slots ?? Infinity;
  }

  /** Acquires a slot, or waits for one. `leave` releases it, to be called once. @throws the refusal; the signal's reason */
  async enter(owner = '', wait: Wait = {}): Promise<{ waited: boolean; leave: () => void }> {
    wait.signal?.throwIfAborted();
    const waited = !this.take(owner);
    if (waited) await this.wait(owner, wait);
    return { waited, leave: () => this.leave(owner) };
  }

  /** Acquires a slot that is free now. @returns releases it, to be called once; null when none is free */
  enterNow(owner = ''): (() => void) | null {
    return this.take(owner) ? () => this.leave(owner) : null;
  }

  /** Runs work with a slot, and releases it. @throws the refusal; the signal's reason; errors of the work */
  async run<T>(work: () => Promise<T>, owner = '', wait: Wait = {}): Promise<T> {
    const { leave } = await this.enter(owner, wait);
    return released(leave, work);
  }

  /** Runs work when a slot is free now. @returns null when none is free */
  runNow<T>(work: () => Promise<T>, owner = ''): Promise<T> | null {
    const leave = this.enterNow(owner);
    return leave && released(leave, work);
  }

  waitingOf(owner = ''): number {
    return this.queue.lengthOf(owner);
  }

  private wait(owner: string, { ms = this.bounds.waitMs, signal: signal }: Wait): Promise<void> {
    const { length = Infinity, refusal = noSlot } = this.bounds;
    if (this.queue.lengthOf(owner) >= length) throw refusal();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
      };
      const waiter: Waiter = {
        owner,
        go: () => {
          stop();
          resolve();
        },
      };
      const giveUp = (reason: Error): void => {
        stop();
        this.queue.remove(owner, waiter);
        reject(reason);
      };
      const abandon = (): void => giveUp(signal!.reason as Error);
      const timer = ms === undefined ? undefined : setTimeout(() => giveUp(refusal()), ms);
      signal?.addEventListener('abort', abandon);
      this.queue.push(owner, waiter);
    });
  }

  private take(owner: string): boolean {
    if (this.free === 0 || !this.hasRoom(owner)) return false;
    this.free--;
    this.slotsByOwner.set(owner, this.slotsOf(owner) + 1);
    return true;
  }

  private readonly hasRoom = (owner: string): boolean =>
    this.slotsOf(owner) < (this.bounds.share ?? Infinity);

  private slotsOf(owner: string): number {
    return this.slotsByOwner.get(owner) ?? 0;
  }

  private leave(owner: string): void {
    // While slots were free, every waiting owner was at its own limit: only this owner has room now.
    const next = this.free > 0 ? () => this.queue.nextOf(owner) : () => this.queue.next(this.hasRoom);
    this.free++;
    const remaining = this.slotsOf(owner) - 1;
    if (remaining > 0) this.slotsByOwner.set(owner, remaining);
    else this.slotsByOwner.delete(owner);
    const waiter = next();
    if (!waiter) return;
    this.take(waiter.owner);
    waiter.go();
  }
}

async function released<T>(leave: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    leave();
  }
}

const noSlot = (): Error => new Error('no slot is free');
