import { useRoute } from 'preact-iso';
import { answered, live } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { executes } from '../../api/session.js';
import { counted, Money, Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Panel, Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { VaultName } from '../../ui/vault-name.js';
import { MoveReports } from './move-reports.js';
import { FAILURES, MEANINGS, type Move, reasonText, STATUSES } from './move-words.js';
import { PlaceLink } from '../place-link.js';
import { ShortHash } from './transaction-hash.js';

/** One move: its funds, its progress, and the reports that may follow. */
export function MoveScreen() {
  const id = useRoute().params['id'] ?? '';
  const may = executes();
  const move = useResource(may ? id : null, (signal) =>
    answered(live.GET('/moves/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Screen
      title="Move"
      above={{ name: 'Moves', path: '/console/administration/moves' }}
      lead={
        <>
          <code>{id}</code> <CopyButton text={location.href} name="link" named />
        </>
      }
    >
      {may ? (
        <Loaded of={move}>
          {({ data }) => (
            <>
              <MoveFacts move={data} />
              <MoveReports move={data} onReported={move.reload} key={data.id} />
              <MoveSteps move={data} busy={move.loading} />
            </>
          )}
        </Loaded>
      ) : (
        <Empty title="This session may not see moves.">
          <p>
            Sign in to the live contract with a key that may <code>write</code>, and tick that.
          </p>
        </Empty>
      )}
    </Screen>
  );
}

function MoveFacts({ move }: { move: Move }) {
  const { status, urgent, failure, note, position_id, decision_id, asset } = move;
  return (
    <>
      <section class="verdict" aria-label="What is moved">
        <p class="verdict-head">
          <Badge tone={STATUSES[status]}>{status}</Badge>
          {urgent && <Badge tone="warn">urgent</Badge>}
          <span class="verdict-way">
            <VaultName id={move.from_vault_id} />
            <span aria-label="to"> → </span>
            <VaultName id={move.to_vault_id} />
          </span>
          <Time at={move.requested_at} />
        </p>
        <p class="verdict-why">
          {MEANINGS[status]}
          {failure && ` It ended because ${FAILURES[failure]}.`}
          {note && ` Noted: ${note}`}
        </p>
      </section>
      <dl class="tiles">
        <Tile
          name="Amount"
          lead
          remark={`${counted(move.positions, 'position')}, ${reasonText(move.reason)}`}
        >
          <Money amount={move.amount} unit={asset} />
        </Tile>
        <Tile name="Expected cost" remark="when it was decided">
          <Money amount={move.expected_cost} />
        </Tile>
        <Tile name="Cost" remark="less arrived than the books had">
          <Money amount={move.cost} />
        </Tile>
        <Tile name="Gain" remark="more arrived than the books had">
          <Money amount={move.gain} />
        </Tile>
      </dl>
      <dl class="facts">
        <dt>Decision</dt>
        <dd>
          <PlaceLink to={`/console/decisions/${decision_id}`}>
            <code class="breaking">{decision_id}</code>
          </PlaceLink>
        </dd>
        <dt>Partner</dt>
        <dd>
          <code class="breaking">{move.partner_id}</code>
        </dd>
        {position_id !== null && (
          <>
            <dt>Deposit of</dt>
            <dd>
              <PlaceLink to={`/console/positions/${position_id}`}>
                <code class="breaking">{position_id}</code>
              </PlaceLink>
              , <a href={`/console/administration/settlements?position_id=${position_id}`}>its settlements</a>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

interface Step {
  name: string;
  at: string | null;
  report?: Move['redeemed'];
}

/** Times of the move's steps, with what was reported. */
function MoveSteps({ move, busy }: { move: Move; busy: boolean }) {
  const { redeemed, settled, taken_at, ended_at } = move;
  const lapses = taken_at === null && ended_at === null;
  const steps: Step[] = [
    { name: 'Made', at: move.requested_at },
    { name: lapses ? 'Lapses, unless it is taken up' : 'Would have lapsed', at: move.expires_at },
    { name: 'Taken up', at: taken_at },
    { name: 'Redeemed', at: redeemed?.at ?? null, report: redeemed },
    { name: 'Arrived', at: settled?.at ?? null, report: settled },
    { name: 'Ended', at: ended_at },
  ];
  return (
    <Panel title="Steps" remark="What was reported, and when it was recorded." busy={busy}>
      <DataTable
        label="Steps"
        rows={steps}
        keyOf={({ name }) => name}
        columns={(column) => [
          column.text('Step', ({ name }) => name, { names: true }),
          {
            head: 'At, UTC',
            value: ({ at }) => at,
            cell: ({ at }) => (at === null ? <Nothing why="not yet" /> : <Time at={at} />),
          },
          {
            head: 'Amount',
            number: true,
            key: true,
            value: ({ report }) => report?.amount,
            cell: ({ report }) =>
              report ? <Money amount={report.amount} unit={move.asset} /> : <Nothing why="none" />,
          },
          {
            head: 'Transaction',
            value: ({ report }) => report?.tx_hash,
            cell: ({ report }) =>
              report ? (
                <>
                  <ShortHash hash={report.tx_hash} />{' '}
                  <CopyButton text={report.tx_hash} name="transaction hash" />
                </>
              ) : (
                <Nothing why="none" />
              ),
          },
        ]}
      />
    </Panel>
  );
}
