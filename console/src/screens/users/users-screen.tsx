import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useListing } from '../../api/resource.js';
import { listUsers } from '../../api/users.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Filters } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Screen } from '../../ui/screen.js';
import { SearchField, useSearch } from '../../ui/search-field.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { UserForm } from './user-form.js';

/** The partner's end-users. */
export function UsersScreen() {
  const search = useSearch();
  const { route } = useLocation();
  const [adding, setAdding] = useState(false);
  const list = useListing(`users ${search}`, (cursor, signal) => listUsers(search, cursor, signal));
  return (
    <Screen
      title="Users"
      lead="Your end-users, the newest first, and what their positions are worth."
      actions={
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          Add a user
        </button>
      }
    >
      <Filters>
        <SearchField name="External id, wallet, label or user id" />
      </Filters>
      <Listed
        of={list}
        empty={
          search === '' ? (
            <Empty title="There is no end-user yet.">
              <p>Add one: it needs only an external id of yours.</p>
            </Empty>
          ) : (
            <Empty
              title={`No end-user has “${search}” in its external id, its label or its id, or as a wallet.`}
            >
              <p>Look for a part of an id or label, or a whole wallet. Capitals make no difference.</p>
            </Empty>
          )
        }
      >
        {(rows) => (
          <DataTable
            label="End-users"
            csv="/partner/users"
            rows={rows}
            keyOf={({ id }) => id}
            columns={(column) => [
              {
                head: 'External id',
                names: true,
                value: (user) => user.external_id,
                cell: (user) => <a href={`/console/users/${user.id}`}>{user.external_id}</a>,
              },
              column.text('Label', ({ label }) => label),
              {
                head: 'Status',
                value: ({ status }) => status,
                cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>,
              },
              column.count('Open', ({ positions }) => positions.open),
              column.count('Closed', ({ positions }) => positions.closed),
              column.money('Net TVL', (user) => user.net_tvl, { key: true }),
              column.time('Created, UTC', (user) => user.created_at),
            ]}
          />
        )}
      </Listed>
      <Dialog title="Add a user" open={adding} onClose={() => setAdding(false)}>
        <UserForm onSaved={(id) => route(`/console/users/${id}`)} />
      </Dialog>
    </Screen>
  );
}
