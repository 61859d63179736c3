import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram } from 'prom-client';
import type { Role } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { VERSION } from '../config/version.js';
import { DeploymentMetrics } from './deployment.metrics.js';

/** Kinds of markets: everybody's, and those of the sandbox's accounts. */
const ROUTED_MARKETS = ['base', 'account'] as const;
type RoutedMarket = (typeof ROUTED_MARKETS)[number];

/**
 * Metrics of the management port, in Prometheus' text format. Labels are routes and statuses, never ids or keys. Each process counts its own work;
 * those of the deployment are the same in each.
 */
@Injectable()
export class Metrics {
  readonly deployment = new DeploymentMetrics();
  readonly registry = this.deployment.registry;
  readonly requests = new Histogram({
    name: 'vaultline_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly jobs = this.counter(
    'vaultline_jobs_total',
    'Jobs of the queue, by task and outcome.',
    'task',
    'outcome',
  );
  readonly cuts = this.counter(
    'vaultline_http_connections_cut_total',
    'Connections ended or refused, by the limit reached.',
    'bound',
  );
  readonly refusals = this.counter(
    'vaultline_refused_administration_total',
    'Operations of administrators that were refused with 403.',
    'operation',
  );
  readonly dropped = this.counter(
    'vaultline_deliveries_dropped_total',
    'Deliveries dropped beyond the queue limit of a partner.',
  );
  private readonly evictions = this.counter(
    'vaultline_evictions_total',
    'Evictions from vaults (inactive, stale, at a loss or in a run), by market: base (shared) or account.',
    'market',
  );
  private readonly policyMoves = this.counter(
    'vaultline_policy_moves_total',
    "Decisions to leave a vault that a partner's policy excludes.",
  );
  private readonly outcomes = this.gauge(
    'vaultline_moves_outcome_units',
    'Gain of moves after cost once their horizon has passed, in whole units: promised, and realised over staying.',
    'market',
    'of',
  );
  private readonly settlements = this.counter(
    'vaultline_settlements_total',
    'Reported transfers, by the status that their chain gave.',
    'status',
  );
  readonly deviations = this.counter(
    'vaultline_report_deviations_total',
    'Move reports whose deviation from the books raised an alert.',
  );

  constructor({ contract }: Settings) {
    // An increase is measured from 0: a counter that appears with its first event shows none.
    for (const market of ROUTED_MARKETS) this.evictions.inc({ market }, 0);
    const build = { contract, version: VERSION, node: process.versions.node };
    const help = 'Always 1; the labels name the build.';
    this.gauge('vaultline_build_info', help, ...Object.keys(build)).set(build, 1);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** @param worker jobs of this process, where its role has any */
  watchRole(role: Role, worker: { readonly isRunning: boolean }): void {
    const help = '1 for the role of this process: api, worker or all.';
    this.gauge('vaultline_role', help, 'role').set({ role }, 1);
    if (role === 'api') return;
    new Gauge({
      name: 'vaultline_worker_running',
      help: '1 while this process takes jobs, 0 while it starts or waits for the database; absent with ROLE=api.',
      registers: [this.registry],
      collect() {
        this.set(worker.isRunning ? 1 : 0);
      },
    });
  }

  watchReadiness(
    reasons: readonly string[],
    readiness: { read(): Promise<{ degraded: string | null }> },
  ): void {
    new Gauge({
      name: 'vaultline_degraded',
      help: '1 while this process refuses every deposit for a reason, else 0.',
      labelNames: ['reason'],
      registers: [this.registry],
      async collect() {
        const { degraded } = await readiness.read();
        for (const reason of reasons) this.set({ reason }, reason === degraded ? 1 : 0);
      },
    });
  }

  /**
   * @param market kind of the market: a tester bends the market of an account at will, which is no concern of the operator's
   * @param outcomes in whole units
   */
  countRouting(
    market: RoutedMarket,
    left: { evictions: number; policyMoves: number },
    outcomes: { promised: number; realised: number },
  ): void {
    this.evictions.inc({ market }, left.evictions);
    this.policyMoves.inc(left.policyMoves);
    this.outcomes.inc({ market, of: 'promised' }, outcomes.promised);
    this.outcomes.inc({ market, of: 'realised' }, outcomes.realised);
  }

  countSettlements(statuses: readonly string[]): void {
    for (const status of statuses) this.settlements.inc({ status });
  }

  watchConnections(server: Server): void {
    let open = 0;
    server.on('connection', (socket) => {
      open++;
      socket.once('close', () => open--);
    });
    server.on('drop', () => this.cuts.inc({ bound: 'server_full' }));
    new Gauge({
      name: 'vaultline_http_connections',
      help: 'Open client connections.',
      registers: [this.registry],
      collect() {
        this.set(open);
      },
    });
  }

  watchSends({ sends }: { sends: Readonly<Record<string, number>> }): void {
    this.countedElsewhere(
      'vaultline_webhook_sends_total',
      'Webhook sends, test sends included, by outcome: delivered, or the failure.',
      ['outcome'],
      () => Object.entries(sends).map(([outcome, count]) => ({ outcome, count })),
    );
  }

  watchChains(chains: {
    counts: readonly { chain: string; provider: string; reason: string; count: number }[];
  }): void {
    this.countedElsewhere(
      'vaultline_chain_provider_faults_total',
      'Times an RPC provider was dropped for a pass, by chain, provider (position in the setting and host) and reason.',
      ['chain', 'provider', 'reason'],
      () => chains.counts,
    );
  }

  watchTraces(traces: { lost(): Promise<number> }): void {
    this.countedElsewhere(
      'vaultline_trace_spans_lost_total',
      'Spans that the trace collector did not accept; absent without a collector.',
      [],
      async () => [{ count: await traces.lost() }],
    );
  }

  watchLog(output: { dropped: number }): void {
    this.countedElsewhere(
      'vaultline_log_lines_dropped_total',
      'Log lines dropped because standard output was blocked.',
      [],
      () => [{ count: output.dropped }],
    );
  }

  watchRuntime(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  private counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string, ...labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  /** Counter whose counts, by their labels, are read at each scrape. */
  private countedElsewhere(
    name: string,
    help: string,
    labelNames: string[],
    read: () => readonly CountedRow[] | Promise<readonly CountedRow[]>,
  ): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const all = await read();
        this.reset();
        for (const { count, ...labels } of all) this.inc(labels, count);
      },
    });
  }
}

type CountedRow = { count: number } & Record<string, string | number>;
