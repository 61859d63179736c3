import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../domain/kernel/clock.js';
import { StorageLimit } from '../domain/kernel/store/storage-limit.js';
import { StorageWatch } from '../domain/kernel/store/storage-watch.js';
import { LedgerPartitions } from '../domain/markets/hours/ledger-partitions.service.js';
import { LOGGER } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';

/** Watches the disk, counts the bytes of each partner, and creates the partitions of the ledger. */
@Injectable()
export class StorageUpkeep {
  constructor(
    private readonly storage: StorageWatch,
    private readonly limit: StorageLimit,
    private readonly partitions: LedgerPartitions,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Runs before the first write, and then every few seconds. */
  async watch(): Promise<void> {
    const before = this.storage.isNearlyFull;
    const usage = await this.storage.look();
    const { isNearlyFull } = this.storage;
    this.metrics.deployment.observeStorage(usage.databaseBytes, isNearlyFull);
    if (isNearlyFull && !before) this.log.error(usage, 'storage is nearly full: writes are refused');
    if (before && !isNearlyFull) this.log.warn(usage, 'storage has space again: writes are accepted');
  }

  /** By the database's clock. The hourly tick creates them too; deposits must not fail with it. */
  preparePartitions(): Promise<void> {
    return this.partitions.prepare(this.clock.wall());
  }

  /** Counts what partners store, wherever they wrote. */
  async countStored(): Promise<void> {
    await this.limit.refresh();
    await this.limit.countDue();
    await this.limit.refresh();
  }

  /** Reads the counts of a process that runs jobs. */
  readStored(): Promise<void> {
    return this.limit.refresh();
  }
}
