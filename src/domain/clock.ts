import { DomainError } from './domain-error.js';

/**
 * How far a clock may be off for what happens to be dated by it: far less than a month, for which the ledger may have no partition. A smaller error is
 * logged from seconds on, and stops nothing: two processes that are hours apart write no hour twice.
 */
const MOST_OFF_MS = 72 * 3_600_000;

/** Where every time in the domain comes from; tests and simulated markets bind their own. */
export class Clock {
  /** The time that `as` was told; null: the wall clock's. */
  private told: Date | null = null;
  private measuredMs = 0;
  /** The machine's clock against one that nobody sets, at the last measurement. */
  private steadyMs = sinceSteady();

  /** How far the machine's clock is ahead of the database's, in milliseconds; 0 where it is not off by more than it may. Measured by `jobs/`. */
  get aheadMs(): number {
    return this.measuredMs;
  }

  set aheadMs(ms: number) {
    this.measuredMs = ms;
    this.steadyMs = sinceSteady();
  }

  /** The wall clock, to the millisecond. */
  now(): Date {
    return this.told === null ? new Date() : new Date(this.told);
  }

  /**
   * Does work as of a time that is over, so that all it makes is dated there. It holds for everything in the process: for making a history before a server
   * starts, never beside one.
   */
  async as<T>(at: Date, work: () => Promise<T>): Promise<T> {
    this.told = at;
    try {
      return await work();
    } finally {
      this.told = null;
    }
  }

  /** The wall clock as the database has it: for what strangers compare with theirs. */
  wall(): Date {
    return new Date(Date.now() - this.aheadMs);
  }

  /** Whether what happens may be dated by the machine's clock. One that was set since the last measurement is noticed at once. */
  get isRight(): boolean {
    return Math.abs(this.measuredMs + sinceSteady() - this.steadyMs) <= MOST_OFF_MS;
  }

  /**
   * Before anything of money or of an account's time is written.
   *
   * @throws DomainError `service_unavailable`
   */
  requireRight(): void {
    if (!this.isRight)
      throw new DomainError(
        'service_unavailable',
        'The clock of this server is wrong, and nothing is dated by it. Nothing was changed; try again in a moment.',
      );
  }
}

const sinceSteady = (): number => Date.now() - performance.now();
