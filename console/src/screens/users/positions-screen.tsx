import { answered, api, asked } from '../../api/client.js';
import { listPath } from '../../api/download.js';
import { useListing } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { useUserNames } from '../../api/users.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { PositionsTable, STATUSES } from './positions-table.js';

export function PositionsScreen() {
  const { query, set } = useFilters();
  const { asset, status, user_id } = query;
  const nameOf = useUserNames(user_id ? [user_id] : []);
  const { assets, simulation } = traits();
  const list = useListing(`positions ${asset} ${status} ${user_id}`, (cursor, signal) =>
    answered(
      api.GET('/positions', {
        params: {
          query: asked({ asset, status, user_id, cursor }),
        },
        signal,
      }),
    ),
  );
  return (
    <Screen title="Positions" lead="Every deposit, its vault and its value; the newest first.">
      <Filters>
        <Choice
          name="Asset"
          field="asset"
          all="All assets"
          options={assets.map((option) => [option, option])}
        />
        <Choice
          name="Status"
          field="status"
          all="Every status"
          options={Object.keys(STATUSES).map((option) => [option, option])}
        />
        {user_id && (
          <p class="filter-fact">
            Of <a href={`/console/users/${user_id}`}>{nameOf(user_id)}</a>{' '}
            <button type="button" class="small" onClick={() => set({ user_id: null })}>
              Of all users
            </button>
          </p>
        )}
      </Filters>
      <Listed
        of={list}
        empty={
          <Empty title={asset || status ? 'No position matches.' : 'There is no position yet.'}>
            <p>
              {asset || status
                ? 'Remove a filter.'
                : simulation
                  ? 'Simulate a deposit with POST /positions.'
                  : 'The protocol reports deposits; each opens one.'}
            </p>
          </Empty>
        }
      >
        {(rows) => <PositionsTable rows={rows} csv={listPath('/positions', { asset, status, user_id })} />}
      </Listed>
    </Screen>
  );
}
