import { MARKS, pascalCase, refTo, type Schema, type Schemas } from './schema.js';

/** Group of the operations that register receivers; viewers show what is sent beside the groups. */
const TAG = 'Webhooks';

/** Event type that is sent to webhooks, for the document. */
export interface SentEvent {
  type: string;
  summary: string;
  /** When it is sent, and what a receiver may do about it; Markdown. */
  description: string;
  data: new () => object;
}

/** Class of the envelope, which every event's schema narrows. */
const ENVELOPE = 'EventEnvelope';

/**
 * The document's `webhooks`: one request for each event type, as a receiver gets it. Adds a schema for each type to `schemas`.
 * @param schemas the envelope and the classes of `data`, not finished yet
 */
export function sentEvents(events: readonly SentEvent[], schemas: Schemas): Record<string, object> {
  return Object.fromEntries(
    events.map((event) => {
      const name = `${pascalCase(event.type)}Event`;
      schemas[name] = eventSchema(event, schemas[ENVELOPE]!);
      return [event.type, { post: request(event, name) }];
    }),
  );
}

function eventSchema({ type, summary, data }: SentEvent, envelope: Schema): Schema {
  const narrowed = structuredClone(envelope);
  narrowed['description'] = summary;
  for (const property of Object.values(narrowed.properties!)) delete property['description'];
  Object.assign(narrowed.properties!['type']!, { enum: [type], example: type });
  delete narrowed.properties!['type']![MARKS.kind];
  narrowed.properties!['data'] = refTo(data.name);
  return narrowed;
}

function request({ type, summary, description }: SentEvent, schemaName: string): object {
  return {
    tags: [TAG],
    operationId: `on${pascalCase(type)}`,
    summary,
    description,
    security: [],
    parameters: ['WebhookSignature', 'WebhookId'].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refTo(schemaName) } },
    },
    responses: {
      '2XX': { $ref: '#/components/responses/Received' },
      default: { $ref: '#/components/responses/NotReceived' },
    },
  };
}

/** Answers of receivers. */
export const RECEIVED = {
  Received: { description: 'Received: the delivery is recorded as `delivered`. The body is not kept.' },
  NotReceived: {
    description: 'Anything else, redirects included, is recorded as `failed`. It is not sent again.',
  },
};
