import { answered, api, ApiError, asked } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { sum } from '../../api/history.js';
import { isIdle } from '../../api/vaults.js';
import { DAY } from '../../format/time.js';

type Book = Schemas['PartnerTvl'];
type Move = Awaited<ReturnType<typeof newestMoves>>[number];

/** Values by vault from a moment on. */
interface Step {
  at: string;
  values: ReadonlyMap<string, number>;
  /** Whether funds moved then: values are those of the books before, changed by what moved. */
  isMove: boolean;
}

/** The most moves that an answer has. */
export const MOST_MOVES = 500;

export async function newestMoves(signal: AbortSignal) {
  const query = { limit: MOST_MOVES };
  return (await answered(api.GET('/moves', { params: { query }, signal }))).data;
}

/** The books at the ends of days, and the moment of each; a day without books is left out. */
export async function booksAt(days: readonly string[], signal: AbortSignal) {
  const books = await Promise.all(
    days.map(async (as_of) => {
      const asking = answered(api.GET('/partner/tvl', { params: { query: asked({ as_of }) }, signal }));
      const book = await asking.catch((thrown: unknown) => {
        if (thrown instanceof ApiError && thrown.status === 400) return null;
        throw thrown;
      });
      return book && { at: new Date(Date.parse(as_of) + DAY).toISOString(), book: book.data };
    }),
  );
  return books.filter((book) => book !== null);
}

interface Change {
  at: string;
  from: string;
  taken: number;
  to: string;
  put: number;
}

/** What a move takes from a vault and puts into another, at the time of each report; between two reports it is cash. */
function changesOf({ from_vault_id: from, to_vault_id: to, redeemed, settled, ...move }: Move): Change[] {
  if (move.failure === 'voided') return [];
  const cash = `vlt_idle_${move.asset.toLowerCase()}`;
  if (redeemed === null) {
    return settled
      ? [{ at: settled.at, from, taken: sum(settled.amount, move.cost), to, put: settled.amount }]
      : [];
  }
  const { at, amount } = redeemed;
  const leaving = { at, from, taken: amount, to: cash, put: amount };
  if (settled === null || isIdle(to)) return [leaving];
  return [leaving, { at: settled.at, from: cash, taken: amount, to, put: settled.amount }];
}

/** The books, oldest first, with a step at each moment at which funds moved between two of them. */
export function stepsOf(
  books: readonly { at: string; book: Book }[],
  moves: readonly Move[],
  asset: string,
): Step[] {
  const valuesOf = (book: Book): Map<string, number> => {
    const vaults = book.assets.find((row) => row.asset === asset)?.vaults ?? [];
    return new Map(vaults.map(({ vault_id, value }) => [vault_id, value]));
  };
  const changes = moves
    .filter((move) => move.asset === asset)
    .flatMap(changesOf)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return books.flatMap(({ at, book }, index) => {
    const next = books[index + 1];
    const steps: Step[] = [{ at, values: valuesOf(book), isMove: false }];
    if (next === undefined) return steps;
    const end = valuesOf(next.book);
    const between = changes.filter((change) => change.at >= at && change.at < next.at);
    between.forEach(({ at: moment, from, taken, to, put }, place) => {
      const values = new Map(steps.at(-1)!.values);
      const isEmptied =
        !end.has(from) && !between.slice(place + 1).some((later) => [later.from, later.to].includes(from));
      // The books do not say what a vault earned since: an emptied one keeps none of it.
      values.set(from, isEmptied ? 0 : Math.max(0, sum(values.get(from) ?? 0, -taken)));
      values.set(to, sum(values.get(to) ?? 0, put));
      if (steps.at(-1)!.at === moment) steps.pop();
      steps.push({ at: moment, values, isMove: true });
    });
    return steps;
  });
}
