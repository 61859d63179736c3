import { answered, api } from '../../api/client.js';
import { useListing } from '../../api/resource.js';
import { Badge } from '../../ui/badge.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { InvoicesTable } from './invoices-table.js';

const INTERVALS = [
  ['month', 'Months'],
  ['day', 'Days'],
] as const;

/** Closed months and days. */
export function StatementsScreen() {
  const interval = useFilters().query['interval'] === 'day' ? 'day' : 'month';
  const list = useListing(`statements ${interval}`, (cursor, signal) =>
    answered(
      api.GET('/partner/statements', {
        params: { query: { interval, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  );
  const invoices = useListing('invoices', (cursor, signal) =>
    answered(api.GET('/partner/invoices', { params: { query: cursor ? { cursor } : {} }, signal })),
  );
  return (
    <Screen
      title="Statements"
      lead="Your closed months and UTC days, the newest first. What is closed never changes."
    >
      <Filters>
        <Choice name="Period" field="interval" options={INTERVALS} />
      </Filters>
      <Listed of={list} empty={<Empty title="No day of your books is closed yet." />}>
        {(rows) => (
          <DataTable
            label="Statements"
            csv={`/partner/statements?interval=${interval}`}
            rows={rows}
            keyOf={({ period }) => period}
            columns={(column) => [
              {
                head: 'Period',
                names: true,
                value: ({ period }) => period,
                cell: ({ period }) => <a href={`/console/statements/${period}`}>{period}</a>,
              },
              column.time('From, UTC', ({ from }) => from),
              column.time('To, UTC', ({ to }) => to),
              {
                head: 'Status',
                cell: ({ closed }) => (
                  <Badge tone={closed ? 'good' : 'plain'}>{closed ? 'closed' : 'in progress'}</Badge>
                ),
              },
            ]}
          />
        )}
      </Listed>
      <Panel title="Invoices" remark="Fees of your closed months; they are never taken from positions.">
        <Listed of={invoices} empty={<Empty title="No month with a fee is closed yet." />}>
          {(rows) => <InvoicesTable rows={rows} csv="/partner/invoices" />}
        </Listed>
      </Panel>
    </Screen>
  );
}
