import type { Schemas } from '../../api/contract.js';
import { Money, Rate } from '../../format/figures.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';

/** Deposits, withdrawals and value by asset. */
export const BookTable = ({ summary }: { summary: Schemas['PartnerSummary'] }) => (
  <Panel title="The book by asset">
    <DataTable
      label="The book by asset"
      rows={summary.assets}
      keyOf={({ asset }) => asset}
      columns={[
        { head: 'Asset', names: true, cell: ({ asset }) => asset },
        { head: 'Deposits', number: true, cell: (row) => <Money amount={row.deposits} /> },
        { head: 'Withdrawals', number: true, cell: (row) => <Money amount={row.withdrawals} /> },
        { head: 'Net deposits', number: true, cell: (row) => <Money amount={row.net_deposits} /> },
        { head: 'Net TVL', number: true, cell: (row) => <Money amount={row.net_tvl} /> },
        { head: 'Yield', number: true, cell: (row) => <Money amount={row.yield} signed /> },
        { head: 'APY', number: true, cell: (row) => <Rate rate={row.apy} /> },
      ]}
    />
  </Panel>
);
