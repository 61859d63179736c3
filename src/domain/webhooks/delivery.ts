import type { EventType } from './event-type.js';

/** `pending`: claimed and being sent. A row that is only queued is no delivery yet and shows nowhere. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why a send failed. `interrupted`: the process ended between the claim and the record, so nobody knows; it is never sent again. `dropped`: more was queued for its partner than may be,
 * and it was among the oldest; nothing was signed or sent.
 */
export const FAILURES = [
  'blocked_address',
  'dns_error',
  'connect_error',
  'tls_error',
  'timeout',
  'http_status',
  'interrupted',
  'dropped',
] as const;
export type Failure = (typeof FAILURES)[number];
/** What a send came to. */
export type SendResult = 'delivered' | Failure;
export const SEND_RESULTS: readonly SendResult[] = ['delivered', ...FAILURES];

/** One record of a dispatched event. */
export interface Delivery {
  id: string;
  webhookId: string;
  partnerId: string;
  /** Receiver address at dispatch time. */
  url: string;
  event: EventType;
  /** The envelope as it was signed and sent. */
  payload: { id: string; type: EventType; created_at: string; data: Record<string, unknown> };
  /** Value of the `Webhook-Signature` header; empty where it was dropped. */
  signature: string;
  status: DeliveryStatus;
  /** 0: nothing left this server. 1: the one attempt. */
  attempts: number;
  responseStatus: number | null;
  failure: Failure | null;
  at: Date;
  /** Milliseconds of the whole attempt; null while pending and when interrupted. */
  latencyMs: number | null;
}

/** What became of an event at one endpoint, as far as the delivery log still has it. */
export type EventDelivery = Pick<
  Delivery,
  'id' | 'webhookId' | 'status' | 'attempts' | 'responseStatus' | 'failure' | 'latencyMs'
> & { at: string };
