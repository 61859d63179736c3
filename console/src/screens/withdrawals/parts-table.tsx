import { DataTable } from '../../ui/table.js';
import { ShortId } from '../../ui/vault-name.js';
import { PlaceLink } from '../place-link.js';
import type { WithdrawalPart } from './withdrawal-words.js';

interface PartsTableProps {
  parts: readonly WithdrawalPart[];
  asset: string;
}

/** Positions that pay a withdrawal, in their order. */
export const PartsTable = ({ parts, asset }: PartsTableProps) => (
  <DataTable
    label="Parts"
    rows={parts}
    keyOf={({ position_id }) => position_id}
    columns={(column) => [
      {
        head: 'Position',
        names: true,
        value: ({ position_id }) => position_id,
        cell: ({ position_id }) => (
          <PlaceLink to={`/console/positions/${position_id}`}>
            <ShortId id={position_id} />
          </PlaceLink>
        ),
      },
      column.vault('Vault', ({ vault_id }) => vault_id),
      column.money('Amount', ({ amount }) => amount, { unit: () => asset, key: true }),
    ]}
  />
);
