import type { DomainErrorCode } from '../../domain/kernel/domain-error.js';
import type { DomainStatuses } from '../contract.js';
import { EDGE_ERRORS, type EdgeErrorCode, errorBody } from '../answer/http-error.js';
import { exampleId } from '../../domain/kernel/demo-ids.js';
import { placeholder } from '../answer/placeholders.js';
import { pascalCase } from './schema.js';

type Code = DomainErrorCode | EdgeErrorCode;

/** Meaning of each error code, for readers of the document. */
const MEANINGS: Record<Code, string> = {
  validation_failed:
    'A field is missing, unknown or invalid, or the path is malformed; `details` names each.',
  malformed_json: 'The body is not well-formed JSON.',
  invalid_cursor: 'The cursor belongs to another list or other filters, or was changed.',
  missing_api_key: 'No credential was sent.',
  invalid_api_key:
    'The key is unknown, revoked, expired or mistyped, or not sent as `Bearer <API_KEY>`; or the one-time code has expired.',
  wrong_environment: 'A live key was sent to a sandbox, or the reverse.',
  insufficient_scope: 'The key has none of the required scopes, or is a session where a key is required.',
  partner_key_required: 'The key is not bound to a partner.',
  route_not_found: 'No operation has this path.',
  method_not_allowed: 'The path has no such method; see the `Allow` header.',
  not_acceptable: 'The `Accept` header excludes JSON.',
  request_timeout: 'The request did not arrive in time.',
  payload_too_large: `The body is larger than ${placeholder('bodyLimit')}.`,
  unsupported_media_type: 'The body is not sent as JSON.',
  expectation_failed: 'The `Expect` header asks for something other than `100-continue`.',
  rate_limited:
    'Too many points in a minute, too many concurrent requests, or too many unknown keys from one address; see `RateLimit-Reason` and `Retry-After`.',
  headers_too_large: 'The head of the request is too large.',
  internal_error: 'The server failed.',
  service_unavailable:
    'The service is unavailable, or its storage is nearly full and it accepts no writes; see `Retry-After`.',
  not_found: 'No such record, or not one of this partner.',
  event_removed:
    'The event to continue `after` is not among yours, or not any more; later ones may be gone too. Read without `after`.',
  external_id_taken:
    'A user with this `external_id` exists where it must be unique; `details` name the user if it is yours.',
  wallet_taken: 'A wallet belongs to another user of this partner, which `details` name.',
  partner_disabled: 'The partner is disabled.',
  user_blocked: 'The end-user is blocked: deposits are refused, withdrawals stay possible.',
  user_has_positions: 'The end-user has or had positions: it can be blocked, not deleted.',
  advance_in_progress: "Another request is advancing the account's clock.",
  month_open: 'The month is not closed yet; the message says when it is.',
  insufficient_balance: 'The requested amount exceeds what is available; the message says how much.',
  position_closed: 'The position is closed: everything was withdrawn.',
  settlement_already_recorded: 'The transfer with this `tx_hash` is recorded already.',
  settlement_unresolved:
    'The chain contradicts a transfer of the position: resolve it before you record another one.',
  settlement_resolved:
    'Nothing to resolve: the chain does not contradict the transfer, or it was resolved already.',
  move_not_open: 'The move is at another step than the report or review; the message names it.',
  move_already_reported: 'This step of the move was already reported with other values.',
  report_unresolved:
    'The chain contradicts a report of this key, which the message names: an administrator resolves it first.',
  withdrawal_not_open: 'The withdrawal has ended, or its funds are being moved; the message says which.',
  withdrawal_already_reported: 'The withdrawal was already taken, or reported with other values.',
  withdrawal_limit_reached:
    'The end-user has ten open withdrawals, or the amount needs more positions than one withdrawal may have.',
  invoice_settled: 'The invoice is paid or void already; the message says since when and by which reference.',
  vault_refused: 'The vault no longer accepts the funds; nothing was changed.',
  amount_out_of_bounds:
    'The reported amount, or the sum of the reports of the key within 24 hours or 30 days, deviates too far from the books.',
  policy_out_of_bounds: "A rule of the policy is wider than the administrator's bound; `details` names both.",
  custody_shared: 'One custody holds the funds of all partners: `routing.custody` is shared.',
  webhook_limit_reached: 'The partner has the maximum number of webhooks.',
  rotation_in_progress: 'A rotation is in progress; the message says until when.',
  quota_exceeded:
    'The storage quota of the partner is used up; the message names the limit and how to free space.',
  webhook_url_forbidden: 'The URL leads to an address to which no webhook may be sent.',
  idempotency_in_progress: 'The first request with this `Idempotency-Key` is still being processed.',
  idempotency_key_reused: 'This `Idempotency-Key` was used with another request.',
};

/** Errors that any request can be answered with. */
const ALWAYS: Code[] = [
  'validation_failed',
  'missing_api_key',
  'invalid_api_key',
  'wrong_environment',
  'insufficient_scope',
  'not_acceptable',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];
/** Errors of reading a body. They also apply where no body is described, because one that is sent is read. */
const WITH_BODY: Code[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type'];

/** Statuses that mean the same in every operation: defined once, and referenced. */
const COMMON: Record<number, string> = {
  401: 'Unauthorized',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

export interface OperationShape {
  readsBody: boolean;
  hasId: boolean;
  isList: boolean;
  /** It happens once an `Idempotency-Key`. */
  once: boolean;
  partnerOnly: boolean;
  own: readonly Code[];
}

/** Components that operations refer to, by name; each operation adds what it refers to. */
export interface SharedAnswers {
  responses: Record<string, object>;
  examples: Record<string, object>;
}

/**
 * Every error answer of an operation of this shape, by status, as a reference to the shared one, which is added.
 * An answer with errors of the operation itself stands in its place.
 */
export function errorResponses(
  shape: OperationShape,
  statuses: DomainStatuses,
  shared: SharedAnswers,
): Record<string, object> {
  const codes = new Set<Code>([
    ...ALWAYS,
    ...(shape.partnerOnly ? (['partner_key_required'] as const) : []),
    ...(shape.readsBody ? WITH_BODY : []),
    ...(shape.hasId ? (['not_found'] as const) : []),
    ...(shape.isList ? (['invalid_cursor'] as const) : []),
    ...(shape.once ? (['idempotency_in_progress', 'idempotency_key_reused', 'quota_exceeded'] as const) : []),
    ...shape.own,
  ]);
  const entries = [...byStatus([...codes], statuses)].map(([status, group]) => {
    if (!COMMON[status] && group.some((code) => shape.own.includes(code)))
      return [String(status), response(status, group, shared)];
    const name = COMMON[status] ?? group.map(pascalCase).join('Or');
    shared.responses[name] ??= response(status, group, shared);
    return [String(status), { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(entries) as Record<string, object>;
}

function byStatus(codes: Code[], statuses: DomainStatuses): [number, Code[]][] {
  const groups = Map.groupBy(codes, (code): number => ({ ...EDGE_ERRORS, ...statuses })[code]);
  return [...groups].sort(([a], [b]) => a - b);
}

function response(status: number, codes: readonly Code[], { examples }: SharedAnswers): object {
  for (const code of codes) examples[code] ??= { value: example(code) };
  const headers: Record<string, object> = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  if (status === 429)
    for (const name of ['RateLimit-Policy', 'RateLimit', 'RateLimit-Reason'])
      headers[name] = { $ref: `#/components/headers/${name}` };
  if (status === 401) headers['WWW-Authenticate'] = { $ref: '#/components/headers/WWW-Authenticate' };
  if (status === 429 || status === 503) headers['Retry-After'] = { $ref: '#/components/headers/Retry-After' };
  return {
    description: codes.map((code) => `- \`${code}\`: ${MEANINGS[code]}`).join('\n'),
    headers,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function example(code: Code): object {
  const details =
    code === 'validation_failed' ? [{ field: 'label', message: 'must have 1 to 120 characters' }] : [];
  return errorBody(code, MEANINGS[code].replaceAll('`', ''), exampleId('req'), details);
}

/** All error codes, for the schema of the error envelope. */
export const ALL_CODES = Object.keys(MEANINGS) as Code[];
