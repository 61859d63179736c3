import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DEPLOYMENTS } from '../config/deployments.js';
import { Settings } from '../config/settings.js';
import { AlertService } from '../domain/cycle/alerts/alert.service.js';
import { HOUR_MS } from '../domain/kernel/clock.js';
import { InstantExecutor } from '../domain/routing/orders/instant-executor.service.js';
import { AuditChain } from '../domain/tenants/audit/audit-chain.js';
import { LOGGER } from '../telemetry/logger.js';
import { DeliveryUpkeep } from './delivery-upkeep.js';
import { DeploymentCounts } from './deployment-counts.js';
import { ProcessRecord } from './process-record.js';
import { Schedule } from './schedule.js';
import { StorageUpkeep } from './storage-upkeep.js';

const DELIVERY_CHECK_MS = 2_000;
const BOUND_CHECK_MS = 1_000;
const SCHEDULE_MS = 20_000;
const HEARTBEAT_MS = 20_000;
const ORDERS_MS = 15_000;
/** Interval at which the rest of a move is booked that has more positions than one transaction takes. */
const PARTS_MS = 1_000;
const COUNTS_MS = 15_000;
const ALERTS_MS = 60_000;
const CHAIN_MS = 1_000;
/** A write is counted after two of these at most, and refused after the third. */
const STORED_MS = 10_000;

/**
 * Periodic work of each process. All watch disk and clock, write a heartbeat, and prepare the ledger's partitions; a process that answers requests writes key uses; one that runs jobs
 * links the audit log, counts what partners store, queues recurring jobs, counts orders and backlogs, closes claims, books the remaining parts of moves, and resumes events and deliveries that a crashed process left.
 */
@Injectable()
export class HousekeepingTimer {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly storage: StorageUpkeep,
    private readonly deliveries: DeliveryUpkeep,
    private readonly counts: DeploymentCounts,
    private readonly record: ProcessRecord,
    private readonly schedule: Schedule,
    private readonly executor: InstantExecutor,
    private readonly alerts: AlertService,
    private readonly audit: AuditChain,
    private readonly settings: Settings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** With `ROLE=all`, runs after `startForJobs`, which starts some of the same timers. */
  async startForRequests(): Promise<void> {
    const keyUsesMs = this.settings.constants.access.lastUsedFlushSeconds * 1000;
    this.watch();
    this.every(STORED_MS, 'stored bytes', () => this.storage.readStored());
    await this.storage.readStored();
    this.every(SCHEDULE_MS, 'clock', () => this.schedule.readClock());
    this.every(keyUsesMs, 'key uses', () => this.record.writeKeyUses());
    if (this.settings.managementPort !== null)
      this.every(COUNTS_MS, 'counts', () => this.counts.countBacklogs());
    if (this.settings.role === 'api') await this.startHeartbeat();
  }

  async startForJobs(): Promise<void> {
    this.watch();
    this.every(SCHEDULE_MS, 'clock', () => this.schedule.queueNextRuns());
    this.every(STORED_MS, 'stored bytes', () => this.storage.countStored());
    this.every(CHAIN_MS, 'audit chain', () => this.audit.extend());
    this.every(ALERTS_MS, 'alerts', () => this.alerts.watchTick());
    if (this.settings.role === 'worker' && this.settings.managementPort !== null)
      this.every(COUNTS_MS, 'counts', () => this.counts.countBacklogs());
    if (!DEPLOYMENTS[this.settings.contract].simulated && this.settings.managementPort !== null) {
      this.every(ORDERS_MS, 'orders', () => this.counts.countOrders());
      this.every(COUNTS_MS, 'reserves', () => this.counts.countReserves());
    }
    await this.startHeartbeat();
    this.every(PARTS_MS, 'parts of moves', () => this.executor.resume());
    this.every(DELIVERY_CHECK_MS, 'interrupted deliveries', () => this.deliveries.closeInterrupted());
    this.every(DELIVERY_CHECK_MS, 'overdue events', () => this.deliveries.fanOutOverdue());
    this.every(DELIVERY_CHECK_MS, 'forgotten deliveries', () => this.deliveries.wakeForgotten());
  }

  async stop(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.timers.clear();
    await Promise.all(this.running);
    await this.quietly('key uses', () => this.record.writeKeyUses());
    await this.quietly('heartbeat', () => this.record.leave());
  }

  private async startHeartbeat(): Promise<void> {
    this.every(HEARTBEAT_MS, 'heartbeat', () => this.record.beat());
    await this.record.beat();
  }

  private watch(): void {
    this.every(this.settings.constants.storage.checkSeconds * 1000, 'storage', () => this.storage.watch());
    this.every(HOUR_MS, 'partitions', () => this.storage.preparePartitions());
    // Requests queue deliveries, too, for events that go to one endpoint.
    this.every(BOUND_CHECK_MS, 'queue bound', () => this.deliveries.dropExcess());
  }

  private every(ms: number, what: string, work: () => Promise<void>): void {
    if (this.timers.has(what)) return;
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      const run = this.quietly(what, work).finally(() => {
        busy = false;
        this.running.delete(run);
      });
      this.running.add(run);
    }, ms);
    this.timers.set(what, timer.unref());
  }

  private async quietly(what: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.log.warn({ err: error }, `${what} failed; will retry`));
  }
}
