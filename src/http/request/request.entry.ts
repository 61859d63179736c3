import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { newId } from '../../domain/identifier.js';
import { Trace, type TraceSpan } from '../../domain/trace.js';
import { Tenancy } from '../../domain/store/tenancy.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { errorBody, type HttpError, unavailable } from '../answer/http-error.js';
import { sendJson } from '../answer/json.answer.js';
import { Readiness } from '../wire/readiness.js';
import { malformedHead } from './head.check.js';

/**
 * Entry of every request, before Express routes it: assigns the id, observes the answer, and refuses requests that cannot be routed. One function
 * instead of middleware, because every layer of Express costs some microseconds a request.
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
    // Matches as Express does: case-insensitive, up to a slash; a backslash before a # counts as a slash.
    this.api = new RegExp(`^/${apiRoot}(?![^/?#\\\\])`, 'i');
  }

  /** @param route hands the request to Express */
  take(request: Request, response: Response, route: () => void): void {
    const isApi = (request.isApi = this.api.test(request.url));
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
    // API answers are no-store and have no ETag, so conditional headers mean nothing.
    if (isApi || this.health.test(request.url)) {
      delete request.headers['if-none-match'];
      delete request.headers['if-modified-since'];
    }
    const refusal = isApi ? this.refusalOf(request) : null;
    if (refusal) return refuse(refusal, request, response);
    // JSON must never be interpreted as another type, since callers can put anything into it.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (recorder && span) recorder.within(span, () => this.tenancy.begin(route));
    else this.tenancy.begin(route);
  }

  /** Assigns the request id, and logs and counts the answer. It comes first, so that no answer is without an id. */
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

  /** Reason to refuse a request before routing: its head is malformed, or there is no database yet. */
  private refusalOf(request: Request): HttpError | null {
    return malformedHead(request) ?? (this.readiness.state === 'starting' ? unavailable() : null);
  }
}

function refuse(error: HttpError, request: Request, response: Response): void {
  const { headers, details } = error.extra;
  const body = errorBody(error.code, error.message, request.requestId, details);
  sendJson(response, error.status, JSON.stringify(body), headers);
}
