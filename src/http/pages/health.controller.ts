import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, HttpStatus, Injectable, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Settings } from '../../config/settings.js';
import { type DatabaseState, StorageWatch } from '../../domain/kernel/store/storage-watch.js';
import { Access } from '../access/access.js';

/** Deadline of the database probe: shorter than a load balancer's own timeout. */
const PATIENCE_MS = 2_000;

/** State of a process's jobs: taken, or waiting for the database. */
export type WorkerState = 'running' | 'waiting';

/** Readiness for the load balancer. Requests that still arrive during shutdown are answered. */
@Injectable()
export class Readiness {
  /** `ready` once the database is connected, until shutdown begins. */
  state: 'starting' | 'ready' | 'stopping' = 'starting';
  /** State of this process's jobs; null where it has none. */
  worker: () => WorkerState | null = () => null;
}

/** Health endpoints for the platform that runs the image. They are outside the API root. */
@ApiExcludeController()
@Access('public')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  /** Shared probe: concurrent checks use one, so that they cannot take the last database connections. */
  private probe: Promise<DatabaseState> | null = null;

  constructor(
    private readonly readiness: Readiness,
    private readonly storage: StorageWatch,
    private readonly settings: Settings,
  ) {}

  /** 200 while the process runs, whatever the state of the database. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /**
   * 200 when requests can be answered: connected to a database that takes writes, and not shutting down; otherwise 503. `degraded` names the condition
   * in which every write is refused. The body names the process's role and the state of its jobs (while they wait, requests are still answered, and
   * events are late), and says whether storage is nearly full or yields are simulated.
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { state } = this.readiness;
    const database = state === 'ready' ? await this.databaseState() : null;
    const worker = this.readiness.worker();
    const facts = {
      role: this.settings.role,
      ...(worker && { worker }),
      ...(this.storage.isNearlyFull && { storage: 'nearly_full' }),
      ...(this.settings.simulatedYields && { yields: 'simulated' }),
    };
    if (database === 'writable') return { status: 'ready', ...facts };
    response.status(HttpStatus.SERVICE_UNAVAILABLE).set('Retry-After', '2');
    if (database === null) return { status: state };
    if (database === 'unreachable') return { status: 'database_unavailable' };
    return { status: 'degraded', degraded: database, ...facts };
  }

  private async databaseState(): Promise<DatabaseState> {
    this.probe ??= this.storage.state(PATIENCE_MS).finally(() => (this.probe = null));
    return Promise.race([this.probe, sleep(PATIENCE_MS, 'unreachable' as const, { ref: false })]);
  }
}
