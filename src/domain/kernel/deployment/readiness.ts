import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../clock.js';
import { isOutage } from '../store/outage.js';
import { type DatabaseState, StorageWatch } from '../store/storage-watch.js';

/** Deadline of the database probe: shorter than a load balancer's own timeout. */
const PATIENCE_MS = 2_000;

/** Why a process refuses every deposit, although its database answers. */
export const REFUSALS = ['read_only', 'disk_full', 'nearly_full', 'market', 'clock'] as const;
export type Refusal = (typeof REFUSALS)[number];

export const STATUSES = ['ready', 'degraded', 'database_unavailable', 'starting', 'stopping'] as const;

/** `degraded`: the reason for this status; null for another one. */
export interface Condition {
  status: (typeof STATUSES)[number];
  degraded: Refusal | null;
}

/** State of a process's jobs: taken, or waiting for the database. */
export type WorkerState = 'running' | 'waiting';

/** Check of the market that all deposits are dated by. Does nothing where partners have markets of their own. */
export abstract class MarketCheck {
  /** Rejects where the market's hours contradict each other. */
  abstract run(): Promise<unknown>;
}

/** Whether a process takes deposits now; a worker, whether it takes jobs. Requests that still arrive during shutdown are answered. */
@Injectable()
export class Readiness {
  /** `ready` once the process has prepared, until shutdown begins. */
  phase: 'starting' | 'ready' | 'stopping' = 'starting';
  /** State of this process's jobs; null where it has none. */
  worker: WorkerState | null = null;
  /** Shared probe: concurrent checks use one, so that they cannot take the last database connections. */
  private probe: Promise<DatabaseState | 'market'> | null = null;

  constructor(
    private readonly storage: StorageWatch,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly market: MarketCheck,
  ) {}

  /** For health checks, the deployment's record and the metrics. Answers within about two seconds. */
  async read(): Promise<Condition> {
    if (this.phase !== 'ready') return { status: this.phase, degraded: null };
    const database = await this.databaseState();
    const isWaiting = this.settings.role === 'worker' && this.worker === 'waiting';
    if (database === 'unreachable') return { status: 'database_unavailable', degraded: null };
    const degraded = this.refusalBy(database);
    if (degraded !== null) return { status: 'degraded', degraded };
    return { status: isWaiting ? 'database_unavailable' : 'ready', degraded };
  }

  /**
   * Body of `/health/ready`: while the database answers, with the process's role, the state of its jobs (while they wait, requests are still answered, and
   * events are late), and whether storage is nearly full or yields are simulated.
   */
  async health(): Promise<{ status: Condition['status']; role?: string }> {
    const { status, degraded } = await this.read();
    if (status !== 'ready' && degraded === null) return { status };
    const { worker } = this;
    return {
      status,
      ...(degraded && { degraded }),
      role: this.settings.role,
      ...(worker && { worker }),
      ...(this.storage.isNearlyFull && { storage: 'nearly_full' }),
      ...(this.settings.simulatedYields && { yields: 'simulated' }),
    };
  }

  private refusalBy(database: Exclude<DatabaseState | 'market', 'unreachable'>): Refusal | null {
    // A wrong clock makes right hours look wrong.
    if (!this.clock.isRight && (database === 'writable' || database === 'market')) return 'clock';
    if (database !== 'writable') return database;
    return this.storage.isNearlyFull ? 'nearly_full' : null;
  }

  private async look(): Promise<DatabaseState | 'market'> {
    const state = await this.storage.state(PATIENCE_MS);
    if (state !== 'writable') return state;
    return this.market.run().then(
      () => state,
      (error: unknown) => (isOutage(error) ? 'unreachable' : 'market'),
    );
  }

  private async databaseState(): Promise<DatabaseState | 'market'> {
    this.probe ??= this.look().finally(() => (this.probe = null));
    return Promise.race([this.probe, sleep(PATIENCE_MS, 'unreachable' as const, { ref: false })]);
  }
}
