import { asApiError, errorOf } from '../../api/api-error.js';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useResource } from '../../api/resource.js';
import { holds } from '../../api/session.js';
import { loadVaults } from '../../api/vaults.js';
import { spanText, Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Panel, Tile } from '../../ui/panel.js';
import { Empty, Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';

/** Whether the deployment answers, its jobs, and the observations of its vaults. */
export function Health() {
  const ready = useResource('ready', readiness);
  return (
    <>
      <Panel
        title="This deployment"
        remark="Whether the process that answers is ready."
        busy={ready.loading}
        actions={
          <button type="button" onClick={ready.reload}>
            Refresh
          </button>
        }
      >
        <Loaded of={ready}>
          {(facts) => (
            <dl class="tiles">
              {Object.entries(facts).map(([name, value]) => (
                <Tile name={name} key={name}>
                  {String(value)}
                </Tile>
              ))}
            </dl>
          )}
        </Loaded>
      </Panel>
      <Work />
      {holds('read', 'partner:read') ? <Feeds /> : <NoFeeds />}
    </>
  );
}

type Facts = Schemas['Deployment'];

/** Scheduled work: how far it is behind, and which processes do it. */
function Work() {
  const facts = useResource('deployment', async (signal) => {
    const { data } = await answered(api.GET('/deployment', { signal }));
    return data;
  });
  return (
    <Panel
      title="Work"
      remark="The hourly tick, the queue, and outcomes of deliveries since the replicas were started."
      busy={facts.loading}
      actions={
        <button type="button" onClick={facts.reload}>
          Refresh
        </button>
      }
    >
      <Loaded of={facts}>
        {(health) => (
          <>
            <WorkTiles {...health} />
            <Sends {...health} />
            <Replicas {...health} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const WorkTiles = ({ tick, queue, ledger, replicas }: Facts) => (
  <dl class="tiles">
    <Tile name="Tick lag" remark={<Time at={tick.newest_hour} />}>
      {secondsText(tick.lag_seconds, tick.newest_hour === null ? 'no hour yet' : 'not known')}
    </Tile>
    <Tile name="Jobs waiting" remark={`oldest: ${secondsText(queue.oldest_job_seconds, 'none')}`}>
      {queue.jobs_waiting}
    </Tile>
    <Tile name="Deliveries queued" remark={`oldest: ${secondsText(queue.oldest_delivery_seconds, 'none')}`}>
      {queue.deliveries_queued}
    </Tile>
    <Tile
      name={
        ledger.full || ledger.verified_at === null
          ? 'Ledger differences'
          : 'Ledger differences, a seventh of the partners'
      }
      remark={<Time at={ledger.verified_at} />}
    >
      {ledger.differences ?? 'not verified yet'}
    </Tile>
    <Tile name="Replicas seen">{replicas.filter(({ silent }) => !silent).length}</Tile>
  </dl>
);

const secondsText = (seconds: number | null, none: string): string =>
  seconds === null ? none : spanText(seconds * 1000);

const Sends = ({ sends }: Facts) => (
  <DataTable
    label="Deliveries by outcome"
    rows={sends}
    keyOf={({ outcome }) => outcome}
    columns={(column) => [
      column.text('Outcome', ({ outcome }) => outcome.replaceAll('_', ' '), { names: true }),
      column.count('Sends', ({ sends: count }) => count, { key: true }),
    ]}
  />
);

const Replicas = ({ replicas }: Facts) => (
  <DataTable
    label="Replicas"
    rows={replicas}
    keyOf={({ name, started_at }) => `${name} ${started_at}`}
    columns={(column) => [
      column.text('Replica', ({ name }) => name, { names: true }),
      column.text('Role', ({ role }) => role),
      column.text('Version', ({ version }) => version),
      column.time('Started, UTC', ({ started_at }) => started_at),
      column.time('Seen, UTC', ({ seen_at }) => seen_at),
      column.text('Heartbeat', ({ silent }) => (silent ? 'silent' : 'regular')),
    ]}
  />
);

async function readiness(signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch('/health/ready', { signal }).catch((thrown: unknown) => {
    throw asApiError(thrown);
  });
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('status' in body)) throw errorOf(response, body);
  return body;
}

function Feeds() {
  const vaults = useResource('vaults', () => loadVaults());
  return (
    <Panel
      title="Feeds"
      remark="How long ago each vault was observed. A feed is asked every hour; after 24 hours it is stale."
    >
      <Loaded of={vaults}>
        {(rows) => (
          <DataTable
            label="Feeds"
            rows={rows}
            keyOf={({ id }) => id}
            columns={(column) => [
              column.vault('Vault', ({ id }) => id, { names: true }),
              column.text('Source', ({ source }) => source),
              column.time('Observed, UTC', ({ observed_at }) => observed_at),
              {
                head: 'Age',
                number: true,
                cell: ({ observed_at }) =>
                  observed_at && <span class="figure">{spanText(Date.now() - Date.parse(observed_at))}</span>,
              },
              {
                head: 'State',
                cell: ({ stale }) => <Badge tone={stale ? 'bad' : 'good'}>{stale ? 'stale' : 'fresh'}</Badge>,
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

const NoFeeds = () => (
  <Empty title="This session may not see the vaults.">
    <p>
      Ages of feeds are shown to a session with the scope <code>read</code>: sign in with a key that has it as
      well.
    </p>
  </Empty>
);
