import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { MarketRetention } from '../../domain/markets/hours/market-retention.service.js';
import { JobQueue } from '../../domain/outbound/webhooks/event.service.js';
import { WebhookRetention } from '../../domain/outbound/webhooks/webhook-retention.service.js';
import { SessionService } from '../../domain/tenants/access/session.service.js';
import { SignInCodes } from '../../domain/tenants/access/sign-in-code.service.js';
import { AuditChain } from '../../domain/tenants/audit/audit-chain.js';
import { LOGGER } from '../../telemetry/logger.js';
import { removeEach } from '../retention.js';
import type { Task } from '../task.js';

/** Time for which a permanently failed job is kept, for operators to check. */
const FAILED_JOBS_HOURS = 168;

/** Removes rows that expire. */
@Injectable()
export class PruneTask implements Task {
  readonly name = 'prune';
  readonly attempts = 3;
  readonly schedule = { seconds: 600 };

  constructor(
    private readonly webhooks: WebhookRetention,
    private readonly markets: MarketRetention,
    private readonly sessions: SessionService,
    private readonly codes: SignInCodes,
    private readonly audit: AuditChain,
    private readonly queue: JobQueue,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  run(): Promise<void> {
    return removeEach(this.log, {
      events: () => this.webhooks.pruneEvents(),
      marketHours: () => this.markets.prune(),
      sessions: () => this.sessions.prune(),
      codes: () => this.codes.prune(),
      audit: () => this.audit.prune(),
      failedJobs: () => this.queue.removeFailed(FAILED_JOBS_HOURS),
    });
  }
}
