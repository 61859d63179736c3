import { Injectable } from '@nestjs/common';
import type { KnownFact } from '../alerts/alert.js';
import { AlertService } from '../alerts/alert.service.js';
import { Clock } from '../clock.js';
import { MarketHours } from '../markets/market-hours.service.js';
import { BASE_MARKET, MarketService, type Tick } from '../markets/market.service.js';
import { ClosingService } from '../reporting/closing.service.js';
import { StatementService } from '../positions/statement.service.js';
import { RebalanceService } from '../routing/rebalance.service.js';
import { NO_OUTCOMES, OutcomeService, type Outcomes } from '../routing/outcome.service.js';
import { type Eviction, RoutingService } from '../routing/routing.service.js';
import { wakes, type WalkStanding } from '../routing/standing.js';
import { StorageWatch } from '../store/storage-watch.js';
import { Store } from '../store/store.js';

/** What of an hour an operator is told. */
export interface Told {
  /** Decisions to leave a vault that is not to be kept. */
  evictions: readonly Eviction[];
  /** Decisions to leave a vault that a partner's policy does not allow. */
  policyMoves: readonly Eviction[];
  outcomes: Outcomes;
}

/** What an hour brought. */
export interface Cycle extends Tick, Told {
  /** Entries of daily statements. */
  accruals: number;
  /** Decisions to move. */
  moves: number;
  /** Positions that were moved. */
  moved: number;
}

/** What a run of hours brought. */
export interface Hours {
  hours: number;
  /** Entries of daily statements. */
  accruals: number;
  /** Positions that were moved. */
  moved: number;
  /** Events that were raised. */
  events: number;
}

/**
 * All that happens in an hour, in order: the market's new hour, the statement of a day that ended and what it closed with, the judgement of what is held, the moves, and what
 * earlier ones came to. Each
 * part happens once and goes on where it was left, so that the whole can be run again at any time, by any process.
 */
@Injectable()
export class HourlyCycle {
  /** Told of each hour's routing once it is kept, of everybody's market and of accounts' alike. */
  onRouted: (told: Told) => void = () => undefined;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly hours: MarketHours,
    private readonly statements: StatementService,
    private readonly closings: ClosingService,
    private readonly routing: RoutingService,
    private readonly rebalances: RebalanceService,
    private readonly outcomes: OutcomeService,
    private readonly storage: StorageWatch,
    private readonly alerts: AlertService,
  ) {}

  /**
   * While storage is nearly full, only the market's hour is added, which nobody could observe later; the rest follows when there is room.
   *
   * @throws DomainError `validation_failed` for a moment that has not come yet, `service_unavailable` (the clock): another process may do it
   */
  async run(at?: Date): Promise<Cycle> {
    this.clock.requireRight();
    const tick = await this.market.tick(at);
    if (this.storage.isNearlyFull) {
      return {
        ...tick,
        accruals: 0,
        moves: 0,
        moved: 0,
        evictions: [],
        policyMoves: [],
        outcomes: NO_OUTCOMES,
      };
    }
    const accruals = await this.statements.postDue(BASE_MARKET);
    await this.closings.write(BASE_MARKET);
    const { moves, evictions, policyMoves } = await this.routing.judge(BASE_MARKET);
    // Before moves that may take long, or fail.
    this.tell({ evictions, policyMoves, outcomes: NO_OUTCOMES });
    // Funds leave a vault whether or not people can be told.
    const [watched] = await Promise.allSettled([this.alerts.watch()]);
    const moved = await this.rebalances.carryOut(BASE_MARKET);
    const outcomes = await this.outcomes.settle(BASE_MARKET);
    this.tell({ evictions: [], policyMoves: [], outcomes });
    if (watched.status === 'rejected') throw watched.reason;
    return { ...tick, accruals, moves, moved, evictions, policyMoves, outcomes };
  }

  /**
   * Runs a market without feeds up to an hour: every hour in order, with all that happens in it, dated at that hour. All of it or nothing.
   *
   * @param to of the market's own time
   */
  async runTo(marketId: string, to: Date): Promise<Hours> {
    return this.store.transaction(async () => {
      const run = { accruals: 0, moved: 0 };
      let alerts = 0;
      let known: readonly KnownFact[] = await this.alerts.known(marketId);
      let standing: WalkStanding | null = null;
      const { hours, crossings } = await this.hours.walk(marketId, to, async (walk) => {
        const { hour } = walk;
        const endsDay = hour.getUTCHours() === 0;
        if (endsDay) {
          await walk.keep();
          run.accruals += await this.statements.postDue(marketId);
        }
        if (standing === null || wakes(standing, hour)) {
          await walk.keep();
          standing = await this.routing.standingOf(marketId, hour);
        }
        const watched = await this.alerts.watchWalked(walk, marketId, standing.held, known);
        alerts += watched.events;
        ({ known } = watched);
        const judged = await this.routing.judgeWalked(walk, standing);
        ({ standing } = judged);
        if (judged.moves > 0 || wakes(standing, hour)) {
          await walk.keep();
          run.moved += await this.rebalances.carryOut(marketId, hour);
          const { evictions, policyMoves } = judged;
          this.tell({ evictions, policyMoves, outcomes: await this.outcomes.settle(marketId) });
          standing = null;
        }
        // With the moves of the hour, which are dated as the day's end is.
        if (endsDay) await this.closings.write(marketId, hour);
      });
      if (hours > 0) await this.routing.endWalk(marketId, to);
      return { hours, ...run, events: crossings + run.moved + alerts };
    });
  }

  private tell(told: Told): void {
    const { evictions, policyMoves, outcomes } = told;
    if (evictions.length + policyMoves.length + outcomes.moves > 0)
      this.store.onceKept(() => this.onRouted(told));
  }
}
