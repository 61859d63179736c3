import type { Server } from 'node:http';
import type { Settings } from '../../config/settings.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { listenForFew } from './http.server.js';

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
  return listenForFew(settings.constants.http, host, port, (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text ??= metrics.text().finally(() => (text = null));
    text.then(
      (figures) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(figures),
      () => response.writeHead(500).end(),
    );
  });
}
