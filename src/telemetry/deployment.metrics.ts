import { Gauge, Registry } from 'prom-client';

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
  ledger: { verifiedAt: Date; isFull: boolean; differences: number } | null;
}

/** `partner`: of separate custody. */
export type ReserveLabels = { vault: string; partner?: string };

export interface ObservedReserve {
  labels: { chain: string; asset: string } & ReserveLabels;
  /** null: not known, or nothing is in the books. */
  coverage: number | null;
  /** Micro-units; null: not known. */
  difference: bigint | null;
  /** Why it is not known; null: it is. */
  reason: string | null;
}

/** Process of the deployment, by its last heartbeat. */
export interface ObservedReplica {
  role: string;
  silent: boolean;
  silentSeconds: number;
}

const RESERVE_LABELS = ['chain', 'asset', 'vault', 'partner'];

/** Metrics of the whole deployment, as a process observes it. */
export class DeploymentMetrics {
  readonly registry = new Registry();
  private readonly drops: (() => void)[] = [];
  private readonly divergent = this.observation(
    'vaultline_vault_divergent',
    '1 while the share price of a vault contradicts its second source; it takes no deposits.',
    'vault',
  );
  private readonly oldestOrder = this.observation(
    'vaultline_move_orders_oldest_requested_seconds',
    'Age of the oldest order that no executor took; 0 if there is none.',
  );
  private readonly verifiedAt = this.observation(
    'vaultline_ledger_verified_at',
    'Time of the last verification of the ledger, Unix seconds; absent before the first.',
  );
  private readonly tickLag = this.observation(
    'vaultline_tick_lag_seconds',
    'Time since the next hour of the shared market was due; 0 if up to date, absent before the first hour and when the newest one lies in the future.',
  );
  private readonly oldestJob = this.observation(
    'vaultline_jobs_oldest_waiting_seconds',
    'Time since the oldest of them was due; 0 if there is none.',
  );
  private readonly oldestQueued = this.observation(
    'vaultline_deliveries_oldest_queued_seconds',
    'Age of the oldest queued delivery; 0 if there is none.',
  );
  private readonly unresolved = this.observation(
    'vaultline_settlements_unresolved',
    'Unresolved transfers that the chain contradicts.',
    'status',
  );
  private readonly orders = this.observation('vaultline_move_orders', 'Move orders, by status.', 'status');
  private readonly withdrawals = this.observation(
    'vaultline_withdrawals_open',
    'Withdrawals by user that are not paid, by status.',
    'status',
  );
  private readonly oldestWithdrawal = this.observation(
    'vaultline_withdrawals_oldest_requested_seconds',
    'Age of the oldest withdrawal that no executor took; 0 if there is none.',
  );
  private readonly pendingReview = this.observation(
    'vaultline_moves_pending_review',
    'Moves with a reported gain that waits for an administrator.',
  );
  private readonly unresolvedReports = this.observation(
    'vaultline_move_reports_unresolved',
    'Unresolved reports on moves that the chain contradicts; their keys report nothing more.',
    'status',
  );
  private readonly reservesCoverage = this.observation(
    'vaultline_reserves_coverage',
    'Part of the books that the custody accounts hold, by the last hourly reading; absent where it is not known, or nothing is in the books.',
    ...RESERVE_LABELS,
  );
  private readonly reservesDifference = this.observation(
    'vaultline_reserves_difference_units',
    'What the custody accounts hold less the books, in units of the asset; absent where it is not known.',
    ...RESERVE_LABELS,
  );
  private readonly reservesUnknown = this.observation(
    'vaultline_reserves_unknown',
    'Vaults and cash whose reserves the last reading does not know, by reason.',
    'reason',
  );
  private readonly reservesAlert = this.observation(
    'vaultline_reserves_alert',
    '1 while an alert on reserves is open: reserves_short or reserves_over.',
    'kind',
    'vault',
    'partner',
  );
  private readonly reservesAge = this.observation(
    'vaultline_reserves_age_seconds',
    'Age of the last reading of the reserves; absent before the first.',
  );
  private readonly databaseBytes = this.observation('vaultline_database_bytes', 'Size of the database.');
  private readonly writesStopped = this.observation(
    'vaultline_storage_nearly_full',
    '1 while writes are refused because storage is nearly full, else 0.',
  );
  private readonly differences = this.observation(
    'vaultline_ledger_differences',
    'Differences that the newest verification of each partner found.',
  );
  private readonly verifiedShare = this.observation(
    'vaultline_ledger_verified_share',
    'Share of the partners that the last verification covered: 1, or a seventh of a large ledger.',
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
  private readonly queued = this.observation(
    'vaultline_deliveries_queued',
    'Queued deliveries, counted up to 100,000.',
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

  /** Drops all values: while the database does not answer, the last ones are not those of now. */
  forget(): void {
    for (const drop of this.drops) drop();
  }

  observeBacklogs(backlogs: ObservedBacklogs, replicas: readonly ObservedReplica[]): void {
    const { tick, jobs, deliveries, feeds, divergent, unresolved, ledger } = backlogs;
    if (ledger !== null) {
      this.verifiedAt.set(ledger.verifiedAt.getTime() / 1000);
      this.differences.set(ledger.differences);
      this.verifiedShare.set(ledger.isFull ? 1 : 1 / 7);
    }
    if (tick.lagSeconds === null) this.tickLag.remove();
    else this.tickLag.set(tick.lagSeconds);
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

  /** @param unresolved number of contradicted reports on moves, by status */
  observeReports(unresolved: Readonly<Record<string, number>>): void {
    for (const [status, count] of Object.entries(unresolved)) this.unresolvedReports.set({ status }, count);
  }

  /** @param oldestSeconds age of the oldest one that was not taken */
  observeWithdrawals(open: Readonly<Record<string, number>>, oldestSeconds: number): void {
    for (const [status, count] of Object.entries(open)) this.withdrawals.set({ status }, count);
    this.oldestWithdrawal.set(oldestSeconds);
  }

  /** @param ageSeconds age of the reading; null: there is none */
  observeReserves(
    reserves: readonly ObservedReserve[],
    alerts: readonly ({ kind: string } & ReserveLabels)[],
    ageSeconds: number | null,
  ): void {
    this.reservesAlert.reset();
    for (const labels of alerts) this.reservesAlert.set(labels, 1);
    this.reservesCoverage.reset();
    this.reservesDifference.reset();
    this.reservesUnknown.reset();
    for (const { labels, coverage, difference, reason } of reserves) {
      if (coverage !== null) this.reservesCoverage.set(labels, coverage);
      if (difference !== null) this.reservesDifference.set(labels, Number(difference) / 1e6);
      if (reason !== null) this.reservesUnknown.inc({ reason });
    }
    if (ageSeconds !== null) this.reservesAge.set(ageSeconds);
  }

  observeStorage(databaseBytes: number, nearlyFull: boolean): void {
    this.databaseBytes.set(databaseBytes);
    this.writesStopped.set(nearlyFull ? 1 : 0);
  }

  /** Gauge without a value until it is set: a process that observes nothing must not say 0. */
  private observation(name: string, help: string, ...labelNames: string[]): Gauge {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.registry] });
    const drop = (): void => {
      gauge.reset();
      // A reset sets a gauge without labels to 0.
      if (labelNames.length === 0) gauge.remove();
    };
    drop();
    this.drops.push(drop);
    return gauge;
  }
}
