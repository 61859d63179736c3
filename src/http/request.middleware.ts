import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { newId } from '../domain/identifier.js';
import { errorBody, HttpError, unavailable } from './http-error.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Readiness } from './readiness.js';

/** Names the request, logs and counts its answer. First of all, so that no answer goes without an id. */
export function observe(log: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
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

/** Refuses what cannot be answered at all: no database yet or no more, or a caller that takes no JSON. */
export function gate(readiness: Readiness): RequestHandler {
  return (request, response, next) => {
    if (readiness.state !== 'ready') {
      if (readiness.state === 'stopping') response.set('Connection', 'close');
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

/** Express's own errors before any route (a path that is no URL) reach no Nest filter. */
export function lastResort(log: Logger) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (response.headersSent) return void response.destroy();
    const bad = error instanceof URIError || (error as { status?: number }).status === 400;
    if (!bad) log.error({ err: error, request_id: request.requestId }, 'unexpected error');
    const refusal = bad
      ? new HttpError('bad_request', 'The path is not a valid URL: check its percent-encoding.')
      : new HttpError(
          'internal_error',
          'Something went wrong here. Try again; if it stays, tell us the request id.',
        );
    refuse(refusal, request, response);
  };
}

function refuse(error: HttpError, request: Request, response: Response): void {
  response
    .status(error.status)
    .set(error.extra.headers ?? {})
    .json(errorBody(error.code, error.message, request.requestId));
}
