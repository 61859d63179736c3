const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** Seconds and their fraction may be left out. The sign of an offset may be a space: a `+` that a caller did not encode arrives as one. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+\- ])([01]\d|2[0-3]):?([0-5]\d)?)$/;

/** Both forms, as a pattern of JSON Schema. */
export const QUERY_TIME = `${DATE.source}|${MOMENT.source}`;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Time of a query, in ISO 8601: a moment with its offset from UTC, or a date, which is the UTC day.
 * @param edge of a day: its first millisecond, or its last
 * @returns to the millisecond; null for a text that is none, for a day that no calendar has, and for a time before 1970
 */
export function queryTime(text: string, edge: 'start' | 'end' = 'start'): Date | null {
  const day = dayOf(text);
  if (day !== null) return edge === 'start' ? new Date(day) : new Date(day + DAY_MS - 1);
  const [, date, hour, minute, second = '0', fraction = '', sign, hours = '0', minutes = '0'] =
    MOMENT.exec(text) ?? [];
  const start = date === undefined ? null : dayOf(date);
  if (start === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Number(second) * 1000;
  const time = start + local + Number(fraction.slice(0, 3).padEnd(3, '0')) - ahead * MINUTE_MS;
  return time < 0 ? null : new Date(time);
}

/** Milliseconds since 1970 at the beginning of a UTC day; null for a day that no calendar has: `Date` makes 31 February another one. */
function dayOf(date: string): number | null {
  const [, year, month, day] = DATE.exec(date) ?? [];
  if (year === undefined) return null;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return time >= 0 && new Date(time).toISOString().startsWith(date) ? time : null;
}
