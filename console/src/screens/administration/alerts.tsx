import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useListing } from '../../api/resource.js';
import { Time } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { outcomeText } from '../webhooks/delivery-words.js';
import { NewSecret } from '../webhooks/new-secret.js';
import { AlertLog } from './alert-log.js';
import { CreateReceiver } from './create-receiver.js';

type Receiver = Schemas['AlertWebhook'];

/** Who is told how the deployment is, and what was told. */
export function Alerts() {
  const list = useListing('receivers of alerts', (cursor, signal) =>
    answered(api.GET('/alerts/webhooks', { params: { query: cursor ? { cursor } : {} }, signal })),
  );
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<Receiver | null>(null);
  const [removing, setRemoving] = useState<Receiver | null>(null);
  const [said, setSaid] = useState<{ text: string; good: boolean } | null>(null);
  const [tests, setTests] = useState(0);
  const { busy, error, run } = useAction();

  const test = async ({ id, url }: Receiver): Promise<void> => {
    setSaid(null);
    const params = { path: { id } };
    const sent = await run(() => answered(api.POST('/alerts/webhooks/{id}/test', { params })));
    if (!sent) return;
    setSaid({
      text: `Test event to ${url}: ${outcomeText(sent.data)}`,
      good: sent.data.status === 'delivered',
    });
    setTests((count) => count + 1);
    list.reload();
  };
  const remove = async ({ id }: Receiver): Promise<void> => {
    const params = { path: { id } };
    if (!(await run(() => answered(api.DELETE('/alerts/webhooks/{id}', { params }))))) return;
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
        title="Receivers of alerts"
        remark="Told of vaults that are left or silent, of a tick that is late, of settlements that the chain contradicts, and of announcements."
        actions={
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            New receiver
          </button>
        }
      >
        <Listed
          of={list}
          empty={
            <Empty title="Nobody is told.">
              <p>Register a URL of yours: it is sent each alert, signed, once.</p>
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Receivers of alerts"
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
                { head: 'State', cell: (row) => <State of={row} /> },
                { head: 'Last success, UTC', cell: ({ last_success_at }) => <Time at={last_success_at} /> },
                { head: 'Secret', cell: ({ secret }) => <code>{secret}</code> },
                {
                  head: 'Actions',
                  cell: (row) => (
                    <span class="row-actions">
                      <button type="button" class="small" disabled={busy} onClick={() => void test(row)}>
                        Send a test<span class="heard"> to {row.url}</span>
                      </button>
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
      <AlertLog round={tests} />
      <Dialog title="New receiver of alerts" open={creating} onClose={() => setCreating(false)}>
        <CreateReceiver
          onCreated={(receiver) => {
            setCreating(false);
            setCreated(receiver);
            list.reload();
          }}
        />
      </Dialog>
      <Dialog title="Delete this receiver?" open={removing !== null} onClose={() => setRemoving(null)}>
        {removing && (
          <>
            <p>
              <span class="url">{removing.url}</span> is told nothing any more. What was sent stays in the
              log.
            </p>
            {error && <Refusal error={error} />}
            <p class="dialog-actions">
              <button type="button" class="danger" disabled={busy} onClick={() => void remove(removing)}>
                Delete the receiver
              </button>
            </p>
          </>
        )}
      </Dialog>
    </>
  );
}

function State({ of: { active, failing_since, consecutive_failures } }: { of: Receiver }) {
  if (!active) return <Badge tone="plain">inactive</Badge>;
  if (failing_since) return <Badge tone="bad">failed {consecutive_failures} times</Badge>;
  return <Badge tone="good">active</Badge>;
}
