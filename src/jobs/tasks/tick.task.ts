import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountService } from '../../domain/cycle/accounts/account.service.js';
import { HourlyCycle } from '../../domain/cycle/hourly-cycle.service.js';
import { Clock } from '../../domain/kernel/clock.js';
import { instant } from '../../domain/kernel/store/column.js';
import { Trace } from '../../domain/kernel/trace.js';
import { LOGGER } from '../../telemetry/logger.js';
import { TOLERATED_MS } from '../schedule.js';
import type { Task } from '../task.js';

/** Processes an hour, once it has begun by the clock of the process that takes the job. */
@Injectable()
export class TickTask implements Task {
  readonly name = 'tick';
  readonly attempts = 5;
  readonly schedule = { seconds: 3_600, late: TOLERATED_MS / 1_000 };
  /** The start may come hours after the last tick. */
  readonly isQueuedAtStart = true;

  constructor(
    private readonly cycle: HourlyCycle,
    private readonly accounts: AccountService,
    private readonly clock: Clock,
    private readonly trace: Trace,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * @param payload `at`: hour to process; default: now.
   * @throws Error when it has not begun by this process's clock: another process may take it, or this one later
   */
  run({ at }: { at?: string }): Promise<void> {
    return this.trace.record('tick', 'tick', () => this.tick(at));
  }

  private async tick(at?: string): Promise<void> {
    if (at !== undefined && this.clock.now() < instant(at))
      throw new Error(`By the clock of this process it is not ${at} yet.`);
    // Accounts have clocks of their own and are not affected by trouble with the shared market.
    const { hours, silent, troubles, divergent, accruals, moves, moved } = await this.cycle
      .run()
      .finally(() => this.accounts.followAll());
    for (const trouble of troubles) this.log.warn({ trouble }, 'a feed has a problem');
    if (silent.length > 0) this.log.warn({ vaults: silent }, 'some vaults were not observed');
    for (const { vaultId, apy, otherApy } of divergent)
      this.log.warn(
        { vault: vaultId, apy, second_opinion: otherApy },
        'a share price and its second source disagree: the vault takes no deposits',
      );
    if (hours + accruals + moved > 0)
      this.log.info({ hours, accruals, moves, moved }, 'market is up to date');
  }
}
