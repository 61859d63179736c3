import { useResource } from '../../api/resource.js';
import { loadVaults } from '../../api/vaults.js';
import { Badge } from '../../ui/badge.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { Capacity, FeedState, Tvl } from '../yields/signals-panel.js';
import { newestHour } from './feeds.js';

/** The catalogue with the limits of each vault. */
export function Vaults() {
  const vaults = useResource('vaults', () => loadVaults());
  return (
    <Panel title="Vaults and their limits" remark="The catalogue stands in the deployment’s configuration.">
      <Loaded of={vaults}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="The catalogue is empty." />
          ) : (
            <DataTable
              label="Vaults"
              rows={rows}
              keyOf={({ id }) => id}
              columns={(column) => [
                column.vault('Vault', ({ id }) => id, { names: true }),
                column.text('Asset', ({ asset }) => asset),
                column.text('Venue', ({ venue }) => venue),
                column.text('Risk', ({ risk_tier }) => risk_tier),
                { head: 'Baseline', cell: (row) => (row.lending_baseline ? <Badge>lending</Badge> : null) },
                {
                  head: 'Deposits',
                  value: ({ active }) => (active ? 'taken' : 'not taken'),
                  cell: ({ active }) => (
                    <Badge tone={active ? 'good' : 'warn'}>{active ? 'taken' : 'not taken'}</Badge>
                  ),
                },
                {
                  head: 'Capacity',
                  number: true,
                  value: ({ capacity }) => capacity,
                  cell: ({ capacity }) => <Capacity amount={capacity} />,
                },
                column.rate('APY', ({ apy }) => apy),
                {
                  head: 'TVL',
                  number: true,
                  key: true,
                  value: ({ tvl }) => tvl,
                  cell: ({ tvl }) => <Tvl amount={tvl} />,
                },
                { head: 'Feed', cell: (vault) => <FeedState vault={vault} now={newestHour(rows)} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
