import { createServer, type Server } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Journal } from './journal.js';

/** What is counted, by names that dashboards use. */
export class Meters {
  readonly registry = new Registry();
  readonly passes = this.counter('passes_total', 'Passes of the loop.', 'result');
  readonly transactions = this.counter(
    'transactions_total',
    'Transactions that ended.',
    'chain',
    'step',
    'result',
  );
  readonly reports = this.counter('reports_total', 'Reports to the server.', 'report', 'result');
  readonly faults = this.counter('provider_faults_total', 'Failed or outvoted answers.', 'chain', 'provider');
  readonly finalized = new Gauge({
    name: 'vaultline_executor_finalized_block',
    help: 'Highest final block that a majority of providers has.',
    labelNames: ['chain'],
    registers: [this.registry],
  });

  constructor(journal: Journal) {
    const { registry } = this;
    new Gauge({
      name: 'vaultline_executor_records',
      help: 'Records of the journal that are not done, by kind.',
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        for (const { name, count } of journal.counts()) this.set({ kind: name }, count);
      },
    });
  }

  private counter<const Label extends string>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ): Counter<Label> {
    return new Counter({ name: `vaultline_executor_${name}`, help, labelNames, registers: [this.registry] });
  }
}

/** When the last pass ended without a failure, and why the latest one failed. */
export interface Health {
  okAt: number;
  failure: string | null;
}

/** Serves `/health` and `/metrics`: without a key, and without anything secret. */
export function serve(meters: Meters, health: Health, patienceMs: number): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' || (path !== '/health' && path !== '/metrics')) {
      response.writeHead(404).end();
    } else if (path === '/health') {
      const isOk = Date.now() - health.okAt <= patienceMs;
      const [status, last_pass_at] = [isOk ? 'ok' : 'failing', new Date(health.okAt).toISOString()];
      const body = { status, last_pass_at, failure: health.failure };
      response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    } else {
      void meters.registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': meters.registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
}
