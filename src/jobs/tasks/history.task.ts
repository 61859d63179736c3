import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DomainSettings } from '../../config/domain-settings.js';
import { PastHours } from '../../domain/markets/hours/past-hours.service.js';
import { PriceHistory } from '../../domain/markets/hours/price-history.js';
import { isFollowed } from '../../domain/markets/vaults/share-readers.js';
import { LOGGER } from '../../telemetry/logger.js';
import type { Task } from '../task.js';

/** Reads past share prices of the vaults that are followed on their chain. */
@Injectable()
export class HistoryTask implements Task {
  readonly name = 'history';
  readonly attempts = 10;
  /** Several processes may read at once: each uses the prices that another has stored. */
  readonly isQueuedAtStart: boolean;
  private stopping = false;

  constructor(
    settings: DomainSettings,
    private readonly history: PriceHistory,
    private readonly past: PastHours,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.isQueuedAtStart = settings.vaults.some(isFollowed);
  }

  /** @throws Error when more may be readable: the queue retries later */
  async run(): Promise<void> {
    const { prices, unfinished } = await this.history.read();
    // Waits until everything readable was read, because hours are prepended to a market once.
    if (unfinished.length > 0 && !this.stopping && prices > 0)
      throw new Error(`More past prices may be readable on ${unfinished.join(', ')}.`);
    if (this.stopping) return;
    const hours = await this.past.prepend();
    if (hours === null) throw new Error('The market has not begun yet; its past is added later.');
    if (prices > 0) this.log.info({ prices, hours }, 'read past share prices');
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.history.stop();
  }
}
