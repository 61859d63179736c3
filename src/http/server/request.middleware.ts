import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { newId } from '../../domain/kernel/identifier.js';
import { Trace, type TraceSpan } from '../../domain/kernel/trace.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { type HttpError, unavailable } from '../answer/http-error.js';
import { malformedHead } from '../request/content.interceptor.js';

/** State of a process's jobs: taken, or waiting for the database. */
export type WorkerState = 'running' | 'waiting';

/**
 * Readiness for the load balancer: true once the database is connected, false once shutdown began. Requests that still arrive during shutdown are
 * answered.
 */
@Injectable()
export class Readiness {
  /** State of this process's jobs; null where it has none. */
  worker: () => WorkerState | null = () => null;
  private started = false;
  private stopping = false;
  private closed = false;
  private readonly underway = new Set<Response>();

  markStarted(): void {
    this.started = true;
  }

  markStopping(): void {
    this.stopping = true;
  }

  /**
   * Marks that the server no longer accepts connections. Answers close theirs from now on; not before, since a new connection would come back here,
   * and might come just too late.
   */
  markClosed(): void {
    this.closed = true;
    for (const response of this.underway) this.sendAway(response);
  }

  /** To be called with every answer at its beginning. */
  watch(response: Response): void {
    if (this.closed) return this.sendAway(response);
    this.underway.add(response);
    response.once('close', () => this.underway.delete(response));
  }

  get state(): 'starting' | 'ready' | 'stopping' {
    if (this.stopping) return 'stopping';
    return this.started ? 'ready' : 'starting';
  }

  private sendAway(response: Response): void {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}

/** First middleware of every request: assigns the id, sets the headers of every answer, and logs, counts and traces the answer. */
@Injectable()
export class RequestMiddleware implements NestMiddleware {
  private readonly api: RegExp;
  private readonly health = /^\/health(?![^/?#\\])/i;
  private readonly sendTimeoutMs: number;

  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: Metrics,
    private readonly readiness: Readiness,
    private readonly trace: Trace,
    { apiRoot, constants }: Settings,
  ) {
    // Matches as Express does: case-insensitive, up to a slash; a backslash before a # counts as a slash.
    this.api = new RegExp(`^/${apiRoot}(?![^/?#\\\\])`, 'i');
    this.sendTimeoutMs = constants.http.sendTimeoutSeconds * 1000;
  }

  use(request: Request, response: Response, next: NextFunction): void {
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
    this.readiness.watch(response);
    this.limitSending(response);
    // JSON must never be interpreted as another type, since callers can put anything into it.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // API answers are no-store and have no ETag, so conditional headers mean nothing.
    if (isApi || this.health.test(request.url)) {
      delete request.headers['if-none-match'];
      delete request.headers['if-modified-since'];
    }
    const refusal = isApi ? this.refusalOf(request) : null;
    const proceed = (): void => (refusal ? next(refusal) : next());
    if (recorder && span) recorder.within(span, proceed);
    else proceed();
  }

  /** Closes the connection of a caller that does not read its answer in time: the answer keeps its memory and its concurrency slot. */
  private limitSending(response: Response): void {
    response.once('prefinish', () => {
      // Most answers are in the kernel's buffer at once.
      if (!response.socket?.writableLength) return;
      const late = setTimeout(() => {
        this.metrics.countCut('send_timeout');
        response.destroy();
      }, this.sendTimeoutMs).unref();
      response.once('close', () => clearTimeout(late));
    });
  }

  /** Assigns the request id, and logs and counts the answer. It comes first, so that no answer is without an id. */
  private observe(request: Request, response: Response, span: TraceSpan | null | undefined): void {
    const startedAt = performance.now();
    request.requestId = newId('request', new Date());
    response.setHeader('X-Request-Id', request.requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.once('close', () => {
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
