import { useRoute } from 'preact-iso';
import { answered, live } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { executes, holds, traits } from '../../api/session.js';
import { vaultsById } from '../../api/vaults.js';
import { counted, Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { CopyButton, RecordId } from '../../ui/copy-button.js';
import { useNarrowed } from '../../ui/filters.js';
import { Panel, Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Loaded } from '../../ui/state.js';
import { VaultName } from '../../ui/vault-name.js';
import { MoveReports } from './move-reports.js';
import { FAILURES, MEANINGS, type Move, reasonText, STATUSES } from './move-words.js';
import { PlaceLink } from '../place-link.js';
import { explorerOf } from '../administration/transaction-hash.js';
import { OrderCalls } from './order-calls.js';
import { TokenUnits, Who } from './record-facts.js';
import { ResolveMove } from './resolve-move.js';
import { type Step, StepsTable } from './steps-table.js';

/** One order: its funds, its progress, the calls that carry it out, and the reports that may follow. */
export function OrderScreen() {
  const id = useRoute().params['id'] ?? '';
  const { account } = useNarrowed(['account']);
  const move = useResource(`${id} ${account}`, (signal) =>
    answered(
      live.GET('/moves/{id}', { params: { path: { id }, ...(account && { query: { account } }) }, signal }),
    ),
  );
  return (
    <Screen title="Order" above={{ name: 'Orders', path: '/console/orders' }} lead={<RecordId id={id} />}>
      <Loaded of={move}>
        {({ data }) => (
          <>
            <MoveFacts move={data} />
            {executes() && <MoveReports move={data} onReported={move.reload} key={data.id} />}
            {traits().executes && holds('partner:admin') && (
              <ResolveMove move={data} onResolved={move.reload} key={`resolve ${data.id}`} />
            )}
            {traits().executes && data.ended_at === null && (
              <OrderCalls calls={data.calls} account={account} />
            )}
            <MoveSteps move={data} busy={move.loading} />
          </>
        )}
      </Loaded>
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
      <Panel title="Details">
        <dl class="facts">
          <dt>Decision</dt>
          <dd>
            <PlaceLink to={`/console/decisions/${decision_id}`}>
              <code class="breaking">{decision_id}</code>
            </PlaceLink>
          </dd>
          <TokenUnits amount={move.amount} />
          <Contract name="Leaves" id={move.from_vault_id} />
          <Contract name="Goes to" id={move.to_vault_id} />
          <Who of={move} />
          {position_id !== null && (
            <>
              <dt>Deposit of</dt>
              <dd>
                <PlaceLink to={`/console/positions/${position_id}`}>
                  <code class="breaking">{position_id}</code>
                </PlaceLink>
                ,{' '}
                <PlaceLink to={`/console/administration/settlements?position_id=${position_id}`}>
                  its settlements
                </PlaceLink>
              </dd>
            </>
          )}
        </dl>
      </Panel>
    </>
  );
}

/** The contract of a vault, with the explorer of its chain. */
function Contract({ name, id }: { name: string; id: string }) {
  const vault = vaultsById.value.get(id);
  if (!vault) return null;
  const { chain, address } = vault;
  const explorer = explorerOf(chain);
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {chain ?? 'no chain'}
        {address && (
          <>
            {', '}
            {explorer ? (
              <a class="breaking" href={`${explorer}/address/${address}`} rel="noreferrer" target="_blank">
                {address}
              </a>
            ) : (
              <code class="breaking">{address}</code>
            )}{' '}
            <CopyButton text={address} name={`address of ${vault.name}`} />
          </>
        )}
      </dd>
    </>
  );
}

/** Times of the move's steps, with what was reported. */
function MoveSteps({ move, busy }: { move: Move; busy: boolean }) {
  const { redeemed, settled, taken_at, ended_at } = move;
  const lapses = taken_at === null && ended_at === null;
  const chainOf = (vaultId: string): string | null => vaultsById.value.get(vaultId)?.chain ?? null;
  const steps: Step[] = [
    { name: 'Made', at: move.requested_at },
    { name: lapses ? 'Lapses, unless it is taken up' : 'Would have lapsed', at: move.expires_at },
    { name: 'Taken up', at: taken_at },
    {
      name: 'Redeemed',
      at: redeemed?.at ?? null,
      report: redeemed,
      chain: chainOf(move.from_vault_id),
    },
    { name: 'Arrived', at: settled?.at ?? null, report: settled, chain: chainOf(move.to_vault_id) },
    { name: 'Ended', at: ended_at },
  ];
  return <StepsTable steps={steps} asset={move.asset} unsent="the server moved it" busy={busy} />;
}
