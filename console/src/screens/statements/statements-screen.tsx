import { answered, api } from '../../api/client.js';
import { useListing } from '../../api/resource.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';

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
            rows={rows}
            keyOf={({ period }) => period}
            columns={[
              {
                head: 'Period',
                names: true,
                cell: ({ period }) => <a href={`/console/statements/${period}`}>{period}</a>,
              },
              { head: 'From, UTC', cell: ({ from }) => <Time at={from} /> },
              { head: 'To, UTC', cell: ({ to }) => <Time at={to} /> },
              {
                head: 'Status',
                cell: ({ closed }) => (
                  <Badge tone={closed ? 'good' : 'plain'}>{closed ? 'closed' : 'goes on'}</Badge>
                ),
              },
            ]}
          />
        )}
      </Listed>
    </Screen>
  );
}
