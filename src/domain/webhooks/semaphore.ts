/** Lets so many run at a time; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.occupy(work);
  }

  /** Runs only where there is a place at this moment. @returns null where there is none */
  runNow<T>(work: () => Promise<T>): Promise<T> | null {
    if (this.free === 0) return null;
    this.free--;
    return this.occupy(work);
  }

  private async occupy<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
