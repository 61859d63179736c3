import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Settings } from './config/settings.js';
import { DatabaseConnection } from './database/connection.js';
import { DatabaseModule } from './database/database.module.js';
import { Chains } from './domain/markets/chain/chains.js';
import { DomainModule } from './domain/domain.module.js';
import { MARKET_FEED } from './domain/markets/hours/market.service.js';
import { Readiness, REFUSALS } from './domain/kernel/deployment/readiness.js';
import type { VaultFeed } from './domain/markets/vaults/feed.js';
import { DeliveryService } from './domain/outbound/webhooks/delivery.service.js';
import { WebhookSender } from './domain/outbound/webhooks/sender.js';
import { listenForHealth, listenForManagement } from './http/server/management.server.js';
import { Startup } from './jobs/startup.js';
import { HousekeepingTimer } from './jobs/housekeeping.js';
import { StorageUpkeep } from './jobs/storage-upkeep.js';
import { JobsModule } from './jobs/jobs.module.js';
import { Schedule } from './jobs/schedule.js';
import { Worker } from './jobs/worker.js';
import { ProcessModule } from './process.module.js';
import { NestLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import type { OtlpTracing } from './telemetry/otlp-tracing.js';
import { recordTraces } from './traces.js';

@Module({})
class WorkerModule {
  static with(settings: Settings, log: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [ProcessModule.with(settings, log), DatabaseModule, DomainModule, JobsModule],
    };
  }
}

/** A process with `ROLE=worker`: domain, database and queue, and a port that answers probes only. */
export class WorkerApplication {
  private readonly servers: Server[] = [];
  private stopped: Promise<void> | null = null;

  private constructor(
    private readonly nest: INestApplicationContext,
    private readonly settings: Settings,
    private readonly log: Logger,
    private readonly traces: OtlpTracing | null,
  ) {}

  static async create(settings: Settings, log: Logger): Promise<WorkerApplication> {
    const nest = await NestFactory.createApplicationContext(WorkerModule.with(settings, log), {
      logger: new NestLogger(log),
      abortOnError: false,
    });
    watch(nest, settings);
    return new WorkerApplication(nest, settings, log, await recordTraces(nest, settings, log));
  }

  /**
   * Answers probes at once and connects in the background.
   * @returns a promise that resolves once jobs are taken, pending while the database is down
   */
  async listen(): Promise<{ ready: Promise<void> }> {
    const { managementHost, managementPort } = this.settings;
    this.servers.push(await listenForHealth(this.settings, this.readiness));
    if (managementPort !== null)
      this.servers.push(
        await listenForManagement(this.settings, this.metrics, managementHost, managementPort),
      );
    const ready = this.start().catch((error: unknown) => {
      // A start interrupted by a stop is no failure.
      if (!this.stopped) throw error;
    });
    return { ready };
  }

  /** Takes no more jobs, finishes running ones and sends in flight, then disconnects from the database. Limited by the shutdown grace. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  get metrics(): Metrics {
    return this.nest.get(Metrics, { strict: false });
  }

  private get readiness(): Readiness {
    return this.nest.get(Readiness, { strict: false });
  }

  private async start(): Promise<void> {
    const beginning = this.nest.get(Startup, { strict: false });
    await beginning.persist(
      async () => {
        await beginning.prepare();
        if (!this.stopped) await startJobs(this.nest);
      },
      () => this.stopped !== null,
    );
    if (this.stopped) return;
    this.readiness.phase = 'ready';
    this.log.info('ready');
  }

  private async shutDown(): Promise<void> {
    this.readiness.phase = 'stopping';
    const graceMs = this.settings.constants.http.shutdownGraceSeconds * 1000;
    const worker = this.nest.get(Worker, { strict: false }).stop();
    await Promise.race([worker, sleep(graceMs, undefined, { ref: false })]);
    await this.nest.close();
    await dispose(this.nest);
    await this.traces?.close();
    for (const server of this.servers) server.close().closeAllConnections();
    this.log.info('stopped');
  }
}

/** Queues recurring jobs and starts taking jobs, in a prepared process. */
export async function startJobs(nest: INestApplicationContext): Promise<void> {
  await nest.get(Schedule, { strict: false }).queueNextRuns();
  await nest.get(StorageUpkeep, { strict: false }).watch();
  await nest.get(HousekeepingTimer, { strict: false }).startForJobs();
  // Last, because an earlier failure repeats the whole, and would start a second queue beside a running one.
  await nest.get(Worker, { strict: false }).start();
}

/** Registers the metrics of the process's role, of its readiness, of chain providers and of sends. */
export function watch(nest: INestApplicationContext, { role }: Settings): void {
  const metrics = nest.get(Metrics, { strict: false });
  metrics.watchRole(role, nest.get(Worker, { strict: false }));
  metrics.watchReadiness(REFUSALS, nest.get(Readiness, { strict: false }));
  metrics.watchChains(nest.get(Chains, { strict: false }));
  metrics.watchSends(nest.get(DeliveryService, { strict: false }));
}

/** Closes, after requests and jobs have ended: connections to receivers, the database, the feeds. */
export async function dispose(nest: INestApplicationContext): Promise<void> {
  await nest.get(WebhookSender, { strict: false }).close();
  await nest.get(HousekeepingTimer, { strict: false }).stop();
  await nest.get(DatabaseConnection, { strict: false }).stop();
  // After the database: a tick that lost its feed would store an hour without observations.
  await nest.get<VaultFeed>(MARKET_FEED, { strict: false }).close?.();
  await nest.get(Chains, { strict: false }).close();
}
