import { type Backtest, STRATEGIES } from '../domain/routing/backtest/backtest.js';

const HEAD = [
  'strategy',
  'gain % a year',
  'moves',
  'costs %',
  'realised of promised',
  'worst behind lending %',
];
const COLUMNS = [...HEAD, 'months not behind', 'held longest'];

/** A table for each amount. */
export const backtestTable = ({ from, to, runs }: Backtest): string =>
  runs
    .map(({ amount, strategies }) => {
      const rows = STRATEGIES.map((name) => {
        const one = strategies[name];
        const { promised, realised, months, held } = one;
        return [
          name,
          one.gainPct.toFixed(2),
          String(one.moves),
          one.costsPct.toFixed(2),
          promised === null || realised === null ? '' : `${realised.toFixed(2)} of ${promised.toFixed(2)}`,
          one.worstBehindLendingPct.toFixed(2),
          `${months.ahead} of ${months.of}`,
          held[0]?.vaultId ?? '',
        ];
      });
      return [
        `${amount.toLocaleString('en')} from ${from.toISOString()} to ${to.toISOString()}`,
        ...aligned([COLUMNS, ...rows]),
      ].join('\n');
    })
    .join('\n\n');

function aligned(rows: readonly string[][]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}
