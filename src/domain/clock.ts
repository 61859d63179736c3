/** Where every time in the domain comes from; tests and simulated markets bind their own. */
export class Clock {
  /** The wall clock, to the millisecond. */
  now(): Date {
    return new Date();
  }
}
