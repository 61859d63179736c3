/** Where every time in the domain comes from; tests and simulated markets bind their own. */
export class Clock {
  /** How far the machine's clock is ahead of the database's, in milliseconds; 0 where it is not off by more than it may. Measured by `jobs/`. */
  aheadMs = 0;

  /** The wall clock, to the millisecond. */
  now(): Date {
    return new Date();
  }

  /** The wall clock as the database has it: for what strangers compare with theirs. */
  wall(): Date {
    return new Date(Date.now() - this.aheadMs);
  }
}
