import type { Schemas } from '../../api/contract.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';

/** Deposits, withdrawals and value by asset. */
export const BookTable = ({ summary }: { summary: Schemas['PartnerSummary'] }) => (
  <Panel title="The book by asset">
    <DataTable
      label="The book by asset"
      rows={summary.assets}
      keyOf={({ asset }) => asset}
      columns={(column) => [
        column.text('Asset', ({ asset }) => asset, { names: true }),
        column.money('Deposits', ({ deposits }) => deposits),
        column.money('Withdrawals', ({ withdrawals }) => withdrawals),
        column.money('Net deposits', (row) => row.net_deposits),
        column.money('Net TVL', (row) => row.net_tvl, { key: true }),
        column.money('Yield', (row) => row.yield, { signed: true }),
        column.rate('APY', ({ apy }) => apy),
      ]}
    />
  </Panel>
);
