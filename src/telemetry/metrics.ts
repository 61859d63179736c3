import { createServer, type Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the management port shows, in Prometheus' text format. Labels name routes and statuses, never ids or keys. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'vaultline_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  private readonly jobs = new Counter({
    name: 'vaultline_jobs_total',
    help: 'Jobs of the queue, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers: [this.registry],
  });

  private readonly databaseBytes = new Gauge({
    name: 'vaultline_database_bytes',
    help: 'Size of the database, everything in it.',
    registers: [this.registry],
  });
  private readonly writesStopped = new Gauge({
    name: 'vaultline_storage_nearly_full',
    help: '1 while nothing new is stored because storage is nearly full, else 0.',
    registers: [this.registry],
  });

  observe(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  countJob(task: string, outcome: 'done' | 'failed'): void {
    this.jobs.inc({ task, outcome });
  }

  observeStorage(databaseBytes: number, nearlyFull: boolean): void {
    this.databaseBytes.set(databaseBytes);
    this.writesStopped.set(nearlyFull ? 1 : 0);
  }

  /** Serves `/metrics` on a port of its own, which is not for the public. */
  async listen(host: string, port: number): Promise<Server> {
    collectDefaultMetrics({ register: this.registry });
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      void this.registry.metrics().then((text) => {
        response.writeHead(200, { 'content-type': this.registry.contentType }).end(text);
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    return server;
  }
}
