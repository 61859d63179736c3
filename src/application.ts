import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Logger } from 'pino';
import { AppModule, CONTRACT_PARTS } from './app.module.js';
import { localUrl } from './config/deployments.js';
import { ConfigError } from './config/config-error.js';
import type { Settings } from './config/settings.js';
import { environmentOf } from './domain/tenants/access/authenticator.js';
import { KeyService } from './domain/tenants/access/key.service.js';
import { Readiness } from './domain/kernel/deployment/readiness.js';
import { setUpEdge } from './http/http.module.js';
import { createDocument } from './http/openapi/document.js';
import { listenForManagement } from './http/server/management.server.js';
import { HttpAdapter, type HttpServer } from './http/server/http.server.js';
import { Startup } from './jobs/startup.js';
import { HousekeepingTimer } from './jobs/housekeeping.js';
import { StorageUpkeep } from './jobs/storage-upkeep.js';
import { Worker } from './jobs/worker.js';
import { Metrics } from './telemetry/metrics.js';
import { NestLogger, silentLogger } from './telemetry/logger.js';
import type { OtlpTracing } from './telemetry/otlp-tracing.js';
import { recordTraces } from './traces.js';
import { dispose, startJobs, watch } from './worker.application.js';

/** How long idle connections may still be used after a stop began: a request on one is answered with `Connection: close`. */
const CLOSE_MS = 1_000;
const IDLE_CHECK_MS = 50;
/** Duration of an event-loop turn that counts as idle. */
const IDLE_TURN_MS = 0.1;
/** How long a stop waits for an idle turn in a busy process. */
const MOST_BUSY_MS = 1_000;

/** A process that answers requests, with `ROLE=all` beside the jobs of its deployment: server, database and jobs, with their order of start and stop. */
export class Application {
  private management: Server | null = null;
  private stopped: Promise<void> | null = null;

  private constructor(
    private readonly nest: INestApplication,
    private readonly settings: Settings,
    private readonly log: Logger,
    private readonly traces: OtlpTracing | null,
  ) {}

  /** @throws Error when two routes collide or one declares no access */
  static async create(settings: Settings, log: Logger): Promise<Application> {
    checkBootstrapKey(settings);
    const adapter = new HttpAdapter(settings);
    const nest = await NestFactory.create(AppModule.with(settings, log), adapter, {
      bodyParser: false,
      logger: new NestLogger(log),
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'error', shadow: 'off' },
    });
    const metrics = nest.get(Metrics, { strict: false });
    metrics.watchConnections(nest.getHttpServer() as Server);
    watch(nest, settings);
    const traces = await recordTraces(nest, settings, log);
    setUpEdge(nest, settings);
    return new Application(nest, settings, log, traces);
  }

  /**
   * OpenAPI document of a contract, from its routes only: nothing is instantiated and no database is needed.
   * @param serverUrl API root in the document
   */
  static async describe(settings: Settings, serverUrl: string): Promise<OpenAPIObject> {
    const options = { preview: true, logger: false, abortOnError: false } as const;
    const nest = await NestFactory.create(AppModule.with(settings, silentLogger()), options);
    return createDocument(nest, CONTRACT_PARTS[settings.contract].definition, settings, serverUrl);
  }

  /**
   * Listens at once and connects in the background: until the database is reachable, requests are answered 503.
   * @returns a promise of readiness, pending while the database is down
   */
  async listen(): Promise<{ ready: Promise<void> }> {
    const { host, port, managementHost, managementPort } = this.settings;
    await this.nest.listen(port, host);
    if (managementPort !== null) {
      this.management = await listenForManagement(
        this.settings,
        this.get(Metrics),
        managementHost,
        managementPort,
      );
    }
    this.log.info({ url: this.url }, 'listening');
    const ready = this.connect().catch((error: unknown) => {
      // A start interrupted by a stop is no failure.
      if (!this.stopped) throw error;
    });
    return { ready };
  }

  /** Address of the server, without trailing slash. */
  get url(): string {
    const { address, port } = (this.nest.getHttpServer() as Server).address() as AddressInfo;
    return localUrl(address, port);
  }

  /** Provider of the running app. */
  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.nest.get(type as never, { strict: false });
  }

  /** Accepts no new connections, finishes requests and sends in flight, then disconnects from the database. Limited by the shutdown grace. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  get metrics(): Metrics {
    return this.get(Metrics);
  }

  private async connect(): Promise<void> {
    const beginning = this.get(Startup);
    await beginning.persist(
      () => this.begin(beginning),
      () => this.stopped !== null,
    );
  }

  /** Preparation before a deployment is ready; it may be repeated. */
  private async begin(beginning: Startup): Promise<void> {
    await beginning.prepare();
    if (this.settings.bootstrapAdminKey !== null) {
      const outcome = await this.get(KeyService).installBootstrapKey(this.settings.bootstrapAdminKey);
      if (outcome === 'revoked') {
        this.log.warn('BOOTSTRAP_ADMIN_KEY was revoked and stays so, and no other key administers keys');
      }
    }
    if (this.stopped) return;
    if (this.settings.role === 'all') await startJobs(this.nest);
    if (this.stopped) return;
    await this.get(StorageUpkeep).watch();
    await this.get(HousekeepingTimer).startForRequests();
    if (this.stopped) return;
    this.get(Readiness).phase = 'ready';
    this.log.info('ready');
  }

  private async shutDown(): Promise<void> {
    this.get(Readiness).phase = 'stopping';
    const server = this.nest.getHttpServer() as HttpServer;
    const graceMs = this.settings.constants.http.shutdownGraceSeconds * 1000;
    // Without jobs, too: test sends end with their requests.
    const worker = this.get(Worker).stop();
    const lastCall = sleep(graceMs, undefined, { ref: false }).then(() => server.closeAllConnections());
    await Promise.race([
      Promise.all([server.listening ? this.farewell(server) : undefined, worker]),
      lastCall,
    ]);
    await this.nest.close();
    await dispose(this.nest);
    await this.traces?.close();
    this.management?.close();
    this.log.info('stopped');
  }

  /**
   * Accepts no new connections, and ends with the last one. `http`'s own close would reset idle connections at once, while requests may be on their
   * way: for a moment, each is still answered and then closed.
   */
  private async farewell(server: HttpServer): Promise<void> {
    const closed = once(server, 'close').then(() => true);
    // Connections not accepted yet by a busy process are reset with the listener, while requests may be on their way.
    await idleTurn(server);
    NetServer.prototype.close.call(server);
    server.closeAfterAnswers();
    for (let wait = CLOSE_MS; ; wait = IDLE_CHECK_MS) {
      if (await Promise.race([closed, sleep(wait, false, { ref: false })])) return;
      // A connection with an unread request is not idle, when the process is busy.
      await idleTurn(server);
      server.closeIdleConnections();
    }
  }
}

/**
 * Waits for an event-loop turn without input: everything that arrived before it is processed then. A listener accepts one connection in a turn, and
 * input after the turn's poll is seen in the next one.
 */
async function idleTurn(server: Server): Promise<void> {
  let taken = 0;
  const count = (): void => void taken++;
  server.on('connection', count);
  const giveUpAt = performance.now() + MOST_BUSY_MS;
  // The rest of the current turn may come after its poll.
  await nextTurn();
  for (let from = performance.now(); from < giveUpAt; from = performance.now()) {
    const before = taken;
    await nextTurn();
    if (taken === before && performance.now() - from < IDLE_TURN_MS) break;
  }
  server.off('connection', count);
}

/** @throws ConfigError for a malformed bootstrap key, or one of another environment */
function checkBootstrapKey({ bootstrapAdminKey, environment }: Settings): void {
  if (bootstrapAdminKey !== null && environmentOf(bootstrapAdminKey) !== environment) {
    throw new ConfigError([
      `BOOTSTRAP_ADMIN_KEY is not valid; it must be a whole key of this environment (vl_${environment}_...), checksum included.`,
    ]);
  }
}
