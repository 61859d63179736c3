import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Settings } from '../config/settings.js';
import { DatabaseConnection } from '../database/connection.js';
import { queueSchema } from '../database/migrate.js';
import { createQueuePool } from '../database/data-source.js';
import { JOBS } from '../domain/kernel/store/job-queue.js';
import { Clock } from '../domain/kernel/clock.js';
import { AccountService } from '../domain/cycle/accounts/account.service.js';
import { HourlyCycle, type RoutedHour } from '../domain/cycle/hourly-cycle.service.js';
import { isAlarming, SettlementChecks } from '../domain/routing/settlements/settlement-checks.js';
import { type FailedOrder, MoveOrderRepository } from '../domain/routing/allocation/move-order.repository.js';
import { type Deviation, deviationRate, ReportBounds } from '../domain/routing/orders/report-bounds.js';
import type { DeliveryTarget } from '../domain/outbound/webhooks/backlog.js';
import { BASE_MARKET } from '../domain/markets/hours/market-plan.js';
import { PastHours } from '../domain/markets/hours/past-hours.service.js';
import { PriceHistory } from '../domain/markets/hours/price-history.js';
import { isFollowed } from '../domain/markets/vaults/share-readers.js';
import { Dispatcher } from '../domain/outbound/webhooks/dispatcher.js';
import { Trace } from '../domain/kernel/trace.js';
import { FanOutService } from '../domain/outbound/webhooks/fan-out.service.js';
import { Metrics } from '../telemetry/metrics.js';
import { LOGGER, queueLogger } from '../telemetry/logger.js';
import { NightlyVerification, Retention } from './retention.js';

/** Connections of the queue beside those of the jobs' statements. */
export const QUEUE_CONNECTIONS = 4;
const JOBS_AT_ONCE = 4;
const RESTART_MS = 1_000;

@Injectable()
export class Worker {
  private runner: Runner | null = null;
  private pool: Pool | null = null;
  private stopping = false;
  /** Number of the current runner; late reports of earlier ones are ignored. */
  private turn = 0;

  constructor(
    private readonly settings: Settings,
    private readonly database: DatabaseConnection,
    private readonly fanOut: FanOutService,
    private readonly cycle: HourlyCycle,
    orders: MoveOrderRepository,
    reports: ReportBounds,
    private readonly accounts: AccountService,
    private readonly dispatcher: Dispatcher,
    private readonly retention: Retention,
    private readonly history: PriceHistory,
    private readonly past: PastHours,
    private readonly settlements: SettlementChecks,
    private readonly ledger: NightlyVerification,
    private readonly clock: Clock,
    private readonly trace: Trace,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    fanOut.onQueued = (targets) => this.send(targets);
    cycle.onRouted = (routed) => this.logHour(routed);
    orders.onFailed = (failed) => this.logFailedOrder(failed);
    reports.onDeviation = (deviation) => this.logDeviation(deviation);
  }

  /**
   * Starts taking jobs; the database must be connected. A runner that later loses its connection is replaced.
   * @throws Error when the connection breaks during the start; nothing runs then, and it may be called again
   */
  async start(): Promise<void> {
    const turn = ++this.turn;
    const ended = (error: unknown): void =>
      void begun.then(
        () => this.restart(turn, error),
        () => undefined,
      );
    const begun = this.begin(ended);
    try {
      await begun;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Whether jobs are taken; false while the database is unreachable. */
  get isRunning(): boolean {
    return this.runner !== null;
  }

  /** Takes no more jobs, and waits for running jobs and sends in flight. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.history.stop();
    await Promise.all([this.dispatcher.stop(), this.stopFanOut()]);
    await this.pool?.end().catch(() => undefined);
  }

  private send(targets: readonly DeliveryTarget[]): void {
    targets.forEach((target) => this.dispatcher.wake(target, sendingStopped(this.log)));
  }

  private fanOutSoon(...works: Promise<unknown>[]): void {
    for (const work of works) void work.catch(fanOutStopped(this.log));
  }

  private async stopFanOut(): Promise<void> {
    await this.runner?.stop().catch(() => undefined);
    // After a lost wake-up, the remaining events are fanned out by the sweep for overdue ones.
    await this.fanOut.stop().catch(fanOutStopped(this.log));
  }

  private async begin(ended: (error: unknown) => void): Promise<void> {
    const { schema } = this.settings.database;
    const pool = createQueuePool(this.settings, this.database.url, QUEUE_CONNECTIONS);
    pool.on('error', (error) => this.log.warn({ err: error }, 'queue connection lost'));
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:fatalError', ({ error }) => ended(error));
    events.on('pool:gracefulShutdown', ({ message }) => ended(new Error(message)));
    this.pool = pool;
    this.runner = await run({
      pgPool: pool,
      events,
      schema: queueSchema(schema),
      taskList: this.tasks(),
      // `Schedule` uses the database's clock; a crontab would use this process's, and a clock that is an hour fast would delay all jobs.
      parsedCronItems: [],
      concurrency: JOBS_AT_ONCE,
      noHandleSignals: true,
      // Without batching, the promise of a job's end has a handler; otherwise a job that fails together with its database would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: queueLogger(this.log),
    });
    // A stop was requested while it was being created.
    if (this.stopping) return this.runner.stop().catch(() => undefined);
    this.runner.promise.then(() => ended(new Error('it ended')), ended);
    // The start may come hours after the last tick, so one is queued now.
    await this.runner.addJob('tick', {}, { jobKey: 'tick', maxAttempts: 5 });
    // Other processes may do it concurrently; each uses the prices that another has stored.
    if (this.settings.vaults.some(isFollowed))
      await this.runner.addJob('history', {}, { jobKey: 'history', maxAttempts: 10 });
  }

  /** @param turn number of the runner that ended; reports of earlier ones are ignored */
  private async restart(turn: number, error: unknown): Promise<void> {
    if (turn !== this.turn || this.stopping) return;
    this.dispose();
    for (let reason = error; !this.stopping;) {
      this.log.warn({ err: reason }, 'the queue stopped; starting it again');
      await sleep(RESTART_MS);
      // Another start may have been faster.
      if (this.stopping || this.runner !== null) return;
      try {
        return await this.start();
      } catch (failure) {
        reason = failure;
      }
    }
  }

  /** Not awaited, because it does not end while the database is unreachable. */
  private dispose(): void {
    this.turn++;
    void this.runner?.kill().catch(() => undefined);
    void this.pool?.end().catch(() => undefined);
    this.runner = this.pool = null;
  }

  private tasks(): TaskList {
    const tasks: Record<string, (payload: never) => Promise<void>> = {
      // Both handlers only wake others, including every other pending one, because a job may be queued behind hundreds of another partner's. If they
      // waited for their partner's turn or for hanging receivers, they would occupy a slot of the queue.
      [JOBS.fanOut]: async ({ partnerId }: { partnerId: string | null }) =>
        this.fanOutSoon(this.fanOut.fanOut(partnerId), this.fanOut.fanOutOwed()),
      // Jobs of an older version do not name their partners and share one slot.
      [JOBS.drain]: async ({ webhookIds, partnerIds }: { webhookIds: string[]; partnerIds?: string[] }) => {
        this.send(webhookIds.map((webhookId, at) => ({ webhookId, partnerId: partnerIds?.[at] ?? '' })));
        this.fanOutSoon(this.fanOut.fanOutOwed());
      },
      sweep: () => this.retention.sweep(),
      prune: () => this.retention.prune(),
      settlements: () => this.checkSettlements(),
      verify: () => this.ledger.run(),
      tick: ({ at }: { at?: string }) => this.trace.record('tick', 'tick', () => this.tick(at)),
      history: () => this.readHistory(),
    };
    return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, this.counted(name, task)]));
  }

  /**
   * @param at hour to process; default: now.
   * @throws Error when it has not begun by this process's clock: another process may take it, or this one later
   */
  private async tick(at?: string): Promise<void> {
    if (at !== undefined && this.clock.now() < new Date(at))
      throw new Error(`By the clock of this process it is not ${at} yet.`);
    // Accounts have clocks of their own and are not affected by trouble with the shared market.
    const { hours, silent, troubles, divergent, accruals, moves, moved } = await this.cycle
      .run()
      .finally(() => this.accounts.followAll());
    for (const trouble of troubles) this.log.warn({ trouble }, 'feed');
    if (silent.length > 0) this.log.warn({ vaults: silent }, 'some vaults were not observed');
    for (const { vaultId, apy, otherApy } of divergent)
      this.log.warn(
        { vault: vaultId, apy, second_opinion: otherApy },
        'a share price and its second source disagree: the vault takes no deposits',
      );
    if (hours + accruals + moved > 0)
      this.log.info({ hours, accruals, moves, moved }, 'market is up to date');
  }

  /** @throws Error when more may be readable: the queue retries later */
  private async readHistory(): Promise<void> {
    const { prices, unfinished } = await this.history.read();
    // Waits until everything readable was read, because hours are prepended to a market once.
    if (unfinished.length > 0 && !this.stopping && prices > 0)
      throw new Error(`More past prices may be readable on ${unfinished.join(', ')}.`);
    if (this.stopping) return;
    const hours = await this.past.prepend();
    if (hours === null) throw new Error('The market has not begun yet; its past is added later.');
    if (prices > 0) this.log.info({ prices, hours }, 'read past share prices');
  }

  private async checkSettlements(): Promise<void> {
    const checked = await this.settlements.pass();
    if (!checked) return;
    const { changes, silent } = checked;
    if (silent.length > 0)
      this.log.warn({ chains: silent }, 'settlements were not checked: no reliable RPC provider');
    for (const change of changes.filter(isAlarming))
      this.log.error(change, 'the chain contradicts a reported transfer: resolve it');
    this.metrics.countSettlements(changes.map(({ status }) => status));
  }

  private logHour({ marketId, evictions, policyMoves, outcomes }: RoutedHour): void {
    for (const eviction of evictions) this.log.warn(eviction, 'funds are evicted from a vault');
    for (const move of policyMoves)
      this.log.info(move, 'funds leave a vault that the policy of their partner excludes');
    this.metrics.countRouting(
      marketId === BASE_MARKET ? 'base' : 'account',
      { evictions: evictions.length, policyMoves: policyMoves.length },
      outcomes,
    );
  }

  private logFailedOrder(failed: FailedOrder): void {
    this.log.warn(failed, 'an order to move funds was not executed');
  }

  private logDeviation(deviation: Deviation): void {
    this.metrics.countDeviation();
    const { order, keyId } = deviation;
    const rate = deviationRate(deviation);
    this.log.warn(
      { move: order.id, key_id: keyId, deviation: rate },
      'a report on a move deviates from the books',
    );
  }

  private counted(
    name: string,
    task: (payload: never) => Promise<void>,
  ): (payload: unknown) => Promise<void> {
    return async (payload) => {
      try {
        await task(payload as never);
        this.metrics.countJob(name, 'done');
      } catch (error) {
        this.metrics.countJob(name, 'failed');
        throw error;
      }
    };
  }
}

/** Logs a failed drain. Its deliveries are found again by the sweep. */
export const sendingStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'sending stopped; queued deliveries are sent later');

/** Logs a failed fan-out. Its events are found again as overdue. */
const fanOutStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'fan-out stopped; its events are fanned out later');
