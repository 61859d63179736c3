import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useListing } from '../../api/resource.js';
import { counted } from '../../format/figures.js';
import { Badge } from '../../ui/badge.js';
import { EndpointForm } from '../webhooks/endpoint-form.js';
import { EndpointList } from '../webhooks/endpoint-list.js';
import { AlertLog } from './alert-log.js';

const WORDS = {
  title: 'Receivers of alerts',
  remark:
    'They are sent alerts on evicted and silent vaults, late ticks and contradicted settlements, and announcements.',
  create: 'New receiver',
  createTitle: 'New receiver of alerts',
  none: 'Nobody is told.',
  firstStep: 'Register a URL of yours: it is sent each alert, signed, once.',
  removeTitle: 'Delete this receiver?',
  removed: 'gets no further alerts. What was sent stays in the log.',
  remove: 'Delete the receiver',
};

/** Receivers of alerts on the deployment, and the alerts that were sent. */
export function Alerts() {
  const list = useListing('receivers of alerts', (cursor, signal) =>
    answered(api.GET('/alerts/webhooks', { params: { query: cursor ? { cursor } : {} }, signal })),
  );
  const [tests, setTests] = useState(0);
  return (
    <>
      <EndpointList
        list={list}
        words={WORDS}
        csv="/alerts/webhooks"
        state={(column) => [
          { head: 'State', cell: (row) => <State of={row} /> },
          column.time('Last success, UTC', ({ last_success_at }) => last_success_at),
        ]}
        send={(id) => answered(api.POST('/alerts/webhooks/{id}/test', { params: { path: { id } } }))}
        onTested={() => {
          setTests((count) => count + 1);
          list.reload();
        }}
        remove={(id) => answered(api.DELETE('/alerts/webhooks/{id}', { params: { path: { id } } }))}
        form={(onCreated) => (
          <EndpointForm
            placeholder="https://pager.example.com/vaultline"
            save={(body) => answered(api.POST('/alerts/webhooks', { body }))}
            onSaved={onCreated}
          />
        )}
      />
      <AlertLog round={tests} />
    </>
  );
}

function State({ of: { active, failing_since, consecutive_failures } }: { of: Schemas['AlertWebhook'] }) {
  if (!active) return <Badge tone="plain">inactive</Badge>;
  if (failing_since) return <Badge tone="bad">failed {counted(consecutive_failures, 'time')}</Badge>;
  return <Badge tone="good">active</Badge>;
}
