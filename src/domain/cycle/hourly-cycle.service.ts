import { Injectable } from '@nestjs/common';
import { BASE_MARKET, MarketService, type Tick } from '../markets/market.service.js';
import { StatementService } from '../positions/statement.service.js';
import { RebalanceService } from '../routing/rebalance.service.js';
import { RoutingService } from '../routing/routing.service.js';

/** What an hour brought. */
export interface Cycle extends Tick {
  /** Entries of daily statements. */
  accruals: number;
  /** Decisions to move. */
  moves: number;
  /** Positions that were moved. */
  moved: number;
}

/**
 * All that happens in an hour, in order: the market's new hour, the statement of a day that ended, the judgement of what is held, the moves. Each
 * part happens once and goes on where it was left, so that the whole can be run again at any time, by any process.
 */
@Injectable()
export class HourlyCycle {
  constructor(
    private readonly market: MarketService,
    private readonly statements: StatementService,
    private readonly routing: RoutingService,
    private readonly rebalances: RebalanceService,
  ) {}

  /** @throws DomainError `validation_failed` for a moment that has not come yet */
  async run(at?: Date): Promise<Cycle> {
    const tick = await this.market.tick(at);
    const accruals = await this.statements.postDue(BASE_MARKET);
    const moves = await this.routing.judge(BASE_MARKET);
    const moved = await this.rebalances.carryOut(BASE_MARKET);
    return { ...tick, accruals, moves, moved };
  }
}
