import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { IdempotencyService } from '../../domain/kernel/idempotency/idempotency.service.js';
import { EndpointService } from '../../domain/outbound/webhooks/endpoint.service.js';
import { WebhookRetention } from '../../domain/outbound/webhooks/webhook-retention.service.js';
import { LOGGER } from '../../telemetry/logger.js';
import { removeEach } from '../retention.js';
import type { Task } from '../task.js';

/** Removes rows that requests leave. */
@Injectable()
export class SweepTask implements Task {
  readonly name = 'sweep';
  readonly attempts = 3;
  readonly schedule = { seconds: 60 };

  constructor(
    private readonly endpoints: EndpointService,
    private readonly webhooks: WebhookRetention,
    private readonly idempotency: IdempotencyService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  run(): Promise<void> {
    return removeEach(this.log, {
      secrets: () => this.endpoints.eraseExpired(),
      deliveries: () => this.webhooks.pruneDeliveries(),
      // After the deliveries, because an event that the log references stays.
      crowdedEvents: () => this.webhooks.makeRoom(),
      claims: () => this.idempotency.prune(),
    });
  }
}
