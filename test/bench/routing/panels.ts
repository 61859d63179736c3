import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecorded } from '../../../src/cli/commands/backtest.js';
import { readBacktestCatalogue } from '../../../src/config/backtest-catalogue.js';
import { idleVault } from '../../../src/config/vault-catalogue.js';
import { addHours, hourOf, hoursBetween } from '../../../src/domain/kernel/clock.js';
import { backtest, rulesOf, type Strategy } from '../../../src/cli/backtest/backtest.js';
import type { BacktestResult } from '../../../src/cli/backtest/growth.js';
import type { VaultReading } from '../../../src/cli/backtest/readings.js';
import { HISTORY_HOURS, RecordedMarket } from '../../../src/cli/backtest/recorded-market.js';
import { route, type RouterResult } from '../../../src/cli/backtest/router.js';

const AMOUNTS = [10_000, 1_000_000, 8_000_000];
/** Least shares of the limited clairvoyant's gain over lending, in %, over all panels. */
const SHARES: Record<number, number> = { 10_000: 86, 1_000_000: 80, 8_000_000: 90 };

/** The same over hourly panels alone. */
const HOURLY_SHARE = 65;
/** Fall of a share price between two readings that is a loss of the vault. */
const LOSS = 0.005;
const CLOSED_HOURS = 30 * 24;

type Strategies = Record<Strategy, BacktestResult>;
/** Runs by amount. */
type Runs = Map<number, Strategies[]>;

/**
 * Recorded yields by the backtest, with the goals of the router as reached or missed.
 * @param folder catalogues, `*.yaml`
 * @param data folder of their readings
 */
export async function panelsTable(folder: string, data: string): Promise<string> {
  const lines: string[] = [];
  const [all, hourly] = [0, 1].map((): Runs => new Map(AMOUNTS.map((amount) => [amount, []]))) as [
    Runs,
    Runs,
  ];
  const losses: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    const catalogue = readBacktestCatalogue(join(folder, file));
    const readings = readRecorded(catalogue, data);
    const times = [...readings.values()].flatMap((own) => [own[0]!.at, own.at(-1)!.at]);
    const [first, last] = [Math.min(...times.map(Number)), Math.max(...times.map(Number))];
    const from = addHours(hourOf(new Date(first)), HISTORY_HOURS);
    const hours = hoursBetween(from, hourOf(new Date(last)));
    if ([...readings.values()].some(([reading]) => reading!.price !== null)) {
      // What is asked of prices is what was held when one fell.
      const { asset, constants, vaults } = catalogue;
      for (const amount of AMOUNTS.slice(0, 2)) {
        const market = new RecordedMarket({
          from,
          hours,
          vaults,
          idle: idleVault(asset),
          constants,
          readings,
        });
        const routed = await route(market, [BigInt(amount) * 1_000_000n], rulesOf(catalogue));
        for (const [place, { id }] of vaults.entries())
          losses.push(...lossOf(id, place, readings.get(id)!, from, routed, amount));
      }
      continue;
    }
    const { runs } = await backtest(catalogue, readings, from, hours, AMOUNTS);
    const isHourly = Math.max(...[...readings.values()].map((own) => own.length)) > hours / 2;
    for (const { amount, strategies } of runs) {
      all.get(amount)!.push(strategies);
      if (isHourly) hourly.get(amount)!.push(strategies);
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
  return [row(heads), row(heads.map(() => '---')), ...lines, '', ...goals(all, hourly), ...losses].join('\n');
}

export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const gain = (runs: readonly Strategies[], name: Strategy): number =>
  runs.reduce((sum, one) => sum + one[name].gainPct - one.lending.gainPct, 0);
export const share = (runs: readonly Strategies[]): number =>
  Math.round((100 * gain(runs, 'router')) / gain(runs, 'clairvoyant'));
/** Realised gains to promised ones. */
export const keptOf = (runs: readonly Strategies[]): number =>
  runs.reduce((sum, { router }) => sum + (router.realised ?? 0), 0) /
  runs.reduce((sum, { router }) => sum + (router.promised ?? 0), 0);

/** Whether a vault was held when its price fell, or entered in the 30 days after. */
function lossOf(
  id: string,
  place: number,
  readings: readonly VaultReading[],
  from: Date,
  { first, steps }: RouterResult,
  amount: number,
): string[] {
  const fell = readings.find(
    ({ price }, index) => index > 0 && Number(price) < (1 - LOSS) * Number(readings[index - 1]!.price),
  );
  if (!fell) return [];
  const at = hoursBetween(from, hourOf(fell.at));
  const before = steps.filter((one) => one.at <= at);
  const held = before.reduce(
    (now, { from: left, to }) => (to === place ? true : left === place ? false : now),
    first.includes(place),
  );
  const entered = steps.some((one) => one.to === place && one.at > at && one.at <= at + CLOSED_HOURS);
  const found = held ? 'held' : entered ? 'entered' : 'neither';
  return [
    row([
      `${amount}`,
      `${id}: not held at its loss, nor entered after`,
      found,
      held || entered ? 'missed' : 'reached',
    ]),
  ];
}

function goals(all: ReadonlyMap<number, Strategies[]>, hourly: ReadonlyMap<number, Strategies[]>): string[] {
  const lines = [row(['amount', 'goal', 'found', '']), row(['---', '---', '---', '---'])];
  for (const [amount, runs] of all) {
    const sum = (of: (one: BacktestResult) => number): number =>
      runs.reduce((total, { router }) => total + of(router), 0);
    const ofHours = hourly.get(amount)!;
    const add = (goal: string, found: number, isReached: boolean): void => {
      const shown = Number.isInteger(found) ? `${found}` : found.toFixed(2);
      lines.push(row([`${amount}`, goal, shown, isReached ? 'reached' : 'missed']));
    };
    const taken = share(runs);
    add(`${SHARES[amount]} % of the clairvoyant's gain`, taken, taken >= SHARES[amount]!);
    const lead = gain(runs, 'router') - gain(runs, 'daily');
    add('ahead of a daily switch, pp', lead, lead > 0);
    if (ofHours.length > 0) {
      const part = share(ofHours);
      add(`hourly alone: ${HOURLY_SHARE} %`, part, part >= HOURLY_SHARE);
      const kept = keptOf(ofHours);
      add('hourly: realised to promised, 0.5 to 2', kept, kept >= 0.5 && kept <= 2);
    }
    const behind = Math.max(...runs.map(({ router }) => router.worstBehindLendingPct));
    add('0.5 % behind lending at most', behind, behind <= 0.5);
    const months = (100 * sum(({ months: { ahead } }) => ahead)) / sum(({ months: { of } }) => of);
    add('75 % of months not behind lending', Math.round(months), months >= 75);
  }
  return lines;
}
