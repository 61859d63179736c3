import { asApiError, errorOf } from '../../api/api-error.js';
import { useResource } from '../../api/resource.js';
import { holds } from '../../api/session.js';
import { loadVaults } from '../../api/vaults.js';
import { spanText, Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Panel, Tile } from '../../ui/panel.js';
import { Empty, Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { VaultName } from '../../ui/vault-name.js';

/** Whether the deployment answers, and what it hears of its vaults. */
export function Health() {
  const ready = useResource('ready', readiness);
  return (
    <>
      <Panel
        title="This deployment"
        remark="Lag of the tick, depth of the queue, deliveries by outcome and replicas are metrics: /metrics on the management port has them."
        busy={ready.loading}
        actions={
          <button type="button" onClick={ready.reload}>
            Look again
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
      {holds('read', 'partner:read') ? <Feeds /> : <NoFeeds />}
    </>
  );
}

async function readiness(signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch('/health/ready', { signal }).catch((thrown: unknown) => {
    throw asApiError(thrown);
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response, body);
  return body as Record<string, unknown>;
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
            columns={[
              { head: 'Vault', names: true, cell: ({ id }) => <VaultName id={id} /> },
              { head: 'Source', cell: ({ source }) => source },
              { head: 'Observed, UTC', cell: ({ observed_at }) => <Time at={observed_at} /> },
              {
                head: 'Age',
                number: true,
                cell: ({ observed_at }) =>
                  observed_at && <span class="figure">{spanText(Date.now() - Date.parse(observed_at))}</span>,
              },
              {
                head: 'State',
                cell: ({ stale }) => (
                  <Badge tone={stale ? 'bad' : 'good'}>{stale ? 'stale' : 'heard of'}</Badge>
                ),
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
