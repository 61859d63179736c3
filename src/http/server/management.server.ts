import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { HttpConstants } from '../../config/constants.js';
import type { Settings } from '../../config/settings.js';
import { newId } from '../../domain/kernel/identifier.js';
import type { Readiness } from '../../domain/kernel/deployment/readiness.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { EDGE_ERRORS, type EdgeErrorCode, errorBody, RETRY_LATER } from '../answer/http-error.js';
import { HttpServer } from './http.server.js';

/** Connection limit of a server that only the operator's machines call: load balancers, metric scrapers. */
const OPERATOR_CONNECTIONS = 100;

async function listenForOperators(
  http: HttpConstants,
  host: string,
  port: number,
  answer: RequestListener,
): Promise<Server> {
  const server = new HttpServer({ ...http, connections: OPERATOR_CONNECTIONS }, (request, response) => {
    response.setHeader('X-Request-Id', newId('request', new Date()));
    answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}

/** Serves `/metrics` on a port of its own, which must not be public. */
export function listenForManagement(
  settings: Settings,
  metrics: Metrics,
  host: string,
  port: number,
): Promise<Server> {
  metrics.watchRuntime();
  /** Shared collection: concurrent scrapes use one. */
  let text: Promise<string> | null = null;
  return listenForOperators(settings.constants.http, host, port, (request, response) => {
    if (request.url !== '/metrics')
      return refuse(response, 'route_not_found', 'This port serves /metrics only.');
    text ??= metrics.text().finally(() => (text = null));
    text.then(
      (figures) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(figures),
      () => refuse(response, 'internal_error', 'The metrics could not be collected. Try again.'),
    );
  });
}

/**
 * Serves `/health/live` and `/health/ready` for a process with `ROLE=worker`, which answers no other requests. Both are answered by the event loop that
 * runs the jobs: a process that hangs answers neither, and whatever supervises it restarts it.
 */
export function listenForHealth(settings: Settings, readiness: Pick<Readiness, 'health'>): Promise<Server> {
  const { host, port } = settings;
  return listenForOperators(settings.constants.http, host, port, ({ url = '' }, response) => {
    const [path] = url.split('?');
    if (path === '/health/live') return answer(response, 200, { status: 'live' });
    if (path === '/health/ready') {
      void readiness.health().then((body) => answer(response, body.status === 'ready' ? 200 : 503, body));
      return;
    }
    refuse(
      response,
      'route_not_found',
      'This process runs jobs and answers no requests. Send them to one whose ROLE is api or all.',
    );
  });
}

const refuse = (response: ServerResponse, code: EdgeErrorCode, message: string): void =>
  answer(response, EDGE_ERRORS[code], errorBody(code, message, String(response.getHeader('X-Request-Id'))));

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'Content-Length': Buffer.byteLength(text),
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(status === 503 && RETRY_LATER),
    })
    .end(text);
}
