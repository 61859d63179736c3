import type { Constants } from '../../config/constants.js';

/** Size in words, for prose. */
export const sizeInWords = (bytes: number): string =>
  bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;

/** Constants of the deployment that appear in the document's prose. */
const SAID = {
  bodyLimit: ({ http }: Constants) => sizeInWords(http.bodyLimitBytes),
  deliveriesKept: ({ webhooks }: Constants) => webhooks.deliveriesKept.toLocaleString('en-US'),
  eventsKept: ({ retention }: Constants) => `${retention.eventsDays} days`,
  answersKept: ({ idempotency }: Constants) => `${idempotency.keptHours} hours`,
};

/** Placeholder of such a constant in text that deployments share; filled in when the document is generated. */
export const said = (name: keyof typeof SAID): string => `{{${name}}}`;

/** Text with the deployment's constants filled in. */
export const withNumbers = (text: string, constants: Constants): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: keyof typeof SAID) => SAID[name](constants));
