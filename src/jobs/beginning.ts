import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DatabaseConnection } from '../database/connection.js';
import { Clock } from '../domain/clock.js';
import { LedgerPartitions } from '../domain/markets/ledger-partitions.service.js';
import { CatalogueCheck } from '../domain/positions/catalogue-check.js';
import { SecretsCheck } from '../domain/secrets/secrets-check.js';
import { isOutage } from '../domain/store/outage.js';
import { addHours } from '../domain/vaults/hour.js';
import { LOGGER } from '../telemetry/logger.js';
import { Schedule } from './schedule.js';

/** From a start that the database left to the next try. */
const BEGIN_AGAIN_MS = 500;

/** What a process of any role does before it is ready. */
@Injectable()
export class Beginning {
  constructor(
    private readonly database: DatabaseConnection,
    private readonly secrets: SecretsCheck,
    private readonly catalogue: CatalogueCheck,
    private readonly schedule: Schedule,
    private readonly partitions: LedgerPartitions,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Waits for the database, and begins: once more where the database leaves meanwhile. @param begin may be done again */
  async persist(begin: () => Promise<void>, isStopped: () => boolean): Promise<void> {
    await this.database.start();
    while (this.database.isReady && !isStopped()) {
      try {
        return await begin();
      } catch (error) {
        if (!isOutage(error)) throw error;
        this.log.warn({ err: error }, 'the database left while this started; trying again');
        await sleep(BEGIN_AGAIN_MS);
      }
    }
  }

  /** Holds the settings against what is stored, sets the clock, and makes room for the present hours. @throws ConfigError */
  async prepare(): Promise<void> {
    await this.secrets.run();
    await this.catalogue.run();
    await this.schedule.readClock();
    // By the database's clock; a machine's may be a little behind it.
    const now = this.clock.wall();
    for (const moment of [addHours(now, -24), now]) await this.partitions.prepare(moment);
  }
}
