import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { run, type Runner, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Settings } from '../config/settings.js';
import { DatabaseConnection } from '../database/connection.js';
import { queueSchema } from '../database/migrate.js';
import { createQueuePool } from '../database/data-source.js';
import { Readiness } from '../domain/kernel/deployment/readiness.js';
import { LOGGER, queueLogger } from '../telemetry/logger.js';
import { DEFAULT_ATTEMPTS } from './task.js';
import { Tasks } from './tasks.js';

/** Connections of the queue itself; the statements of jobs use another pool. */
export const QUEUE_CONNECTIONS = 4;
const JOBS_AT_ONCE = 4;
const RESTART_MS = 1_000;

@Injectable()
export class Worker {
  private runner: Runner | null = null;
  private pool: Pool | null = null;
  private started = false;
  private stopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly database: DatabaseConnection,
    private readonly tasks: Tasks,
    private readonly readiness: Readiness,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    if (settings.role !== 'api') readiness.worker = 'waiting';
  }

  /**
   * Starts taking jobs; the database must be connected. A runner that later loses its connection is replaced. Without effect once it was started.
   * @throws Error when the connection breaks during the start; nothing runs then, and it may be called again
   */
  async start(): Promise<void> {
    if (this.started) return;
    const { ended } = await this.begin();
    this.started = true;
    void this.replace(ended);
  }

  /** Whether jobs are taken; false while the database is unreachable. */
  get isRunning(): boolean {
    return this.runner !== null;
  }

  /** Takes no more jobs, and waits for running jobs and sends in flight. */
  async stop(): Promise<void> {
    this.stopping = true;
    const stopped = this.runner?.stop().catch(() => undefined);
    await this.tasks.stop(Promise.resolve(stopped));
    await this.pool?.end().catch(() => undefined);
  }

  /** @returns `ended` resolves with the reason when the runner has ended */
  private async begin(): Promise<{ ended: Promise<unknown> }> {
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
    const { databaseSchema: schema } = this.settings;
    const pool = createQueuePool(this.settings, this.database.url, QUEUE_CONNECTIONS);
    pool.on('error', (error) => this.log.warn({ err: error }, 'queue connection lost'));
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:fatalError', ({ error }) => end(error));
    events.on('pool:gracefulShutdown', ({ message }) => end(new Error(message)));
    this.pool = pool;
    try {
      const runner = await run({
        pgPool: pool,
        events,
        schema: queueSchema(schema),
        taskList: this.tasks.list(),
        // `Schedule` queues what recurs.
        parsedCronItems: [],
        concurrency: JOBS_AT_ONCE,
        noHandleSignals: true,
        // Without batching, the promise of a job's end has a handler; otherwise a job that fails together with its database would end the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
        logger: queueLogger(this.log),
      });
      this.runner = runner;
      this.readiness.worker = 'running';
      runner.promise.then(() => end(new Error('the runner ended')), end);
      // A stop was requested while it was being created.
      if (this.stopping) {
        await runner.stop().catch(() => undefined);
        return { ended };
      }
      for (const { name, attempts = DEFAULT_ATTEMPTS } of this.tasks.queuedAtStart)
        await runner.addJob(name, {}, { jobKey: name, maxAttempts: attempts });
      return { ended };
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Replaces each runner that ends, until the stop. */
  private async replace(ended: Promise<unknown>): Promise<void> {
    for (let reason = await ended; !this.stopping;) {
      this.dispose();
      this.log.warn({ err: reason }, 'the queue stopped; starting it again');
      await sleep(RESTART_MS);
      if (this.stopping) return;
      reason = await this.begin().then(
        (begun) => begun.ended,
        (error: unknown) => error,
      );
    }
  }

  /** Not awaited, because it does not end while the database is unreachable. */
  private dispose(): void {
    void this.runner?.kill().catch(() => undefined);
    void this.pool?.end().catch(() => undefined);
    this.runner = this.pool = null;
    this.readiness.worker = 'waiting';
  }
}
