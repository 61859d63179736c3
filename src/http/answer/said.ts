import type { Constants } from '../../config/constants.js';

/** A size as prose says it. */
export const sizeInWords = (bytes: number): string =>
  bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;

/** Numbers that a deployment's constants decide, as its document says them. */
const SAID = {
  bodyLimit: ({ http }: Constants) => sizeInWords(http.body_limit_bytes),
  deliveriesKept: ({ webhooks }: Constants) => webhooks.deliveries_kept.toLocaleString('en-US'),
  eventsKept: ({ retention }: Constants) => `${retention.events_days} days`,
  answersKept: ({ idempotency }: Constants) => `${idempotency.kept_hours} hours`,
};

/** Stands for such a number in a text that several deployments have, until a document is made of it. */
export const said = (name: keyof typeof SAID): string => `{{${name}}}`;

/** The text with the deployment's numbers. */
export const withNumbers = (text: string, constants: Constants): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: keyof typeof SAID) => SAID[name](constants));
