import { Money, Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';
import { STATUSES } from '../administration/settlement-words.js';
import { TransactionLink } from '../administration/transaction-hash.js';
import { type Check, CHECK_REASONS, type Transaction } from './move-words.js';

export interface Step {
  name: string;
  at: string | null;
  report?: {
    amount: number | null;
    tx_hash: string | null;
    check?: Check | null;
    /** Where it named several. */
    transactions?: readonly Transaction[];
  } | null;
  chain?: string | null;
}

/** A row for each transaction of a report. */
const rowsOf = (step: Step): readonly Step[] =>
  step.report?.transactions?.map((transaction, index, { length }) => ({
    ...step,
    name: `${step.name}, transaction ${index + 1} of ${length}`,
    report: {
      ...transaction,
      check: step.report?.check ? { ...step.report.check, ...transaction.check } : null,
    },
  })) ?? [step];

interface StepsTableProps {
  steps: readonly Step[];
  asset: string;
  /** What a step without a transaction is. */
  unsent: string;
  busy: boolean;
}

/** Times of a record's steps, with what was reported. */
export const StepsTable = ({ steps, asset, unsent, busy }: StepsTableProps) => (
  <Panel title="Steps" remark="What was reported, and when it was recorded." busy={busy}>
    <DataTable
      label="Steps"
      rows={steps.flatMap(rowsOf)}
      keyOf={({ name }) => name}
      columns={(column) => [
        column.text('Step', ({ name }) => name, { names: true }),
        {
          head: 'At, UTC',
          value: ({ at }) => at,
          cell: ({ at }) => (at === null ? <Nothing why="not yet" /> : <Time at={at} />),
        },
        {
          head: 'Amount',
          number: true,
          key: true,
          value: ({ report }) => report?.amount,
          cell: ({ report }) =>
            report ? <Money amount={report.amount} unit={asset} /> : <Nothing why="none" />,
        },
        {
          head: 'Transaction',
          value: ({ report }) => report?.tx_hash,
          cell: ({ report, chain = null }) =>
            report?.tx_hash ? (
              <>
                <TransactionLink hash={report.tx_hash} chain={chain} />{' '}
                <CopyButton text={report.tx_hash} name="transaction hash" />
              </>
            ) : (
              <Nothing why={report ? unsent : 'none'} />
            ),
        },
        steps.some(({ report }) => report?.check)
          ? {
              head: 'On the chain',
              value: ({ report }) => report?.check?.status,
              cell: ({ report }) => report?.check && <ChainCheck check={report.check} asset={asset} />,
            }
          : null,
      ]}
    />
  </Panel>
);

/** What the chain says of a report. */
const ChainCheck = ({ check, asset }: { check: Check; asset: string }) => (
  <>
    <Badge tone={STATUSES[check.status]}>{check.status}</Badge>
    <span class="below words short">
      {check.reason && `${CHECK_REASONS[check.reason]}; `}
      {check.found_amount !== null && (
        <>
          <Money amount={check.found_amount} unit={asset} /> found,{' '}
        </>
      )}
      {check.block !== null && `block ${check.block}, `}
      checked <Time at={check.checked_at} />
    </span>
    {check.resolution && (
      <span class="below words short">
        {check.resolution}, <Time at={check.resolved_at} />: {check.note}
      </span>
    )}
  </>
);
