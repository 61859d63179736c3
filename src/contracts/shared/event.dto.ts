import { exampleId } from '../../domain/kernel/demo-ids.js';
import { DELIVERY_STATUSES, FAILURES } from '../../domain/outbound/webhooks/delivery.js';
import type { EventDelivery } from '../../domain/outbound/webhooks/delivery.js';
import type { PastEvent } from '../../domain/outbound/webhooks/event-history.service.js';
import { EVENT_TYPES, type EventType } from '../../domain/outbound/webhooks/event-type.js';
import { PageQuery } from '../../http/request/paging.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { ChoiceListField, IdFilterField } from '../../http/request/query-fields.js';

export class EventsQuery extends PageQuery {
  @IdFilterField({
    description: 'Only events that this endpoint did not receive. The endpoint may be deleted.',
    kind: 'webhook',
    example: undefined,
  })
  undelivered_to?: string;

  @ChoiceListField({
    description: 'Only events of these types, separated by commas.',
    of: EVENT_TYPES,
    example: 'position.opened,position.closed',
  })
  types?: string;

  @IdFilterField({
    description: 'Only events after this one: the last one that you handled. A `cursor` takes precedence.',
    kind: 'event',
    example: undefined,
  })
  after?: string;
}

export class EventOutcome {
  @Shown.id('del') id: string;
  @Shown.id('wh', 'Endpoint of the delivery.') webhook_id: string;
  @Shown.choice(DELIVERY_STATUSES, 'Status of the delivery, as in the delivery log.', 'failed')
  status: (typeof DELIVERY_STATUSES)[number];
  @Shown.integer('Attempts made: 0 where nothing was sent, else 1.', 1) attempts: number;
  @ShownOrNull.integer("The receiver's HTTP status; null without a response.", 503)
  response_status: number | null;
  @ShownOrNull.choice(FAILURES, 'Why it failed; null otherwise.', 'http_status')
  failure: (typeof FAILURES)[number] | null;
  @Shown.time('When it was dispatched.') at: string;
  @Shown.integer(
    'Milliseconds from dispatch to the outcome, or until now while `pending`; 0 where `dropped`.',
    84,
  )
  latency_ms: number;
}

/** Envelope as it is sent, and its outcomes. */
export class KeptEventDto {
  @Shown.id('evt', 'Id of the event. Store it to recognise a repeat.') id: string;
  @Shown.kind('event') object: 'event';
  @Shown.choice(EVENT_TYPES, 'Type of the event.', 'system.status', { kind: 'EventType' }) type: EventType;
  @Shown.time('When the event happened.') created_at: string;
  @Shown.object('What happened, as it is sent; its fields depend on the type.', {
    message: 'Maintenance at noon.',
    requested_at: '2026-01-31T12:00:00.000Z',
  })
  data: Record<string, unknown>;
  @Shown.time('When it was recorded, which orders this list. In the sandbox this is wall time.')
  recorded_at: string;
  @Shown.texts('Endpoints that subscribed to it and did not receive it.', [exampleId('wh')])
  undelivered_to: readonly string[];
  @Shown.records(() => EventOutcome, 'Its deliveries that are still in the log.')
  deliveries: readonly EventOutcome[];
}

const outcomeView = viewOf(EventOutcome, ({ at }: EventDelivery) => ({ at: new Date(at).toISOString() }));

export const keptEventView = viewOf(KeptEventDto, ({ payload, deliveries }: PastEvent) => ({
  ...payload,
  deliveries: deliveries.map(outcomeView),
}));
