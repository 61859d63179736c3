import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Settings } from './config/settings.js';
import { DatabaseConnection } from './database/connection.js';
import { DatabaseModule } from './database/database.module.js';
import { AccountMoves, type ClaimedMove } from './domain/accounts/account-moves.js';
import { Chains } from './domain/chain/chains.js';
import { DomainModule } from './domain/domain.module.js';
import type { Answered } from './domain/idempotency/idempotency.service.js';
import { MARKET_FEED } from './domain/markets/market.service.js';
import type { DatabaseState } from './domain/store/store.js';
import { StorageWatch } from './domain/store/storage-watch.js';
import type { Feed } from './domain/vaults/feed.js';
import { Trace } from './domain/trace.js';
import { DeliveryService } from './domain/webhooks/delivery.service.js';
import { WebhookSender } from './domain/webhooks/sender.js';
import { Beginning } from './jobs/beginning.js';
import { Housekeeping } from './jobs/housekeeping.js';
import { JobsModule } from './jobs/jobs.module.js';
import { Schedule } from './jobs/schedule.js';
import { Worker } from './jobs/worker.js';
import { ProcessModule } from './process.module.js';
import { NestLogger } from './telemetry/logger.js';
import { type Figures, Metrics } from './telemetry/metrics.js';
import type { OtlpTracing } from './telemetry/otlp-tracing.js';
import type { Duty } from './telemetry/worker-state.js';
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

/** A deployment without HTTP: domain, database and queue, for its jobs or the moves of its accounts. */
export class WorkerApplication {
  private stopped = false;
  private duty: Duty | null = null;
  private readonly moves = new Set<Promise<unknown>>();

  private constructor(
    private readonly nest: INestApplicationContext,
    private readonly log: Logger,
    private readonly traces: OtlpTracing | null,
  ) {}

  /** @param databaseUrl of a migrated database; null: it is located and migrated here */
  static async create(
    settings: Settings,
    log: Logger,
    databaseUrl: string | null,
  ): Promise<WorkerApplication> {
    const nest = await NestFactory.createApplicationContext(WorkerModule.with(settings, log), {
      logger: new NestLogger(log),
      abortOnError: false,
    });
    watch(nest, log);
    const traces = await recordTraces(nest, settings, log);
    if (databaseUrl !== null) nest.get(DatabaseConnection).join(databaseUrl);
    return new WorkerApplication(nest, log, traces);
  }

  /**
   * Waits while the database is down.
   * @throws errors that waiting does not solve
   */
  async start(duty: Duty): Promise<void> {
    const beginning = this.nest.get(Beginning, { strict: false });
    await beginning.persist(
      async () => {
        await beginning.prepare();
        await BEGINNINGS[duty](this.nest);
      },
      () => this.stopped,
    );
    this.duty = duty;
    if (!this.stopped) this.log.info(`${duty} are taken`);
  }

  /** @param claimed as it came from another thread: a structured clone, in which a `Buffer` is a plain array of bytes */
  carryOut({ move, claim }: ClaimedMove): Promise<Answered | null> {
    const own = claim && {
      ...claim,
      content: Buffer.from(claim.content),
      fingerprint: Buffer.from(claim.fingerprint),
    };
    const moves = this.nest.get(AccountMoves, { strict: false });
    const moving = this.nest
      .get(Trace, { strict: false })
      .record('tick', `account ${move.kind}`, () => moves.carryOut({ move, claim: own }));
    const settled = moving.catch(() => undefined).finally(() => this.moves.delete(settled));
    this.moves.add(settled);
    return moving;
  }

  get isRunning(): boolean {
    return this.duty === 'accounts' || this.nest.get(Worker, { strict: false }).isRunning;
  }

  /** State of the database, some seconds old at most. */
  get database(): DatabaseState {
    return this.nest.get(StorageWatch, { strict: false }).database;
  }

  figures(): Promise<Figures> {
    return this.nest.get(Metrics, { strict: false }).figures();
  }

  /** Takes no more jobs, finishes running ones, moves and sends in flight, then disconnects from the database. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.moves);
    await this.nest.get(Worker, { strict: false }).stop();
    await this.nest.close();
    await letGo(this.nest);
    await this.traces?.close();
  }
}

/** Queues recurring jobs and starts taking jobs, in a prepared process. */
export async function startJobs(nest: INestApplicationContext): Promise<void> {
  await nest.get(Schedule, { strict: false }).keep();
  await nest.get(Housekeeping, { strict: false }).watchStorage();
  await nest.get(Housekeeping, { strict: false }).startForJobs();
  // Last, because an earlier failure repeats the whole, and would start a second queue beside a running one.
  await nest.get(Worker, { strict: false }).start();
}

/** The thread that moves accounts watches the disk and the clock by itself, and does no other housekeeping. */
async function startMoves(nest: INestApplicationContext): Promise<void> {
  await nest.get(Housekeeping, { strict: false }).watchStorage();
  await nest.get(Housekeeping, { strict: false }).startForMoves();
}

const BEGINNINGS: Record<Duty, (nest: INestApplicationContext) => Promise<void>> = {
  jobs: startJobs,
  accounts: startMoves,
};

/** Registers the metrics of chain providers and of sends, which each thread counts for itself. */
export function watch(nest: INestApplicationContext, log: Logger): void {
  const chains = nest.get(Chains, { strict: false });
  chains.onTrouble = (trouble) => log.warn({ trouble }, 'a provider of a chain was dropped');
  const metrics = nest.get(Metrics, { strict: false });
  metrics.watchChains(chains);
  metrics.watchSends(nest.get(DeliveryService, { strict: false }));
}

/** Closes, after requests and jobs have ended: connections to receivers, the database, the feeds. */
export async function letGo(nest: INestApplicationContext): Promise<void> {
  await nest.get(WebhookSender, { strict: false }).close();
  await nest.get(Housekeeping, { strict: false }).stop();
  await nest.get(DatabaseConnection, { strict: false }).stop();
  // After the database: a tick that lost its feed would store an hour without observations.
  await nest.get<Feed>(MARKET_FEED, { strict: false }).close?.();
  await nest.get(Chains, { strict: false }).close();
}
