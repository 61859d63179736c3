import { Controller, Get, HttpStatus, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Readiness } from '../../domain/kernel/deployment/readiness.js';
import { Access } from '../access/access.js';
import { RETRY_LATER } from '../answer/http-error.js';

/** Health endpoints for the platform that runs the image. They are outside the API root. */
@ApiExcludeController()
@Access('public')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** 200 while the process runs, whatever the state of the database. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /** 200 when deposits are taken; otherwise 503, with the reason. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const body = await this.readiness.health();
    if (body.status !== 'ready') response.status(HttpStatus.SERVICE_UNAVAILABLE).set(RETRY_LATER);
    return body;
  }
}
