import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Role } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { VERSION } from '../config/version.js';

/** Backlogs of a deployment in seconds; null: unknown. */
export interface ObservedBacklogs {
  tick: { lagSeconds: number | null };
  jobs: readonly { task: string; waiting: number; oldestSeconds: number }[];
  deliveries: { queued: number; oldestSeconds: number | null };
  feeds: readonly { vaultId: string; ageSeconds: number | null }[];
  /** Ids of vaults. */
  divergent: readonly string[];
  /** Number of transfers by status. */
  unresolved: Readonly<Record<string, number>>;
  /** null: never verified. */
  ledger: { verifiedAt: Date; differences: number } | null;
}

/** Process of the deployment, by its last heartbeat. */
export interface ObservedReplica {
  role: string;
  silent: boolean;
  silentSeconds: number;
}

/** Bound that a connection reached: its caller did not read an answer in time, or the server had no connection free. */
type Cut = 'send_timeout' | 'server_full';

/** Kinds of markets: everybody's, and those of the sandbox's accounts. */
const ROUTED_MARKETS = ['base', 'account'] as const;
type RoutedMarket = (typeof ROUTED_MARKETS)[number];

/**
 * Metrics of the management port, in Prometheus' text format. Labels are routes and statuses, never ids or keys. Each process counts its own work;
 * observations of the whole deployment (`observation`) are the same in each.
 */
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

  private readonly cuts = new Counter({
    name: 'vaultline_http_connections_cut_total',
    help: 'Connections ended or refused, by the limit reached.',
    labelNames: ['bound'],
    registers: [this.registry],
  });

  private readonly refusals = new Counter({
    name: 'vaultline_refused_administration_total',
    help: 'Operations of administrators that were refused with 403.',
    labelNames: ['operation'],
    registers: [this.registry],
  });

  private readonly dropped = new Counter({
    name: 'vaultline_deliveries_dropped_total',
    help: 'Deliveries dropped beyond the queue limit of a partner.',
    registers: [this.registry],
  });

  private readonly evictions = new Counter({
    name: 'vaultline_evictions_total',
    help: 'Evictions from vaults (inactive, stale, at a loss or in a run), by market: base (shared) or account.',
    labelNames: ['market'],
    registers: [this.registry],
  });
  private readonly policyMoves = new Counter({
    name: 'vaultline_policy_moves_total',
    help: "Decisions to leave a vault that a partner's policy excludes.",
    registers: [this.registry],
  });
  private readonly outcomes = new Gauge({
    name: 'vaultline_moves_outcome_units',
    help: 'Gain of moves after cost once their horizon has passed, in whole units: promised, and realised over staying.',
    labelNames: ['market', 'of'],
    registers: [this.registry],
  });

  private readonly divergent = this.observation(
    'vaultline_vault_divergent',
    '1 while the share price of a vault contradicts its second source; it takes no deposits.',
    'vault',
  );

  private readonly settlements = new Counter({
    name: 'vaultline_settlements_total',
    help: 'Reported transfers, by the status that their chain gave.',
    labelNames: ['status'],
    registers: [this.registry],
  });
  private readonly unresolved = this.observation(
    'vaultline_settlements_unresolved',
    'Unresolved transfers that the chain contradicts.',
    'status',
  );

  private readonly orders = this.observation('vaultline_move_orders', 'Move orders, by status.', 'status');
  private readonly oldestOrder = this.observation(
    'vaultline_move_orders_oldest_requested_seconds',
    'Age of the oldest order that no executor took; 0 if there is none.',
  );

  private readonly pendingReview = this.observation(
    'vaultline_moves_pending_review',
    'Moves with a reported gain that waits for an administrator.',
  );
  private readonly deviations = new Counter({
    name: 'vaultline_report_deviations_total',
    help: 'Move reports whose deviation from the books raised an alert.',
    registers: [this.registry],
  });

  private readonly databaseBytes = this.observation('vaultline_database_bytes', 'Size of the database.');
  private readonly writesStopped = this.observation(
    'vaultline_storage_nearly_full',
    '1 while writes are refused because storage is nearly full, else 0.',
  );

  private readonly verifiedAt = this.observation(
    'vaultline_ledger_verified_at',
    'Time of the last verification of the ledger, Unix seconds; absent before the first.',
  );
  private readonly differences = this.observation(
    'vaultline_ledger_differences',
    'Differences that the last verification found.',
  );

  private readonly tickLag = this.observation(
    'vaultline_tick_lag_seconds',
    'Time since the next hour of the shared market was due; 0 if up to date, absent before the first hour.',
  );
  private readonly feedAge = this.observation(
    'vaultline_feed_age_seconds',
    'Age of the last observation of an active vault, or of its first hour if it was never observed.',
    'vault',
  );
  private readonly jobsWaiting = this.observation(
    'vaultline_jobs_waiting',
    'Due jobs that no worker has taken, by task.',
    'task',
  );
  private readonly oldestJob = this.observation(
    'vaultline_jobs_oldest_waiting_seconds',
    'Time since the oldest of them was due; 0 if there is none.',
  );
  private readonly queued = this.observation(
    'vaultline_deliveries_queued',
    'Queued deliveries, counted up to 100,000.',
  );
  private readonly oldestQueued = this.observation(
    'vaultline_deliveries_oldest_queued_seconds',
    'Age of the oldest queued delivery; 0 if there is none.',
  );
  private readonly replicas = this.observation(
    'vaultline_replicas_seen',
    'Processes with a heartbeat within the last minute.',
  );
  private readonly silentSeconds = this.observation(
    'vaultline_replica_silent_seconds',
    'Longest time since the heartbeat (every 20 seconds) of a process that did not shut down, by role.',
    'role',
  );

  constructor({ contract }: Settings) {
    // An increase is measured from 0: a counter that appears with its first event shows none.
    for (const market of ROUTED_MARKETS) this.evictions.inc({ market }, 0);
    new Gauge({
      name: 'vaultline_build_info',
      help: 'Always 1; the labels name the build.',
      labelNames: ['contract', 'version', 'node'],
      registers: [this.registry],
    }).set({ contract, version: VERSION, node: process.versions.node }, 1);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** @param worker jobs of this process, where its role has any */
  watchRole(role: Role, worker: { readonly isRunning: boolean }): void {
    new Gauge({
      name: 'vaultline_role',
      help: '1 for the role of this process: api, worker or all.',
      labelNames: ['role'],
      registers: [this.registry],
    }).set({ role }, 1);
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

  observeBacklogs(backlogs: ObservedBacklogs, replicas: readonly ObservedReplica[]): void {
    const { tick, jobs, deliveries, feeds, divergent, unresolved, ledger } = backlogs;
    if (ledger !== null) {
      this.verifiedAt.set(ledger.verifiedAt.getTime() / 1000);
      this.differences.set(ledger.differences);
    }
    if (tick.lagSeconds !== null) this.tickLag.set(tick.lagSeconds);
    this.feedAge.reset();
    for (const { vaultId, ageSeconds } of feeds)
      if (ageSeconds !== null) this.feedAge.set({ vault: vaultId }, ageSeconds);
    this.divergent.reset();
    for (const vault of divergent) this.divergent.set({ vault }, 1);
    for (const [status, count] of Object.entries(unresolved)) this.unresolved.set({ status }, count);
    this.jobsWaiting.reset();
    for (const { task, waiting } of jobs) this.jobsWaiting.set({ task }, waiting);
    this.oldestJob.set(Math.max(0, ...jobs.map(({ oldestSeconds }) => oldestSeconds)));
    this.queued.set(deliveries.queued);
    this.oldestQueued.set(deliveries.oldestSeconds ?? 0);
    this.replicas.set(replicas.filter(({ silent }) => !silent).length);
    this.silentSeconds.reset();
    for (const [role, same] of Map.groupBy(replicas, (replica) => replica.role))
      this.silentSeconds.set({ role }, Math.max(...same.map(({ silentSeconds }) => silentSeconds)));
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  countJob(task: string, outcome: 'done' | 'failed'): void {
    this.jobs.inc({ task, outcome });
  }

  countDropped(deliveries: number): void {
    this.dropped.inc(deliveries);
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

  /** @param statuses new statuses of transfers */
  countSettlements(statuses: readonly string[]): void {
    for (const status of statuses) this.settlements.inc({ status });
  }

  /** @param oldestSeconds age of the oldest order that was not taken */
  observeOrders(
    orders: Readonly<Record<string, number>>,
    pendingReview: number,
    oldestSeconds: number,
  ): void {
    for (const [status, count] of Object.entries(orders)) this.orders.set({ status }, count);
    this.pendingReview.set(pendingReview);
    this.oldestOrder.set(oldestSeconds);
  }

  countDeviation(): void {
    this.deviations.inc();
  }

  observeStorage(databaseBytes: number, nearlyFull: boolean): void {
    this.databaseBytes.set(databaseBytes);
    this.writesStopped.set(nearlyFull ? 1 : 0);
  }

  /** @param server of callers' requests */
  watchConnections(server: Server): void {
    let open = 0;
    server.on('connection', (socket) => {
      open++;
      socket.once('close', () => open--);
    });
    server.on('drop', () => this.countCut('server_full'));
    new Gauge({
      name: 'vaultline_http_connections',
      help: 'Open client connections.',
      registers: [this.registry],
      collect() {
        this.set(open);
      },
    });
  }

  countRefusedAdministration(operation: string): void {
    this.refusals.inc({ operation });
  }

  /** @param bound that a connection reached, which ended or refused it */
  countCut(bound: Cut): void {
    this.cuts.inc({ bound });
  }

  /** @param sends number of sends by result since the start */
  watchSends({ sends }: { sends: Readonly<Record<string, number>> }): void {
    new Counter({
      name: 'vaultline_webhook_sends_total',
      help: 'Webhook sends, test sends included, by outcome: delivered, or the failure.',
      labelNames: ['outcome'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(sends)) this.inc({ outcome }, count);
      },
    });
  }

  /** @param chains number of dropped providers by reason */
  watchChains(chains: {
    counts: readonly { chain: string; provider: string; reason: string; count: number }[];
  }): void {
    new Counter({
      name: 'vaultline_chain_provider_faults_total',
      help: 'Times an RPC provider was dropped for a pass, by chain, provider (position in the setting and host) and reason.',
      labelNames: ['chain', 'provider', 'reason'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { count, ...labels } of chains.counts) this.inc(labels, count);
      },
    });
  }

  watchTraces(traces: { lost(): Promise<number> }): void {
    new Counter({
      name: 'vaultline_trace_spans_lost_total',
      help: 'Spans that the trace collector did not accept; absent without a collector.',
      registers: [this.registry],
      async collect() {
        const lost = await traces.lost();
        this.reset();
        this.inc(lost);
      },
    });
  }

  watchLog(output: { dropped: number }): void {
    new Counter({
      name: 'vaultline_log_lines_dropped_total',
      help: 'Log lines dropped because standard output was blocked.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(output.dropped);
      },
    });
  }

  /** Adds metrics of the runtime; once a process. */
  watchRuntime(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Gauge of the whole deployment, without a value until it is set: a process that observes nothing must not say 0. */
  private observation(name: string, help: string, ...labelNames: string[]): Gauge {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.registry] });
    if (labelNames.length === 0) gauge.remove();
    return gauge;
  }
}
