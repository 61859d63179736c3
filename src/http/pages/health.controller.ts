import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, HttpStatus, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Settings } from '../../config/settings.js';
import { StorageWatch } from '../../domain/store/storage-watch.js';
import { Store } from '../../domain/store/store.js';
import { Access } from '../access/access.js';
import { Readiness } from '../wire/readiness.js';

/** Deadline of the database probe: shorter than a load balancer's own timeout. */
const PATIENCE_MS = 2_000;

/** Health endpoints for the platform that runs the image. They are outside the API root. */
@ApiExcludeController()
@Access('public')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  /** Shared probe: concurrent checks use one, so that they cannot take the last database connections. */
  private ping: Promise<boolean> | null = null;

  constructor(
    private readonly readiness: Readiness,
    private readonly store: Store,
    private readonly storage: StorageWatch,
    private readonly settings: Settings,
  ) {}

  /** 200 while the process runs, whatever the state of the database. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /**
   * 200 when requests can be answered: connected, and not shutting down; otherwise 503. The body names the process's role and the state of its job
   * worker (while jobs stand still, requests are still answered, and events are late) and of its thread that moves accounts, and says whether writes
   * are refused for lack of storage or yields are simulated.
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { state } = this.readiness;
    const [worker, accounts] = [this.readiness.worker(), this.readiness.accounts()];
    if (state === 'ready' && (await this.databaseAnswers()))
      return {
        status: 'ready',
        role: this.settings.role,
        ...(worker && { worker }),
        ...(accounts && { accounts }),
        ...(this.storage.isNearlyFull && { storage: 'nearly_full' }),
        ...(this.settings.simulatedYields && { yields: 'simulated' }),
      };
    response.status(HttpStatus.SERVICE_UNAVAILABLE).set('Retry-After', '2');
    return { status: state === 'ready' ? 'database_unavailable' : state };
  }

  private async databaseAnswers(): Promise<boolean> {
    this.ping ??= this.store.answers(PATIENCE_MS).finally(() => (this.ping = null));
    return Promise.race([this.ping, sleep(PATIENCE_MS, false, { ref: false })]);
  }
}
