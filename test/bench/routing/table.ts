import type { Comparison, Gains, Outcome } from './compare.js';

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
  'nor after risk',
  'realised of promised',
  'correlation',
];

/** A Markdown table of means over the seeds, in % of the amount a year; a row for each weather and amount. */
export function tableOf(results: readonly Comparison[]): string {
  const groups = Map.groupBy(results, ({ weather, amount }) => `${weather} ${amount}`);
  const rows = [...groups.values()].map((own) => {
    const [{ weather, amount }] = own as [Comparison];
    const mean = (of: (one: Comparison) => number): number =>
      own.reduce((sum, one) => sum + of(one), 0) / own.length;
    const percent = (of: (one: Comparison) => number): string => ((mean(of) / amount) * 100).toFixed(2);
    const share = (of: (one: Comparison) => number): string => `${(mean(of) * 100).toFixed(0)} %`;
    const notBehind = (of: (one: Comparison) => Gains): string =>
      `${own.filter((one) => of(one).net >= of(one).hold).length} of ${own.length}`;
    const outcomes = own.flatMap((one) => one.outcomes);
    const sum = (of: (one: Outcome) => number): number => outcomes.reduce((all, one) => all + of(one), 0);
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
      share((one) => shareOf(one, one.net)),
      share(({ afterRisk }) => shareOf(afterRisk, afterRisk.net)),
      mean((one) => one.moves).toFixed(1),
      notBehind((one) => one),
      notBehind(({ afterRisk }) => afterRisk),
      outcomes.length === 0
        ? ''
        : (sum(({ realised }) => realised) / sum(({ promised }) => promised)).toFixed(2),
      correlation(outcomes)?.toFixed(2) ?? '',
    ];
  });
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A gain over the lending vault, as a share of the clairvoyant's gain over it. */
const shareOf = ({ lending, clairvoyant }: Gains, gain: number): number =>
  (gain - lending) / (clairvoyant - lending);

/** Correlation (Pearson) of the gains that moves promised and brought. @returns null for fewer than three moves */
function correlation(outcomes: readonly Outcome[]): number | null {
  if (outcomes.length < 3) return null;
  const centred = (of: (one: Outcome) => number): number[] => {
    const middle = outcomes.reduce((sum, one) => sum + of(one), 0) / outcomes.length;
    return outcomes.map((one) => of(one) - middle);
  };
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, one, place) => sum + one * b[place]!, 0);
  const [promised, realised] = [centred((one) => one.promised), centred((one) => one.realised)];
  return product(promised, realised) / Math.sqrt(product(promised, promised) * product(realised, realised));
}
