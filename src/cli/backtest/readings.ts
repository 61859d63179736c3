import { ConfigError } from '../../config/config-error.js';
import type { RecordedFeed } from '../../config/backtest-catalogue.js';
import { aprToApy } from '../../domain/markets/vaults/yield-index.js';

/** Recorded figures of a vault, known from that moment on. */
export interface VaultReading {
  at: Date;
  /** APY, a fraction; null in a file of prices. */
  apy: number | null;
  /** Share price in units of 1e-18; null in a file of rates. */
  price: bigint | null;
  /** Deposits of the vault, and their withdrawable part; whole units. null: not recorded. */
  assets: number | null;
  liquidity: number | null;
  /** Loss at that moment that the rate does not include, per thousand of the index; absent: none. */
  lossPerMille?: bigint;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** A rate at or below it would end a vault within a year. */
const LOWEST_PERCENT = -100;

/** Size of a vault without a recorded size: it neither limits nor dilutes an amount. */
const UNBOUNDED = 1e12;

/**
 * Readings of a CSV file, oldest first. A line with an empty rate is skipped: missing data are never 0.
 * @param file name for messages
 * @throws ConfigError that names the file, the line, and what to do
 */
export function readingsOf(file: string, text: string, feed: RecordedFeed): VaultReading[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = cells(lines[0]!);
  const refuse = (line: number, reason: string): never => {
    throw new ConfigError([`${file}, line ${line}: ${reason}.`]);
  };
  const columnOf = (name: string, reason: string): number => {
    const column = header.indexOf(name);
    if (column < 0)
      refuse(1, `there is no column ${name}, which ${reason}; the columns are ${header.join(', ')}`);
    return column;
  };
  const rateColumn = feed.rate === 'price' ? 'share_price' : 'apy_percent';
  const time = columnOf('timestamp', 'every file needs');
  const rate = columnOf(rateColumn, `rate: ${feed.rate} needs; name another rate or rename a column`);
  const amount = (key: 'assets' | 'liquidity') =>
    (feed[key]?.split(' - ') ?? []).map((name) =>
      columnOf(name, `feed.${key} names; name another one, or null`),
    );
  const [assets, liquidity] = [amount('assets'), amount('liquidity')];

  const isSized = feed.assets !== null || feed.liquidity !== null;
  const readings: VaultReading[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const row = cells(line);
    const number = (column: number): number | null => {
      const cell = row[column]!;
      if (cell === '') return null;
      return NUMBER.test(cell) && Number.isFinite(Number(cell))
        ? Number(cell)
        : refuse(
            index + 1,
            `${header[column]} is ${cell}; write a number, or leave it empty when it is unknown`,
          );
    };
    const refuseFigure = (column: number, value: number): never =>
      refuse(index + 1, `${header[column]} is ${value}, which no vault has; correct or remove the line`);
    const sum = (columns: readonly number[]): number | null => {
      const [first = null, second = 0] = columns.map((column) => {
        const value = number(column);
        return value !== null && value < 0 ? refuseFigure(column, value) : value;
      });
      return first === null || second === null ? null : Math.max(0, first - second);
    };
    if (row.length !== header.length)
      refuse(index + 1, `it has ${row.length} values for ${header.length} columns; correct or remove it`);
    const at = new Date(row[time]!);
    if (!MOMENT.test(row[time]!) || Number.isNaN(at.getTime()))
      refuse(index + 1, `timestamp is ${row[time]}; write a time such as 2026-01-31T07:00:00Z`);
    const value = number(rate);
    if (value === null) continue;
    if (feed.rate === 'price' ? value < 0 : value <= LOWEST_PERCENT) refuseFigure(rate, value);
    readings.push({
      at,
      ...yieldOf(feed, value),
      assets: isSized ? sum(assets) : UNBOUNDED,
      liquidity: sum(liquidity),
    });
  }
  return sorted(readings);
}

/** Sorted by time, with the last line of each time: files of several exports repeat lines and may be unordered. */
const sorted = (readings: readonly VaultReading[]): VaultReading[] =>
  [...new Map(readings.map((reading) => [reading.at.getTime(), reading])).values()].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );

function yieldOf({ rate }: RecordedFeed, value: number): Pick<VaultReading, 'apy' | 'price'> {
  if (rate === 'price') return { apy: null, price: BigInt(Math.round(value * 1e9)) * 10n ** 9n };
  return { apy: rate === 'apr' ? aprToApy(value / 100) : value / 100, price: null };
}

const cells = (line: string): string[] =>
  line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
