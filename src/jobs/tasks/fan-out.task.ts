import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { JOBS } from '../../domain/outbound/webhooks/event.service.js';
import { FanOutService } from '../../domain/outbound/webhooks/fan-out.service.js';
import { LOGGER } from '../../telemetry/logger.js';
import type { Task } from '../task.js';

/** Queues the deliveries of events. */
@Injectable()
export class FanOutTask implements Task {
  readonly name = JOBS.fanOut;

  constructor(
    private readonly fanOut: FanOutService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Does not wait for its partner's turn, which would occupy a slot of the queue. */
  async run(): Promise<void> {
    void this.fanOut.fanOut().catch(this.logFailure);
  }

  /** After a lost wake-up, the sweep for overdue events fans out the rest. */
  async stop(ended: Promise<unknown>): Promise<void> {
    await ended.then(() => this.fanOut.stop()).catch(this.logFailure);
  }

  private readonly logFailure = (error: unknown): void =>
    this.log.warn({ err: error }, 'fan-out stopped; its events are fanned out later');
}
