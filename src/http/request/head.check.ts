import { request as expressRequest, type Request } from 'express';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { HttpError } from '../answer/http-error.js';

/** Headers that must be unique: when one is given twice, a proxy and this server may each use another value. */
const ONCE = ['Host', 'Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'];
const ONCE_IN_LOWER_CASE = ONCE.map((name) => name.toLowerCase());
/** Without them it is not known which server is called, and by which key: refused before authentication. */
const OF_CALLER: ReadonlySet<string> = new Set(['Host', 'Authorization']);

/** `Accept` values of most clients; any other is parsed. */
const TAKES_JSON = new Set([undefined, '*/*', 'application/json', 'application/json, text/plain, */*']);

/** Refusal of a head that is no well-formed HTTP, or names two callers; null for any other. */
export function malformedHead(request: Request): HttpError | null {
  const hostless = request.headers.host === undefined && request.httpVersion === '1.1';
  const repeated = givenTwice(request.rawHeaders).filter((name) => OF_CALLER.has(name));
  if (repeated.length === 0 && !hostless && request.httpVersionMajor >= 1) return null;
  return invalidHeaders([
    // An HTTP/0.9 request line without a version is no deliberate request.
    ...(request.httpVersionMajor < 1 ? [{ field: 'version', message: 'must be HTTP/1.1 or HTTP/1.0' }] : []),
    ...(hostless ? [{ field: 'Host', message: 'is required' }] : []),
    ...repeated.map(twice),
  ]);
}

/**
 * Checks the rest of the head, once the caller is authenticated.
 * @throws HttpError `validation_failed`, `not_acceptable`
 */
export function requireForm(request: Request): void {
  const repeated = givenTwice(request.rawHeaders);
  if (repeated.length > 0) throw invalidHeaders(repeated.map(twice));
  if (TAKES_JSON.has(request.headers.accept)) return;
  if (expressRequest.accepts.call(request, 'application/json')) return;
  throw new HttpError('not_acceptable', 'Answers are JSON. Send "Accept: application/json", or none.');
}

const twice = (field: string): Detail => ({ field, message: 'is given twice' });

const invalidHeaders = (details: Detail[]): HttpError =>
  new HttpError('validation_failed', 'The headers are not valid; see details.', { details });

/**
 * Unique headers that are given more than once.
 * @param raw names and values in turn, as they were sent
 */
function givenTwice(raw: readonly string[]): string[] {
  let seen = 0;
  let repeated = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const which = ONCE_IN_LOWER_CASE.indexOf(raw[index]!.toLowerCase());
    if (which < 0) continue;
    const bit = 1 << which;
    if (seen & bit) repeated |= bit;
    seen |= bit;
  }
  return repeated === 0 ? [] : ONCE.filter((_, which) => repeated & (1 << which));
}
