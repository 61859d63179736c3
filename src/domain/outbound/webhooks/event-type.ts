/** Every event type that an endpoint can subscribe to, in the order of the documents. */
export const EVENT_TYPES = [
  'position.opened',
  'position.active',
  'position.rebalanced',
  'position.withdrawn',
  'position.closed',
  'yield.threshold',
  'system.status',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
