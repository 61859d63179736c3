import { useUserNames } from '../../api/users.js';
import { vaultName } from '../../api/vaults.js';
import { counted, Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { DataTable } from '../../ui/table.js';
import { ShortId } from '../../ui/vault-name.js';
import { ShortHex, TransactionLink } from '../administration/transaction-hash.js';
import { PlaceLink } from '../place-link.js';
import { FAILURES, MEANINGS, STATUSES, type Withdrawal } from './withdrawal-words.js';

interface WithdrawalsTableProps {
  rows: readonly Withdrawal[];
  csv: string;
  /** Of one user, who is then not repeated in each row. */
  of?: 'user';
}

export function WithdrawalsTable({ rows, csv, of }: WithdrawalsTableProps) {
  const nameOf = useUserNames(rows.map(({ user_id }) => user_id));
  return (
    <DataTable
      label="Withdrawals"
      csv={csv}
      rows={rows}
      keyOf={({ id }) => id}
      columns={(column) => [
        {
          head: 'Requested, UTC',
          names: true,
          value: ({ requested_at }) => requested_at,
          cell: ({ id, requested_at }) => (
            <a href={`/console/withdrawals/${id}`} title={id}>
              <Time at={requested_at} />
            </a>
          ),
        },
        {
          head: 'Status',
          value: ({ status }) => status,
          cell: (row) => (
            <>
              <span title={MEANINGS[row.status]}>
                <Badge tone={STATUSES[row.status]}>{row.status}</Badge>
              </span>
              <Circumstance of={row} />
            </>
          ),
        },
        column.money('Amount', ({ amount }) => amount, { unit: ({ asset }) => asset, key: true }),
        of === 'user'
          ? null
          : {
              head: 'User',
              value: ({ user_id }) => nameOf(user_id),
              cell: ({ user_id }) => (
                <PlaceLink to={`/console/users/${user_id}`}>
                  {nameOf(user_id) === user_id ? <ShortId id={user_id} /> : nameOf(user_id)}
                </PlaceLink>
              ),
            },
        {
          head: 'From',
          value: (row) => vaultsOf(row).join(', '),
          cell: (row) => (
            <span class="words short">
              {vaultsOf(row).join(', ')}
              <span class="below">{counted(row.parts.length, 'position')}</span>
            </span>
          ),
        },
        {
          head: 'Wallet',
          value: ({ wallet }) => wallet,
          cell: ({ wallet }) => (wallet === null ? <Nothing why="none" /> : <ShortHex text={wallet} />),
        },
        {
          head: 'Transaction',
          value: ({ tx_hash }) => tx_hash,
          cell: ({ tx_hash, chain }) =>
            tx_hash === null ? <Nothing why="none" /> : <TransactionLink hash={tx_hash} chain={chain} />,
        },
        column.money('Cost', ({ cost }) => cost),
        {
          head: 'Paid, UTC',
          value: ({ paid_at }) => paid_at,
          cell: ({ paid_at }) => (paid_at === null ? <Nothing why="not paid" /> : <Time at={paid_at} />),
        },
      ]}
    />
  );
}

/** Vaults of the parts by name, each once. */
const vaultsOf = ({ parts }: Withdrawal): string[] => [
  ...new Set(parts.map(({ vault_id }) => vaultName(vault_id))),
];

/** What a reader of the status asks next. */
function Circumstance({ of: { status, failure, taken_at, expires_at } }: { of: Withdrawal }) {
  if (failure) return <span class="below words short">{FAILURES[failure]}</span>;
  if (status !== 'requested' && status !== 'taken') return null;
  return (
    <span class="below">
      {status === 'taken' ? 'since' : 'lapses'} <Time at={status === 'taken' ? taken_at : expires_at} />
    </span>
  );
}
