import type { Schemas } from '../../api/contract.js';
import { Money, Rate } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { DataTable } from '../../ui/table.js';
import { ShortId, VaultName } from '../../ui/vault-name.js';

export type Position = Schemas['PartnerPosition'];

export const STATUSES: Record<Position['status'], Tone> = {
  active: 'good',
  pending: 'warn',
  closed: 'plain',
};

interface PositionsTableProps {
  rows: readonly Position[];
  /** Whether all positions are of one end-user, who is then not repeated in each row. */
  ofUser?: boolean;
}

export const PositionsTable = ({ rows, ofUser = false }: PositionsTableProps) => (
  <DataTable
    label="Positions"
    rows={rows}
    keyOf={({ id }) => id}
    columns={(column) => [
      {
        head: 'Position',
        names: true,
        cell: ({ id }) => (
          <a href={`/console/positions/${id}`}>
            <ShortId id={id} />
          </a>
        ),
      },
      ofUser
        ? null
        : {
            head: 'User',
            cell: ({ user_id }) => (
              <a href={`/console/users/${user_id}`}>
                <ShortId id={user_id} />
              </a>
            ),
          },
      { head: 'Asset', cell: ({ asset }) => asset },
      { head: 'Status', cell: ({ status }) => <Badge tone={STATUSES[status]}>{status}</Badge> },
      { head: 'Vault', cell: ({ vault_id }) => <VaultName id={vault_id} /> },
      { head: 'Principal', number: true, cell: ({ principal }) => <Money amount={principal} /> },
      { head: 'Value', number: true, cell: ({ value }) => <Money amount={value} /> },
      { head: 'Yield', number: true, cell: (row) => <Money amount={row.yield} signed /> },
      { head: 'APY', number: true, cell: ({ apy }) => <Rate rate={apy} /> },
      { head: 'Opened, UTC', cell: ({ opened_at }) => <Time at={opened_at} /> },
    ]}
  />
);
