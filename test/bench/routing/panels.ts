import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecorded } from '../../../src/cli/commands/backtest.js';
import { readBacktestCatalogue } from '../../../src/config/backtest-catalogue.js';
import { addHours, hourOf, hoursBetween } from '../../../src/domain/kernel/clock.js';
import { backtest, type Strategy } from '../../../src/domain/routing/backtest/backtest.js';
import type { Measured } from '../../../src/domain/routing/backtest/measured.js';
import { HISTORY_HOURS } from '../../../src/domain/routing/backtest/recorded-market.js';

const AMOUNTS = [10_000, 1_000_000, 8_000_000];
/** Least shares of the limited clairvoyant's gain over lending, in %, over all panels. */
const SHARES: Record<number, number> = { 10_000: 86, 1_000_000: 80, 8_000_000: 90 };

type Strategies = Record<Strategy, Measured>;

/**
 * Recorded yields by the backtest, with the goals of the router as reached or missed.
 * @param folder catalogues, `*.yaml`
 * @param data folder of their readings
 */
export async function panelsTable(folder: string, data: string): Promise<string> {
  const lines: string[] = [];
  const all = new Map<number, Strategies[]>(AMOUNTS.map((amount) => [amount, []]));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    const catalogue = readBacktestCatalogue(join(folder, file));
    const readings = readRecorded(catalogue, data);
    const times = [...readings.values()].flatMap((own) => [own[0]!.at, own.at(-1)!.at]);
    const [first, last] = [Math.min(...times.map(Number)), Math.max(...times.map(Number))];
    const from = addHours(hourOf(new Date(first)), HISTORY_HOURS);
    const { runs } = await backtest(
      catalogue,
      readings,
      from,
      hoursBetween(from, hourOf(new Date(last))),
      AMOUNTS,
    );
    for (const { amount, strategies } of runs) {
      all.get(amount)!.push(strategies);
      const { router, lending, daily, clairvoyant } = strategies;
      const kept = router.promised ? (router.realised! / router.promised).toFixed(2) : '-';
      const gains = [lending, daily, router, clairvoyant].map(({ gainPct }) => gainPct.toFixed(2));
      const { ahead, of } = router.months;
      const months = `${ahead} of ${of}`;
      const rest = [kept, router.worstBehindLendingPct.toFixed(2), months];
      lines.push(row([file.replace('.yaml', ''), `${amount}`, ...gains, `${share([strategies])}`, ...rest]));
    }
  }
  const heads = [
    'panel',
    'amount',
    'lending',
    'daily',
    'router',
    'clairvoyant',
    'share %',
    'kept',
    'behind %',
    'months',
  ];
  return [row(heads), row(heads.map(() => '---')), ...lines, '', ...goals(all)].join('\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const gain = (runs: readonly Strategies[], name: Strategy): number =>
  runs.reduce((sum, one) => sum + one[name].gainPct - one.lending.gainPct, 0);
const share = (runs: readonly Strategies[]): number =>
  Math.round((100 * gain(runs, 'router')) / gain(runs, 'clairvoyant'));

function goals(all: ReadonlyMap<number, Strategies[]>): string[] {
  const lines = [row(['amount', 'goal', 'found', '']), row(['---', '---', '---', '---'])];
  for (const [amount, runs] of all) {
    const routers = runs.map(({ router }) => router);
    const sum = (of: (one: Measured) => number | null): number =>
      routers.reduce((total, one) => total + (of(one) ?? 0), 0);
    const add = (goal: string, found: number, isReached: boolean): void => {
      const shown = Number.isInteger(found) ? `${found}` : found.toFixed(2);
      lines.push(row([`${amount}`, goal, shown, isReached ? 'reached' : 'missed']));
    };
    const taken = share(runs);
    add(`${SHARES[amount]} % of the clairvoyant's gain`, taken, taken >= SHARES[amount]!);
    const lead = gain(runs, 'router') - gain(runs, 'daily');
    add('ahead of a daily switch, pp', lead, lead > 0);
    const kept = sum(({ realised }) => realised) / sum(({ promised }) => promised);
    add('realised to promised, 0.5 to 2', kept, kept >= 0.5 && kept <= 2);
    const behind = Math.max(...routers.map(({ worstBehindLendingPct }) => worstBehindLendingPct));
    add('0.5 % behind lending at most', behind, behind <= 0.5);
    const months = (100 * sum(({ months: { ahead } }) => ahead)) / sum(({ months: { of } }) => of);
    add('75 % of months not behind lending', Math.round(months), months >= 75);
  }
  return lines;
}
