import { useRoute } from 'preact-iso';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { executes } from '../../api/session.js';
import { useUserNames } from '../../api/users.js';
import { Money, Rate } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Loaded } from '../../ui/state.js';
import { VaultName } from '../../ui/vault-name.js';
import { UpliftOf } from '../overview/uplift-panel.js';
import { isOpen } from '../places.js';
import { LedgerPanel } from './ledger-panel.js';
import { type Position, STATUSES } from './positions-table.js';

const LIST = '/console/positions';
const OPERATED = '/console/administration';

/** One position: its value, both baselines, and its history. An executor sees only its value. */
export function PositionScreen() {
  const id = useRoute().params['id'] ?? '';
  const position = useResource(id, (signal) =>
    answered(api.GET('/positions/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Screen
      title="Position"
      above={isOpen(LIST) ? { name: 'Positions', path: LIST } : { name: 'Administration', path: OPERATED }}
      lead={
        <>
          <code>{id}</code> · <PositionLinks id={id} />
        </>
      }
    >
      <Loaded of={position}>
        {({ data }) => (
          <>
            <PositionFacts position={data} />
            {isOpen(LIST) && <PositionHistory position={data} />}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** Links to what else the session may see of the position. */
const PositionLinks = ({ id }: { id: string }) =>
  executes() ? (
    <>
      <a href={`${OPERATED}/settlements?position_id=${id}`}>its settlements</a>,{' '}
      <a href={`/console/orders?position_id=${id}`}>moves of its deposit</a>
    </>
  ) : (
    <a href={`/console/decisions?position_id=${id}`}>decisions about this position</a>
  );

function PositionFacts({ position }: { position: Position }) {
  const { user_id, asset } = position;
  const user = `/console/users/${user_id}`;
  const nameOf = useUserNames([user_id]);
  return (
    <dl class="tiles">
      <Tile
        name="Value"
        lead
        remark={
          <>
            <Badge tone={STATUSES[position.status]}>{position.status}</Badge> in{' '}
            <VaultName id={position.vault_id} />
          </>
        }
      >
        <Money amount={position.value} unit={asset} />
      </Tile>
      <Tile
        name="Principal"
        remark={
          <>
            opened <Time at={position.opened_at} />
          </>
        }
      >
        <Money amount={position.principal} />
      </Tile>
      <Tile name="Yield" remark="net of costs">
        <Money amount={position.yield} signed />
      </Tile>
      <Tile name="Costs" remark="of moves">
        <Money amount={position.costs} />
      </Tile>
      <Tile name="APY" remark="of its vault">
        <Rate rate={position.apy} />
      </Tile>
      <Tile
        name="First vault"
        remark={
          isOpen(user) && (
            <>
              of <a href={user}>{nameOf(user_id)}</a>
            </>
          )
        }
      >
        <VaultName id={position.origin_vault_id} />
      </Tile>
    </dl>
  );
}

function PositionHistory({ position }: { position: Position }) {
  const { id } = position;
  return (
    <>
      <UpliftOf of={{ position_id: id }} />
      <LedgerPanel of={{ position_id: id }} />
    </>
  );
}
