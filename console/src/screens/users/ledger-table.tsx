import { decisionPath } from '../../api/decisions.js';
import type { Schemas } from '../../api/contract.js';
import { Money, Nothing, Rate } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { DataTable } from '../../ui/table.js';
import { ShortId, VaultName } from '../../ui/vault-name.js';

type Entry = Schemas['UserLedgerEvent'];

const TYPES: Record<Entry['type'], string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  rebalance: 'Move',
  yield_accrual: 'Yield',
};
const MADE_BY: Partial<Record<Entry['type'], string>> = { deposit: 'route', rebalance: 'rebalance' };

interface LedgerTableProps {
  rows: readonly Entry[];
  /** Whether all entries are of one position, which is then not repeated in each row. */
  ofPosition?: boolean;
}

/** Ledger entries; an entry that a decision caused links to it. */
export const LedgerTable = ({ rows, ofPosition = false }: LedgerTableProps) => (
  <DataTable
    label="Ledger"
    rows={rows}
    keyOf={({ id }) => id}
    columns={(column) => [
      { head: 'Posted, UTC', names: true, cell: ({ at }) => <Time at={at} /> },
      { head: 'Entry', cell: ({ type, note }) => <span title={note}>{TYPES[type]}</span> },
      ofPosition
        ? null
        : {
            head: 'Position',
            cell: ({ position_id }) => (
              <a href={`/console/positions/${position_id}`}>
                <ShortId id={position_id} />
              </a>
            ),
          },
      { head: 'Vault', cell: ({ vault_id }) => <VaultName id={vault_id} /> },
      {
        head: 'Amount',
        number: true,
        cell: ({ type, amount, asset }) => (
          <Money
            amount={type === 'withdrawal' ? -amount : amount}
            unit={asset}
            signed={type !== 'rebalance'}
          />
        ),
      },
      {
        head: 'Cost',
        number: true,
        cell: ({ cost }) => (cost === 0 ? <Nothing why="none" /> : <Money amount={cost} />),
      },
      { head: 'APY', number: true, cell: ({ apy }) => <Rate rate={apy} /> },
      {
        head: 'Why',
        cell: ({ decision_id, type, asset }) =>
          decision_id === null ? (
            <Nothing why="no decision" />
          ) : (
            <a href={decisionPath(decision_id, { asset, ...(MADE_BY[type] && { kind: MADE_BY[type] }) })}>
              decision
            </a>
          ),
      },
    ]}
  />
);
