import { gainParts } from '../../books/positions/cost-parts.js';

/** Transaction, and what it moved of an order, or of several. Micro-units. */
export interface Transaction {
  /** In lower case. */
  txHash: string;
  amount: bigint;
}

/** What was reported. `txHash`: of the only transaction, or of the last one; null: the server's own step has none. */
interface Reported {
  txHash: string | null;
  amount: bigint;
  /** Where there are several; they sum to the amount. */
  transactions?: readonly Transaction[] | undefined;
}

export const transactionsOf = ({ txHash, amount, transactions }: Reported): readonly Transaction[] =>
  transactions ?? (txHash === null ? [] : [{ txHash, amount }]);

/** Whether the same transactions moved the same amounts, in any order. */
export function areSame(before: readonly Transaction[], now: readonly Transaction[]): boolean {
  const [amounts, others] = [totals(before), totals(now)];
  return amounts.size === others.size && [...amounts].every(([hash, amount]) => others.get(hash) === amount);
}

/** Amount of each transaction over all places where it is named. */
function totals(transactions: readonly Transaction[]): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const { txHash, amount } of transactions) amounts.set(txHash, (amounts.get(txHash) ?? 0n) + amount);
  return amounts;
}

/**
 * Divides transactions in proportion to the parts of a report, which sum to its amount: the shares of a transaction sum to it, those of a part to the
 * part. A transaction too small for a share of a part is left out of it.
 */
export function divideTransactions(
  transactions: readonly Transaction[],
  parts: readonly bigint[],
): Transaction[][] {
  let rest = [...parts];
  const divided: Transaction[][] = parts.map(() => []);
  for (const { txHash, amount } of transactions) {
    // What is left of the parts is at least the transaction, so that no share exceeds it.
    const shares = gainParts(amount, rest);
    rest = rest.map((left, index) => left - shares[index]!);
    shares.forEach((share, index) => {
      if (share > 0n) divided[index]!.push({ txHash, amount: share });
    });
  }
  return divided;
}

/** The report on each part of what was reported: with one transaction, or none, only the amount differs. */
export function divideReport<Report extends Omit<Reported, 'amount'>>(
  report: Report,
  parts: readonly (bigint | null)[],
): (Report & { amount: bigint | null })[] {
  const { transactions } = report;
  if (transactions === undefined) return parts.map((amount) => ({ ...report, amount }));
  // The amount of such a report is given: the sum of its transactions.
  const amounts = parts.map((part) => part!);
  return divideTransactions(transactions, amounts).map((shares, index) => ({
    ...report,
    txHash: shares.at(-1)?.txHash ?? null,
    amount: amounts[index]!,
    transactions: shares,
  }));
}
