import { exampleId } from '../../domain/kernel/demo-ids.js';
import { IDEMPOTENCY_KEY } from '../request/field-rules.js';
import { idPattern } from '../request/path.js';
import { placeholder } from '../answer/placeholders.js';
import { ALL_CODES } from './error-responses.js';
import { MARKS, type Schema } from './schema.js';

/** Schemas without a class: the envelope around every answer. */
export const SHARED_SCHEMAS: Record<string, Schema> = {
  ExactAmount: {
    type: 'string',
    description:
      'The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units.',
  },
  ListMeta: {
    type: 'object',
    description: 'Position in a list.',
    required: ['has_more'],
    properties: {
      has_more: { type: 'boolean', description: 'Whether more rows follow.', example: true },
      next_cursor: {
        type: 'string',
        description: 'Send it as `cursor` for the next page. Absent on the last page.',
        example: 'AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6',
      },
    },
  },
  Csv: {
    type: 'string',
    description:
      'All lines as CSV (RFC 4180) under a header row, at most a million rows. Nested fields have dotted names (`settlement.status`), lists and free objects are JSON, amounts have six decimals, null is empty. ' +
      'A text has an apostrophe before `=`, `+`, `-`, `@` and their full-width forms at its beginning and behind each `;`, tab and line end, so that no spreadsheet reads a formula.',
  },
  SpanMeta: {
    type: 'object',
    description: 'Where a series goes on.',
    required: ['has_more'],
    properties: {
      has_more: { type: 'boolean', description: 'Whether more points follow up to now.', example: false },
      next_from: {
        type: 'string',
        format: 'date-time',
        description: 'Send it as `from` for the following points. Absent on the last page.',
      },
    },
  },
  ErrorEnvelope: {
    type: 'object',
    description: 'The body of every failed request.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        description: 'What went wrong.',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { type: 'string', enum: ALL_CODES, description: 'Stable, for programs.' },
          message: { type: 'string', description: 'For people: what is wrong and what to do.' },
          request_id: {
            type: 'string',
            description: 'Id of the request, which the `X-Request-Id` header has too.',
            pattern: idPattern('req'),
            example: exampleId('req'),
          },
          details: {
            type: 'array',
            description: 'The wrong fields; absent where the error is not about a field.',
            items: {
              type: 'object',
              required: ['field', 'message'],
              properties: {
                field: {
                  type: 'string',
                  description: 'Path of the field; an entry of a list has its place, from 0.',
                  example: 'wallets[0]',
                },
                message: {
                  type: 'string',
                  description: 'What is wrong with it.',
                  example: 'is named twice',
                },
                user_id: {
                  type: 'string',
                  description:
                    'Your user that has the external id or the wallet; in `external_id_taken` and `wallet_taken`.',
                  pattern: idPattern('usr'),
                  [MARKS.kind]: 'UserId',
                },
              },
            },
          },
        },
      },
    },
  },
};

export const SHARED_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this answer; quote it to the operator.',
    required: true,
    schema: { type: 'string', pattern: idPattern('req') },
    example: exampleId('req'),
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer to an earlier request; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Deprecation: {
    description: 'Since when this operation is deprecated, in Unix seconds (RFC 9745).',
    required: true,
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: '@1793491200',
  },
  Link: {
    description: 'The operation to call instead, by the relation `successor-version` (RFC 5829).',
    required: true,
    schema: { type: 'string', pattern: '^<\\S+>; rel="successor-version"$' },
    example: '</api/v1/yield/history/USDC>; rel="successor-version"',
  },
  'RateLimit-Policy': {
    description:
      'Points (`q`) per window of `w` seconds, for the partner or, for an unbound key, the key (draft-ietf-httpapi-ratelimit-headers-10). Absent if nothing is limited or no key was recognised.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=60$' },
    example: '"default";q=6000;w=60',
  },
  RateLimit: {
    description: 'Points left in the window (`r`), and the seconds until it ends (`t`).',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=5999;t=60',
  },
  'RateLimit-Reason': {
    description:
      'Limit that the request exceeded: concurrent requests, or points. Absent if the request was refused for its address and has no valid key.',
    schema: { type: 'string', enum: ['concurrency', 'points'] },
    example: 'points',
  },
  Sunset: {
    description: 'Time at which this operation is removed (RFC 8594); absent while no date is set.',
    schema: { type: 'string' },
    example: 'Sat, 31 Jul 2027 23:59:59 GMT',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
    example: 'Bearer',
  },
};

export const SHARED_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      `Makes a retry safe: for ${placeholder('answersKept')}, the same key with the same request is answered with the first answer, byte for byte. ` +
      '1 to 255 printable ASCII characters; a random UUID is a good one.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: IDEMPOTENCY_KEY.source,
      examples: ['0b0d5a5e-6a0d-4c52-9d0c-2f6f8c1c7a11'],
    },
  },
  WebhookSignature: {
    name: 'Webhook-Signature',
    in: 'header',
    required: true,
    description:
      '`t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the ' +
      "endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.",
    schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64}){1,2}$' },
    example: `t=1769860800,v1=${'5f'.repeat(32)}`,
  },
  WebhookId: {
    name: 'Webhook-Id',
    in: 'header',
    required: true,
    description: 'Id of the event, as in the body.',
    schema: { type: 'string', pattern: idPattern('evt') },
    example: exampleId('evt'),
  },
};
