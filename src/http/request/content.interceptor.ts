import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type Request, request as expressRequest, type Response } from 'express';
import type { Observable } from 'rxjs';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { wantsCsv } from '../answer/csv.js';
import { ANSWER, type DeclaredAnswer } from '../answer/envelope.interceptor.js';
import { HttpError, refuse } from '../answer/http-error.js';
import { requireCaller } from '../limits/tenant.limits.js';
import { fieldName, wrongTexts } from './field-rules.js';
import { JsonBody } from './json-body.js';

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

interface TakenInput {
  query: boolean;
  body: boolean;
  /** Whether it is answered with a list, which may be CSV. */
  isList: boolean;
}

/**
 * Checks the form of an admitted request and reads its body, so that a stranger's bytes are not parsed. The validation pipe refuses unknown fields of
 * a declared class; this refuses input to operations that declare none.
 */
@Injectable()
export class ContentInterceptor implements NestInterceptor {
  /** Metadata by handler: reading it walks a prototype chain. */
  private readonly taken = new WeakMap<object, TakenInput>();

  constructor(private readonly body: JsonBody) {}

  /** @throws HttpError `validation_failed`, `not_acceptable`, and those of `JsonBody`; CallerGone */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const [request, response] = context.getArgs<[Request, Response]>();
    const taken = this.takenBy(context);
    if (request.isApi) requireForm(request, taken.isList);
    // `request.query` is parsed on every access, and most requests have no query.
    if (request.url.includes('?')) {
      const { query } = request;
      if (!taken.query) refuse(allOf(query, 'is not a known parameter'));
      refuse(wrongTexts(query));
    }
    if (METHODS_WITH_BODY.has(request.method)) {
      // A one-time code was read already, to authenticate its caller.
      if (request.bodyBytes === undefined) await this.body.read(request, response);
      if (!taken.body) refuse(allOf(request.body as object, 'is not a known field'));
      requireCaller(response);
    }
    return next.handle();
  }

  private takenBy(context: ExecutionContext): TakenInput {
    const handler = context.getHandler();
    const known = this.taken.get(handler);
    if (known) return known;
    const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) as
      object | undefined;
    const kinds = Object.keys(args ?? {}).map((key) => Number(key.split(':')[0]) as RouteParamtypes);
    const taken = {
      query: kinds.includes(RouteParamtypes.QUERY),
      body: kinds.includes(RouteParamtypes.BODY),
      isList: (Reflect.getMetadata(ANSWER, handler) as DeclaredAnswer | undefined)?.object === 'list',
    };
    this.taken.set(handler, taken);
    return taken;
  }
}

function* allOf(given: object, message: string): Generator<Detail> {
  for (const field of Object.keys(given)) yield { field: fieldName(field), message };
}

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

/** Checks the rest of the head, once the caller is authenticated. @throws HttpError `validation_failed`, `not_acceptable` */
function requireForm(request: Request, isList: boolean): void {
  const repeated = givenTwice(request.rawHeaders);
  if (repeated.length > 0) throw invalidHeaders(repeated.map(twice));
  if (TAKES_JSON.has(request.headers.accept)) return;
  if (expressRequest.accepts.call(request, 'application/json')) return;
  if (isList && wantsCsv(request)) return;
  throw new HttpError(
    'not_acceptable',
    'Answers are JSON, and lists are CSV as well. Send "Accept: application/json", or none.',
  );
}

const twice = (field: string): Detail => ({ field, message: 'is given twice' });

const invalidHeaders = (details: Detail[]): HttpError =>
  new HttpError('validation_failed', 'The headers are not valid; see details.', { details });

/** Unique headers that are given more than once. @param raw names and values in turn, as they were sent */
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
