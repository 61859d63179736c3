import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Detail } from '../domain/domain-error.js';
import type { Foreground } from '../domain/foreground.js';
import { newId } from '../domain/identifier.js';
import { errorBody, HttpError, unavailable } from './http-error.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Readiness } from './readiness.js';

/** Names the request, logs and counts its answer. First of all, so that no answer goes without an id. */
export function observe(
  log: Logger,
  metrics: Metrics,
  readiness: Readiness,
  foreground: Foreground,
): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // A process that stops finishes what it was asked, and asks its callers to come back elsewhere.
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
    response.writeHead = ((...head: unknown[]) => {
      if (readiness.sendsAway) response.setHeader('Connection', 'close');
      return writeHead(...head);
    }) as typeof response.writeHead;
    request.requestId = newId('request', new Date());
    response.set({ 'X-Request-Id': request.requestId, 'Cache-Control': 'no-store' });
    const leave = foreground.enter();
    // That a caller is slow to take its answer is no work of ours.
    response.once('prefinish', leave);
    response.on('close', () => {
      leave();
      const ms = performance.now() - startedAt;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      metrics.observe(request.method, route, response.statusCode, ms / 1000);
      log.info(
        {
          request_id: request.requestId,
          method: request.method,
          route,
          status: response.writableFinished ? response.statusCode : 'aborted',
          ms: Math.round(ms * 10) / 10,
          key_id: request.caller?.keyId,
        },
        'request',
      );
    });
    next();
  };
}

/** Answers are no-store and have no ETag: there is nothing that a condition could be about. */
export const unconditional: RequestHandler = (request, _response, next) => {
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  next();
};

/** Refuses what cannot be answered at all: headers that contradict each other, no database yet, or a caller that takes no JSON. */
export function gate(readiness: Readiness): RequestHandler {
  return (request, response, next) => {
    const details = headerTroubles(request);
    if (details.length > 0) {
      return refuse(
        new HttpError('validation_failed', 'The headers are not valid; see details.', { details }),
        request,
        response,
      );
    }
    if (readiness.state === 'starting') {
      return refuse(unavailable(), request, response);
    }
    if (!request.accepts('application/json')) {
      return refuse(
        new HttpError('not_acceptable', 'Answers are JSON. Send "Accept: application/json", or none.'),
        request,
        response,
      );
    }
    next();
  };
}

/** Headers that say one thing: given twice, two that read the request may take another value each. */
const ONCE = ['Host', 'Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'];

function headerTroubles(request: Request): Detail[] {
  const given = request.headersDistinct;
  const hostless = request.headers.host === undefined && request.httpVersion === '1.1';
  return [
    // A request line without a version: nobody has sent one on purpose for decades.
    ...(request.httpVersionMajor < 1 ? [{ field: 'version', message: 'must be HTTP/1.1 or HTTP/1.0' }] : []),
    ...(hostless ? [{ field: 'Host', message: 'is required' }] : []),
    ...ONCE.filter((name) => (given[name.toLowerCase()]?.length ?? 0) > 1).map((field) => ({
      field,
      message: 'is given twice',
    })),
  ];
}

function refuse(error: HttpError, request: Request, response: Response): void {
  response
    .status(error.status)
    .set(error.extra.headers ?? {})
    .json(errorBody(error.code, error.message, request.requestId, error.extra.details));
}
