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

  private readonly evictions = new Counter({
    name: 'vaultline_evictions_total',
    help: 'Decisions to leave a vault that is not to be kept: inactive, stale, at a loss or in a run.',
    registers: [this.registry],
  });
  private readonly outcomes = new Gauge({
    name: 'vaultline_moves_outcome_units',
    help: 'Gain of moves whose horizon has passed, after their cost, in whole units over all assets: as promised, and as realised over staying.',
    labelNames: ['of'],
    registers: [this.registry],
  });

  private readonly divergent = new Gauge({
    name: 'vaultline_vault_divergent',
    help: '1 for a vault whose yield by its share price is not that of its second opinion; it takes no deposits.',
    labelNames: ['vault'],
    registers: [this.registry],
  });

  private readonly settlements = new Counter({
    name: 'vaultline_settlements_total',
    help: 'Times that a reported transfer came to a status by what its chain says.',
    labelNames: ['status'],
    registers: [this.registry],
  });
  private readonly unresolved = new Gauge({
    name: 'vaultline_settlements_unresolved',
    help: 'Reported transfers that the chain contradicts and nobody has resolved.',
    labelNames: ['status'],
    registers: [this.registry],
  });

  private readonly orders = new Gauge({
    name: 'vaultline_move_orders',
    help: 'Orders to move funds, by where they stand.',
    labelNames: ['status'],
    registers: [this.registry],
  });
  private readonly oldestOrder = new Gauge({
    name: 'vaultline_move_orders_oldest_requested_seconds',
    help: 'Age of the oldest order that nobody took up; 0 where there is none.',
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

  /** @param outcomes whole units */
  countRouting(evictions: number, outcomes: { promised: number; realised: number }): void {
    this.evictions.inc(evictions);
    this.outcomes.inc({ of: 'promised' }, outcomes.promised);
    this.outcomes.inc({ of: 'realised' }, outcomes.realised);
  }

  /** @param vaults ids of the catalogue */
  observeDivergent(vaults: readonly string[]): void {
    this.divergent.reset();
    for (const vault of vaults) this.divergent.set({ vault }, 1);
  }

  /** @param statuses that transfers came to @param unresolved how many are open, by status */
  countSettlements(statuses: readonly string[], unresolved: Readonly<Record<string, number>>): void {
    for (const status of statuses) this.settlements.inc({ status });
    for (const [status, count] of Object.entries(unresolved)) this.unresolved.set({ status }, count);
  }

  /** @param oldestSeconds since the oldest that nobody took up was made */
  observeOrders(orders: Readonly<Record<string, number>>, oldestSeconds: number): void {
    for (const [status, count] of Object.entries(orders)) this.orders.set({ status }, count);
    this.oldestOrder.set(oldestSeconds);
  }

  observeStorage(databaseBytes: number, nearlyFull: boolean): void {
    this.databaseBytes.set(databaseBytes);
    this.writesStopped.set(nearlyFull ? 1 : 0);
  }

  /** @param connections how many are open, and how many were ended for which bound */
  watchConnections(connections: { count: number; cuts: Readonly<Record<string, number>> }): void {
    new Gauge({
      name: 'vaultline_http_connections',
      help: 'Connections of callers that are open.',
      registers: [this.registry],
      collect() {
        this.set(connections.count);
      },
    });
    new Counter({
      name: 'vaultline_http_connections_cut_total',
      help: 'Connections that were ended or refused, by the bound that was reached.',
      labelNames: ['bound'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [bound, count] of Object.entries(connections.cuts)) this.inc({ bound }, count);
      },
    });
  }

  /** @param chains how often their providers were dropped, and why */
  watchChains(chains: {
    counts: readonly { chain: string; provider: string; reason: string; count: number }[];
  }): void {
    new Counter({
      name: 'vaultline_chain_provider_faults_total',
      help: 'Times that an RPC provider was dropped for a pass, by chain, its place in the setting and its host, and the reason.',
      labelNames: ['chain', 'provider', 'reason'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { count, ...labels } of chains.counts) this.inc(labels, count);
      },
    });
  }

  /** @param reader by whom statements of reports were answered @param standby null: there is none */
  watchReports(
    reader: { counts: Readonly<Record<string, number>> },
    standby: { lagSeconds(): Promise<number> } | null,
  ): void {
    new Counter({
      name: 'vaultline_report_statements_total',
      help: 'Statements of reports, by the server that answered: standby or primary.',
      labelNames: ['server'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [server, count] of Object.entries(reader.counts)) this.inc({ server }, count);
      },
    });
    if (!standby) return;
    new Gauge({
      name: 'vaultline_replica_lag_seconds',
      help: 'What the read replica is behind at most; infinite while nothing is known of it.',
      registers: [this.registry],
      async collect() {
        this.set(await standby.lagSeconds());
      },
    });
  }

  watchLog(output: { dropped: number }): void {
    new Counter({
      name: 'vaultline_log_lines_dropped_total',
      help: 'Lines of the log that standard output did not take in time.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(output.dropped);
      },
    });
  }

  /** Adds what the runtime says of itself: once a process. */
  watchRuntime(): void {
    collectDefaultMetrics({ register: this.registry });
  }
}
