import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, HttpStatus, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Settings } from '../../config/settings.js';
import { StorageWatch } from '../../domain/store/storage-watch.js';
import { Store } from '../../domain/store/store.js';
import { Access } from '../access/access.js';
import { Readiness } from '../wire/readiness.js';

/** Who asks does not wait longer than a balancer does, and a request should not either. */
const PATIENCE_MS = 2_000;

/** For the platform that runs the image. Outside the API root. */
@ApiExcludeController()
@Access('public')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  /** One at a time, however many ask: they must not take the last connections. */
  private ping: Promise<boolean> | null = null;

  constructor(
    private readonly readiness: Readiness,
    private readonly store: Store,
    private readonly storage: StorageWatch,
    private readonly settings: Settings,
  ) {}

  /** 200 while the process runs, whatever state its database is in. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /**
   * 200 when requests can be answered: connected, and not shutting down. Else 503. It says what the process does and how its jobs are: while they stand still, requests are
   * answered and their events wait. Where only writes are turned away, or nothing is real, it says so too.
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { state } = this.readiness;
    const worker = this.readiness.worker();
    if (state === 'ready' && (await this.databaseAnswers()))
      return {
        status: 'ready',
        role: this.settings.role,
        ...(worker && { worker }),
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
