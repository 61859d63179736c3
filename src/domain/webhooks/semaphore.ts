import { Line } from './line.js';

interface Waiting {
  whose: string;
  /** A place was taken for it. */
  go: () => void;
}

/** Lets so many run at a time, and of one partner no more than its share; the others wait, one of each partner in turn. */
export class Semaphore {
  private readonly waiting = new Line<Waiting>();
  /** Partner -> the places that it holds. */
  private readonly held = new Map<string, number>();

  /** @param share places that one partner holds at most */
  constructor(
    private free: number,
    private readonly share = Infinity,
  ) {}

  async run<T>(work: () => Promise<T>, whose = ''): Promise<T> {
    if (!this.take(whose)) await new Promise<void>((go) => this.waiting.push(whose, { whose, go }));
    return this.occupy(whose, work);
  }

  /** Runs only where there is a place at this moment. @returns null where there is none */
  runNow<T>(work: () => Promise<T>, whose = ''): Promise<T> | null {
    return this.take(whose) ? this.occupy(whose, work) : null;
  }

  /** Runs only where there is a place by then. @param ms how long it waits for one @returns null where there was none */
  async runWithin<T>(ms: number, work: () => Promise<T>, whose = ''): Promise<{ result: T } | null> {
    if (!this.take(whose) && !(await this.called(ms, whose))) return null;
    return { result: await this.occupy(whose, work) };
  }

  /** @returns whether a place was taken for it in time */
  private called(ms: number, whose: string): Promise<boolean> {
    return new Promise((resolve) => {
      const one: Waiting = {
        whose,
        go: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        this.waiting.remove(whose, one);
        resolve(false);
      }, ms);
      this.waiting.push(whose, one);
    });
  }

  private take(whose: string): boolean {
    if (this.free === 0 || !this.hasRoom(whose)) return false;
    this.free--;
    this.held.set(whose, this.heldBy(whose) + 1);
    return true;
  }

  private readonly hasRoom = (whose: string): boolean => this.heldBy(whose) < this.share;

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
    this.free++;
    const left = this.heldBy(whose) - 1;
    if (left > 0) this.held.set(whose, left);
    else this.held.delete(whose);
    const next = this.waiting.next(this.hasRoom);
    if (!next) return;
    this.take(next.whose);
    next.go();
  }
}
