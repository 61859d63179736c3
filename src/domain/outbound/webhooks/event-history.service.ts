import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import {
  BEGINNING,
  type Page,
  type PageKey,
  type PageRequest,
  toPage,
  WEIGHED,
  limitPage,
} from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import type { Delivery, EventDelivery } from './delivery.js';
import { DeliveryService } from './delivery.service.js';
import { EVENT_TYPES, type EventType } from './event-type.js';
import { double, json, listOf, moment, rowCount, type RowOf, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { latencyOf } from './delivery.queries.js';

/**
 * Horizon up to which events are complete: events of transactions in progress will have a time after their transaction's start. A transaction that
 * has written nothing yet has raised nothing. Read it before the events; it is one millisecond early, since times are rounded to that. Sessions of
 * other roles are invisible here, but events are raised by the server's role only.
 */
const FIND_HORIZON = statement(
  'events.find_horizon',
  { values: [], row: { at: time() } },
  `SELECT least(now(), min(xact_start)) - interval '1 millisecond' AS at
     FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL`,
);

/** Position of event $2 of partner $1, to continue after; no row when events after it are already removed. $3: days of history. */
const FIND_POSITION = statement(
  'events.find_place',
  { values: [text(), text(), double()], row: { at: time(), id: text() } },
  `SELECT e.recorded_at AS at, e.id FROM events e JOIN partners p ON p.id = $1
    WHERE e.id = $2 AND (e.partner_id = $1 OR e.partner_id IS NULL)
      AND e.recorded_at >= greatest(p.events_from, now() - $3 * interval '1 day')`,
);

/**
 * Range of events, `from` to `until`, that partner $1 can list: $2 days; $3 horizon; $4/$5 keyset position; $6 limit + 1; $7 types. The oldest event
 * that awaits its fan-out ends the range, because the endpoints that have not received it are not known yet.
 */
const SPAN = `span AS MATERIALIZED (
     SELECT greatest(p.events_from, now() - $2 * interval '1 day') AS "from", p.created_at,
            least($3::timestamptz,
                  (SELECT recorded_at FROM events WHERE partner_id = $1 AND NOT fanned_out ORDER BY recorded_at LIMIT 1),
                  (SELECT recorded_at FROM events WHERE partner_id IS NULL AND NOT fanned_out ORDER BY recorded_at LIMIT 1)) AS until
       FROM partners p WHERE p.id = $1
   )`;

/** Compares two columns with scalars, so that the planner walks the index in order and stops at the limit. */
const spanCondition = (time: string, id: string): string =>
  `${time} >= (SELECT "from" FROM span) AND ${time} < (SELECT until FROM span) AND (${time}, ${id}) > ($4, $5)`;

/** Merges the first rows of each type ($7), each an index range of its own: a rare type is found without reading other rows. @param rows `id`, `at` */
const mergeTypes = (rows: string): string =>
  `SELECT each.id, each.at FROM unnest($7::text[]) AS wanted(type) CROSS JOIN LATERAL (${rows} LIMIT $6) AS each ORDER BY each.at, each.id LIMIT $6`;

/** Events with their outcome at the partner's endpoints, by which deliveries are looked up: an event for all partners may have thousands. */
const selectEvents = (events: string): string =>
  limitPage(
    `SELECT e.id, e.type, e.envelope AS payload, e.recorded_at AS "recordedAt", sent.deliveries, owed.ids AS "undeliveredTo",
            400 + coalesce(e.envelope_bytes, octet_length(e.envelope::text)) + octet_length(sent.deliveries::text) AS bytes
       FROM (${events}) AS found
       JOIN events e ON e.id = found.id
      CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object('id', d.id, 'webhookId', d.webhook_id, 'status', d.status, 'attempts', d.attempts,
                 'responseStatus', d.response_status, 'failure', d.failure, 'at', d.at, 'latencyMs', ${latencyOf('d')}) ORDER BY d.at, d.id), '[]') AS deliveries
          FROM (SELECT d.* FROM deliveries d WHERE e.partner_id IS NOT NULL AND d.event_id = e.id
                UNION ALL
                SELECT d.* FROM webhook_endpoints w JOIN deliveries d ON d.event_id = e.id AND d.webhook_id = w.id
                 WHERE e.partner_id IS NULL AND w.partner_id = $1) AS d
         WHERE d.status <> 'queued') AS sent
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(w.id ORDER BY w.id), '{}') AS ids FROM webhook_endpoints w
         WHERE w.partner_id = $1 AND EXISTS (SELECT FROM undelivered u WHERE u.event_id = e.id AND u.webhook_id = w.id)) AS owed
      ORDER BY e.recorded_at, e.id
      LIMIT $6`,
    '"recordedAt", id',
  );

const EVENT = {
  id: text(),
  type: text<EventType>(),
  payload: json<Delivery['payload']>(),
  recordedAt: time(),
  deliveries: json<EventDelivery[]>(),
  /** Endpoints that were subscribed when it was raised, and have not received it. */
  undeliveredTo: listOf(text()),
};
const ROW = { ...EVENT, ...WEIGHED };

const LIST_EVENTS = statement(
  'events.list',
  { values: [text(), double(), time(), moment(), text(), rowCount(), listOf(text())], row: ROW },
  `WITH ${SPAN} ${selectEvents(`
     SELECT * FROM (
       (${mergeTypes(`SELECT e.id, e.recorded_at AS at FROM events e WHERE e.partner_id = $1 AND e.type = wanted.type
          AND ${spanCondition('e.recorded_at', 'e.id')} ORDER BY e.recorded_at, e.id`)})
       UNION ALL
       (${mergeTypes(`SELECT e.id, e.recorded_at AS at FROM events e WHERE e.partner_id IS NULL AND e.type = wanted.type
          AND e.recorded_at >= (SELECT created_at FROM span) AND ${spanCondition('e.recorded_at', 'e.id')} ORDER BY e.recorded_at, e.id`)})
     ) AS both_kinds ORDER BY at, id LIMIT $6`)}`,
);

/** Events that endpoint $8 has not received. */
const LIST_UNDELIVERED = statement(
  'events.list_undelivered',
  { values: [text(), double(), time(), moment(), text(), rowCount(), listOf(text()), text()], row: ROW },
  `WITH ${SPAN} ${selectEvents(`
     ${mergeTypes(`SELECT u.event_id AS id, u.raised_at AS at FROM undelivered u WHERE u.webhook_id = $8 AND u.partner_id = $1 AND u.type = wanted.type
          AND ${spanCondition('u.raised_at', 'u.event_id')} ORDER BY u.raised_at, u.event_id`)}`)}`,
);

export type PastEvent = RowOf<typeof EVENT>;

export interface EventFilter {
  undeliveredTo?: string;
  types?: readonly EventType[];
  /** Event to continue after. A page cursor overrides it. */
  after?: string;
}

/** Event history: a partner's events of the last month in the order of recording, and those that an endpoint has missed. */
@Injectable()
export class EventHistory {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly deliveries: DeliveryService,
  ) {}

  /**
   * Oldest first. A reader that continues after the last event of a page misses none: an event that may still be committed before others, or that
   * awaits its fan-out, ends the page.
   * @throws DomainError `not_found` for an endpoint that the partner does not have, `event_removed` for an event to continue after that it does not
   *   have (any more)
   */
  async list(partnerId: string, filter: EventFilter, page: PageRequest): Promise<Page<PastEvent>> {
    const { undeliveredTo, types = EVENT_TYPES, after } = filter;
    // Checked first, so that nothing is looked up for another partner's endpoint.
    if (undeliveredTo !== undefined) await this.deliveries.checkEndpoint(partnerId, undeliveredTo);
    const from = page.after ?? (after === undefined ? BEGINNING : await this.positionOf(partnerId, after));
    const [horizon] = await this.store.query(FIND_HORIZON, []);
    const chosen = [...new Set(types)];
    const values = [partnerId, this.days, horizon!.at, from.at, from.id, page.limit + 1, chosen] as const;
    const rows = await (undeliveredTo === undefined
      ? this.store.query(LIST_EVENTS, values)
      : this.store.query(LIST_UNDELIVERED, [...values, undeliveredTo]));
    return toPage(rows, page.limit, ({ recordedAt, id }) => ({ at: recordedAt, id }), rows[0]?.found);
  }

  private async positionOf(partnerId: string, eventId: string): Promise<PageKey> {
    const [position] = isId('event', eventId)
      ? await this.store.query(FIND_POSITION, [partnerId, eventId, this.days])
      : [];
    if (position) return position;
    throw new DomainError(
      'event_removed',
      'No such event, or it was removed, and later events may have been removed too. Read without `after`, from the oldest event.',
    );
  }

  private get days(): number {
    return this.settings.constants.retention.eventsDays;
  }
}
