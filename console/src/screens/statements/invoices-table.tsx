import type { Schemas } from '../../api/contract.js';
import { Badge } from '../../ui/badge.js';
import { DataTable } from '../../ui/table.js';

export type Invoice = Schemas['Invoice'];

interface InvoicesTableProps {
  rows: readonly Invoice[];
  csv: string;
  /** Opens the form that settles an invoice; absent: the session may not. */
  onSettle?: (invoice: Invoice) => void;
}

const TONES = { open: 'warn', paid: 'good', void: 'plain' } as const;

/** Invoices with their status. */
export const InvoicesTable = ({ rows, csv, onSettle }: InvoicesTableProps) => (
  <DataTable
    label="Invoices"
    csv={csv}
    rows={rows}
    keyOf={({ id }) => id}
    columns={(column) => [
      column.text('Month', ({ period }) => period, { names: true }),
      column.text('Asset', ({ asset }) => asset),
      {
        head: 'Status',
        value: ({ status }) => status,
        cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge>,
      },
      ...(onSettle
        ? [
            {
              head: 'Actions',
              cell: (row: Invoice) =>
                row.status === 'open' && (
                  <button type="button" class="small" onClick={() => onSettle(row)}>
                    Settle
                    <span class="heard">
                      {' '}
                      {row.period} {row.asset}
                    </span>
                  </button>
                ),
            },
          ]
        : []),
      column.money('Fee', ({ fee }) => fee, { key: true }),
      column.money("Partner's part", ({ partner_revenue }) => partner_revenue),
      column.money("Protocol's part", ({ protocol_revenue }) => protocol_revenue),
      column.time('Value date, UTC', ({ at }) => at),
      column.text('Reference', ({ reference }) => reference),
    ]}
  />
);
