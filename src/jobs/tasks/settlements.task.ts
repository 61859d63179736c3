import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isAlarming, SettlementChecks } from '../../domain/routing/settlements/settlement-checks.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import type { Task } from '../task.js';

/** Compares reported transfers and moves with their chains. */
@Injectable()
export class SettlementsTask implements Task {
  readonly name = 'settlements';
  readonly attempts = 3;
  readonly schedule = { seconds: 60 };

  constructor(
    private readonly settlements: SettlementChecks,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async run(): Promise<void> {
    const checked = await this.settlements.pass();
    if (!checked) return;
    const { changes, moveChanges, silent } = checked;
    if (silent.length > 0)
      this.log.warn({ chains: silent }, 'settlements were not checked: no reliable RPC provider');
    for (const change of changes.filter(isAlarming))
      this.log.error(change, 'the chain contradicts a reported transfer: resolve it');
    for (const change of moveChanges.filter(isAlarming))
      this.log.error(change, 'the chain contradicts a report on a move: an administrator resolves it');
    this.metrics.countSettlements(changes.map(({ status }) => status));
  }
}
