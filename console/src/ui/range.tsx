import { signal } from '@preact/signals';
import { DAY } from '../format/time.js';
import { useFilters } from './filters.js';

const PRESETS = [
  ['30', '30 days'],
  ['1', '1 day'],
  ['7', '7 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['all', 'All time'],
] as const;
const OWN = 'own';
/** The most days that a chart shows: a point a day, of 2,000 that an answer has at most. */
const MOST_DAYS = 1800;

/** The most days of which a chart has a point an hour; with more, an hour is less than a pixel wide. */
const MOST_HOURLY_DAYS = 10;

type ChosenRange = Partial<Record<'days' | 'from' | 'to', string>>;
/** The span chosen last: the next screen begins with it, unless its address names another one. */
const last = signal<ChosenRange>({});
/** How far the account's clock was ahead of this one when a screen last learned it, in milliseconds. */
let ahead = 0;

const NAMES = ['days', 'from', 'to'] as const;

function useChosen(): ChosenRange {
  const { query } = useFilters();
  const named = NAMES.some((name) => query[name]);
  return named
    ? Object.fromEntries(NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
    : last.value;
}

export interface Range {
  /** The first day, as the API takes it; absent: from the beginning. */
  from?: string;
  /** The last day, included; absent: up to now. */
  to?: string;
}

/** The range of dates that the screen shows, which is the same on every screen. @param now the time of the figures: an account of the sandbox has its own */
export function useRange(now: string | null | undefined): Range {
  const { days = PRESETS[0][0], from, to } = useChosen();
  if (now) ahead = Date.parse(now) - Date.now();
  const end = Date.now() + ahead;
  // A day that is not over reaches up to now, and the API refuses its end.
  const isOver = to && Date.parse(to) + DAY <= end;
  if (from || to) return { ...(from && { from }), ...(isOver && { to }) };
  if (days === 'all' || days === OWN) return {};
  return { from: new Date(end - Number(days) * DAY).toISOString().slice(0, 10) };
}

/** The same for a chart, which has a beginning, and a point an hour where they are few. */
export function useChartRange(now: string): { from: string; to?: string; interval: 'hour' | 'day' } {
  const range = useRange(now);
  const end = range.to ? Date.parse(range.to) + DAY : Date.parse(now);
  const earliest = end - MOST_DAYS * DAY;
  const from = Math.max(range.from ? Date.parse(range.from) : 0, earliest);
  return {
    ...range,
    from: new Date(from).toISOString(),
    interval: end - from > MOST_HOURLY_DAYS * DAY ? 'day' : 'hour',
  };
}

/** Chooses the range of dates: the last days, or the days between two dates. */
export function DateRange() {
  const { set } = useFilters();
  const { days, from, to } = useChosen();
  const isCustom = Boolean(from || to) || days === OWN;
  const change = (chosen: ChosenRange): void => {
    last.value = chosen;
    set({ days: chosen.days ?? null, from: chosen.from ?? null, to: chosen.to ?? null });
  };
  const date = (name: 'from' | 'to', text: string) => (
    <label class="field inline">
      <span>{text}</span>
      <input
        type="date"
        value={(name === 'from' ? from : to) ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ days: OWN, ...(from && { from }), ...(to && { to }), [name]: value })
        }
      />
    </label>
  );
  return (
    <>
      <label class="field inline">
        <span>Span</span>
        <select
          value={isCustom ? OWN : (days ?? PRESETS[0][0])}
          onChange={({ currentTarget: { value } }) => change({ days: value })}
        >
          {PRESETS.map(([value, name]) => (
            <option value={value} key={value}>
              {name}
            </option>
          ))}
          <option value={OWN}>Dates</option>
        </select>
      </label>
      {isCustom && date('from', 'From')}
      {isCustom && date('to', 'To')}
    </>
  );
}
