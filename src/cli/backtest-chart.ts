import { type Backtest, STRATEGIES, type Strategy } from '../domain/routing/backtest/backtest.js';

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

/** A chart of what each strategy gained over time, in % of the amount; one below the other for several amounts. SVG. */
export function backtestChart({ from, to, runs }: Backtest): string {
  const panels = runs.map((run, place) => panel(run, place * HEIGHT, from, to));
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
    const kept = [...values.keys()].filter((at) => at % every === 0 || at === values.length - 1);
    return { name, points: kept.map((at) => ({ at, gain: (values[at]! / amount - 1) * 100 })) };
  });
  const gains = lines.flatMap(({ points }) => points.map(({ gain }) => gain));
  const [least, most] = [Math.min(0, ...gains), Math.max(0.01, ...gains)];
  const hours = strategies.router.values.length - 1;
  const x = (at: number): string => (LEFT + (at / hours) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (gain: number): number => top + TOP + ((most - gain) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const grid = Array.from({ length: GRID_LINES }, (_, line) => {
    const gain = least + ((most - least) * line) / (GRID_LINES - 1);
    const at = y(gain).toFixed(1);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#dddddd"/><text x="${LEFT - 6}" y="${at}" dy="4" text-anchor="end">${gain.toFixed(2)}</text>`;
  });
  const drawn = lines.map(({ name, points }) => {
    const path = points.map(({ at, gain }) => `${x(at)},${y(gain).toFixed(1)}`).join(' ');
    const width = name === 'router' ? 2.5 : 1.2;
    return `<polyline fill="none" stroke="${COLOURS[name]}" stroke-width="${width}" points="${path}"/>`;
  });
  // Ends of lines may coincide, so names stand in the order of gains beside the chart.
  const names = lines
    .toSorted((a, b) => b.points.at(-1)!.gain - a.points.at(-1)!.gain)
    .map(({ name, points }, place) => {
      const label = `${name} ${points.at(-1)!.gain.toFixed(2)} %`;
      return `<text x="${WIDTH - RIGHT + 10}" y="${top + TOP + 10 + place * 18}" fill="${COLOURS[name]}">${label}</text>`;
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
