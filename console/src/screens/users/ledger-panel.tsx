import { answered, api, asked } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { listPath } from '../../api/download.js';
import { useListing } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { Money, Nothing } from '../../format/figures.js';
import { Choice, Filters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { useRange } from '../../ui/range.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { ShortId, worded } from '../../ui/vault-name.js';

type Entry = Schemas['UserLedgerEvent'];

const TYPES: Record<Entry['type'], string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  rebalance: 'Move',
  yield_accrual: 'Yield',
};

interface LedgerPanelProps {
  /** Whose entries they are. */
  of: { user_id: string } | { position_id: string };
}

/** The ledger of an end-user or of a position; an entry that a decision caused links to it. */
export function LedgerPanel({ of }: LedgerPanelProps) {
  const wanted = { ...of, ...useNarrowed(['type', 'asset']), ...useRange(null) };
  const list = useListing(`ledger ${JSON.stringify(wanted)}`, (cursor, signal) =>
    answered(
      api.GET('/partner/ledger', { params: { query: asked({ ...wanted, limit: 50, cursor }) }, signal }),
    ),
  );
  return (
    <Panel title="Ledger" remark="Every entry of the span, the newest first. Entries are never changed.">
      <Filters>
        <Choice name="Entry" field="type" all="Every entry" options={Object.entries(TYPES)} />
        {'user_id' in of && (
          <Choice
            name="Asset"
            field="asset"
            all="All assets"
            options={traits().assets.map((option) => [option, option])}
          />
        )}
      </Filters>
      <Listed of={list} empty={<Empty title="Nothing was posted in this span." />}>
        {(rows) => (
          <DataTable
            label="Ledger"
            csv={listPath('/partner/ledger', wanted)}
            rows={rows}
            keyOf={({ id }) => id}
            columns={(column) => [
              column.time('Posted, UTC', ({ at }) => at, { names: true }),
              {
                head: 'Entry',
                value: ({ type }) => TYPES[type],
                cell: ({ type, note }) => <span title={worded(note)}>{TYPES[type]}</span>,
              },
              'position_id' in of
                ? null
                : {
                    head: 'Position',
                    value: (row) => row.position_id,
                    cell: ({ position_id }) => (
                      <a href={`/console/positions/${position_id}`}>
                        <ShortId id={position_id} />
                      </a>
                    ),
                  },
              column.vault('Vault', (row) => row.vault_id),
              column.money('Amount', signedOf, {
                unit: ({ asset }) => asset,
                signed: ({ type }) => type !== 'rebalance',
                key: true,
              }),
              {
                head: 'Cost',
                number: true,
                value: ({ cost }) => cost,
                cell: ({ cost }) => (cost === 0 ? <Nothing why="none" /> : <Money amount={cost} />),
              },
              column.rate('APY', ({ apy }) => apy),
              {
                head: 'Why',
                value: (row) => row.decision_id,
                cell: ({ decision_id }) =>
                  decision_id === null ? (
                    <Nothing why="no decision" />
                  ) : (
                    <a href={`/console/decisions/${decision_id}`}>decision</a>
                  ),
              },
            ]}
          />
        )}
      </Listed>
    </Panel>
  );
}

const signedOf = ({ type, amount }: Entry): number => (type === 'withdrawal' ? -amount : amount);
