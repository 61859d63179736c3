import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { type BacktestCatalogue, readBacktestCatalogue } from '../../config/backtest-catalogue.js';
import { ConfigError } from '../../config/config-error.js';
import { hourOf, hoursBetween } from '../../domain/kernel/clock.js';
import { type Backtest, backtest, STRATEGIES, type Strategy } from '../backtest/backtest.js';
import type { BacktestResult } from '../backtest/growth.js';
import { type VaultReading, readingsOf } from '../backtest/readings.js';
import type { Terminal } from '../terminal.js';

interface Options {
  catalogue: string;
  data: string;
  from: string;
  to: string;
  amount: string[];
  chart: string;
  json?: boolean;
}

const DAY_OR_HOUR = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/;
/** Upper bound of one deposit. */
const MAX_AMOUNT = 1e9;

export function addBacktestCommand(program: Command, terminal: Terminal): void {
  program
    .command('backtest')
    .description('run routing over recorded yields; needs no database')
    .requiredOption('--catalogue <file>', 'vaults with recorded feeds; see docs/routing.md')
    .requiredOption('--data <folder>', 'folder of the feed files')
    .requiredOption('--from <time>', 'first hour, such as 2026-01-01 or 2026-01-01T06:00:00Z')
    .requiredOption('--to <time>', 'end, in the same form')
    .requiredOption(
      '--amount <units>',
      'amount to manage; may be repeated',
      (amount, before: string[] = []) => [...before, amount],
    )
    .option('--chart <file.svg>', 'file of the chart', 'backtest.svg')
    .option('--json', 'print JSON instead of a table and a chart')
    .action(async (options: Options) => {
      const [from, to] = [parseHour('--from', options.from), parseHour('--to', options.to)];
      const hours = hoursBetween(from, to);
      if (hours < 24) throw new ConfigError(['--to must be a day or more after --from.']);
      const amounts = options.amount.map(parseUnits);
      const catalogue = readBacktestCatalogue(options.catalogue);
      const readings = readRecorded(catalogue, options.data);
      const result = await backtest(catalogue, readings, from, hours, amounts);
      if (options.json) return terminal.print(JSON.stringify(toJson(result), null, 2));
      writeFileSync(options.chart, backtestChart(result));
      terminal.print(`${backtestTable(result)}\n\nThe chart is in ${options.chart}.`);
    });
}

function parseHour(option: string, text: string): Date {
  const at = new Date(text);
  if (!DAY_OR_HOUR.test(text) || Number.isNaN(at.getTime()))
    throw new ConfigError([`${option} is ${text}; write a UTC time such as 2026-01-01T06:00:00Z.`]);
  return hourOf(at);
}

function parseUnits(text: string): number {
  const amount = Number(text);
  if (!/^\d+(\.\d{1,6})?$/.test(text) || amount <= 0 || amount > MAX_AMOUNT)
    throw new ConfigError([`--amount is ${text}; write whole units above 0, at most ${MAX_AMOUNT}.`]);
  return amount;
}

function toJson({ from, to, runs }: Backtest): unknown {
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toFixed(6)) : value;
  const plain = runs.map(({ amount, strategies }) => ({
    amount,
    strategies: Object.fromEntries(Object.entries(strategies).map(([name, result]) => [name, rowOf(result)])),
  }));
  return JSON.parse(JSON.stringify({ from, to, runs: plain }, rounded));
}

const rowOf = (result: BacktestResult) => ({
  gain_pct: result.gainPct,
  moves: result.moves,
  costs_pct: result.costsPct,
  promised: result.promised,
  realised: result.realised,
  worst_behind_lending_pct: result.worstBehindLendingPct,
  months: result.months,
  held: result.held.map(({ vaultId, hours }) => ({ vault_id: vaultId, hours })),
});

const HEAD = [
  'strategy',
  'gain % a year',
  'moves',
  'costs %',
  'realised of promised',
  'worst behind lending %',
];
const COLUMNS = [...HEAD, 'months not behind', 'held longest'];

const backtestTable = ({ from, to, runs }: Backtest): string =>
  runs
    .map(({ amount, strategies }) => {
      const rows = STRATEGIES.map((name) => {
        const result = strategies[name];
        const { promised, realised, months, held } = result;
        return [
          name,
          result.gainPct.toFixed(2),
          String(result.moves),
          result.costsPct.toFixed(2),
          promised === null || realised === null ? '' : `${realised.toFixed(2)} of ${promised.toFixed(2)}`,
          result.worstBehindLendingPct.toFixed(2),
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

/**
 * Recorded readings of a catalogue's vaults, by vault id.
 * @param folder that the files of the catalogue are relative to
 * @throws ConfigError for a file that cannot be read
 */
export function readRecorded({ feeds }: BacktestCatalogue, folder: string): Map<string, VaultReading[]> {
  return new Map(
    Array.from(feeds, ([id, feed]) => [id, readingsOf(feed.file, readText(folder, feed.file, id), feed)]),
  );
}

function readText(folder: string, file: string, vaultId: string): string {
  const path = join(folder, file);
  try {
    const bytes = readFileSync(path);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      `${path}, which ${vaultId} names, cannot be read (${code}); file is relative to --data.`,
    ]);
  }
}

const WIDTH = 960;
const HEIGHT = 360;
const LEFT = 60;
const RIGHT = 190;
const TOP = 40;
const BOTTOM = 30;
const POINTS = 400;
const GRID_LINES = 5;

const COLOURS: Record<Strategy, string> = {
  router: '#d62728',
  lending: '#1f77b4',
  hold: '#2ca02c',
  best30: '#9467bd',
  daily: '#ff7f0e',
  weekly: '#8c564b',
  monthly: '#e377c2',
  split: '#17becf',
  clairvoyant: '#444444',
  clairvoyant_unlimited: '#aaaaaa',
};

/** SVG chart of each strategy's gain over time, in % of the amount; one panel per amount. */
function backtestChart({ from, to, runs }: Backtest): string {
  const panels = runs.map((run, index) => panel(run, index * HEIGHT, from, to));
  const height = runs.length * HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function panel({ amount, strategies }: Backtest['runs'][number], top: number, from: Date, to: Date): string {
  const lines = STRATEGIES.map((name) => {
    const { values } = strategies[name];
    const every = Math.max(1, Math.floor(values.length / POINTS));
    const sampled = [...values.keys()].filter((at) => at % every === 0 || at === values.length - 1);
    return { name, points: sampled.map((at) => ({ at, gain: (values[at]! / amount - 1) * 100 })) };
  });
  const gains = lines.flatMap(({ points }) => points.map(({ gain }) => gain));
  const [lowest, highest] = [Math.min(0, ...gains), Math.max(0.01, ...gains)];
  const hours = strategies.router.values.length - 1;
  const x = (at: number): string => (LEFT + (at / hours) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (gain: number): number =>
    top + TOP + ((highest - gain) / (highest - lowest)) * (HEIGHT - TOP - BOTTOM);
  const grid = Array.from({ length: GRID_LINES }, (_, line) => {
    const gain = lowest + ((highest - lowest) * line) / (GRID_LINES - 1);
    const at = y(gain).toFixed(1);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#dddddd"/><text x="${LEFT - 6}" y="${at}" dy="4" text-anchor="end">${gain.toFixed(2)}</text>`;
  });
  const drawn = lines.map(({ name, points }) => {
    const path = points.map(({ at, gain }) => `${x(at)},${y(gain).toFixed(1)}`).join(' ');
    const width = name === 'router' ? 2.5 : 1.2;
    return `<polyline fill="none" stroke="${COLOURS[name]}" stroke-width="${width}" points="${path}"/>`;
  });
  // Ends of lines may coincide, so the legend lists names in the order of gains.
  const names = lines
    .toSorted((a, b) => b.points.at(-1)!.gain - a.points.at(-1)!.gain)
    .map(({ name, points }, index) => {
      const label = `${name} ${points.at(-1)!.gain.toFixed(2)} %`;
      return `<text x="${WIDTH - RIGHT + 10}" y="${top + TOP + 10 + index * 18}" fill="${COLOURS[name]}">${label}</text>`;
    });
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  return [
    `<text x="${LEFT}" y="${top + 22}" font-size="14">Gain of ${amount.toLocaleString('en')}, % of it, net of costs</text>`,
    ...grid,
    ...drawn,
    ...names,
    `<text x="${LEFT}" y="${top + HEIGHT - 10}">${day(from)}</text>`,
    `<text x="${WIDTH - RIGHT}" y="${top + HEIGHT - 10}" text-anchor="end">${day(to)}</text>`,
  ].join('\n');
}
