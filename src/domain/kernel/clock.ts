import { DomainError } from './domain-error.js';

/** Clock error beyond which nothing is dated by this machine: far less than a month, since the ledger has no partition for distant months. */
const MAX_ERROR_MS = 72 * 3_600_000;

/** Source of every time in the domain; tests and simulated markets bind their own. */
export class Clock {
  /** Time set by `as`; null: the wall clock's. */
  private fixed: Date | null = null;
  private measuredMs = 0;
  /** Offset between the machine's clock and a monotonic one, at the last measurement. */
  private steadyMs = wallOffset();

  /** Lead of the machine's clock over the database's, in milliseconds; 0 within the tolerance. Measured by `jobs/`. */
  get aheadMs(): number {
    return this.measuredMs;
  }

  set aheadMs(ms: number) {
    this.measuredMs = ms;
    this.steadyMs = wallOffset();
  }

  now(): Date {
    return this.fixed === null ? new Date() : new Date(this.fixed);
  }

  /** Runs work at a past time, for the whole process: meant for generating history before a server starts, never beside one. */
  async as<T>(at: Date, work: () => Promise<T>): Promise<T> {
    this.fixed = at;
    try {
      return await work();
    } finally {
      this.fixed = null;
    }
  }

  /** Wall time corrected by the database's clock, for timestamps that outside parties compare with theirs. */
  wall(): Date {
    return new Date(Date.now() - this.aheadMs);
  }

  /** Whether the machine's clock is accurate enough to date by. A clock that was set since the last measurement is noticed at once. */
  get isRight(): boolean {
    return Math.abs(this.measuredMs + wallOffset() - this.steadyMs) <= MAX_ERROR_MS;
  }

  /** To be called before money or an account's time is written. @throws DomainError `service_unavailable` */
  requireRight(): void {
    if (!this.isRight)
      throw new DomainError(
        'service_unavailable',
        'The clock of this server is wrong. Nothing was changed; try again later.',
      );
  }
}

/** Whether no clock within the tolerance can have reached a stored hour: the hour, or this clock, is wrong. */
export const isUnreached = (hour: Date, now: Date): boolean => hour.getTime() - now.getTime() > MAX_ERROR_MS;

const wallOffset = (): number => Date.now() - performance.now();

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const hourOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

export const dayOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);

/** @param hours may be negative */
export const addHours = (hour: Date, hours: number): Date => new Date(hour.getTime() + hours * HOUR_MS);

export const hoursBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / HOUR_MS;

/** Hours from a first one to another, both included; 0 when the first one is later or missing. */
export const hoursUpTo = (hour: Date, firstHour: Date | null): number =>
  firstHour === null ? 0 : Math.max(0, hoursBetween(firstHour, hour) + 1);
