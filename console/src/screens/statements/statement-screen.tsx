import { useRoute } from 'preact-iso';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { saveZip } from '../../api/download.js';
import { useListing, useResource } from '../../api/resource.js';
import { Rate } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Refusal } from '../../ui/state.js';
import { type Column, DataTable, type Kinds } from '../../ui/table.js';
import { TrialBalancePanel } from './trial-balance-panel.js';

type Sums = Schemas['StatementSums'];
/** The expected costs of an end-user may be unknown. */
type Figures = Omit<Schemas['UserAssetStatement'], 'asset'>;

/** Opening value, flows and yield add up to the closing value. */
export const sumColumns = <Row extends Sums>(column: Kinds<Row>): Column<Row>[] => [
  column.money('Opening', (row) => row.opening_value),
  column.money('Deposits', (row) => row.deposits),
  column.money('Withdrawals', (row) => row.withdrawals),
  column.money('Yield', (row) => row.yield, { signed: true }),
  column.money('Costs', (row) => row.costs),
  column.money('Closing', (row) => row.closing_value, { key: true }),
  column.money('Fee', (row) => row.performance_fee),
];

/** The columns of a statement. */
export const figureColumns = <Row extends Figures>(column: Kinds<Row>): Column<Row>[] => [
  ...sumColumns(column),
  column.money('Expected costs', (row) => row.expected_costs),
  column.money('Your part', (row) => row.partner_revenue),
  column.money('Carried loss', (row) => row.carried_loss),
  column.money('Over lending', (row) => row.uplift.lending, { signed: true }),
  column.money('Over hold', (row) => row.uplift.hold, { signed: true }),
];

/** The statement of a year, a month or a day, as it is printed. */
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
  const data = statement.data?.data;
  const download = useAction();
  const savePackage = () =>
    download.run(() => saveZip(`/partner/statements/${period}/package`, `closing-package-${period}.zip`));
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
          {data?.closed && /^\d{4}-\d\d$/.test(period) && (
            <button type="button" class="small" disabled={download.busy} onClick={() => void savePackage()}>
              {download.busy ? 'Downloading…' : 'Closing package'}
            </button>
          )}
          <button type="button" class="small" onClick={() => print()}>
            Print
          </button>
        </>
      }
    >
      {download.error && <Refusal error={download.error} />}
      <Panel title="By asset" remark="The total adds stablecoins at par.">
        <Loaded of={statement}>
          {({ data: { assets, totals, reserves } }) => (
            <>
              <DataTable
                label="By asset"
                rows={[...assets, { asset: 'Total', ...totals }]}
                keyOf={({ asset }) => asset}
                columns={(column) => [
                  column.text('Asset', ({ asset }) => asset, { names: true }),
                  ...figureColumns(column),
                ]}
              />
              {reserves && (
                <p class="note">
                  Reserves at its end, read <Time at={reserves.as_of} /> UTC: of the vaults with your funds
                  that are known, the one that is covered least has{' '}
                  <Rate rate={reserves.coverage} decimals={3} /> of its books on the chain.
                </p>
              )}
            </>
          )}
        </Loaded>
      </Panel>
      {data && data.from < data.to && <TrialBalancePanel from={data.from} asOf={data.to} />}
      <Panel title="By end-user">
        <Listed of={users} empty={<Empty title="There was no end-user yet." />}>
          {(rows) => (
            <DataTable
              label="By end-user"
              csv={`/partner/statements/${period}/users`}
              rows={rows.flatMap(({ user_id, external_id, assets }) =>
                assets.map((row) => ({ user_id, external_id, ...row })),
              )}
              keyOf={({ user_id, asset }) => `${user_id} ${asset}`}
              columns={(column) => [
                {
                  head: 'End-user',
                  names: true,
                  value: (row) => row.external_id,
                  cell: (row) => <a href={`/console/users/${row.user_id}`}>{row.external_id}</a>,
                },
                column.text('Asset', ({ asset }) => asset),
                ...figureColumns(column),
              ]}
            />
          )}
        </Listed>
      </Panel>
    </Screen>
  );
}
