import { traits } from '../../api/session.js';
import { vaultName } from '../../api/vaults.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Screen } from '../../ui/screen.js';
import { DataTable } from '../../ui/table.js';
import { VaultName } from '../../ui/vault-name.js';
import { FAILURES, MEANINGS, type Move, reasonText, STATUSES } from './move-words.js';
import { ReportedList } from './reported-list.js';

/** Orders to move funds, from the decision to the arrival. */
export const OrdersScreen = () => (
  <Screen
    title="Orders"
    lead={
      traits().executes
        ? 'Moves that an executor carries out on chains: who took each up, and what arrived.'
        : 'Moves between vaults: a simulated executor carries them out within the hour, unless a scenario hinders it.'
    }
  >
    <ReportedList
      path="/moves"
      noun="order"
      statuses={Object.keys(STATUSES)}
      title="Orders to move funds"
      remark="The newest first. An urgent move evicts funds from a vault, and takes precedence over others."
      first="Every decided move is listed here."
    >
      {(rows, csv) => <MovesTable rows={rows} csv={csv} />}
    </ReportedList>
  </Screen>
);

const MovesTable = ({ rows, csv }: { rows: readonly Move[]; csv: string }) => (
  <DataTable
    label="Orders"
    csv={csv}
    rows={rows}
    keyOf={({ id }) => id}
    marked={({ urgent }) => urgent}
    columns={(column) => [
      {
        head: 'Made, UTC',
        names: true,
        value: ({ requested_at }) => requested_at,
        cell: ({ id, requested_at }) => (
          <a href={`/console/orders/${id}`} title={id}>
            <Time at={requested_at} />
          </a>
        ),
      },
      {
        head: 'Status',
        value: ({ status }) => status,
        cell: ({ status, urgent, reason, failure }) => (
          <>
            <span title={MEANINGS[status]}>
              <Badge tone={STATUSES[status]}>{status}</Badge>
            </span>
            {urgent && (
              <>
                {' '}
                <Badge tone="warn">urgent</Badge>
              </>
            )}
            <span class="below">{failure ? FAILURES[failure] : reasonText(reason)}</span>
          </>
        ),
      },
      {
        head: 'From and to',
        value: ({ from_vault_id, to_vault_id }) => `${vaultName(from_vault_id)} → ${vaultName(to_vault_id)}`,
        cell: ({ from_vault_id, to_vault_id }) => (
          <>
            <VaultName id={from_vault_id} plain />
            <span class="below">
              → <VaultName id={to_vault_id} plain />
            </span>
          </>
        ),
      },
      column.money('Amount', ({ amount }) => amount, { unit: ({ asset }) => asset, key: true }),
      column.count('Positions', ({ positions }) => positions),
      column.money('Expected cost', (row) => row.expected_cost),
      column.money('Cost', ({ cost }) => cost),
      { head: 'Lapses, UTC', value: ({ expires_at }) => expires_at, cell: (row) => <Lapse move={row} /> },
    ]}
  />
);

/** A move that was taken up, or ended, no longer lapses. */
const Lapse = ({ move: { expires_at, taken_at, ended_at } }: { move: Move }) =>
  taken_at === null && ended_at === null ? (
    <Time at={expires_at} />
  ) : (
    <span class="nothing">
      <Time at={expires_at} />
      <span class="heard">, which no longer applies</span>
    </span>
  );
