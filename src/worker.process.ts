import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Settings } from './config/settings.js';
import { listenForHealth } from './http/server/health.server.js';
import { listenForManagement } from './http/server/management.server.js';
import { Metrics } from './telemetry/metrics.js';
import type { WorkerThread } from './worker.thread.js';

/** Process with the role `worker`: the thread that runs jobs, and its health. Its port answers probes only. */
export class WorkerProcess {
  readonly metrics: Metrics;
  private readonly servers: Server[] = [];
  private stopped: Promise<void> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
    private readonly worker: WorkerThread,
  ) {
    this.metrics = new Metrics(settings);
    this.metrics.watchRole(settings.role, [worker]);
  }

  /** @returns a promise that resolves once jobs are taken, pending while the database is down */
  async listen(): Promise<{ ready: Promise<void> }> {
    const { managementHost, managementPort } = this.settings;
    this.servers.push(await listenForHealth(this.settings, this.worker, () => this.stopped !== null));
    if (managementPort !== null)
      this.servers.push(
        await listenForManagement(this.settings, this.metrics, managementHost, managementPort),
      );
    const ready = this.worker.start(null).then(() => this.log.info('ready'));
    return { ready };
  }

  stop(): Promise<void> {
    this.stopped ??= this.worker.stop().then(() => {
      for (const server of this.servers) server.close().closeAllConnections();
      this.log.info('stopped');
    });
    return this.stopped;
  }
}
