import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { pagesOf, type Page, useListing, useResource } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { counted, Rate } from '../../format/figures.js';
import { HOUR, Time } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Listed } from '../../ui/more.js';
import { Panel, Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { CheckReceiver } from './check-receiver.js';
import { DAY_PAGE, dayOf, DayOfDeliveries } from './day-of-deliveries.js';
import { readDeliveries } from './deliveries.js';
import { type Delivery, FAILURES, hostOf, outcomeText } from './delivery-words.js';
import { PartnerEndpointForm } from './endpoint-form.js';
import { type Endpoint, EndpointState, turn } from './endpoints.js';
import { NewSecret } from './new-secret.js';

const LIST = { name: 'Webhooks', path: '/console/webhooks' };

/** One endpoint: its health, what may be changed, and the events that it missed. */
export function EndpointScreen() {
  const id = useRoute().params['id'] ?? '';
  const endpoint = useResource(id, (signal) => findEndpoint(id, signal));
  const day = useResource(`deliveries of ${id}`, (signal) =>
    readDeliveries({ webhook_id: id, limit: String(DAY_PAGE) }, signal),
  );
  const reload = (): void => {
    endpoint.reload();
    day.reload();
  };
  return (
    <Screen
      title={endpoint.data?.description ?? (endpoint.data ? hostOf(endpoint.data.url) : 'Endpoint')}
      above={LIST}
      lead={
        <>
          <span class="url">{endpoint.data?.url}</span> <code>{id}</code> ·{' '}
          <a href={`/console/webhooks/deliveries?webhook_id=${id}`}>its delivery log</a>
        </>
      }
    >
      {endpoint.data === null && !endpoint.loading && !endpoint.error ? (
        <Empty title="There is no such endpoint." />
      ) : (
        <Loaded of={endpoint}>
          {(loaded) =>
            loaded && (
              <>
                <Health endpoint={loaded} deliveries={day.data?.data ?? []} />
                {day.data && <DayOfDeliveries newest={day.data.data} />}
                <Changes endpoint={loaded} onChanged={reload} />
                <Missed endpoint={loaded} />
              </>
            )
          }
        </Loaded>
      )}
    </Screen>
  );
}

/** The API has no read by id. */
async function findEndpoint(id: string, signal: AbortSignal): Promise<Endpoint | null> {
  const load = (cursor: string | undefined): Promise<Page<Endpoint>> =>
    answered(api.GET('/webhooks', { params: { query: cursor ? { cursor } : {} }, signal }));
  for await (const { data } of pagesOf(load)) {
    const endpoint = data.find((row) => row.id === id);
    if (endpoint) return endpoint;
  }
  return null;
}

function Health({ endpoint, deliveries }: { endpoint: Endpoint; deliveries: readonly Delivery[] }) {
  const { rate, count } = dayOf(deliveries, endpoint.id);
  const last = deliveries[0];
  return (
    <dl class="tiles">
      <Tile name="State" lead remark={counted(endpoint.events.length, 'event type')}>
        <EndpointState of={endpoint} />
      </Tile>
      <Tile name="Succeeded in 24 hours" remark={`of ${count} ${count === 1 ? 'delivery' : 'deliveries'}`}>
        <Rate rate={rate} decimals={1} />
      </Tile>
      <Tile
        name="Failing since, UTC"
        remark={`${counted(endpoint.consecutive_failures, 'failure')} in a row`}
      >
        <Time at={endpoint.failing_since} />
      </Tile>
      <Tile name="Last success, UTC">
        <Time at={endpoint.last_success_at} />
      </Tile>
      <Tile name="Last answer" remark={last && outcomeText(last)}>
        {last ? (last.response_status ?? last.failure ?? last.status) : 'none yet'}
      </Tile>
      <Tile
        name="Secrets that sign"
        remark={
          endpoint.previous_secret_expires_at && (
            <>
              the one before until <Time at={endpoint.previous_secret_expires_at} />
            </>
          )
        }
      >
        {endpoint.previous_secret_expires_at ? 'Two' : 'One'}
      </Tile>
    </dl>
  );
}

type OpenDialog = 'edit' | 'rotate' | 'check' | null;

const TITLES: Record<NonNullable<OpenDialog>, string> = {
  edit: 'Change the endpoint',
  rotate: 'Rotate the secret',
  check: 'Check this receiver',
};

/** What may be changed. The sandbox has no update of an endpoint. */
function Changes({ endpoint, onChanged }: { endpoint: Endpoint; onChanged: () => void }) {
  const [asked, setAsked] = useState<OpenDialog>(null);
  const [rotated, setRotated] = useState<Endpoint | null>(null);
  const [said, setSaid] = useState('');
  const { busy, error, run } = useAction();
  const { changesWebhooks } = traits();
  const changed = (): void => {
    setAsked(null);
    onChanged();
  };
  const test = async (): Promise<void> => {
    const params = { path: { id: endpoint.id } };
    const sent = await run(() => answered(api.POST('/webhooks/{id}/test', { params })));
    if (!sent) return;
    setSaid(`Test event: ${outcomeText(sent.data)}`);
    onChanged();
  };
  return (
    <>
      {rotated && (
        <NewSecret endpoint={rotated} onDone={() => setRotated(null)}>
          {rotated.previous_secret_expires_at ? (
            <p class="note">
              Both secrets are valid until <Time at={rotated.previous_secret_expires_at} /> UTC: every send
              has a signature by each. Let the receiver accept either, then forget the old one.
            </p>
          ) : (
            <p class="note">The old secret ended: everything is signed with this one alone.</p>
          )}
        </NewSecret>
      )}
      {error && <Refusal error={error} />}
      <Panel title="Change and test" remark={`Subscribed to ${endpoint.events.join(', ')}.`}>
        <div class="button-row">
          <button type="button" disabled={busy} onClick={() => void test()}>
            Send a test
          </button>
          <button type="button" onClick={() => setAsked('check')}>
            Check it step by step
          </button>
          <button type="button" onClick={() => setAsked('rotate')}>
            Rotate the secret
          </button>
          {changesWebhooks && (
            <>
              <button type="button" onClick={() => setAsked('edit')}>
                Change URL and events
              </button>
              <button
                type="button"
                disabled={busy}
                onClick={() => void run(() => turn(endpoint)).then((done) => done && onChanged())}
              >
                {endpoint.active ? 'Deactivate' : 'Activate'}
              </button>
            </>
          )}
        </div>
        <p role="status" class="said">
          {said}
        </p>
      </Panel>
      <Dialog title={asked ? TITLES[asked] : ''} open={asked !== null} onClose={() => setAsked(null)}>
        {asked === 'edit' && <PartnerEndpointForm of={endpoint} onSaved={changed} />}
        {asked === 'check' && <CheckReceiver url={endpoint.url} />}
        {asked === 'rotate' && (
          <Rotate
            endpoint={endpoint}
            onRotated={(answer) => {
              setRotated(answer);
              changed();
            }}
          />
        )}
      </Dialog>
    </>
  );
}

const OVERLAPS = [
  [24, 'For a day'],
  [1, 'For an hour'],
  [168, 'For a week'],
  [0, 'No: it ends at once'],
] as const;

function Rotate({ endpoint, onRotated }: { endpoint: Endpoint; onRotated: (answer: Endpoint) => void }) {
  const [hours, setHours] = useState<number>(OVERLAPS[0][0]);
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const params = { path: { id: endpoint.id } };
    const body = { previous_expires_in: (hours * HOUR) / 1000 };
    const done = await run(() => answered(api.POST('/webhooks/{id}/secret/rotate', { params, body })));
    if (done) onRotated(done.data);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>The old secret goes on signing beside the new one</span>
        <select value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
          {OVERLAPS.map(([value, name]) => (
            <option value={value} key={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Rotating' : 'Make a new secret'}
        </button>
      </p>
    </form>
  );
}

/** The events that the endpoint has not got, and the loop by which a receiver fetches them. */
function Missed({ endpoint: { id } }: { endpoint: Endpoint }) {
  const list = useListing(`missed ${id}`, (cursor, signal) =>
    answered(
      api.GET('/events', { params: { query: { undelivered_to: id, ...(cursor && { cursor }) } }, signal }),
    ),
  );
  const loop = loopOf(id);
  return (
    <Panel
      title="Missed events"
      remark="What it subscribed to and has not got in 30 days, the oldest first. They are not sent again: fetch them."
      actions={<CopyButton text={loop} name="the loop" named />}
    >
      <Listed of={list} empty={<Empty title="It has missed nothing." />}>
        {(rows) => (
          <DataTable
            label="Missed events"
            csv={`/events?undelivered_to=${id}`}
            rows={rows}
            keyOf={(row) => row.id}
            columns={(column) => [
              column.time('Happened, UTC', ({ created_at }) => created_at, { names: true }),
              column.text('Event', ({ type }) => type),
              {
                head: 'Id',
                value: (row) => row.id,
                cell: (row) => (
                  <>
                    <code>{row.id}</code> <CopyButton text={JSON.stringify(row, null, 2)} name="event" />
                  </>
                ),
              },
              {
                head: 'Why',
                key: true,
                value: ({ deliveries }) => whyOf(deliveries, id),
                cell: ({ deliveries }) => {
                  const why = whyOf(deliveries, id);
                  return <span title={FAILURES[why as keyof typeof FAILURES]}>{why}</span>;
                },
              },
            ]}
          />
        )}
      </Listed>
      <details>
        <summary>The loop that fetches them</summary>
        <pre tabIndex={0} aria-label="Loop that fetches missed events">
          {loop}
        </pre>
      </details>
    </Panel>
  );
}

const whyOf = (
  deliveries: readonly { webhook_id: string; status: string; failure: string | null }[],
  id: string,
): string => {
  const delivery = deliveries.find(({ webhook_id }) => webhook_id === id);
  return delivery ? (delivery.failure ?? delivery.status) : 'inactive then';
};

const loopOf = (
  id: string,
): string => `// Handles, oldest first, what the endpoint has missed; keep the id it returns for the next run.
export async function catchUp(handle, after) {
  for (;;) {
    const query = new URLSearchParams({ undelivered_to: '${id}', ...(after && { after }) });
    const answer = await fetch(\`${location.origin}/api/v1/events?\${query}\`, {
      headers: { authorization: \`Bearer \${process.env.VAULTLINE_KEY}\` },
    });
    const { data, meta, error } = await answer.json();
    if (error) throw new Error(\`\${error.code}: \${error.message} (\${error.request_id})\`);
    for (const event of data) {
      await handle(event);
      after = event.id;
    }
    if (!meta.has_more) return after;
  }
}
`;
