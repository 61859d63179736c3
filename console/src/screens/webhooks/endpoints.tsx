import { useState } from 'preact/hooks';
import { answered, api, live } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useListing } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { Time } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { CreateEndpoint } from './create-endpoint.js';
import { outcomeText } from './delivery-words.js';
import { NewSecret } from './new-secret.js';

type Endpoint = Schemas['Webhook'];

export function Endpoints() {
  const list = useListing('endpoints', (cursor, signal) =>
    answered(api.GET('/webhooks', { params: { query: cursor ? { cursor } : {} }, signal })),
  );
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<Endpoint | null>(null);
  const [removing, setRemoving] = useState<Endpoint | null>(null);
  const [said, setSaid] = useState<{ text: string; good: boolean } | null>(null);
  const { busy, error, run } = useAction();
  const { changesWebhooks } = traits();

  const test = async ({ id, url }: Endpoint): Promise<void> => {
    setSaid(null);
    const sent = await run(() => answered(api.POST('/webhooks/{id}/test', { params: { path: { id } } })));
    if (sent)
      setSaid({
        text: `Test event to ${url}: ${outcomeText(sent.data)}`,
        good: sent.data.status === 'delivered',
      });
  };
  const turn = async ({ id, active }: Endpoint): Promise<void> => {
    const body = { active: !active };
    const changed = await run(() =>
      answered(live.PATCH('/webhooks/{id}', { params: { path: { id } }, body })),
    );
    if (changed) list.reload();
  };
  const remove = async ({ id }: Endpoint): Promise<void> => {
    const gone = await run(() => answered(api.DELETE('/webhooks/{id}', { params: { path: { id } } })));
    if (!gone) return;
    setRemoving(null);
    list.reload();
  };

  return (
    <>
      {created && <NewSecret endpoint={created} onDone={() => setCreated(null)} />}
      {error && !removing && <Refusal error={error} />}
      <p role="status" class={said ? `said ${said.good ? 'good' : 'bad'}` : 'said'}>
        {said?.text}
      </p>
      <Panel
        title="Endpoints"
        actions={
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            New endpoint
          </button>
        }
      >
        <Listed
          of={list}
          empty={
            <Empty title="No endpoint is registered.">
              <p>Register a URL of yours: it is sent each event that it subscribes to, signed, once.</p>
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Endpoints"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'URL',
                  names: true,
                  cell: ({ url, description }) => (
                    <>
                      <span class="url">{url}</span>
                      {description && <span class="below">{description}</span>}
                    </>
                  ),
                },
                {
                  head: 'State',
                  cell: ({ active }) => (
                    <Badge tone={active ? 'good' : 'plain'}>{active ? 'active' : 'inactive'}</Badge>
                  ),
                },
                {
                  head: 'Events',
                  cell: ({ events }) => <span title={events.join(', ')}>{events.length} types</span>,
                },
                { head: 'Secret', cell: ({ secret }) => <code>{secret}</code> },
                { head: 'Created, UTC', cell: ({ created_at }) => <Time at={created_at} /> },
                {
                  head: 'Actions',
                  cell: (row) => (
                    <span class="row-actions">
                      <button type="button" class="small" disabled={busy} onClick={() => void test(row)}>
                        Send a test<span class="heard"> to {row.url}</span>
                      </button>
                      {changesWebhooks && (
                        <button type="button" class="small" disabled={busy} onClick={() => void turn(row)}>
                          {row.active ? 'Deactivate' : 'Activate'}
                          <span class="heard"> {row.url}</span>
                        </button>
                      )}
                      <a href={`/console/webhooks/deliveries?webhook_id=${row.id}`}>
                        Log<span class="heard"> of {row.url}</span>
                      </a>
                      <button
                        type="button"
                        class="small danger"
                        disabled={busy}
                        onClick={() => setRemoving(row)}
                      >
                        Delete<span class="heard"> {row.url}</span>
                      </button>
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Listed>
      </Panel>
      <Dialog title="New endpoint" open={creating} onClose={() => setCreating(false)}>
        <CreateEndpoint
          onCreated={(endpoint) => {
            setCreating(false);
            setCreated(endpoint);
            list.reload();
          }}
        />
      </Dialog>
      <Dialog title="Delete this endpoint?" open={removing !== null} onClose={() => setRemoving(null)}>
        {removing && (
          <>
            <p>
              <span class="url">{removing.url}</span> is sent nothing any more, also not what waits. Its
              deliveries stay in the log; its secret is gone.
            </p>
            {error && <Refusal error={error} />}
            <p class="dialog-actions">
              <button type="button" class="danger" disabled={busy} onClick={() => void remove(removing)}>
                Delete the endpoint
              </button>
            </p>
          </>
        )}
      </Dialog>
    </>
  );
}
