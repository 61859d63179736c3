import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { PatientClient, type PatientConfig } from './patient-client.js';

/** After so long without use a connection is asked whether it is still there: a firewall, or a database that moved, says nothing. */
const RESTED_MS = 1_000;
const CHECK_MS = 2_000;

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * A pool that hands out connections which work: nothing was executed yet when one is found dead, so another takes its place and the caller never
 * hears of it. When one breaks, all that were opened before are let go, resting ones and, as they come back, those in use: what broke one broke
 * all, more often than not.
 */
export class LivePool extends Pool {
  private readonly openedAt = new WeakMap<PoolClient, number>();
  private readonly restingSince = new WeakMap<PoolClient, number>();
  private brokeAt = -Infinity;

  constructor(config: PoolConfig & PatientConfig) {
    super({ Client: PatientClient, ...config });
    this.on('connect', (client) => {
      this.openedAt.set(client, performance.now());
      // Stale connection: one from before the last break is replaced anyway, so its own failure is no sign that newer ones are broken.
      const broke = (): void => void (this.isOutdated(client) || (this.brokeAt = performance.now()));
      client.on('error', broke);
      client.addListener('useless', broke);
    });
    this.on('release', (_error, client) => this.restingSince.set(client, performance.now()));
    // One that breaks while nobody uses it is replaced when somebody does.
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

  /** Nothing is to be asked of it: it was opened just now, for whoever asks, or was used a moment ago. */
  private isFresh(client: PoolClient): boolean {
    const since = this.restingSince.get(client);
    return since === undefined || (!this.isOutdated(client) && performance.now() - since < RESTED_MS);
  }

  /** @returns the connection where it answers, else another one */
  private async proven(client: PoolClient): Promise<PoolClient> {
    if (await this.isAlive(client)) return client;
    client.release(true);
    return this.find();
  }

  private async find(): Promise<PoolClient> {
    return this.proven(await super.connect());
  }

  /** Each that is not is gone from the pool, and a new one is; so the search ends. */
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
 * Gives a connection back once, whoever says so again: the queue does when it is stopped while it has yet to hear that it listens and the connection
 * then breaks, in a promise that nobody holds, where an error would end the process.
 */
function once(client: PoolClient): PoolClient['release'] {
  let isBack = false;
  return (error) => {
    if (isBack) return;
    isBack = true;
    client.release(error);
  };
}
