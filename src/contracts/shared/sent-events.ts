import type { EventType } from '../../domain/webhooks/event-type.js';
import type { SentEvent } from '../../http/openapi/sent-events.js';
import { SystemStatus } from './webhook.dto.js';

const EVENTS: Record<EventType, Omit<SentEvent, 'type'>> = {
  'position.opened': {
    summary: 'A position was opened',
    description: "An end-user's deposit opened a position.",
  },
  'position.active': {
    summary: 'A position became active',
    description: 'The deposit of a position is in its vault and earns.',
  },
  'position.rebalanced': {
    summary: 'A position was moved',
    description: 'A position was moved from one vault to another.',
  },
  'position.withdrawn': {
    summary: 'Money was withdrawn',
    description: 'A part of a position, or all of it, was withdrawn.',
  },
  'position.closed': { summary: 'A position was closed', description: 'Nothing is left in the position.' },
  'yield.threshold': {
    summary: 'A yield crossed a threshold',
    description: 'The yield of an asset crossed a threshold.',
  },
  'system.status': {
    summary: "The service's state",
    description:
      'Tells about the service itself. A test send is one of these, to one endpoint; an announcement goes to every endpoint that subscribed.',
    data: SystemStatus,
  },
};

/** What endpoints are sent, in the order of the catalogue. */
export const SENT_EVENTS: readonly SentEvent[] = Object.entries(EVENTS).map(([type, event]) => ({
  type,
  ...event,
}));
