import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { HttpConstants } from '../../config/constants.js';
import { Settings } from '../../config/settings.js';
import { newId } from '../../domain/kernel/identifier.js';
import { Meter } from '../../domain/kernel/meter.js';
import { Trace, type TraceSpan } from '../../domain/kernel/trace.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { malformedHead } from '../request/input.interceptor.js';
import { Readiness } from '../../domain/kernel/deployment/readiness.js';
import { unavailable } from '../answer/http-error.js';
import { isRead, ROWS_A_POINT } from '../limits/points.guard.js';
import { refusals, refuseOnSocket, refuseTunnel } from './socket-refusal.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** `req_...`, generated here; never taken from the caller. */
    requestId: string;
    /** Whether the path is below the API root, where every operation needs a key or a one-time code. */
    isApi: boolean;
  }
}

/** Interval of Node's check of deadlines. Its default of 30 s would stretch a 30 s deadline to 60 s. */
const CHECK_MS = 1_000;
const HEADERS_MS = 20_000;
/** Node's default; a longer head is answered 431. */
const HEAD_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
/** Server with Node's own limits on connections, heads and deadlines. What Node would answer by itself is answered in our envelope too. */
export class HttpServer extends Server {
  private readonly underway = new Set<ServerResponse>();
  /** Answer to the newest request of each connection. */
  private readonly newest = new WeakMap<Duplex, ServerResponse>();
  private isClosing = false;

  constructor(http: HttpConstants, answer: RequestListener) {
    super({
      maxHeaderSize: HEAD_BYTES,
      requestTimeout: http.requestTimeoutSeconds * 1000,
      headersTimeout: Math.min(http.requestTimeoutSeconds * 1000, HEADERS_MS),
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own refusal has no envelope; a missing Host header is refused with one.
      requireHostHeader: false,
    });
    this.maxConnections = http.connections;
    // The bytes of a head bound their number. Node would drop those beyond 2,000, and with them a second Authorization.
    this.maxHeadersCount = 0;
    const take: RequestListener = (request, response) => {
      if (this.isClosing) response.setHeader('Connection', 'close');
      this.underway.add(response);
      this.newest.set(request.socket, response);
      response.on('close', () => this.underway.delete(response));
      answer(request, response);
    };
    this.on('request', take);
    // Node would answer 417 without an envelope.
    this.on('checkExpectation', take);
    this.on('connect', (_request, socket) => refuseTunnel(socket));
    this.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      refuseOnSocket(error, socket, this.newest.get(socket)),
    );
  }

  /**
   * Closes each connection with its answer from now on. To be called once the server accepts no connections: before that, a client would reconnect here,
   * perhaps just too late.
   */
  closeAfterAnswers(): void {
    this.isClosing = true;
    for (const response of this.underway)
      if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}

/** Nest's Express adapter on a server with our limits. */
export class HttpAdapter extends ExpressAdapter {
  constructor(private readonly settings: Settings) {
    super();
  }

  override initHttpServer(): void {
    const express = this.getInstance<(request: IncomingMessage, response: object) => void>();
    this.httpServer = new HttpServer(this.settings.constants.http, (request, response) => {
      request.url = originForm(request.url!);
      express(request, response);
    });
  }

  /** Sends the envelope's text as it is: Express would look up settings, type and conditional headers for each answer. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (typeof body !== 'string' || !response.hasHeader('Content-Type'))
      return super.reply(response, body, status);
    if (status !== undefined) response.statusCode = status;
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return response.end(body);
  }

  /** Handler for every path, not only below the API root as Nest would have it: an unknown path gets our envelope everywhere. */
  override setNotFoundHandler(handler: RequestHandler): void {
    this.use(handler);
  }
}

/**
 * Request target in origin form, also when it came as an absolute URL (RFC 9112, 3.2.2): for one without a path Express would answer with an HTML
 * page.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
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
    private readonly meter: Meter,
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
    const span = isApi ? recorder?.begin('request', request.method, traceparent?.toString()) : null;
    this.observe(request, response, span);
    this.limitSending(response, isApi);
    // JSON must never be interpreted as another type, since callers can put anything into it.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // API answers are no-store and have no ETag, so conditional headers mean nothing.
    if (isApi || this.health.test(request.url)) {
      delete request.headers['if-none-match'];
      delete request.headers['if-modified-since'];
    }
    const notYet = isApi && this.readiness.phase === 'starting' ? unavailable() : null;
    const refusal = isApi ? (malformedHead(request) ?? notYet) : null;
    const answer = (): void => (refusal ? next(refusal) : next());
    const proceed = isApi && isRead(request) ? () => this.runMetered(request, answer) : answer;
    if (recorder && span) recorder.within(span, proceed);
    else proceed();
  }

  /** Charges a read as it goes, also beyond its connection's end. */
  private runMetered(request: Request, answer: () => void): void {
    let read = 0;
    this.meter.run((rows) => request.charge?.((read += rows) / ROWS_A_POINT), answer);
  }

  /** Closes the connection of a caller that does not read its answer in time: the answer keeps its memory and its concurrency slot. */
  private limitSending(response: Response, isApi: boolean): void {
    let late: NodeJS.Timeout | undefined;
    const cut = (): void => {
      this.metrics.cuts.inc({ bound: 'send_timeout' });
      response.destroy();
    };
    const limit = (): void => void (late ??= setTimeout(cut, this.sendTimeoutMs).unref());
    // Most answers are in the kernel's buffer at once.
    response.on('prefinish', () => response.socket?.writableLength && limit());
    // A file ends only when it was read; a list as CSV has a limit of its own for each part.
    // A pipelined answer has no socket before its turn.
    if (!isApi) response.on('pipe', () => (response.socket ? limit() : response.once('socket', limit)));
    response.on('close', () => clearTimeout(late));
  }

  /** Assigns the request id, and logs and counts the answer. It comes first, so that no answer is without an id. */
  private observe(request: Request, response: Response, span: TraceSpan | null | undefined): void {
    const startedAt = performance.now();
    request.requestId = newId('request', new Date());
    response.setHeader('X-Request-Id', request.requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.on('close', () => {
      const ms = performance.now() - startedAt;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      const refusal = refusals.get(response);
      const code = refusal ?? response.statusCode;
      this.metrics.requests.observe({ method: request.method, route, status: code }, ms / 1000);
      const status = refusal !== undefined || response.writableFinished ? code : 'aborted';
      span?.end({
        name: `${request.method} ${route}`,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': code,
          'vaultline.request_id': request.requestId,
          'vaultline.aborted': status === 'aborted',
        },
        failed: code >= 500,
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
}
