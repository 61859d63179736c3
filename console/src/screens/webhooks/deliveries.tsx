import { useState } from 'preact/hooks';
import { answered, api, asked, live } from '../../api/client.js';
import type { Environment } from '../../api/contract.js';
import { listPath } from '../../api/download.js';
import { type Page, sifted, useListing, useResource } from '../../api/resource.js';
import { environment, traits } from '../../api/session.js';
import { Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Choice, Filters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { SearchField, useSearch } from '../../ui/search-field.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { type Delivery, EVENT_TYPES, FAILURES, hostOf, outcomeText, STATUSES } from './delivery-words.js';

type Query = Partial<Record<'webhook_id' | 'status' | 'event' | 'cursor' | 'limit', string>>;

/** The delivery log has a different path in each contract. */
const READ: Record<Environment, (query: Query, signal: AbortSignal) => Promise<Page<Delivery>>> = {
  live: (query, signal) =>
    answered(live.GET('/webhooks/deliveries', { params: { query: asked(query) }, signal })),
  sandbox: (query, signal) =>
    answered(api.GET('/webhooks/events', { params: { query: asked(query) }, signal })),
};

export const readDeliveries = (query: Query, signal: AbortSignal): Promise<Page<Delivery>> =>
  READ[environment()](query, signal);

/** The API has no read by id: as many pages of 500 are searched at once. */
const MOST_PAGES = 20;
const FILTERS = ['webhook_id', 'status', 'event'] as const;

export function Deliveries() {
  const [open, setOpen] = useState<Delivery | null>(null);
  const wanted = useNarrowed(FILTERS);
  const search = useSearch();
  const list = useListing(`deliveries ${search} ${JSON.stringify(wanted)}`, (from, signal) => {
    const load = (cursor: string | undefined) =>
      readDeliveries({ ...wanted, ...(search && { limit: '500' }), ...(cursor && { cursor }) }, signal);
    if (search === '') return load(from);
    const fits = ({ id, payload }: Delivery): boolean => [id, payload.id].includes(search);
    return sifted(load, from, { fits, enough: 1, mostPages: MOST_PAGES });
  });
  const endpoints = useResource('endpoints', (signal) =>
    answered(api.GET('/webhooks', { params: { query: {} }, signal })),
  );
  return (
    <>
      <Filters>
        <Choice
          name="Endpoint"
          field="webhook_id"
          all="All endpoints"
          options={(endpoints.data?.data ?? []).map(({ id, url, description }) => [id, description ?? url])}
        />
        <Choice
          name="Status"
          field="status"
          all="Every status"
          options={Object.keys(STATUSES).map((option) => [option, option])}
        />
        <Choice
          name="Event"
          field="event"
          all="Every event"
          options={EVENT_TYPES.map((option) => [option, option])}
        />
        <SearchField name="Event or delivery id" />
        <button type="button" onClick={list.reload}>
          Refresh
        </button>
      </Filters>
      <Panel
        title="Delivery log"
        remark="The newest first. A failed delivery is not sent again; its payload is shown here."
      >
        <Listed
          of={list}
          empty={
            <Empty title="No delivery matches.">
              <p>
                Send a test from <a href="/console/webhooks">an endpoint</a>, or remove a filter.
              </p>
            </Empty>
          }
        >
          {(rows) => (
            <DeliveriesTable
              rows={rows}
              names={
                new Map((endpoints.data?.data ?? []).map((endpoint) => [endpoint.id, endpoint.description]))
              }
              csv={listPath(traits().deliveryLog, wanted)}
              onOpen={setOpen}
            />
          )}
        </Listed>
      </Panel>
      <Dialog title="Delivery" open={open !== null} onClose={() => setOpen(null)}>
        {open && <DeliveryFacts delivery={open} />}
      </Dialog>
    </>
  );
}

interface DeliveriesTableProps {
  rows: readonly Delivery[];
  /** Names of endpoints by id. */
  names: ReadonlyMap<string, string | null>;
  csv: string;
  onOpen: (row: Delivery) => void;
}

const DeliveriesTable = ({ rows, names, csv, onOpen }: DeliveriesTableProps) => (
  <DataTable
    label="Deliveries"
    csv={csv}
    rows={rows}
    keyOf={({ id }) => id}
    columns={() => [
      {
        head: 'Sent, UTC',
        names: true,
        value: ({ at }) => at,
        cell: ({ at }) => <Time at={at} seconds />,
      },
      {
        head: 'Event',
        value: ({ event }) => event,
        cell: ({ event, payload }) => (
          <>
            <code>{event}</code>
            <code class="below">{payload.id}</code>
          </>
        ),
      },
      {
        head: 'Outcome',
        key: true,
        value: ({ status }) => status,
        cell: ({ status }) => <Badge tone={STATUSES[status]}>{status}</Badge>,
      },
      {
        head: 'Answer',
        number: true,
        value: ({ response_status }) => response_status,
        cell: ({ response_status }) =>
          response_status === null ? <Nothing why="no answer" /> : response_status,
      },
      {
        head: 'Latency',
        number: true,
        value: ({ latency_ms }) => latency_ms,
        cell: ({ latency_ms }) => <span class="figure">{(latency_ms / 1000).toFixed(3)} s</span>,
      },
      {
        head: 'Endpoint',
        value: ({ url }) => url,
        cell: ({ webhook_id, url }) => (
          <>
            <a href={`/console/webhooks/endpoints/${webhook_id}`} title={url}>
              {names.get(webhook_id) ?? hostOf(url)}
            </a>
            {names.get(webhook_id) && <span class="below">{hostOf(url)}</span>}
          </>
        ),
      },
      {
        head: 'Failure',
        value: ({ failure }) => failure,
        cell: ({ failure }) =>
          failure ? <span title={FAILURES[failure]}>{failure}</span> : <Nothing why="none" />,
      },
      {
        head: 'Payload',
        cell: (row) => (
          <button type="button" class="small" onClick={() => onOpen(row)}>
            Show<span class="heard"> {row.id}</span>
          </button>
        ),
      },
    ]}
  />
);

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const payload = JSON.stringify(delivery.payload, null, 2);
  return (
    <>
      <dl class="facts">
        <dt>Outcome</dt>
        <dd>{outcomeText(delivery)}</dd>
        <dt>Sent</dt>
        <dd>
          <Time at={delivery.at} seconds /> UTC, {delivery.attempts}{' '}
          {delivery.attempts === 1 ? 'attempt' : 'attempts'}
        </dd>
        <dt>Receiver</dt>
        <dd class="url">{delivery.url}</dd>
        <dt>Event</dt>
        <dd>
          <code>{delivery.payload.id}</code> <CopyButton text={delivery.payload.id} name="event id" />
        </dd>
        <dt>Delivery</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
        <dt>Signature</dt>
        <dd>
          <code class="breaking">{delivery.signature}</code>{' '}
          <CopyButton text={delivery.signature} name="signature" />
        </dd>
      </dl>
      <h3>
        Payload <CopyButton text={payload} name="payload" />
      </h3>
      <pre tabIndex={0} aria-label="Payload">
        {payload}
      </pre>
    </>
  );
}
