import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DEPLOYMENTS } from '../config/deployments.js';
import { Settings } from '../config/settings.js';
import { AlertService } from '../domain/cycle/alerts/alert.service.js';
import { BacklogReader } from '../domain/cycle/deployment/backlogs.js';
import { Clock, HOUR_MS } from '../domain/kernel/clock.js';
import { Replicas } from '../domain/kernel/deployment/replicas.js';
import { SecretsCheck } from '../domain/kernel/secrets/secrets-check.js';
import { StorageLimit } from '../domain/kernel/store/storage-limit.js';
import { LedgerPartitions } from '../domain/markets/hours/ledger-partitions.service.js';
import { AuditChain } from '../domain/tenants/audit/audit-chain.js';
import { StorageWatch } from '../domain/kernel/store/storage-watch.js';
import { DeliveryService } from '../domain/outbound/webhooks/delivery.service.js';
import { Dispatcher } from '../domain/outbound/webhooks/dispatcher.js';
import { FanOutService } from '../domain/outbound/webhooks/fan-out.service.js';
import { QueueBound } from '../domain/outbound/webhooks/queue-bound.js';
import { MoveOrderService } from '../domain/routing/allocation/move-order.service.js';
import { InstantExecutor } from '../domain/routing/orders/instant-executor.service.js';
import { Authenticator } from '../domain/tenants/access/authenticator.js';
import { LOGGER } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { Schedule } from './schedule.js';

const DELIVERY_CHECK_MS = 2_000;
const BOUND_CHECK_MS = 1_000;
const SCHEDULE_MS = 20_000;
const HEARTBEAT_MS = 20_000;
const ORDERS_MS = 15_000;
/** A report on a move of more positions than one transaction books is booked to its end within some of these. */
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
    private readonly authenticator: Authenticator,
    private readonly deliveries: DeliveryService,
    private readonly fanOut: FanOutService,
    private readonly dispatcher: Dispatcher,
    private readonly bound: QueueBound,
    private readonly schedule: Schedule,
    private readonly storage: StorageWatch,
    private readonly storageLimit: StorageLimit,
    private readonly orders: MoveOrderService,
    private readonly executor: InstantExecutor,
    private readonly alerts: AlertService,
    private readonly backlogs: BacklogReader,
    private readonly audit: AuditChain,
    private readonly replicas: Replicas,
    private readonly partitions: LedgerPartitions,
    private readonly secrets: SecretsCheck,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** With `ROLE=all` behind `startForJobs`, which has some of the same timers. */
  async startForRequests(): Promise<void> {
    const flushMs = this.settings.constants.access.lastUsedFlushSeconds * 1000;
    this.watch();
    await this.keepLimits();
    this.every(SCHEDULE_MS, 'clock', () => this.schedule.readClock());
    this.every(flushMs, 'key uses', () => this.authenticator.flushLastUsed());
    if (this.settings.managementPort !== null) this.every(COUNTS_MS, 'counts', () => this.countBacklogs());
    if (this.settings.role === 'api') await this.sayThatItIsThere();
  }

  async startForJobs(): Promise<void> {
    this.watch();
    this.every(SCHEDULE_MS, 'clock', () => this.schedule.keep());
    this.every(STORED_MS, 'stored bytes', () => this.countStored());
    this.every(CHAIN_MS, 'audit chain', () => this.audit.extend());
    this.every(ALERTS_MS, 'alerts', () => this.alerts.watchTick());
    if (this.settings.role === 'worker' && this.settings.managementPort !== null)
      this.every(COUNTS_MS, 'counts', () => this.countBacklogs());
    if (!DEPLOYMENTS[this.settings.contract].simulated && this.settings.managementPort !== null)
      this.every(ORDERS_MS, 'orders', () => this.countOrders());
    await this.sayThatItIsThere();
    this.every(PARTS_MS, 'parts of moves', () => this.executor.resume());
    this.every(DELIVERY_CHECK_MS, 'interrupted deliveries', () => this.closeInterrupted());
    this.every(DELIVERY_CHECK_MS, 'overdue events', () => this.fanOutOverdue());
    this.every(DELIVERY_CHECK_MS, 'forgotten deliveries', () => this.dispatcher.wakeForgotten());
  }

  async stop(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.timers.clear();
    await Promise.all(this.running);
    await this.quietly('key uses', () => this.authenticator.flushLastUsed());
    await this.quietly('heartbeat', () => this.replicas.leave());
  }

  /** Runs before the first write, and then every few seconds. */
  async watchStorage(): Promise<void> {
    const before = this.storage.isNearlyFull;
    const sight = await this.storage.look();
    const { isNearlyFull } = this.storage;
    this.metrics.deployment.observeStorage(sight.databaseBytes, isNearlyFull);
    if (isNearlyFull && !before) this.log.error(sight, 'storage is nearly full: writes are refused');
    if (before && !isNearlyFull) this.log.warn(sight, 'storage has space again: writes are accepted');
  }

  /** By the database's clock. The hourly tick creates them as well, but where it fails deposits go on. */
  preparePartitions(): Promise<void> {
    return this.partitions.prepare(this.clock.wall());
  }

  /** Counts what partners store, wherever they wrote. */
  async countStored(): Promise<void> {
    await this.storageLimit.refresh();
    await this.storageLimit.countDue();
    await this.storageLimit.refresh();
  }

  /** Metrics of orders: whether executors take them, and administrators review gains. */
  async countOrders(): Promise<void> {
    const { orders, pendingReview, oldestRequestedAt } = await this.orders.counts();
    const ms = oldestRequestedAt === null ? 0 : this.clock.now().getTime() - oldestRequestedAt.getTime();
    this.metrics.deployment.observeOrders(orders, pendingReview, Math.max(0, ms / 1000));
  }

  async countBacklogs(): Promise<void> {
    const { deployment } = this.metrics;
    try {
      const [backlogs, replicas] = [await this.backlogs.read(), await this.replicas.list()];
      deployment.observeBacklogs(backlogs, replicas);
    } catch (error) {
      deployment.forget();
      throw error;
    }
  }

  /** Dropped deliveries are logged, too, so that the operator sees which partner does not keep up. */
  async keepBound(): Promise<void> {
    for (const { partnerId, dropped } of await this.bound.keep()) {
      this.metrics.dropped.inc(dropped);
      this.deliveries.sends.dropped += dropped;
      this.log.warn(
        { partner_id: partnerId, dropped },
        'deliveries were dropped: the queue of a partner exceeded its limit',
      );
    }
  }

  private async sayThatItIsThere(): Promise<void> {
    this.every(HEARTBEAT_MS, 'heartbeat', () => this.heartbeat());
    await this.heartbeat();
  }

  /** A heartbeat says which key the process seals with. */
  private async heartbeat(): Promise<void> {
    await this.secrets.follow();
    await this.replicas.heartbeat(this.deliveries.sends);
  }

  private async keepLimits(): Promise<void> {
    this.every(STORED_MS, 'stored bytes', () => this.storageLimit.refresh());
    await this.storageLimit.refresh();
  }

  private watch(): void {
    this.every(this.settings.constants.storage.checkSeconds * 1000, 'storage', () => this.watchStorage());
    this.every(HOUR_MS, 'partitions', () => this.preparePartitions());
    // Requests queue deliveries, too, for events that go to one endpoint.
    this.every(BOUND_CHECK_MS, 'queue bound', () => this.keepBound());
  }

  private async fanOutOverdue(): Promise<void> {
    const partners = await this.fanOut.fanOutOverdue();
    if (partners > 0) this.log.warn({ partners }, 'fanned out overdue events');
  }

  private async closeInterrupted(): Promise<void> {
    const closed = await this.deliveries.closeInterrupted();
    if (closed > 0) this.log.warn({ closed }, 'closed interrupted deliveries');
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
    await work().catch((error: unknown) =>
      this.log.warn({ err: error }, `${what} failed; it is tried again`),
    );
  }
}
