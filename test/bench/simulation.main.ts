import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { RISK_TIERS } from '../../src/domain/kernel/catalogue/catalogue.js';
import { mean, median } from '../../src/domain/markets/signals/statistics.js';
import { SimulatedMarket } from '../../src/domain/markets/simulation/simulated-market.js';
import { readingsOf } from '../../src/domain/routing/backtest/readings.js';

/* How recorded yields move, and how simulated ones do: PANELS names a folder of folders of `timestamp,apy_percent` files, one folder a source. */

const DAY = 24;
const WEEK = 168;
const MONTH = 720;
const NEXT = 480;
const YEARS = 3;
const SEEDS = Array.from({ length: 8 }, (_, seed) => `weather-${seed}`);
const LAGS = [1, 6, 24];
/** A spike is a stay above the week's median by half of it, of two days at most. */
const SPIKE = 1.5;
const LONGEST_SPIKE = 48;

interface Moves {
  name: string;
  /** Mean of the next 20 days on today's deviation, both from the mean of 30 days. */
  slope: number;
  /** Of the deviation from the mean of a week, by lag; null of daily readings. */
  correlations: (number | null)[];
  /** A year, with the median and the ninth decile of their hours; null of daily readings. */
  spikes: { count: number; median: number; long: number } | null;
}

const averages = (values: readonly number[], hours: number): number[] => {
  let sum = 0;
  return values.map((value, hour) => {
    sum += value - (hour >= hours ? values[hour - hours]! : 0);
    return sum / Math.min(hour + 1, hours);
  });
};

function correlation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [mean(one)!, mean(other)!];
  let [both, left, right] = [0, 0, 0];
  for (const [place, value] of one.entries()) {
    const [x, y] = [value - a, other[place]! - b];
    both += x * y;
    left += x * x;
    right += y * y;
  }
  return both / Math.sqrt(left * right);
}

/** @param apys by hour; a reading stands until the next */
function movesOf(name: string, apys: readonly number[], hourly: boolean): Moves {
  const [month, week, next] = [MONTH, WEEK, NEXT].map((hours) => averages(apys, hours));
  const pairs: [number, number][] = [];
  for (let hour = MONTH; hour + NEXT < apys.length; hour += DAY)
    pairs.push([apys[hour]! - month![hour]!, next![hour + NEXT]! - month![hour]!]);
  const [x, y] = [mean(pairs.map(([one]) => one))!, mean(pairs.map(([, two]) => two))!];
  const slope =
    pairs.reduce((sum, [one, two]) => sum + (one - x) * (two - y), 0) /
    pairs.reduce((sum, [one]) => sum + (one - x) ** 2, 0);
  if (!hourly) return { name, slope, correlations: LAGS.map(() => null), spikes: null };
  const deviations = apys.slice(WEEK).map((apy, hour) => apy - week![hour + WEEK]!);
  const correlations = LAGS.map((lag) => correlation(deviations.slice(lag), deviations.slice(0, -lag)));
  return { name, slope, correlations, spikes: spikesOf(apys) };
}

function spikesOf(apys: readonly number[]): Moves['spikes'] {
  const lengths: number[] = [];
  let length = 0;
  let level = 0;
  for (let hour = WEEK; hour < apys.length; hour++) {
    if (length === 0) level = median(apys.slice(hour - WEEK, hour))!;
    if (level > 0 && apys[hour]! > level * SPIKE) length += 1;
    else {
      if (length > 0 && length <= LONGEST_SPIKE) lengths.push(length);
      length = 0;
    }
  }
  lengths.sort((a, b) => a - b);
  const years = (apys.length - WEEK) / 8_760;
  return {
    count: lengths.length / years,
    median: median(lengths) ?? 0,
    long: lengths[Math.floor(lengths.length * 0.9)] ?? 0,
  };
}

async function recorded(folder: string): Promise<Moves[]> {
  const found: Moves[] = [];
  for (const panel of (await readdir(folder, { withFileTypes: true })).filter((one) => one.isDirectory()))
    for (const file of (await readdir(join(folder, panel.name))).sort()) {
      const text = gunzipSync(await readFile(join(folder, panel.name, file))).toString();
      if (!text.split('\n', 1)[0]!.includes('apy_percent')) continue;
      const feed = { kind: 'recorded', file, rate: 'apy', assets: null, liquidity: null } as const;
      const readings = readingsOf(file, text, feed);
      const first = readings[0]!.at.getTime();
      const hours = Math.floor((readings.at(-1)!.at.getTime() - first) / HOUR_MS);
      let place = 0;
      const apys = Array.from({ length: hours }, (_, hour) => {
        while (readings[place + 1] && readings[place + 1]!.at.getTime() <= first + hour * HOUR_MS) place += 1;
        return readings[place]!.apy!;
      });
      const hourly = readings.length > hours / 3;
      if (hours > MONTH + NEXT)
        found.push(movesOf(`${panel.name}/${file.replace('.csv.gz', '')}`, apys, hourly));
    }
  return found;
}

function simulated(): Moves[] {
  const begunAt = new Date('2026-01-01T00:00:00.000Z');
  return RISK_TIERS.flatMap((riskTier) => {
    const vault = { id: `vlt_${riskTier}`, asset: 'USDC', riskTier, lendingBaseline: false };
    return SEEDS.map((seed) => {
      const path = new SimulatedMarket({ seed, begunAt, vaults: [vault] }).path(
        vault,
        begunAt,
        YEARS * 8_760,
      );
      return movesOf(
        riskTier,
        path.map(({ observation }) => observation!.apy!),
        true,
      );
    });
  });
}

const shown = (value: number | null, digits = 2): string => (value === null ? '' : value.toFixed(digits));
const middle = (values: readonly (number | null)[]): number | null =>
  median(values.filter((value) => value !== null));
const line = ({ name, slope, correlations, spikes }: Moves): string =>
  `| ${[name, shown(slope), ...correlations.map((one) => shown(one)), shown(spikes?.count ?? null, 0), shown(spikes?.median ?? null, 1), shown(spikes?.long ?? null, 0)].join(' | ')} |\n`;
const between = (name: string, all: readonly Moves[]): Moves => ({
  name,
  slope: middle(all.map(({ slope }) => slope))!,
  correlations: LAGS.map((_, place) => middle(all.map(({ correlations }) => correlations[place]!))),
  spikes: {
    count: middle(all.map(({ spikes }) => spikes?.count ?? null)) ?? 0,
    median: middle(all.map(({ spikes }) => spikes?.median ?? null)) ?? 0,
    long: middle(all.map(({ spikes }) => spikes?.long ?? null)) ?? 0,
  },
});

const folder = process.env['PANELS'];
process.stdout.write(
  '| yields | slope of 20 days | 1 h | 6 h | 24 h | spikes a year | median h | long h |\n',
);
process.stdout.write(`|${' --- |'.repeat(8)}\n`);
if (folder) {
  const all = await recorded(folder);
  if (process.env['EACH']) for (const one of all) process.stdout.write(line(one));
  process.stdout.write(
    line(
      between(
        'recorded, hourly: median',
        all.filter(({ spikes }) => spikes),
      ),
    ),
  );
  process.stdout.write(line(between('recorded, all: median', all)));
}
const made = simulated();
for (const tier of RISK_TIERS)
  process.stdout.write(
    line(
      between(
        `simulated, ${tier}: median`,
        made.filter(({ name }) => name === tier),
      ),
    ),
  );
