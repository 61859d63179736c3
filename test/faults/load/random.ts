/** A pseudo-random number generator (mulberry32): the same seed gives the same numbers. */
export class Random {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** A number from 0 up to, but excluding, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  between(least: number, maximum: number): number {
    return least + Math.floor(this.next() * (maximum - least + 1));
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)]!;
  }

  /** A new generator, independent of further draws from this one. */
  fork(): Random {
    return new Random(this.between(0, 2 ** 32 - 1));
  }
}
