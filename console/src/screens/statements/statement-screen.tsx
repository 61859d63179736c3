import { useRoute } from 'preact-iso';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { saveCsv } from '../../api/download.js';
import { useListing, useResource } from '../../api/resource.js';
import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Refusal } from '../../ui/state.js';
import { type Column, DataTable } from '../../ui/table.js';

type Figures = Schemas['StatementFigures'];

/** The columns of a statement: opening value, flows and yield add up to the closing value. */
function figureColumns<Row extends Figures>(): Column<Row>[] {
  return [
    { head: 'Opening', number: true, cell: (row) => <Money amount={row.opening_value} /> },
    { head: 'Deposits', number: true, cell: (row) => <Money amount={row.deposits} /> },
    { head: 'Withdrawals', number: true, cell: (row) => <Money amount={row.withdrawals} /> },
    { head: 'Yield', number: true, cell: (row) => <Money amount={row.yield} signed /> },
    { head: 'Costs', number: true, cell: (row) => <Money amount={row.costs} /> },
    { head: 'Closing', number: true, cell: (row) => <Money amount={row.closing_value} /> },
    { head: 'Fee', number: true, cell: (row) => <Money amount={row.performance_fee} /> },
    { head: 'Your part', number: true, cell: (row) => <Money amount={row.partner_revenue} /> },
    { head: 'Carried loss', number: true, cell: (row) => <Money amount={row.carried_loss} /> },
    { head: 'Over lending', number: true, cell: (row) => <Money amount={row.uplift.lending} signed /> },
    { head: 'Over hold', number: true, cell: (row) => <Money amount={row.uplift.hold} signed /> },
  ];
}

/** The statement of a month or a day, as it is printed. */
export function StatementScreen() {
  const period = useRoute().params['period'] ?? '';
  const path = { period };
  const statement = useResource(`statement ${period}`, (signal) =>
    answered(api.GET('/partner/statements/{period}', { params: { path }, signal })),
  );
  const users = useListing(`statement users ${period}`, (cursor, signal) =>
    answered(
      api.GET('/partner/statements/{period}/users', {
        params: { path, query: cursor ? { cursor } : {} },
        signal,
      }),
    ),
  );
  const { busy, error, run } = useAction();
  const save = () =>
    run(() => saveCsv(`/partner/statements/${period}/users`, `statement-${period}-users.csv`));
  const data = statement.data?.data;
  return (
    <Screen
      title={`Statement ${period}`}
      above={{ name: 'Statements', path: '/console/statements' }}
      lead={
        data && (
          <>
            <Time at={data.from} /> to <Time at={data.to} /> UTC
            {data.closed ? '' : ', up to the last closed day'}
          </>
        )
      }
      actions={
        <>
          <button type="button" class="small" disabled={busy} onClick={() => void save()}>
            Users as CSV
          </button>
          <button type="button" class="small" onClick={() => print()}>
            Print
          </button>
        </>
      }
    >
      {error && <Refusal error={error} />}
      <Panel title="By asset" remark="The total adds stablecoins at par.">
        <Loaded of={statement}>
          {({ data: { assets, totals } }) => (
            <DataTable
              label="By asset"
              rows={[...assets, { asset: 'Total', ...totals }]}
              keyOf={({ asset }) => asset}
              columns={[{ head: 'Asset', names: true, cell: ({ asset }) => asset }, ...figureColumns()]}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title="By end-user">
        <Listed of={users} empty={<Empty title="There was no end-user yet." />}>
          {(rows) => (
            <DataTable
              label="By end-user"
              rows={rows.flatMap(({ user_id, external_id, assets }) =>
                assets.map((row) => ({ user_id, external_id, ...row })),
              )}
              keyOf={({ user_id, asset }) => `${user_id} ${asset}`}
              columns={[
                {
                  head: 'End-user',
                  names: true,
                  cell: (row) => <a href={`/console/users/${row.user_id}`}>{row.external_id}</a>,
                },
                { head: 'Asset', cell: ({ asset }) => asset },
                ...figureColumns(),
              ]}
            />
          )}
        </Listed>
      </Panel>
    </Screen>
  );
}
