import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Logger } from 'pino';
import { AppModule, CONTRACT_DEFINITIONS } from './app.module.js';
import { ConfigError } from './config/config-error.js';
import type { Settings } from './config/settings.js';
import { DatabaseConnection } from './database/connection.js';
import { Chains } from './domain/chain/chains.js';
import { environmentOf } from './domain/access/key-secret.js';
import { Clock } from './domain/clock.js';
import { KeyService } from './domain/access/key.service.js';
import { MARKET_FEED, MarketService } from './domain/markets/market.service.js';
import { LedgerPartitions } from './domain/markets/ledger-partitions.service.js';
import { CatalogueCheck } from './domain/positions/catalogue-check.js';
import { SecretsCheck } from './domain/secrets/secrets-check.js';
import { isOutage } from './domain/store/outage.js';
import { Reader } from './domain/store/reader.js';
import { Standby } from './domain/store/standby.js';
import type { Feed } from './domain/vaults/feed.js';
import { addHours } from './domain/vaults/hour.js';
import { WebhookSender } from './domain/webhooks/sender.js';
import { setUpEdge } from './http/edge.js';
import { createDocument } from './http/openapi/document.js';
import { listenForManagement } from './http/management.server.js';
import { Readiness } from './http/readiness.js';
import { ServerAdapter } from './http/server.adapter.js';
import { mountStatus } from './http/status.page.js';
import { Housekeeping } from './jobs/housekeeping.js';
import { Schedule } from './jobs/schedule.js';
import { Worker } from './jobs/worker.js';
import { Metrics } from './telemetry/metrics.js';
import { NestLogger, silentLogger } from './telemetry/logger.js';

/** How long idle callers may still use their connection after a stop began: who does is told to come back elsewhere. */
const FAREWELL_MS = 1_000;
const IDLE_CHECK_MS = 50;
/** A turn of the event loop in which nothing happened. */
const IDLE_TURN_MS = 0.1;
/** How long a stop waits for one in a process that is busy. */
const MOST_BUSY_MS = 1_000;
/** From a start that the database left to the next try. */
const BEGIN_AGAIN_MS = 500;

/** One running deployment: server, database, queue; and the order in which they start and stop. */
export class Application {
  private management: Server | null = null;
  private stopped: Promise<void> | null = null;

  private constructor(
    private readonly nest: INestApplication,
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {}

  /** @throws Error when two routes collide or one declares no access */
  static async create(settings: Settings, log: Logger): Promise<Application> {
    checkBootstrapKey(settings);
    const adapter = new ServerAdapter(settings);
    const nest = await NestFactory.create(AppModule.with(settings, log), adapter, {
      bodyParser: false,
      logger: new NestLogger(log),
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'error', shadow: 'off' },
    });
    nest.get(Metrics, { strict: false }).watchConnections(adapter.connections);
    const chains = nest.get(Chains, { strict: false });
    chains.onTrouble = (trouble) => log.warn({ trouble }, 'a provider of a chain was dropped');
    nest.get(Metrics, { strict: false }).watchChains(chains);
    const standby = nest.get(Standby, { strict: false });
    nest
      .get(Metrics, { strict: false })
      .watchReports(nest.get(Reader, { strict: false }), standby.pool && standby);
    setUpEdge(nest, adapter, settings);
    mountStatus(nest, settings, () => nest.get(MarketService, { strict: false }).newestHour());
    return new Application(nest, settings, log);
  }

  /**
   * The OpenAPI document of a contract, from its routes alone: nothing is instantiated, so there need be no database.
   *
   * @param serverUrl the API root that the document names
   */
  static async describe(settings: Settings, serverUrl: string): Promise<OpenAPIObject> {
    const options = { preview: true, logger: false, abortOnError: false } as const;
    const nest = await NestFactory.create(AppModule.with(settings, silentLogger()), options);
    const { environment, constants, simulatedYields } = settings;
    const deployment = { environment, assets: constants.assets, simulatedYields };
    return createDocument(nest, CONTRACT_DEFINITIONS[settings.contract], deployment, serverUrl);
  }

  /**
   * Listens at once and connects behind it: until the database is there, requests are answered 503.
   *
   * @returns a promise of being ready, which waits for as long as the database is down
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
      // What a stop takes away from a start is no failure of it.
      if (!this.stopped) throw error;
    });
    return { ready };
  }

  /** Where the server listens, without a slash at its end. */
  get url(): string {
    const { address, port } = (this.nest.getHttpServer() as Server).address() as AddressInfo;
    const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** A provider of the running app. */
  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.nest.get(type as never, { strict: false });
  }

  /** Takes no new connections, finishes the requests in flight and the sends under way, then lets the database go. Bounded by the grace. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  private async connect(): Promise<void> {
    const database = this.get(DatabaseConnection);
    await database.start();
    while (database.isReady && !this.stopped) {
      try {
        return await this.begin();
      } catch (error) {
        if (!isOutage(error)) throw error;
        this.log.warn({ err: error }, 'the database left while this started; trying again');
        await sleep(BEGIN_AGAIN_MS);
      }
    }
  }

  /** What a deployment does before it is ready; all of it may be done again. */
  private async begin(): Promise<void> {
    await this.get(SecretsCheck).run();
    await this.get(CatalogueCheck).run();
    if (this.settings.bootstrapAdminKey !== null) {
      const outcome = await this.get(KeyService).installBootstrapKey(this.settings.bootstrapAdminKey);
      if (outcome === 'revoked') {
        this.log.warn('BOOTSTRAP_ADMIN_KEY was revoked and stays so, and no other key administers keys');
      }
    }
    if (this.stopped) return;
    await this.get(Schedule).keep();
    // By the database's clock; a machine's may be a little behind it.
    const now = this.get(Clock).wall();
    for (const moment of [addHours(now, -24), now]) await this.get(LedgerPartitions).prepare(moment);
    await this.get(Worker).start();
    if (this.stopped) return;
    await this.get(Housekeeping).watchStorage();
    this.get(Housekeeping).start();
    this.get(Readiness).markStarted();
    this.log.info('ready');
  }

  private async shutDown(): Promise<void> {
    this.get(Readiness).markStopping();
    const server = this.nest.getHttpServer() as Server;
    const graceMs = this.settings.constants.http.shutdown_grace_seconds * 1000;
    const worker = this.get(Worker).stop();
    const lastCall = sleep(graceMs, undefined, { ref: false }).then(() => server.closeAllConnections());
    await Promise.race([
      Promise.all([server.listening ? this.farewell(server) : undefined, worker]),
      lastCall,
    ]);
    await this.nest.close();
    await this.get(WebhookSender).close();
    await this.get(Housekeeping).stop();
    await this.get(DatabaseConnection).stop();
    // Behind the database: a tick that lost its feed would store an hour in which nothing was seen.
    await this.nest.get<Feed>(MARKET_FEED, { strict: false }).close?.();
    await this.get(Chains).close();
    this.management?.close();
    this.log.info('stopped');
  }

  /**
   * Takes no new connections, and ends when the last one is gone. Not http's own close, which resets idle connections at once, with requests
   * perhaps on their way: for a moment each is answered and then closed.
   */
  private async farewell(server: Server): Promise<void> {
    const closed = once(server, 'close').then(() => true);
    // Connections that wait for this process while it is busy are reset with the listener, with requests on their way.
    await idleTurn(server);
    NetServer.prototype.close.call(server);
    this.get(Readiness).markClosed();
    for (let wait = FAREWELL_MS; ; wait = IDLE_CHECK_MS) {
      if (await Promise.race([closed, sleep(wait, false, { ref: false })])) return;
      // A connection with a request waiting in it, which a process that is busy has yet to read, is not idle.
      await idleTurn(server);
      server.closeIdleConnections();
    }
  }
}

/**
 * Waits for the end of a turn of the event loop in which nothing came: what had come before it is taken then. A listener takes one connection in a turn,
 * and what comes between the turn's look at the network and its end is seen in the next one.
 */
async function idleTurn(server: Server): Promise<void> {
  let taken = 0;
  const count = (): void => void taken++;
  server.on('connection', count);
  const giveUpAt = performance.now() + MOST_BUSY_MS;
  // The rest of a turn may be behind its look at the network.
  await nextTurn();
  for (let from = performance.now(); from < giveUpAt; from = performance.now()) {
    const before = taken;
    await nextTurn();
    if (taken === before && performance.now() - from < IDLE_TURN_MS) break;
  }
  server.off('connection', count);
}

/** @throws ConfigError for a bootstrap key that is not complete, or of another environment */
function checkBootstrapKey({ bootstrapAdminKey, environment }: Settings): void {
  if (bootstrapAdminKey !== null && environmentOf(bootstrapAdminKey) !== environment) {
    throw new ConfigError([
      `BOOTSTRAP_ADMIN_KEY is not valid; allowed is a whole key of this environment (vl_${environment}_...), checksum included.`,
    ]);
  }
}
