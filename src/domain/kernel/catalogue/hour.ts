export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Start of the UTC hour of a moment. */
export const hourOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

/** Start of the UTC day of a moment. */
export const dayOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);

/** @param hours may be negative */
export const addHours = (hour: Date, hours: number): Date => new Date(hour.getTime() + hours * HOUR_MS);

/** Whole hours from one hour to another. */
export const hoursBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / HOUR_MS;

/** Hours from a first one to another, both included; 0 when the first one is later or missing. */
export const hoursUpTo = (hour: Date, firstHour: Date | null): number =>
  firstHour === null ? 0 : Math.max(0, hoursBetween(firstHour, hour) + 1);
