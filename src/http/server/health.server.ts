import type { Server, ServerResponse } from 'node:http';
import type { Settings } from '../../config/settings.js';
import { newId } from '../../domain/identifier.js';
import type { WatchedWorker, WorkerState } from '../../telemetry/worker-state.js';
import { listenForFew } from './http.server.js';
import { errorBody } from '../answer/http-error.js';

/** Reported status of a worker that is not ready. */
const STATUSES: Record<WorkerState, string> = {
  starting: 'starting',
  running: 'ready',
  waiting: 'database_unavailable',
  stuck: 'worker_stuck',
  dead: 'worker_dead',
};

/** Serves `/health/live` and `/health/ready` for a process with `ROLE=worker`, which answers no other requests. */
export function listenForHealth(
  settings: Settings,
  worker: WatchedWorker & { readonly degraded: string | null },
  isStopping: () => boolean,
): Promise<Server> {
  const { host, port, role } = settings;
  return listenForFew(settings.constants.http, host, port, ({ url = '' }, response) => {
    const [path] = url.split('?');
    if (path === '/health/live') return answer(response, 200, { status: 'live' });
    if (path === '/health/ready') {
      const { state, degraded } = worker;
      const status = isStopping() ? 'stopping' : degraded ? 'degraded' : STATUSES[state];
      const body = { status, ...(degraded && { degraded }), role, worker: state };
      return answer(response, status === 'ready' ? 200 : 503, body);
    }
    const message = 'This process runs jobs and answers no requests. Ask one whose ROLE is api or all.';
    answer(response, 404, errorBody('route_not_found', message, newId('request', new Date())));
  });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(status === 503 && { 'Retry-After': '2' }),
    })
    .end(JSON.stringify(body));
}
