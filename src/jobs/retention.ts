import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuditChain } from '../domain/tenants/audit/audit-chain.js';
import { SessionService } from '../domain/tenants/access/session.service.js';
import { SignInCodes } from '../domain/tenants/access/sign-in-code.service.js';
import { IdempotencyService } from '../domain/kernel/idempotency/idempotency.service.js';
import { MarketRetention } from '../domain/markets/hours/market-retention.service.js';
import { JobQueue } from '../domain/outbound/webhooks/event.service.js';
import { EndpointService } from '../domain/outbound/webhooks/endpoint.service.js';
import { WebhookRetention } from '../domain/outbound/webhooks/webhook-retention.service.js';
import { LOGGER } from '../telemetry/logger.js';

/** Time for which a permanently failed job is kept, for operators to check. */
const FAILED_JOBS_HOURS = 168;

/** Retention of tables that would otherwise grow for ever. A failure of one part does not stop the others. */
@Injectable()
export class Retention {
  constructor(
    private readonly endpoints: EndpointService,
    private readonly webhooks: WebhookRetention,
    private readonly idempotency: IdempotencyService,
    private readonly markets: MarketRetention,
    private readonly sessions: SessionService,
    private readonly codes: SignInCodes,
    private readonly audit: AuditChain,
    private readonly queue: JobQueue,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Every minute: rows left by requests. */
  sweep(): Promise<void> {
    return this.each({
      secrets: () => this.endpoints.eraseExpired(),
      deliveries: () => this.webhooks.pruneDeliveries(),
      // After the deliveries, because an event that the log references stays.
      crowdedEvents: () => this.webhooks.makeRoom(),
      claims: () => this.idempotency.prune(),
    });
  }

  /** Every ten minutes: rows that expire. */
  prune(): Promise<void> {
    return this.each({
      events: () => this.webhooks.pruneEvents(),
      marketHours: () => this.markets.prune(),
      sessions: () => this.sessions.prune(),
      codes: () => this.codes.prune(),
      audit: () => this.audit.prune(),
      failedJobs: () => this.queue.removeFailed(FAILED_JOBS_HOURS),
    });
  }

  private async each(parts: Record<string, () => Promise<number>>): Promise<void> {
    const removed: Record<string, number> = {};
    const failures: unknown[] = [];
    for (const [name, part] of Object.entries(parts)) {
      await part().then(
        (rows) => (removed[name] = rows),
        (error: unknown) => failures.push(error),
      );
    }
    this.log.debug({ removed }, 'retention');
    if (failures.length > 0) throw failures[0];
  }
}
