/** Statistics of signals and regimes, written apart from those of the server. */
const HOUR_MS = 3_600_000;
const WINDOW_HOURS = 168;
const DAYS = 7;

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((all, value) => all + value, 0) / values.length;

function spread(values: readonly number[], counts: (distance: number) => boolean): number | null {
  if (values.length < 2) return null;
  const centre = mean(values)!;
  const squares = values
    .map((value) => value - centre)
    .filter(counts)
    .map((value) => value ** 2);
  return Math.sqrt(squares.reduce((all, square) => all + square, 0) / (values.length - 1));
}
/** Of a sample. */
export const deviation = (values: readonly number[]): number | null => spread(values, () => true);
/** Of what is below the mean. */
export const downside = (values: readonly number[]): number | null => spread(values, (value) => value < 0);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

const pairs = (values: readonly number[]): [steps: number, difference: number][] =>
  values.flatMap((from, at) =>
    values.slice(at + 1).map((to, further): [number, number] => [further + 1, to - from]),
  );

/** Slope a step: the median of those between all pairs. */
export const theilSen = (values: readonly number[]): number =>
  median(pairs(values).map(([steps, difference]) => difference / steps));

/** z of the test of Mann and Kendall for a trend, corrected for ties. */
export function mannKendall(values: readonly number[]): number {
  const score = pairs(values).reduce((all, [, difference]) => all + Math.sign(difference), 0);
  const weight = (n: number): number => n * (n - 1) * (2 * n + 5);
  const ties = Object.values(Object.groupBy(values, String)).reduce(
    (all, group) => all + weight(group!.length),
    0,
  );
  const variance = (weight(values.length) - ties) / 18;
  return variance > 0 && score !== 0 ? (Math.sign(score) * (Math.abs(score) - 1)) / Math.sqrt(variance) : 0;
}

/** Fewer than 48 hours observed, or less than four fifths of those since the first. */
export function isShort(points: ReadonlyMap<number, unknown>, last: number, observed: number): boolean {
  const [first = last] = points.keys();
  const elapsed = Math.min(WINDOW_HOURS, (last - first) / HOUR_MS + 1);
  return observed < 48 || observed / elapsed < 0.8;
}

/** Of the last seven whole UTC days. null: one has fewer than six hours. */
export function medians(hours: readonly (number | null)[], last: number): number[] | null {
  const today = (new Date(last).getUTCHours() + 1) % 24;
  const end = hours.length - today;
  const days = Array.from({ length: DAYS }, (_, day) =>
    hours
      .slice(Math.max(0, end - 24 * (DAYS - day)), Math.max(0, end - 24 * (DAYS - 1 - day)))
      .filter((hour) => hour !== null),
  );
  return days.some((day) => day.length < 6) ? null : days.map(median);
}
