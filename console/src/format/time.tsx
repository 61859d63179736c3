const PARTS = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?/;

/** A UTC time such as `2026-01-31 12:00`. */
export function utcText(at: string, day = false, seconds = false): string {
  const [, date = at, time = '', second = ''] = PARTS.exec(at) ?? [];
  return day ? date : `${date} ${time}${seconds ? second : ''}`;
}

interface TimeProps {
  at: string | null;
  /** Whether only the day is shown. */
  day?: boolean;
  seconds?: boolean;
}

/** A time in UTC; the local time is shown on hover. */
export function Time({ at, day = false, seconds = false }: TimeProps) {
  if (at === null) return <span class="nothing">never</span>;
  const local = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  return (
    <time dateTime={at} title={`${local} (your time)`}>
      {utcText(at, day, seconds)}
    </time>
  );
}

const STEPS: [unit: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** A duration such as `3 h`, in the largest unit that is not below one. */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [unit, size] = STEPS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const daysBefore = (at: number, days: number): string => new Date(at - days * DAY).toISOString();
