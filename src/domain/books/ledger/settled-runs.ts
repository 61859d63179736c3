import { itemsOf } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { PAGE_OF_SETTLED_RUNS } from './ledger-runs.queries.js';
import { type RevenueReplay, toSettledLine } from './revenue-replay.js';

export type SettledRun = RowFrom<typeof PAGE_OF_SETTLED_RUNS>;

/**
 * Takes the next settled entries of an account, a row of their columns.
 * @param before number of entries taken before
 * @returns false when they cannot be separated: sequence numbers have gaps, or a loss is carried into gains that are known by their sum
 */
export function takeRun(replaying: RevenueReplay, run: SettledRun, before: number): boolean {
  const { entries, places, first, last } = run;
  // As many different numbers as lie between the first and the last.
  if (places !== entries || first !== before + 1 || last !== before + entries) return false;
  if (run.gains !== null) return replaying.takeGains(entries, BigInt(run.gains), run.feeBps!, run.shareBps!);
  const [amounts, fees, shares] = [run.amounts!, run.feesBps!, run.sharesBps!].map(itemsOf);
  const others = run.others ?? [];
  let other = 0;
  amounts!.forEach((amount, place) => {
    if (amount === 'NULL') replaying.take(toSettledLine(others[other++]!));
    else replaying.takeGain(BigInt(amount), Number(fees![place]), Number(shares![place]));
  });
  return true;
}
