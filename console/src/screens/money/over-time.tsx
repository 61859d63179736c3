import type { Schemas } from '../../api/contract.js';
import { sum } from '../../api/history.js';
import { useResource } from '../../api/resource.js';
import { LineChart } from '../../charts/line-chart.js';
import { compactText, Money } from '../../format/figures.js';
import { DAY, utcText } from '../../format/time.js';
import { useChartRange } from '../../ui/range.js';
import { Loading, Refusal } from '../../ui/state.js';
import { booksAt, MOST_MOVES, newestMoves, stepsOf } from './book-steps.js';

/** Days of the chart: an answer of the books each. */
const POINTS = 7;

interface OverTimeProps {
  /** The books now. */
  book: Schemas['PartnerTvl'];
  asset: string;
  /** What the groups are. */
  by: string;
  groupOf: (vaultId: string) => string;
}

/** The value of each group at the ends of days of the span and now; it changes at the moment of a move. */
export function OverTime({ book, asset, by, groupOf }: OverTimeProps) {
  const { from, to } = useChartRange(book.as_of);
  const end = to ? Date.parse(to) + DAY : Date.parse(book.as_of);
  const days = Math.max(1, Math.floor((end - Date.parse(from)) / DAY));
  const ends = [
    ...new Set(Array.from({ length: POINTS }, (_, at) => Math.ceil((days * at) / (POINTS - 1)))),
  ].map((back) => new Date(end - (back + 1) * DAY).toISOString().slice(0, 10));
  const { data, error, loading, reload } = useResource(`map ${ends.join()}`, async (signal) => {
    const [books, moves] = await Promise.all([booksAt(ends.toReversed(), signal), newestMoves(signal)]);
    return { books, moves };
  });
  if (error) return <Refusal error={error} again={reload} />;
  if (data === null) return loading ? <Loading /> : null;
  const books = to ? data.books : [...data.books, { at: book.as_of, book }];
  const steps = stepsOf(books, data.moves, asset);
  const points = steps.map(({ at, values, isMove }) => {
    const sums = new Map<string, number>();
    for (const [id, value] of values) sums.set(groupOf(id), sum(sums.get(groupOf(id)) ?? 0, value));
    return { at, sums, isMove };
  });
  const names = [...new Set(points.flatMap(({ sums }) => [...sums.keys()]))];
  if (points.length < 2 || names.length === 0) return null;
  const oldest = data.moves.at(-1)?.requested_at;
  const isPart = data.moves.length === MOST_MOVES && oldest !== undefined && oldest > points[0]!.at;
  return (
    <section class="panel">
      <LineChart
        title="Over time"
        summary={
          `Value by ${by} in ${asset}, read from the books at the ends of ${data.books.length} days${to ? '' : ' and now'}; ` +
          `funds change places at the moment of a move${isPart ? `, drawn from ${utcText(oldest)} on` : ''}.`
        }
        times={points.map(({ at }) => at)}
        series={names.map((name) => ({ name, values: points.map(({ sums }) => sums.get(name) ?? 0) }))}
        axis={compactText}
        exact={(value, index) =>
          points[index]!.isMove ? <AtMove value={value} /> : <Money amount={value} />
        }
        shape="steps"
      />
    </section>
  );
}

/** The books are not read at the moment of a move: what was earned since they were is not in the value. */
const AtMove = ({ value }: { value: number }) => (
  <span class="figure" title="after a move, without the yield since the books were read">
    {value === 0 ? '0' : `≈ ${compactText(value)}`}
  </span>
);
