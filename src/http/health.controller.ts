import { Controller, Get, HttpStatus, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { statement } from '../domain/store/statement.js';
import { Store } from '../domain/store/store.js';
import { Access } from './access.js';
import { Readiness } from './readiness.js';

const PING = statement('health.ping', 'SELECT 1');

/** For the platform that runs the image. Outside the API root. */
@ApiExcludeController()
@Access('public')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly store: Store,
  ) {}

  /** 200 while the process runs, whatever state its database is in. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /** 200 when requests can be answered: connected, and not shutting down. Else 503. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { state } = this.readiness;
    if (state === 'ready' && (await this.databaseAnswers())) return { status: 'ready' };
    response.status(HttpStatus.SERVICE_UNAVAILABLE).set('Retry-After', '2');
    return { status: state === 'ready' ? 'database_unavailable' : state };
  }

  private async databaseAnswers(): Promise<boolean> {
    return this.store.query(PING).then(
      () => true,
      () => false,
    );
  }
}
