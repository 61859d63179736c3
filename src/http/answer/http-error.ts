import type { Detail } from '../../domain/kernel/domain-error.js';

/** Errors that are raised before the domain is reached. Their statuses are the same in every contract. */
export const EDGE_ERRORS = {
  validation_failed: 400,
  malformed_json: 400,
  invalid_cursor: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  wrong_environment: 401,
  insufficient_scope: 403,
  partner_key_required: 403,
  route_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
} as const;
export type EdgeErrorCode = keyof typeof EDGE_ERRORS;

export class HttpError extends Error {
  readonly status: number;

  constructor(
    readonly code: EdgeErrorCode,
    message: string,
    readonly extra: { details?: readonly Detail[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = EDGE_ERRORS[code];
  }
}

/** The body of every failed request, in both contracts. */
export function errorBody(
  code: string,
  message: string,
  requestId: string,
  details: readonly Detail[] = [],
): object {
  return { error: { code, message, request_id: requestId, ...(details.length > 0 && { details }) } };
}

/** Headers of every 503. */
export const RETRY_LATER = { 'Retry-After': '2' };

export const unavailable = (): HttpError =>
  new HttpError('service_unavailable', 'The service cannot answer right now. Try again in a moment.', {
    headers: RETRY_LATER,
  });

/** Limit of a tenant that a request exceeded; `RateLimit-Reason` of its 429. */
type RateLimitReason = 'concurrency' | 'points';

/** Error 429. @param reason undefined: not the limit of a tenant */
export function rateLimited(why: string, seconds: number, reason?: RateLimitReason): HttpError {
  return new HttpError('rate_limited', `${why} Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds), ...(reason && { 'RateLimit-Reason': reason }) },
  });
}

/** Error 401 with its `WWW-Authenticate` challenge. */
export function unauthorized(
  code: 'missing_api_key' | 'invalid_api_key' | 'wrong_environment',
  message: string,
): HttpError {
  return new HttpError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

export const HOW_TO_SEND =
  'Send your API key in the header "Authorization: Bearer <API_KEY>", and nothing else in it.';

export const missingKey = (): HttpError => unauthorized('missing_api_key', HOW_TO_SEND);
