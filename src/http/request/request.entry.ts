import { Inject, Injectable } from '@nestjs/common';
import { request as expressRequest, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import type { Detail } from '../../domain/domain-error.js';
import { newId } from '../../domain/identifier.js';
import { Trace, type TraceSpan } from '../../domain/trace.js';
import { Tenancy } from '../../domain/store/tenancy.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { errorBody, HttpError, unavailable } from '../answer/http-error.js';
import { sendJson } from '../answer/json.answer.js';
import { Readiness } from '../wire/readiness.js';

/** Headers that say one thing: given twice, two that read the request may take another value each. */
const ONCE = ['Host', 'Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'];
const ONCE_IN_LOWER_CASE = ONCE.map((name) => name.toLowerCase());

/** `Accept` as most clients send it; any other is parsed. */
const TAKES_JSON = new Set([undefined, '*/*', 'application/json', 'application/json, text/plain, */*']);

/**
 * Where every request comes in, before Express routes it: it gets its id, its answer is counted and logged, and what cannot be answered at all is refused. One
 * step, not a middleware each: every layer of Express costs each request some microseconds.
 */
@Injectable()
export class RequestEntry {
  private readonly api: RegExp;
  private readonly health = /^\/health(?![^/?#\\])/i;

  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: Metrics,
    private readonly readiness: Readiness,
    private readonly tenancy: Tenancy,
    private readonly trace: Trace,
    { apiRoot }: Settings,
  ) {
    // As Express reads a path: in either letter case, up to a slash; before a # it takes a backslash for one.
    this.api = new RegExp(`^/${apiRoot}(?![^/?#\\\\])`, 'i');
  }

  /** @param route hands the request on to Express */
  take(request: Request, response: Response, route: () => void): void {
    const isApi = this.api.test(request.url);
    const { recorder } = this.trace;
    const { traceparent } = request.headers;
    const span = isApi
      ? recorder?.begin(
          'request',
          request.method,
          traceparent === undefined ? undefined : String(traceparent),
        )
      : null;
    this.observe(request, response, span);
    // Answers are no-store and have no ETag: there is nothing that a condition could be about.
    if (isApi || this.health.test(request.url)) {
      delete request.headers['if-none-match'];
      delete request.headers['if-modified-since'];
    }
    const refusal = isApi ? this.refusalOf(request) : null;
    if (refusal) return refuse(refusal, request, response);
    // JSON is never to be read as anything else, whatever a caller put into it.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (recorder && span) recorder.within(span, () => this.tenancy.begin(route));
    else this.tenancy.begin(route);
  }

  /** Names the request, logs and counts its answer. First of all, so that no answer goes without an id. */
  private observe(request: Request, response: Response, span: TraceSpan | null | undefined): void {
    const startedAt = performance.now();
    request.requestId = newId('request', new Date());
    response.setHeader('X-Request-Id', request.requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.once('close', () => {
      request.visit?.callerLeft();
      const ms = performance.now() - startedAt;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      this.metrics.observe(request.method, route, response.statusCode, ms / 1000);
      const status = response.writableFinished ? response.statusCode : 'aborted';
      span?.end({
        name: `${request.method} ${route}`,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': response.statusCode,
          'vaultline.request_id': request.requestId,
          'vaultline.aborted': status === 'aborted',
        },
        failed: response.statusCode >= 500,
      });
      this.log.info(
        {
          request_id: request.requestId,
          trace_id: span?.traceId,
          method: request.method,
          route,
          status,
          ms: Math.round(ms * 10) / 10,
          key_id: request.caller?.keyId,
        },
        'request',
      );
    });
  }

  /** What cannot be answered at all: headers that contradict each other, no database yet, or a caller that takes no JSON. */
  private refusalOf(request: Request): HttpError | null {
    const details = headerTroubles(request);
    if (details.length > 0)
      return new HttpError('validation_failed', 'The headers are not valid; see details.', { details });
    if (this.readiness.state === 'starting') return unavailable();
    if (TAKES_JSON.has(request.headers.accept)) return null;
    if (expressRequest.accepts.call(request, 'application/json')) return null;
    return new HttpError('not_acceptable', 'Answers are JSON. Send "Accept: application/json", or none.');
  }
}

function headerTroubles(request: Request): Detail[] {
  const hostless = request.headers.host === undefined && request.httpVersion === '1.1';
  const repeated = givenTwice(request.rawHeaders);
  if (repeated.length === 0 && !hostless && request.httpVersionMajor >= 1) return [];
  return [
    // A request line without a version: nobody has sent one on purpose for decades.
    ...(request.httpVersionMajor < 1 ? [{ field: 'version', message: 'must be HTTP/1.1 or HTTP/1.0' }] : []),
    ...(hostless ? [{ field: 'Host', message: 'is required' }] : []),
    ...repeated.map((field) => ({ field, message: 'is given twice' })),
  ];
}

/** Which of the headers that say one thing are given more than once. @param raw names and values in turn, as they came */
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

function refuse(error: HttpError, request: Request, response: Response): void {
  const { headers, details } = error.extra;
  const body = errorBody(error.code, error.message, request.requestId, details);
  sendJson(response, error.status, JSON.stringify(body), headers);
}
