import type { Schemas } from '../../api/contract.js';
import { useUserNames } from '../../api/users.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { DataTable } from '../../ui/table.js';
import { ShortId } from '../../ui/vault-name.js';

export type Position = Schemas['PartnerPosition'];

export const STATUSES: Record<Position['status'], Tone> = {
  active: 'good',
  pending: 'warn',
  closed: 'plain',
};

interface PositionsTableProps {
  rows: readonly Position[];
  csv: string;
  /** Of one user, who is then not repeated in each row. */
  of?: 'user';
}

export function PositionsTable({ rows, csv, of }: PositionsTableProps) {
  const nameOf = useUserNames(rows.map(({ user_id }) => user_id));
  return (
    <DataTable
      label="Positions"
      csv={csv}
      rows={rows}
      keyOf={({ id }) => id}
      columns={(column) => [
        {
          head: 'Position',
          names: true,
          value: ({ id }) => id,
          cell: ({ id }) => (
            <a href={`/console/positions/${id}`}>
              <ShortId id={id} />
            </a>
          ),
        },
        of === 'user'
          ? null
          : {
              head: 'User',
              value: ({ user_id }) => nameOf(user_id),
              cell: ({ user_id }) => <a href={`/console/users/${user_id}`}>{nameOf(user_id)}</a>,
            },
        {
          head: 'Status',
          value: ({ status }) => status,
          cell: ({ status }) => <Badge tone={STATUSES[status]}>{status}</Badge>,
        },
        column.vault('Vault', (row) => row.vault_id),
        column.money('Value', ({ value }) => value, { unit: ({ asset }) => asset, key: true }),
        column.money('Yield', (row) => row.yield, { signed: true }),
        column.rate('APY', ({ apy }) => apy),
        column.time('Opened, UTC', (row) => row.opened_at, { day: true }),
      ]}
    />
  );
}
