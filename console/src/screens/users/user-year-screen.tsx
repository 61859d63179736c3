import { useRoute } from 'preact-iso';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { findUser } from '../../api/users.js';
import { Time } from '../../format/time.js';
import { Panel } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { sumColumns } from '../statements/statement-screen.js';

/** The year of an end-user, as it is printed for it. */
export function UserYearScreen() {
  const { id = '', year = '' } = useRoute().params;
  const user = useResource(`user ${id}`, (signal) => findUser(id, signal));
  const loaded = useResource(`year ${year} of ${id}`, async (signal) => {
    const path = { period: year };
    const [statement, users] = await Promise.all([
      answered(api.GET('/partner/statements/{period}', { params: { path }, signal })),
      answered(
        api.GET('/partner/statements/{period}/users', { params: { path, query: { ids: id } }, signal }),
      ),
    ]);
    return { ...statement.data, user: users.data[0] };
  });
  const shown = loaded.data;
  const name = shown?.user?.external_id ?? user.data?.external_id ?? 'User';
  return (
    <Screen
      title={`${name}, ${year}`}
      above={{ name, path: `/console/users/${id}` }}
      lead={
        shown && (
          <>
            {user.data && `${user.data.label} · `}
            <code>{id}</code> · <Time at={shown.from} /> to <Time at={shown.to} /> UTC
            {shown.closed ? '' : ', up to the last closed day'}
          </>
        )
      }
      actions={
        <>
          <a href={`/console/users/${id}/years/${Number(year) - 1}`}>The year before</a>
          <button type="button" class="small" onClick={() => print()}>
            Print
          </button>
        </>
      }
    >
      <Panel
        title="By asset"
        remark="In units of the asset. The total adds stablecoins at par: a unit of each counts as one. The fee is reported, and not taken from the value."
      >
        <Loaded of={loaded}>
          {({ user: row }) =>
            row && row.assets.length > 0 ? (
              <DataTable
                label={`${name} ${year}`}
                csv={`/partner/statements/${year}/users?ids=${id}`}
                rows={[...row.assets, { asset: 'Total at par', ...row.totals }]}
                keyOf={({ asset }) => asset}
                columns={(column) => [
                  column.text('Asset', ({ asset }) => asset, { names: true }),
                  ...sumColumns(column),
                ]}
              />
            ) : (
              <Empty title={`This user has no entry up to the end of ${year}.`} />
            )
          }
        </Loaded>
      </Panel>
    </Screen>
  );
}
