import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type Request, request as expressRequest, type Response } from 'express';
import type { Observable } from 'rxjs';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { requireCaller } from '../access/caller.js';
import { JSON_TYPE, wantsCsv } from '../answer/csv.js';
import { ANSWER, type DeclaredAnswer, type DeclaredFile, isTabular } from '../answer/envelope.js';
import { HttpError } from '../answer/http-error.js';
import { fieldName, refuse, wrongTexts } from './field-rules.js';
import { JsonBody } from './json-body.js';

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Input that a handler declares, and whether its answer is CSV as well. */
interface DeclaredInput {
  query: boolean;
  body: boolean;
  isTabular: boolean;
  /** Media type of a file that it answers with; null: none. */
  file: string | null;
}

/**
 * Checks the form of an admitted request: its head, its query, and its body, which it reads. Nothing is parsed before authentication. The validation pipe
 * refuses unknown fields of a declared class; this refuses input to operations that declare none.
 */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  /** Metadata by handler: reading it walks a prototype chain. */
  private readonly inputs = new WeakMap<object, DeclaredInput>();

  constructor(private readonly body: JsonBody) {}

  /** @throws HttpError `validation_failed`, `expectation_failed`, `not_acceptable`, and those of `JsonBody`; CallerGone */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const [request, response] = context.getArgs<[Request, Response]>();
    const declared = this.inputOf(context);
    const { query, body } = declared;
    if (request.isApi) requireForm(request, declared);
    // `request.query` is parsed on every access, and most requests have no query.
    if (request.url.includes('?')) {
      const given = request.query;
      if (!query) refuse(detailsOf(given, 'is not a known parameter'));
      refuse(wrongTexts(given));
    }
    if (METHODS_WITH_BODY.has(request.method)) {
      // A one-time code was read already, to authenticate its caller.
      if (request.bodyBytes === undefined) await this.body.read(request);
      if (!body) refuse(detailsOf(request.body as object, 'is not a known field'));
      requireCaller(response);
    }
    return next.handle();
  }

  private inputOf(context: ExecutionContext): DeclaredInput {
    const handler = context.getHandler();
    const declared = this.inputs.get(handler);
    if (declared) return declared;
    const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) as
      object | undefined;
    const kinds = Object.keys(args ?? {}).map((key) => Number(key.split(':')[0]) as RouteParamtypes);
    const answer = Reflect.getMetadata(ANSWER, handler) as DeclaredAnswer | DeclaredFile | undefined;
    const input = {
      query: kinds.includes(RouteParamtypes.QUERY),
      body: kinds.includes(RouteParamtypes.BODY),
      isTabular: answer !== undefined && 'object' in answer && isTabular(answer),
      file: answer !== undefined && 'file' in answer ? answer.file : null,
    };
    this.inputs.set(handler, input);
    return input;
  }
}

function* detailsOf(given: object, message: string): Generator<Detail> {
  for (const field of Object.keys(given)) yield { field: fieldName(field), message };
}

/** Headers that must be unique: when one is given twice, a proxy and this server may each use another value. */
const UNIQUE = ['Host', 'Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'];
const UNIQUE_BY_KEY = new Map(UNIQUE.map((name) => [name.toLowerCase(), name]));
/** They name the server and the key that are used, so they are checked before authentication. */
const CALLER_HEADERS: ReadonlySet<string> = new Set(['Host', 'Authorization']);

/** The only expectation that HTTP defines; Node answers it. */
const CONTINUE = '100-continue';

/** `Accept` values of most clients; any other is parsed. */
const TAKES_JSON = new Set([undefined, '*/*', 'application/json', 'application/json, text/plain, */*']);

/** Refusal of a head that is not well-formed HTTP, or names two callers; null for any other. */
export function malformedHead(request: Request): HttpError | null {
  const hostless = request.headers.host === undefined && request.httpVersion === '1.1';
  const repeated = repeatedHeaders(request).filter((name) => CALLER_HEADERS.has(name));
  if (repeated.length === 0 && !hostless && request.httpVersionMajor >= 1) return null;
  return invalidHeaders([
    // Nobody sends an HTTP/0.9 request line on purpose.
    ...(request.httpVersionMajor < 1 ? [{ field: 'version', message: 'must be HTTP/1.1 or HTTP/1.0' }] : []),
    ...(hostless ? [{ field: 'Host', message: 'is required' }] : []),
    ...repeated.map(repeatedDetail),
  ]);
}

/** Checks the rest of the head, once the caller is authenticated. @throws HttpError `validation_failed`, `expectation_failed`, `not_acceptable` */
function requireForm(request: Request, { isTabular: hasCsv, file }: DeclaredInput): void {
  const repeated = repeatedHeaders(request);
  if (repeated.length > 0) throw invalidHeaders(repeated.map(repeatedDetail));
  const { expect = CONTINUE } = request.headers;
  if (expect.toLowerCase() !== CONTINUE)
    throw new HttpError('expectation_failed', 'Send the header Expect as "100-continue", or leave it out.');
  if (TAKES_JSON.has(request.headers.accept)) return;
  if (expressRequest.accepts.call(request, JSON_TYPE)) return;
  if (hasCsv && wantsCsv(request)) return;
  if (file !== null && expressRequest.accepts.call(request, file)) return;
  throw new HttpError(
    'not_acceptable',
    'Answers are JSON; lists, statements, the history, points and the revenue share are CSV as well, and a closing package is a ZIP. Send "Accept: application/json", or none.',
  );
}

const repeatedDetail = (field: string): Detail => ({ field, message: 'is given twice' });

const invalidHeaders = (details: Detail[]): HttpError =>
  new HttpError('validation_failed', 'The headers are not valid; see details.', { details });

/** Unique headers that are given more than once. */
function repeatedHeaders({ rawHeaders }: Request): string[] {
  const names = new Set<string>();
  const repeated = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = UNIQUE_BY_KEY.get(rawHeaders[at]!.toLowerCase());
    if (name !== undefined) (names.has(name) ? repeated : names).add(name);
  }
  return repeated.size === 0 ? [] : UNIQUE.filter((name) => repeated.has(name));
}
