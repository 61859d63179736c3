import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { type Page, sifted, useListing } from '../../api/resource.js';
import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Filters } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Screen } from '../../ui/screen.js';
import { SearchField, useSearch } from '../../ui/search-field.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';

type User = Schemas['AttributedUser'];

const PAGE = 100;
const SEARCHED_PAGE = 500;
/** The most pages that one search reads before it asks whether to continue. */
const MOST_PAGES = 20;

/** The partner's end-users. */
export function UsersScreen() {
  const search = useSearch();
  const list = useListing(`users ${search}`, (cursor, signal) => listUsers(search, cursor, signal));
  return (
    <Screen title="Users" lead="Your end-users, the newest first, and what their positions are worth.">
      <Filters>
        <SearchField name="External id, label or user id" />
      </Filters>
      <Listed
        of={list}
        empty={
          search === '' ? (
            <Empty title="There is no end-user yet.">
              <p>
                Create one with <code>POST /users</code>: it needs only an external id of yours.
              </p>
            </Empty>
          ) : (
            <Empty title={`No end-user has “${search}” in its external id, its label or its id.`}>
              <p>Look for a part of it. Capitals make no difference.</p>
            </Empty>
          )
        }
      >
        {(rows) => (
          <DataTable
            label="End-users"
            rows={rows}
            keyOf={({ id }) => id}
            columns={(column) => [
              {
                head: 'External id',
                names: true,
                cell: (user) => <a href={`/console/users/${user.id}`}>{user.external_id}</a>,
              },
              { head: 'Label', cell: ({ label }) => label },
              {
                head: 'Status',
                cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>,
              },
              { head: 'Open', number: true, cell: ({ positions }) => positions.open },
              { head: 'Closed', number: true, cell: ({ positions }) => positions.closed },
              { head: 'Net TVL', number: true, cell: ({ net_tvl }) => <Money amount={net_tvl} /> },
              { head: 'Created, UTC', cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        )}
      </Listed>
    </Screen>
  );
}

/** The API has no search: pages are read until some rows match. */
async function listUsers(search: string, from: string | undefined, signal: AbortSignal): Promise<Page<User>> {
  const words = search.toLowerCase();
  const page = (limit: number) => (cursor: string | undefined) =>
    answered(api.GET('/partner/users', { params: { query: { limit, ...(cursor && { cursor }) } }, signal }));
  if (words === '') return page(PAGE)(from);
  const fits = ({ id, external_id, label }: User): boolean =>
    [id, external_id, label].some((text) => text.toLowerCase().includes(words));
  return sifted(page(SEARCHED_PAGE), from, { fits, enough: PAGE, mostPages: MOST_PAGES });
}
