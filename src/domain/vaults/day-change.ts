/** What a vault's index and TVL are compared over: the newest hour and the 24 before. */
export const DAY_HOURS = 25;

/** Where a vault stood at an hour. */
export interface Level {
  /** Scale 1e18. */
  index: bigint;
  /** Micro-units; null where the feed did not say. */
  tvl: bigint | null;
}

/** Against the highest within a day, fractions, 0 or less; null: not known. */
export interface DayChange {
  index: number | null;
  tvl: number | null;
}

/**
 * What a vault lost within a day. Outlier: a feed's TVL may be wrong for an hour, too low or too high, so a level of TVL counts once two readings in a row
 * have reached it.
 *
 * @param levels of its last hours, `DAY_HOURS` at most, oldest first
 */
export function dayChange(levels: readonly Level[]): DayChange {
  const tvls = levels.flatMap(({ tvl }) => tvl ?? []);
  const tvl = lossOf(tvls.length < 2 ? tvls : reachedTwice(tvls), largerOfLastTwo(tvls));
  const indexes = levels.map(({ index }) => index);
  return { index: lossOf(indexes, indexes.at(-1)), tvl };
}

/** @param now at most 0 is lost where it is above all others */
function lossOf(levels: readonly bigint[], now: bigint | undefined): number | null {
  const most = levels.reduce((high, level) => (level > high ? level : high), 0n);
  if (now === undefined || most === 0n) return null;
  return now >= most ? 0 : Number(now - most) / Number(most);
}

const reachedTwice = (levels: readonly bigint[]): bigint[] =>
  levels.slice(1).map((level, place) => (level < levels[place]! ? level : levels[place]!));

function largerOfLastTwo(levels: readonly bigint[]): bigint | undefined {
  const [last, before] = [levels.at(-1), levels.at(-2)];
  return last !== undefined && before !== undefined && before > last ? before : last;
}
