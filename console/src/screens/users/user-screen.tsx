import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { type Listing, useListing, useResource } from '../../api/resource.js';
import { findUser, type User } from '../../api/users.js';
import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Listed } from '../../ui/more.js';
import { Panel, Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { UpliftOf } from '../overview/uplift-panel.js';
import { figureColumns } from '../statements/statement-screen.js';
import { LedgerPanel } from './ledger-panel.js';
import { type Position, PositionsTable } from './positions-table.js';
import { UserBalances } from './user-balances.js';
import { UserForm } from './user-form.js';
import { UserWithdrawals } from './user-withdrawals.js';

/** One end-user: its totals, what routing brought it, positions and ledger. */
export function UserScreen() {
  const id = useRoute().params['id'] ?? '';
  /** Withdrawals made here. */
  const [round, setRound] = useState(0);
  const user = useResource(`user ${id}`, (signal) => findUser(id, signal));
  const positions = useListing(`positions ${id}`, (cursor, signal) =>
    answered(
      api.GET('/partner/user/{id}/positions', {
        params: { path: { id }, query: cursor ? { cursor } : {} },
        signal,
      }),
    ),
  );
  const loaded = user.data;
  return (
    <Screen
      title={loaded?.external_id ?? 'User'}
      above={{ name: 'Users', path: '/console/users' }}
      lead={
        <>
          {loaded && `${loaded.label} · `}
          <code>{id}</code> · <a href={`/console/decisions?user_id=${id}`}>decisions about this user</a>
        </>
      }
      actions={loaded && <Change user={loaded} onChanged={user.reload} />}
    >
      <Loaded of={user}>
        {(shown) =>
          shown ? (
            <>
              <Totals user={shown} positions={positions} />
              <UserBalances
                user={shown}
                onWithdrawn={() => {
                  user.reload();
                  positions.reload();
                  setRound(round + 1);
                }}
              />
              <UserWithdrawals id={id} round={round} />
              <UpliftOf of={{ user_id: id }} />
              <Panel title="Positions">
                <Listed of={positions} empty={<Empty title="This user has no position." />}>
                  {(rows) => <PositionsTable rows={rows} csv={`/partner/user/${id}/positions`} of="user" />}
                </Listed>
              </Panel>
              <Statements id={id} />
              <LedgerPanel of={{ user_id: id }} key={round} />
            </>
          ) : (
            <Empty title="There is no such end-user among yours." />
          )
        }
      </Loaded>
    </Screen>
  );
}

/** A sum of amounts to the micro-unit, without errors of floats. */
const sumOf = (rows: readonly Position[], name: 'principal' | 'yield' | 'costs'): number =>
  rows.reduce((sum, row) => sum + Math.round(row[name] * 1_000_000), 0) / 1_000_000;

function Totals({ user, positions: { rows, more } }: { user: User; positions: Listing<Position> }) {
  const of = more ? `of the newest ${rows.length} positions` : 'over all positions';
  return (
    <dl class="tiles">
      <Tile
        name="Net TVL"
        lead
        remark={
          <>
            <Badge tone={user.status === 'active' ? 'good' : 'bad'}>{user.status}</Badge>{' '}
            {user.positions.open} open, {user.positions.closed} closed
          </>
        }
      >
        <Money amount={user.net_tvl} />
      </Tile>
      <Tile name="Principal" remark={of}>
        <Money amount={sumOf(rows, 'principal')} />
      </Tile>
      <Tile name="Yield" remark="net of costs">
        <Money amount={sumOf(rows, 'yield')} signed />
      </Tile>
      <Tile name="Costs" remark="of moves">
        <Money amount={sumOf(rows, 'costs')} />
      </Tile>
      <Tile name="Wallets" remark={user.wallets[0] && <span class="breaking">{user.wallets[0]}</span>}>
        {user.wallets.length}
      </Tile>
      <Tile name="Created, UTC">
        <Time at={user.created_at} />
      </Tile>
    </dl>
  );
}

/** Months of the user's statements. */
const MONTHS = 6;

/** The user's part of the newest monthly statements. */
function Statements({ id }: { id: string }) {
  const months = useResource(`statements of ${id}`, async (signal) => {
    const query = { interval: 'month' as const, limit: MONTHS };
    const { data } = await answered(api.GET('/partner/statements', { params: { query }, signal }));
    const months = data.map(async ({ period }) => {
      const params = { path: { period }, query: { ids: id } };
      const of = await answered(api.GET('/partner/statements/{period}/users', { params, signal }));
      return of.data.flatMap(({ assets }) => assets.map((row) => ({ ...row, period })));
    });
    return (await Promise.all(months)).flat();
  });
  return (
    <Panel title="Statements" remark="The newest months, up to the last closed day.">
      <Loaded of={months}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No day of this user is closed yet." />
          ) : (
            <>
              <p class="note">
                Whole years:
                {[...new Set(rows.map(({ period }) => period.slice(0, 4)))].map((year) => (
                  <span key={year}>
                    {' '}
                    <a href={`/console/users/${id}/years/${year}`}>{year}</a>
                  </span>
                ))}
              </p>
              <DataTable
                label="Statements"
                rows={rows}
                keyOf={({ period, asset }) => `${period} ${asset}`}
                columns={(column) => [
                  {
                    head: 'Month',
                    names: true,
                    value: ({ period }) => period,
                    cell: ({ period }) => <a href={`/console/statements/${period}`}>{period}</a>,
                  },
                  column.text('Asset', ({ asset }) => asset),
                  ...figureColumns(column),
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Change({ user, onChanged }: { user: User; onChanged: () => void }) {
  const [editing, setEditing] = useState(false);
  const [blocking, setBlocking] = useState(false);
  const { busy, error, run } = useAction();
  const blocked = user.status === 'blocked';
  const turn = async (): Promise<void> => {
    const params = { path: { id: user.id } };
    const body = { status: blocked ? ('active' as const) : ('blocked' as const) };
    if (!(await run(() => answered(api.PATCH('/users/{id}', { params, body }))))) return;
    setBlocking(false);
    onChanged();
  };
  return (
    <>
      <button type="button" class="small" onClick={() => setEditing(true)}>
        Edit
      </button>
      <button type="button" class={blocked ? 'small' : 'small danger'} onClick={() => setBlocking(true)}>
        {blocked ? 'Unblock' : 'Block'}
      </button>
      <Dialog title={`Edit ${user.external_id}`} open={editing} onClose={() => setEditing(false)}>
        <UserForm
          of={user}
          onSaved={() => {
            setEditing(false);
            onChanged();
          }}
        />
      </Dialog>
      <Dialog
        title={`${blocked ? 'Unblock' : 'Block'} ${user.external_id}?`}
        open={blocking}
        onClose={() => setBlocking(false)}
      >
        <p>
          {blocked
            ? 'Deposits of this user are taken again.'
            : 'Nothing is deposited for this user any more. Withdrawals go on, and its positions go on earning.'}
        </p>
        {error && <Refusal error={error} />}
        <p class="dialog-actions">
          <button
            type="button"
            class={blocked ? 'primary' : 'danger'}
            disabled={busy}
            onClick={() => void turn()}
          >
            {blocked ? 'Unblock the user' : 'Block the user'}
          </button>
        </p>
      </Dialog>
    </>
  );
}
