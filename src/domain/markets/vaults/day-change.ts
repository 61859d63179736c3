/** Values over which a vault's index and TVL are compared: the newest hour and the 24 before. */
export const DAY_HOURS = 25;

/** Level of a vault at an hour. */
export interface Level {
  /** Scale 1e18. */
  index: bigint;
  /** Micro-units; null when the feed did not report it. */
  tvl: bigint | null;
}

/** Change against the highest value within a day, fractions, 0 or less; null: unknown. */
export interface DayChange {
  index: number | null;
  tvl: number | null;
}

/**
 * Losses of a vault within a day. A feed's TVL may be an outlier for an hour in either direction, so a TVL level only counts once two consecutive
 * readings have reached it.
 * @param levels of its last hours, at most `DAY_HOURS`, oldest first
 */
export function dayChange(levels: readonly Level[]): DayChange {
  const tvls = levels.flatMap(({ tvl }) => tvl ?? []);
  const tvl = lossOf(tvls.length < 2 ? tvls : reachedTwice(tvls), largerOfLastTwo(tvls));
  const indexes = levels.map(({ index }) => index);
  return { index: lossOf(indexes, indexes.at(-1)), tvl };
}

/** @param now above all others it means a loss of 0 */
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
