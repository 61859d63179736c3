import { useState } from 'preact/hooks';
import { answered, api, live } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useListing, useResource } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { counted, Rate } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { CheckReceiver } from './check-receiver.js';
import { DAY_PAGE, dayOf, DayOfDeliveries } from './day-of-deliveries.js';
import { readDeliveries } from './deliveries.js';
import { PartnerEndpointForm } from './endpoint-form.js';
import { EndpointList } from './endpoint-list.js';

export type Endpoint = Schemas['Webhook'];

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

export const turn = ({ id, active }: Pick<Endpoint, 'id' | 'active'>) =>
  answered(live.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { active: !active } }));

export function Endpoints() {
  const list = useListing('endpoints', (cursor, signal) =>
    answered(api.GET('/webhooks', { params: { query: cursor ? { cursor } : {} }, signal })),
  );
  const day = useResource('deliveries of a day', (signal) =>
    readDeliveries({ limit: String(DAY_PAGE) }, signal),
  );
  const [checking, setChecking] = useState(false);
  const { changesWebhooks } = traits();
  return (
    <>
      <EndpointList
        list={list}
        words={WORDS}
        csv="/webhooks"
        pathOf={({ id }) => `/console/webhooks/endpoints/${id}`}
        state={() => [
          {
            head: 'State',
            value: ({ active, failing_since }) =>
              active ? (failing_since ? 'failing' : 'active') : 'inactive',
            cell: (row) => (
              <>
                <EndpointState of={row} />
                {row.last_success_at && (
                  <span class="below">
                    last success <Time at={row.last_success_at} />
                  </span>
                )}
              </>
            ),
          },
          {
            head: 'Succeeded, 24 h',
            number: true,
            key: true,
            cell: ({ id }) => <Rate rate={dayOf(day.data?.data ?? [], id).rate} decimals={1} />,
          },
          {
            head: 'Failing since, UTC',
            value: ({ failing_since }) => failing_since,
            cell: ({ failing_since, consecutive_failures }) => (
              <>
                <Time at={failing_since} />
                {failing_since && <span class="below">{counted(consecutive_failures, 'failure')}</span>}
              </>
            ),
          },
        ]}
        headActions={
          <button type="button" onClick={() => setChecking(true)}>
            Check a receiver
          </button>
        }
        actions={(row, busy, run) =>
          changesWebhooks && (
            <button
              type="button"
              class="small"
              disabled={busy}
              onClick={() => void run(() => turn(row)).then((changed) => changed && list.reload())}
            >
              {row.active ? 'Deactivate' : 'Activate'}
              <span class="heard"> {row.url}</span>
            </button>
          )
        }
        send={(id) => answered(api.POST('/webhooks/{id}/test', { params: { path: { id } } }))}
        onTested={() => {
          list.reload();
          day.reload();
        }}
        remove={(id) => answered(api.DELETE('/webhooks/{id}', { params: { path: { id } } }))}
        form={(onSaved) => <PartnerEndpointForm onSaved={onSaved} />}
      />
      {day.data && list.rows.length > 0 && <DayOfDeliveries newest={day.data.data} />}
      <Dialog title="Check a receiver" open={checking} onClose={() => setChecking(false)}>
        <CheckReceiver url="" />
      </Dialog>
    </>
  );
}

export const EndpointState = ({ of }: { of: Pick<Endpoint, 'active' | 'failing_since'> }) => {
  if (!of.active) return <Badge tone="plain">inactive</Badge>;
  return of.failing_since ? <Badge tone="bad">failing</Badge> : <Badge tone="good">active</Badge>;
};
