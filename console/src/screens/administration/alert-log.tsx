import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { type Page, sifted, useResource } from '../../api/resource.js';
import { rateText } from '../../format/figures.js';
import { Badge } from '../../ui/badge.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { worded } from '../../ui/vault-name.js';

type Alert = Schemas['KeptEvent'];

const SHOWN = 50;
/** Pages of 500 alerts: the log can only be read from its oldest entry on. */
const MOST_PAGES = 10;

/** The newest alerts of the last 30 days. @param round another value loads them again */
export function AlertLog({ round }: { round: number }) {
  const load = (cursor: string | undefined, signal: AbortSignal): Promise<Page<Alert>> =>
    answered(
      api.GET('/alerts/events', { params: { query: { limit: 500, ...(cursor && { cursor }) } }, signal }),
    );
  const alerts = useResource(`alerts ${round}`, (signal) =>
    sifted((cursor) => load(cursor, signal), undefined, {
      fits: () => true,
      enough: Infinity,
      mostPages: MOST_PAGES,
    }),
  );
  return (
    <Panel
      title="Alerts"
      remark={`The newest ${SHOWN} of the last 30 days, also those without a receiver.`}
      busy={alerts.loading}
    >
      <Loaded of={alerts}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="There was no alert." />
          ) : (
            <DataTable
              label="Alerts"
              rows={data.slice(-SHOWN).reverse()}
              keyOf={({ id }) => id}
              columns={(column) => [
                column.time('Sent, UTC', ({ created_at }) => created_at, { names: true }),
                {
                  head: 'What',
                  value: wordsOf,
                  cell: (alert) => (
                    <span class="words">
                      {wordsOf(alert)}
                      <code class="below">{alert.type}</code>
                    </span>
                  ),
                },
                { head: 'Receivers', cell: (row) => <Outcomes of={row} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The message of an alert; an event without one is of yields that crossed a threshold. */
function wordsOf({ data: { message, asset, direction, threshold, apy } }: Alert): string {
  if (typeof message === 'string') return worded(message);
  return `${String(asset)} yields ${rateText(Number(apy))}, ${String(direction)} ${rateText(Number(threshold))}`;
}

function Outcomes({ of: { deliveries, undelivered_to } }: { of: Alert }) {
  const got = deliveries.filter(({ status }) => status === 'delivered').length;
  const missed = undelivered_to.length;
  return (
    <>
      {got > 0 && <Badge tone="good">delivered to {got}</Badge>}{' '}
      {missed > 0 && <Badge tone="bad">missed by {missed}</Badge>}
    </>
  );
}
