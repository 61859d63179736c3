import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LedgerVerifier } from '../../domain/books/ledger/ledger-verifier.js';
import { LOGGER } from '../../telemetry/logger.js';
import type { Task } from '../task.js';

/** Verifies the ledger every night. The head of the audit log in the log line proves later that the audit log was not rewritten. */
@Injectable()
export class VerifyTask implements Task {
  readonly name = 'verify';
  readonly attempts = 3;
  // By three, the day's statement is posted.
  readonly schedule = { seconds: 86_400, late: 3 * 3_600 };

  constructor(
    private readonly ledger: LedgerVerifier,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async run(): Promise<void> {
    const checked = await this.ledger.runNightly((difference) =>
      this.log.error(difference, 'stored data differ from the ledger'),
    );
    const { seventh } = checked;
    const line =
      seventh === null ? 'the ledger was verified' : 'the ledger of a seventh of the partners was verified';
    this.log.info(checked, line);
  }
}
