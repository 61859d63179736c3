import type { Comparison } from './compare.js';

const COLUMNS = [
  'weather',
  'amount',
  'lending',
  'hold',
  'gross',
  'net',
  'highest APY',
  'best week',
  'clairvoyant',
  'share',
  'risk-weighted',
  'moves',
  'not behind hold',
  'realised of promised',
];

/** Means over the seeds, in % of the amount a year; a row a weather and amount. Markdown. */
export function tableOf(results: readonly Comparison[]): string {
  const groups = Map.groupBy(results, ({ weather, amount }) => `${weather} ${amount}`);
  const rows = [...groups.values()].map((own) => {
    const [{ weather, amount }] = own as [Comparison];
    const mean = (of: (one: Comparison) => number): number =>
      own.reduce((sum, one) => sum + of(one), 0) / own.length;
    const percent = (of: (one: Comparison) => number): string => ((mean(of) / amount) * 100).toFixed(2);
    const share = (of: (one: Comparison) => number): string => `${(mean(of) * 100).toFixed(0)} %`;
    const promised = mean((one) => one.promised);
    return [
      weather,
      amount.toLocaleString('en'),
      percent((one) => one.lending),
      percent((one) => one.hold),
      percent((one) => one.gross),
      percent((one) => one.net),
      percent((one) => one.highest),
      percent((one) => one.weekly),
      percent((one) => one.clairvoyant),
      share((one) => one.share),
      share((one) => one.riskShare),
      mean((one) => one.moves).toFixed(1),
      `${own.filter((one) => one.net >= one.hold).length} of ${own.length}`,
      promised === 0 ? '' : (mean((one) => one.realised) / promised).toFixed(2),
    ];
  });
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
