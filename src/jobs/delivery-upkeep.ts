import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DeliveryService } from '../domain/outbound/webhooks/delivery.service.js';
import { Dispatcher } from '../domain/outbound/webhooks/dispatcher.js';
import { FanOutService } from '../domain/outbound/webhooks/fan-out.service.js';
import { QueueBound } from '../domain/outbound/webhooks/queue-bound.js';
import { LOGGER } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';

/** Resumes events and deliveries that a crashed process left, and drops those beyond the queue of a partner. */
@Injectable()
export class DeliveryUpkeep {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly fanOut: FanOutService,
    private readonly dispatcher: Dispatcher,
    private readonly bound: QueueBound,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Dropped deliveries are logged, too, so that the operator sees which partner does not keep up. */
  async dropExcess(): Promise<void> {
    for (const { partnerId, dropped } of await this.bound.dropExcess()) {
      this.metrics.dropped.inc(dropped);
      this.deliveries.sends.dropped += dropped;
      this.log.warn(
        { partner_id: partnerId, dropped },
        'deliveries were dropped: the queue of a partner exceeded its limit',
      );
    }
  }

  async fanOutOverdue(): Promise<void> {
    const partners = await this.fanOut.fanOutOverdue();
    if (partners > 0) this.log.warn({ partners }, 'fanned out overdue events');
  }

  async closeInterrupted(): Promise<void> {
    const closed = await this.deliveries.closeInterrupted();
    if (closed > 0) this.log.warn({ closed }, 'closed interrupted deliveries');
  }

  wakeForgotten(): Promise<void> {
    return this.dispatcher.wakeForgotten();
  }
}
