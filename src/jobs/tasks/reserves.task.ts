import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { AlertService } from '../../domain/cycle/alerts/alert.service.js';
import { partsOf } from '../../domain/outbound/alerts/alert.js';
import { ReservesService } from '../../domain/reporting/reserves/reserves.service.js';
import { LOGGER } from '../../telemetry/logger.js';
import type { Task } from '../task.js';

/** Compares the custody accounts with the books, hourly. */
@Injectable()
export class ReservesTask implements Task {
  readonly name = 'reserves';
  readonly attempts = 3;
  // The tick has added the hour by then.
  readonly schedule = { seconds: 3_600, late: 5 * 60 };

  constructor(
    private readonly reserves: ReservesService,
    private readonly alerts: AlertService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async run(): Promise<void> {
    const reading = await this.reserves.read();
    if (reading === null) return;
    const { begun, over } = await this.alerts.watchReserves(reading);
    for (const { kind, subject, why } of begun)
      this.log.error({ kind, ...placeOf(subject), why }, 'the custody accounts differ from the books');
    for (const { kind, subject } of over)
      this.log.info({ kind, ...placeOf(subject) }, 'the custody accounts have what is in the books again');
  }
}

function placeOf(subject: string): { vault: string; partnerId?: string } {
  const { vaultId, partnerId } = partsOf({ subject });
  return { vault: vaultId, ...(partnerId !== null && { partnerId }) };
}
