import type { Detail } from '../../domain/kernel/domain-error.js';
import { parseAmount, sum } from '../../domain/kernel/money.js';
import type { Transfer } from '../../domain/routing/orders/report-checks.js';
import { refuse } from '../../http/request/field-rules.js';
import { AmountField, ObjectsField, TransactionHashField } from '../../http/request/fields.js';

const MAX_TRANSACTIONS = 16;

export class ReportedTransactionInput {
  @TransactionHashField({ description: 'Hash of the transaction on its chain, in either letter case.' })
  tx_hash: string;
  @AmountField({ description: 'What it moved of what is reported.', example: 4_995 }) amount: number;
}

export const TransactionsField = (): PropertyDecorator =>
  ObjectsField({
    description:
      'The transactions, where several carried it out, in place of `tx_hash` and `amount`: the amount is their sum. Each is looked up by itself.',
    of: () => ReportedTransactionInput,
    max: MAX_TRANSACTIONS,
    optional: true,
    leftOut: true,
  });

interface TransferInput {
  tx_hash?: string | undefined;
  amount?: number | undefined;
  transactions?: readonly ReportedTransactionInput[] | undefined;
}

/** Reported transfer, of one transaction or of several. @throws HttpError `validation_failed` */
export function transferOf(
  input: TransferInput,
  { hasAmount }: { hasAmount: boolean } = { hasAmount: true },
): Transfer {
  refuse(faultsOf(input, hasAmount));
  const { tx_hash: txHash, amount, transactions } = input;
  if (transactions === undefined)
    return { txHash: txHash!, amount: amount === undefined ? null : parseAmount(amount) };
  const parts = transactions.map((part, index) => ({
    txHash: part.tx_hash,
    amount: parseAmount(part.amount, `transactions[${index}].amount`),
  }));
  return {
    txHash: parts.at(-1)!.txHash,
    amount: sum(parts.map((part) => part.amount)),
    transactions: parts,
  };
}

function* faultsOf(input: TransferInput, hasAmount: boolean): Generator<Detail> {
  const { transactions } = input;
  if (transactions === undefined) {
    if (input.tx_hash === undefined) yield { field: 'tx_hash', message: 'is required' };
    if (hasAmount && input.amount === undefined) yield { field: 'amount', message: 'is required' };
    return;
  }
  for (const field of ['tx_hash', 'amount'] as const)
    if (input[field] !== undefined)
      yield { field, message: 'is not allowed beside transactions, which have it each' };
  const hashes = transactions.map(({ tx_hash: hash }) => hash.toLowerCase());
  for (const [index, hash] of hashes.entries())
    if (hashes.indexOf(hash) !== index)
      yield { field: `transactions[${index}].tx_hash`, message: 'is named twice' };
}
