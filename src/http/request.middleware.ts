import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { newId } from '../domain/identifier.js';
import { errorBody, HttpError, unavailable } from './http-error.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Readiness } from './readiness.js';

/** Names the request, logs and counts its answer. First of all, so that no answer goes without an id. */
export function observe(log: Logger, metrics: Metrics, readiness: Readiness): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // A process that stops finishes what it was asked, and asks its callers to come back elsewhere.
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
    response.writeHead = ((...head: unknown[]) => {
      if (readiness.state === 'stopping') response.setHeader('Connection', 'close');
      return writeHead(...head);
    }) as typeof response.writeHead;
    request.requestId = newId('request', new Date());
    response.set({ 'X-Request-Id': request.requestId, 'Cache-Control': 'no-store' });
    response.on('close', () => {
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

/** Refuses what cannot be answered at all: no database yet, a request to no host, or a caller that takes no JSON. */
export function gate(readiness: Readiness): RequestHandler {
  return (request, response, next) => {
    // Answers are no-store and have no ETag: there is nothing that a condition could be about.
    delete request.headers['if-none-match'];
    delete request.headers['if-modified-since'];
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      return refuse(new HttpError('bad_request', 'Send a Host header.'), request, response);
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

function refuse(error: HttpError, request: Request, response: Response): void {
  response
    .status(error.status)
    .set(error.extra.headers ?? {})
    .json(errorBody(error.code, error.message, request.requestId));
}
