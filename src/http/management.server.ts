import type { Server } from 'node:http';
import type { Settings } from '../config/settings.js';
import type { Metrics } from '../telemetry/metrics.js';
import { boundedServer } from './bounded.server.js';

/** Whoever scrapes figures needs few. */
const CONNECTIONS = 100;

/** Serves `/metrics` on a port of its own, which is not for the public. */
export async function listenForManagement(
  settings: Settings,
  metrics: Metrics,
  host: string,
  port: number,
): Promise<Server> {
  metrics.watchRuntime();
  /** One at a time, however many ask. */
  let text: Promise<string> | null = null;
  const bounds = { connections: CONNECTIONS, connections_per_address: CONNECTIONS, requests_ahead: 1 };
  const { server } = boundedServer({ ...settings.constants.http, ...bounds }, (request, response) => {
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}
