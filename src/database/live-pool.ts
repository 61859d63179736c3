import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { PatientClient, type PatientConfig } from './patient-client.js';

/** Idle time after which a connection is probed before use: a firewall, or a failover, closes it silently. */
const RESTED_MS = 1_000;
const CHECK_MS = 2_000;

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * Pool whose connections are probed before use: nothing was executed yet when one is found dead, so another replaces it unnoticed by the caller. When
 * one breaks, all that were opened before it are discarded, idle ones at once and those in use when they are released, because most causes break all
 * of them.
 */
export class LivePool extends Pool {
  private readonly openedAt = new WeakMap<PoolClient, number>();
  private readonly restingSince = new WeakMap<PoolClient, number>();
  private brokeAt = -Infinity;

  constructor(config: PoolConfig & PatientConfig) {
    super({ Client: PatientClient, ...config });
    this.on('connect', (client) => {
      this.openedAt.set(client, performance.now());
      // Stale connection: one from before the last break is discarded anyway, so its own failure is no sign that newer ones are broken.
      const broke = (): void => void (this.isOutdated(client) || (this.brokeAt = performance.now()));
      client.on('error', broke);
      client.addListener('useless', broke);
    });
    this.on('release', (_error, client) => this.restingSince.set(client, performance.now()));
    // A connection that breaks while idle is replaced at its next use.
    this.on('error', () => undefined);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | void {
    if (!callback) return this.find();
    const give = (client: PoolClient): void => callback(undefined, client, once(client));
    const fail = (error: Error): void => callback(error, undefined, () => undefined);
    super.connect((error, client) => {
      if (!client) fail(error!);
      else if (this.isFresh(client)) give(client);
      else this.proven(client).then(give, fail);
    });
  }

  /** No probe is needed for a connection that was just opened, or used a moment ago. */
  private isFresh(client: PoolClient): boolean {
    const since = this.restingSince.get(client);
    return since === undefined || (!this.isOutdated(client) && performance.now() - since < RESTED_MS);
  }

  /** @returns the connection when it answers, otherwise another one */
  private async proven(client: PoolClient): Promise<PoolClient> {
    if (await this.isAlive(client)) return client;
    client.release(true);
    return this.find();
  }

  private async find(): Promise<PoolClient> {
    return this.proven(await super.connect());
  }

  /** Each dead one is removed from the pool and a new one opened, so the loop ends. */
  private async isAlive(client: PoolClient): Promise<boolean> {
    if (this.isFresh(client)) return true;
    if (this.isOutdated(client)) return false;
    return (client as unknown as PatientClient).answers(CHECK_MS);
  }

  private isOutdated(client: PoolClient): boolean {
    return this.openedAt.get(client)! <= this.brokeAt;
  }
}

/**
 * Makes `release` idempotent: the queue may release twice, when it is stopped before its LISTEN is answered and the connection then breaks, in an
 * unawaited promise, where an error would end the process.
 */
function once(client: PoolClient): PoolClient['release'] {
  let isBack = false;
  return (error) => {
    if (isBack) return;
    isBack = true;
    client.release(error);
  };
}
