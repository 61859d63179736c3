import type { Role } from '../../../src/config/environment.js';
import { newKeySecret } from '../../../src/domain/tenants/access/authenticator.js';
import type { Vault } from '../../../src/domain/kernel/catalogue/catalogue.js';
import { addHours, hourOf } from '../../../src/domain/kernel/clock.js';
import type { TestDatabase } from '../../support/database.js';
import { Engine } from '../../support/engine.js';
import { answerOf, json, LlamaServer, row } from '../../support/llama-server.js';
import { Replica } from '../../support/replica.js';
import { onDatabase } from './audit.js';
import { Random } from './random.js';
import { WallClock } from './wall-clock.js';

export interface DeploymentOptions {
  database: TestDatabase;
  /** The seed of the market. */
  seed: number;
  /** The role of each process. Default: two of `all` */
  roles?: readonly Role[];
  /** Settings beside the usual ones of a load. */
  env?: Record<string, string>;
}

/** Hours of history before the processes start: enough for vaults to be judged. */
const HISTORY_HOURS = 60;

/**
 * Real processes of one deployment of the partner contract on one database. They follow a wall clock that can be advanced and a feed that the seed
 * drives, and the market has some history.
 */
export class Deployment {
  readonly replicas: Replica[] = [];
  private readonly random: Random;
  private earlierLogs = '';
  /** APY by vault. */
  private readonly yields = new Map<string, number>();

  private constructor(
    readonly adminKey: string,
    /** The clock of each process. */
    readonly clocks: readonly WallClock[],
    private readonly roles: readonly Role[],
    private readonly databaseUrl: string,
    private readonly env: Record<string, string>,
    private readonly feed: LlamaServer,
    private readonly vaults: readonly Vault[],
    seed: number,
  ) {
    this.random = new Random(seed);
  }

  static async start(options: DeploymentOptions): Promise<Deployment> {
    const { database, seed, roles = ['all', 'all'], env = {} } = options;
    const adminKey = newKeySecret('live');
    const vaults = await begin(database);
    const feed = await LlamaServer.open();
    const clocks = roles.map(() => new WallClock());
    const settings = {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      DEFILLAMA_BASE_URL: feed.url,
      SETTLEMENT: 'instant',
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      WEBHOOK_TIMEOUT_MS: '2000',
      LOG_LEVEL: 'warn',
      ...env,
    };
    const deployment = new Deployment(adminKey, clocks, roles, database.url, settings, feed, vaults, seed);
    deployment.observe();
    deployment.replicas.push(
      ...(await Promise.all(clocks.map((_, index) => Replica.start('partner', deployment.envOf(index))))),
    );
    return deployment;
  }

  /** The processes that answer requests. */
  get servers(): readonly Replica[] {
    return this.replicas.filter((_, index) => this.roles[index] !== 'worker');
  }

  /** URLs of the processes that answer requests, for a load. */
  readonly urls = (): readonly string[] => this.servers.map(({ url }) => url);

  /** Starts a process at the address of one that ended. */
  async replace(index: number): Promise<void> {
    const { url, logs } = this.replicas[index]!;
    this.earlierLogs += logs;
    const env = { ...this.envOf(index), PORT: new URL(url).port };
    this.replicas[index] = await Replica.spawn('partner', env);
    await untilReady(this.replicas[index]);
  }

  /**
   * Advances the clocks: the vaults' yields change, and one of the processes runs the hourly cycle, as at every full hour.
   *
   * @param hours more than one: the hours between are missed, and caught up
   */
  async hour(hours = 1): Promise<void> {
    this.observe();
    for (const clock of this.clocks) clock.add(hours);
    await onDatabase(this.databaseUrl, (database) =>
      database.sql(`SELECT enqueue('[{"identifier": "tick", "job_key": "tick", "payload": {}}]')`),
    );
  }

  /** The logs of all processes. */
  get logs(): string {
    return this.earlierLogs + this.replicas.map(({ logs }) => logs).join('');
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
    this.feed.close();
    for (const clock of this.clocks) clock.remove();
  }

  private envOf(index: number): Record<string, string> {
    return { ...this.env, ...this.clocks[index]!.env, ROLE: this.roles[index]! };
  }

  /** A vault with large holdings may fall to zero, so that funds move. */
  private observe(): void {
    const rows = this.vaults.flatMap(({ id, feed }) => {
      if (feed.kind !== 'defillama') return [];
      const before = this.yields.get(id) ?? 0.05;
      const apy = this.random.chance(0.1) ? this.random.next() / 5 : before;
      this.yields.set(id, apy);
      return [row({ pool: feed.pool, apyBase: apy * 100, apy: apy * 100, tvlUsd: 1_000_000_000 })];
    });
    this.feed.pools = json(answerOf(rows));
  }
}

/** Under load, a start may take several times as long as on an idle machine. */
async function untilReady(replica: Replica): Promise<void> {
  for (let patience = 3; ; patience--) {
    try {
      return await replica.untilReady();
    } catch (error) {
      if (replica.child.exitCode !== null || patience === 0) throw error;
    }
  }
}

/** Gives the market its history. @returns the catalogue */
async function begin(database: TestDatabase): Promise<readonly Vault[]> {
  const now = addHours(hourOf(new Date()), -HISTORY_HOURS);
  const engine = await Engine.start('partner', { database, now });
  try {
    const { vaults } = engine.settings;
    engine.sights = Object.fromEntries(vaults.map(({ id }, index) => [id, { apy: 0.04 + index / 1_000 }]));
    await engine.hours(HISTORY_HOURS);
    return vaults;
  } finally {
    await engine.stop();
  }
}
