import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DatabaseConnection } from '../database/connection.js';
import { Clock, addHours } from '../domain/kernel/clock.js';
import { IdentityCheck } from '../domain/cycle/deployment/identity-check.js';
import { LedgerPartitions } from '../domain/markets/hours/ledger-partitions.service.js';
import { SecretsCheck } from '../domain/kernel/secrets/secrets-check.js';
import { isOutage } from '../domain/kernel/store/outage.js';
import { LOGGER } from '../telemetry/logger.js';
import { Schedule } from './schedule.js';

/** Pause before retrying a start that the database interrupted. */
const BEGIN_AGAIN_MS = 500;

/** Preparation of a process of any role, before it is ready. */
@Injectable()
export class Startup {
  constructor(
    private readonly database: DatabaseConnection,
    private readonly secrets: SecretsCheck,
    private readonly identity: IdentityCheck,
    private readonly schedule: Schedule,
    private readonly partitions: LedgerPartitions,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Waits for the database and runs `begin`, again if the connection breaks meanwhile. @param begin must be repeatable */
  async persist(begin: () => Promise<void>, isStopped: () => boolean): Promise<void> {
    await this.database.start();
    while (this.database.isReady && !isStopped()) {
      try {
        return await begin();
      } catch (error) {
        if (!isOutage(error)) throw error;
        this.log.warn(
          { err: error },
          'the connection to the database was lost during the start; trying again',
        );
        await sleep(BEGIN_AGAIN_MS);
      }
    }
  }

  /** Checks the settings against the database, measures the clock, and creates partitions for the present hours. @throws ConfigError */
  async prepare(): Promise<void> {
    await this.secrets.run();
    await this.identity.run();
    await this.schedule.readClock();
    // By the database's clock; a machine's may be slightly behind.
    const now = this.clock.wall();
    for (const moment of [addHours(now, -24), now]) await this.partitions.prepare(moment);
  }
}
