import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LedgerChecks } from '../domain/books/ledger/ledger-checks.service.js';
import { LOGGER } from '../telemetry/logger.js';

/** Every night: the ledger since the last checkpoint. The seal in the log proves later that the checkpoint was not rewritten. */
@Injectable()
export class NightlyVerification {
  constructor(
    private readonly checks: LedgerChecks,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async run(): Promise<void> {
    const checked = await this.checks.run(false, (difference) =>
      this.log.error(difference, 'stored data differ from the ledger'),
    );
    this.log.info(checked, 'the ledger was verified');
  }
}
