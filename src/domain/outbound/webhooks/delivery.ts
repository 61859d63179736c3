import { double, integer, json, orNull, type RowOf, text, time } from '../../kernel/store/column.js';
import type { EventType } from './event-type.js';

/** `pending`: claimed and being sent. A row that is only queued is not a delivery yet and is not shown. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Reasons why a send failed. The outcome is unknown, and it is never sent again, after `response_error`: the request was sent whole, and no usable
 * response came; and after `interrupted`: the process ended between claim and record. `dropped`: the partner's queue exceeded its limit, and this was
 * among the oldest; nothing was signed or sent.
 */
export const FAILURES = [
  'blocked_address',
  'dns_error',
  'connect_error',
  'tls_error',
  'response_error',
  'timeout',
  'http_status',
  'interrupted',
  'dropped',
] as const;
export type Failure = (typeof FAILURES)[number];
export type SendResult = 'delivered' | Failure;
export const SEND_RESULTS: readonly SendResult[] = ['delivered', ...FAILURES];

export const STORED_DELIVERY = {
  id: text(),
  webhookId: text(),
  partnerId: text(),
  url: text(),
  /** Value of the `Webhook-Signature` header; empty when the delivery was dropped. */
  signature: text(),
  status: text<DeliveryStatus>(),
  /** 0: nothing left this server. 1: the one attempt was made. */
  attempts: integer(),
  responseStatus: orNull(integer()),
  failure: orNull(text<Failure>()),
  at: time(),
};
export const DELIVERY = {
  ...STORED_DELIVERY,
  /** Milliseconds from dispatch to the outcome, so far while it is pending; 0 when nothing was sent. */
  latencyMs: double(),
  event: text<EventType>(),
  /** The envelope as it was signed and sent. */
  payload: json<{ id: string; type: EventType; created_at: string; data: Record<string, unknown> }>(),
};
export type Delivery = RowOf<typeof DELIVERY>;

export type EventDelivery = Pick<
  Delivery,
  'id' | 'webhookId' | 'status' | 'attempts' | 'responseStatus' | 'failure' | 'latencyMs'
> & { at: string };
