import type { Schemas } from '../../api/contract.js';
import type { Tone } from '../../ui/badge.js';

export type Delivery = Schemas['Delivery'];
export type EventType = Delivery['event'];

const EVENTS: Record<EventType, true> = {
  'position.opened': true,
  'position.active': true,
  'position.rebalanced': true,
  'position.withdrawn': true,
  'position.closed': true,
  'yield.threshold': true,
  'system.status': true,
};
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export const STATUSES: Record<Delivery['status'], Tone> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
};

/** The cause of each failure, and what to check. */
export const FAILURES: Record<NonNullable<Delivery['failure']>, string> = {
  blocked_address:
    'The address is not allowed: it is private, or its name leads to one that is. Nothing was sent.',
  dns_error: 'The name does not resolve, or its name servers did not answer in time. Nothing was sent.',
  connect_error:
    'No connection, or it broke before the whole request was sent. Check that the receiver listens.',
  tls_error: 'TLS failed: most often a certificate that is expired, self-signed or for another name.',
  response_error:
    'The whole request was sent, and the connection broke, or the answer was not HTTP or too large. Compare with the event ids that you stored.',
  timeout: 'No complete answer within the timeout. Answer with 2xx first, and do the work afterwards.',
  http_status: 'The receiver answered with something other than 2xx. Redirects are not followed.',
  interrupted:
    'The server stopped during the send: the event may or may not have arrived. Compare with the event ids that you stored.',
  dropped:
    'Your queue exceeded its limit, and this was among its oldest events. It was not sent: read it from the list of events, and answer faster.',
};

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

export type Outcome = Pick<Delivery, 'status' | 'failure' | 'response_status' | 'latency_ms'>;

export function outcomeText({ status, failure, response_status, latency_ms }: Outcome): string {
  const after = latency_ms === 0 ? '' : ` after ${(latency_ms / 1000).toFixed(3)} s`;
  if (status === 'delivered') return `delivered, ${response_status}${after}.`;
  if (status === 'pending') return 'being sent.';
  return `failed${after}${response_status === null ? '' : ` with ${response_status}`}. ${failure ? FAILURES[failure] : ''}`;
}
