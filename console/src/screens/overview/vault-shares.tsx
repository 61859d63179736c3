import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Nothing } from '../../format/figures.js';
import { Panel } from '../../ui/panel.js';
import { ShareBar } from '../../ui/share-bar.js';
import { Empty, Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';

/** The book's distribution over vaults. */
export function VaultShares({ asset }: { asset: string | undefined }) {
  const tvl = useResource('tvl', (signal) => answered(api.GET('/partner/tvl', { signal })));
  return (
    <Panel title="Where it is" remark="Each vault’s share of the asset." busy={tvl.loading}>
      <Loaded of={tvl}>
        {({ data }) => {
          const rows = data.assets
            .filter((row) => asset === undefined || row.asset === asset)
            .flatMap((row) => row.vaults.map((vault) => ({ ...vault, asset: row.asset })));
          if (rows.length === 0) return <Empty title="Nothing is held." />;
          return (
            <DataTable
              label="Each vault’s share"
              rows={rows}
              keyOf={({ vault_id }) => vault_id}
              columns={(column) => [
                column.vault('Vault', ({ vault_id }) => vault_id, { names: true }),
                column.text('Asset', (row) => row.asset),
                column.money('Value', ({ value }) => value, { key: true }),
                {
                  head: 'Share',
                  number: true,
                  value: ({ share }) => share,
                  cell: ({ share }) => (share === null ? <Nothing /> : <ShareBar share={share} />),
                },
              ]}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
