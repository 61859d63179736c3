import { answered, api, live } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useListing } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { CreateEndpoint } from './create-endpoint.js';
import { EndpointList } from './endpoint-list.js';

type Endpoint = Schemas['Webhook'];

const WORDS = {
  title: 'Endpoints',
  create: 'New endpoint',
  createTitle: 'New endpoint',
  none: 'No endpoint is registered.',
  firstStep: 'Register a URL of yours: it is sent each event that it subscribes to, signed, once.',
  removeTitle: 'Delete this endpoint?',
  removed:
    'gets no further events, including those that are queued. Its deliveries stay in the log; its secret is deleted.',
  remove: 'Delete the endpoint',
};

export function Endpoints() {
  const list = useListing('endpoints', (cursor, signal) =>
    answered(api.GET('/webhooks', { params: { query: cursor ? { cursor } : {} }, signal })),
  );
  const { changesWebhooks } = traits();
  const turn = ({ id, active }: Endpoint) =>
    answered(live.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { active: !active } }));
  return (
    <EndpointList
      list={list}
      words={WORDS}
      state={[
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
      ]}
      more={[{ head: 'Created, UTC', cell: ({ created_at }) => <Time at={created_at} /> }]}
      actions={(row, busy, run) => (
        <>
          {changesWebhooks && (
            <button
              type="button"
              class="small"
              disabled={busy}
              onClick={() => void run(() => turn(row)).then((changed) => changed && list.reload())}
            >
              {row.active ? 'Deactivate' : 'Activate'}
              <span class="heard"> {row.url}</span>
            </button>
          )}
          <a href={`/console/webhooks/deliveries?webhook_id=${row.id}`}>
            Log<span class="heard"> of {row.url}</span>
          </a>
        </>
      )}
      send={(id) => answered(api.POST('/webhooks/{id}/test', { params: { path: { id } } }))}
      remove={(id) => answered(api.DELETE('/webhooks/{id}', { params: { path: { id } } }))}
      form={(onCreated) => <CreateEndpoint onCreated={onCreated} />}
    />
  );
}
