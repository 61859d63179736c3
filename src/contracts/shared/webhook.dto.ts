import {
  ALERT_KINDS,
  ALERT_STATES,
  type AlertKind,
  type AlertState,
} from '../../domain/outbound/alerts/alert.js';
import { type Delivery, DELIVERY_STATUSES, FAILURES } from '../../domain/outbound/webhooks/delivery.js';
import type { CreatedEndpoint, EndpointWithHealth } from '../../domain/outbound/webhooks/endpoint.service.js';
import { EVENT_TYPES, type EventType } from '../../domain/outbound/webhooks/event-type.js';
import { ChoicesField, FlagField, TextField } from '../../http/request/fields.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { PreviousSecondsField } from './previous-seconds.js';

export const URL = {
  description:
    'Where events are sent: http or https, without credentials or fragment. Loopback, private, link-local and metadata addresses are refused, ' +
    'now and at every send. A host name that does not resolve yet is accepted.',
  max: 2048,
  example: 'https://hooks.acme.example/vaultline',
};
const EVENTS = {
  description: 'Event types to send.',
  of: EVENT_TYPES,
  kind: 'EventType',
  optional: true,
  example: ['position.opened', 'system.status'],
};
export const DESCRIPTION = {
  description: 'Your own note.',
  max: 500,
  optional: true,
  nullable: true,
  example: 'Ledger service',
};
export const ACTIVE = { description: 'An inactive endpoint receives test sends only.', optional: true };

export class CreateWebhookInputDto {
  @TextField(URL) url: string;
  @ChoicesField({ ...EVENTS, description: 'Event types to send. Default: the whole catalogue.' })
  events?: EventType[];
  @TextField({ ...DESCRIPTION }) description?: string | null;
  @FlagField({ ...ACTIVE, default: true }) active?: boolean;
}

export class UpdateWebhookInputDto {
  @TextField({ ...URL, optional: true }) url?: string;
  @ChoicesField(EVENTS) events?: EventType[];
  @TextField({ ...DESCRIPTION }) description?: string | null;
  @FlagField(ACTIVE) active?: boolean;
}

export class RotateSecretInputDto {
  @PreviousSecondsField(
    'Seconds for which the old secret signs beside the new one. 0 ends it at once, with any rotation in progress.',
  )
  previous_expires_in?: number;
}

export class WebhookEndpoint {
  @Shown.id('wh') id: string;
  @Shown.kind('webhook') object: 'webhook';
  @Shown.id('ptn', 'Partner that owns it.') partner_id: string;
  @Shown.text('Receiver address.', 'https://hooks.acme.example/vaultline') url: string;
  @Shown.choices(EVENT_TYPES, 'Subscribed event types.', ['position.opened', 'system.status'], {
    kind: 'EventType',
  })
  events: EventType[];
  @ShownOrNull.text('Your own note; null without one.', 'Ledger service')
  description: string | null;
  @Shown.secret('Signing secret: in full only in the answer that creates it, masked otherwise.', {
    masked: 'whsec_****cGxl',
    once: 'whsec_bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYSBzYW1wbGU=',
  })
  secret: string;
  @ShownOrNull.time('When the previous secret stops signing; null without one.', {
    example: null,
  })
  previous_secret_expires_at: string | null;
  @Shown.flag('Whether events are sent to it.', true) active: boolean;
  @ShownOrNull.time('When its receiver last answered 2xx; null if it never did.')
  last_success_at: string | null;
  @ShownOrNull.time(
    'Time of the first failure since then; null if the last send succeeded or nothing was sent.',
    { example: null },
  )
  failing_since: string | null;
  @Shown.integer('Failed sends since the last success, interrupted ones not counted.', 0, {})
  consecutive_failures: number;
  @Shown.time() created_at: string;
}

export class DeletedResource {
  @Shown.id('wh', 'Id of the deleted endpoint.') id: string;
  @Shown.flag('Always true.', true) deleted: boolean;
}

export class EventEnvelope {
  @Shown.id('evt', 'Id of the event. Store it to recognise a repeat.') id: string;
  @Shown.choice(EVENT_TYPES, 'Type of the event.', 'system.status', { kind: 'EventType' }) type: EventType;
  @Shown.time('When the event happened.') created_at: string;
  @Shown.object('What happened; its fields depend on the type.', {
    message: 'Test event from Vaultline.',
    requested_at: '2026-01-31T12:00:00.000Z',
  })
  data: Record<string, unknown>;
}

export class StatusAlert {
  @Shown.choice(
    ALERT_KINDS,
    '`vault_evicted`: all funds leave a vault. `vault_silent`: a vault is not observed. `tick_late`: the market receives no new hours. `settlement_mismatch`: the chain contradicts a transfer. `report_deviates`: a report of an executor deviates from the books. `report_contradicted`: the chain contradicts a report of an executor. `withdrawal_unpaid`: a withdrawal ended without a payment.',
    'vault_evicted',
  )
  kind: AlertKind;
  @Shown.choice(ALERT_STATES, 'Whether the condition began or is over.', 'begun') state: AlertState;
  @Shown.time('When the condition began.') since: string;
  @ShownOrNull.time('When the condition cleared; null while it lasts.', { example: null })
  until: string | null;
  @ShownOrNull.text('The vault concerned; null without one.', placeholder('vault'))
  vault_id: string | null;
  @ShownOrNull.text('The settlement concerned; null without one.', null)
  settlement_id: string | null;
  @ShownOrNull.text('The move concerned; null without one.', null)
  move_id: string | null;
  @ShownOrNull.text('The withdrawal concerned; null without one.', null)
  withdrawal_id: string | null;
  @Shown.text('What to do, and who does it.', 'The operator looks at its feed and the log.')
  what_to_do: string;
}

export class SystemStatus {
  @Shown.text('State of the service, for people.', 'Test event from Vaultline.') message: string;
  @Shown.time('When it was requested or raised.') requested_at: string;
  @Shown.record(() => StatusAlert, 'The alert; absent for a test send and an announcement.', {
    optional: true,
  })
  alert?: StatusAlert;
}

export class WebhookDelivery {
  @Shown.id('del') id: string;
  @Shown.kind('delivery') object: 'delivery';
  @Shown.id('wh', 'Its endpoint, which may be deleted.') webhook_id: string;
  @Shown.id('ptn', 'Partner that owns the endpoint.') partner_id: string;
  @Shown.text('Receiver address at dispatch time.', 'https://hooks.acme.example/vaultline') url: string;
  @Shown.choice(EVENT_TYPES, 'Type of the event.', 'system.status', { kind: 'EventType' }) event: EventType;
  @Shown.record(() => EventEnvelope, 'The envelope that was sent.') payload: EventEnvelope;
  @Shown.text(
    'Value of the `Webhook-Signature` header: `t`, and one `v1` or two; empty where the delivery was dropped.',
    `t=1769860800,v1=${'5f'.repeat(32)}`,
  )
  signature: string;
  @Shown.choice(
    DELIVERY_STATUSES,
    '`pending`: being sent. `delivered`: the receiver answered 2xx. `failed`: see `failure`; there is no retry.',
    'delivered',
  )
  status: (typeof DELIVERY_STATUSES)[number];
  @Shown.integer('Attempts made: 0 where nothing was sent, else 1.', 1) attempts: number;
  @ShownOrNull.integer("The receiver's HTTP status; null without a response.", 200)
  response_status: number | null;
  @ShownOrNull.choice(
    FAILURES,
    "Why it failed; null otherwise. `response_error`: the whole request was sent and no usable answer came, so the event may or may not have arrived. `interrupted`: the server stopped during the send, likewise. `dropped`: the partner's queue was full and this was among its oldest; nothing was sent.",
    null,
  )
  failure: (typeof FAILURES)[number] | null;
  @Shown.time('When it was dispatched.') at: string;
  @Shown.integer(
    'Milliseconds from dispatch to the outcome, or until now while `pending`; 0 where `dropped`.',
    84,
  )
  latency_ms: number;
}

export const secretFields = ({ secretMasked, previousExpiresAt }: EndpointWithHealth) => ({
  secret: secretMasked,
  previous_secret_expires_at: previousExpiresAt?.toISOString() ?? null,
});

export const webhookView = viewOf(WebhookEndpoint, secretFields);

/** Endpoint with its full signing secret, shown once when the secret was created. */
export const createdWebhookView = ({ endpoint, secret }: CreatedEndpoint): WebhookEndpoint => ({
  ...webhookView(endpoint),
  secret,
});

export const deliveryView = viewOf(WebhookDelivery, ({ payload }: Delivery) => ({ payload }));
