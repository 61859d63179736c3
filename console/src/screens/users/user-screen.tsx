import { useRoute } from 'preact-iso';
import { answered, api } from '../../api/client.js';
import { useListing } from '../../api/resource.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { LedgerTable } from './ledger-table.js';
import { PositionsTable } from './positions-table.js';

/** One end-user: positions and ledger. */
export function UserScreen() {
  const id = useRoute().params['id'] ?? '';
  const positions = useListing(`positions ${id}`, (cursor, signal) =>
    answered(
      api.GET('/partner/user/{id}/positions', {
        params: { path: { id }, query: cursor ? { cursor } : {} },
        signal,
      }),
    ),
  );
  const ledger = useListing(`ledger ${id}`, (cursor, signal) =>
    answered(
      api.GET('/users/{id}/ledger', {
        params: { path: { id }, query: { limit: '50', ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  );
  return (
    <Screen
      title="User"
      above={{ name: 'Users', path: '/console/users' }}
      lead={
        <>
          <code>{id}</code> · <a href={`/console/decisions?user_id=${id}`}>decisions about this user</a>
        </>
      }
    >
      <Panel title="Positions">
        <Listed of={positions} empty={<Empty title="This user has no position." />}>
          {(rows) => <PositionsTable rows={rows} ofUser />}
        </Listed>
      </Panel>
      <Panel title="Ledger" remark="Every entry, the newest first. Entries are never changed.">
        <Listed of={ledger} empty={<Empty title="Nothing was posted for this user." />}>
          {(rows) => <LedgerTable rows={rows} />}
        </Listed>
      </Panel>
    </Screen>
  );
}
