import { Injectable } from '@nestjs/common';
import type { KnownFact } from '../outbound/alerts/alert.js';
import { AlertService } from './alerts/alert.service.js';
import { Clock } from '../kernel/clock.js';
import { MarketHours } from '../markets/hours/market-hours.service.js';
import { BASE_MARKET, MarketService, type Tick } from '../markets/hours/market.service.js';
import { ClosingService } from '../reporting/closing.service.js';
import { StatementService } from '../books/positions/statement.service.js';
import { RebalanceService } from '../routing/allocation/rebalance.service.js';
import { NO_OUTCOMES, OutcomeService, type Outcomes } from '../routing/allocation/outcome.service.js';
import { type Eviction, RoutingService } from '../routing/allocation/routing.service.js';
import { wakes, type WalkStanding } from '../routing/allocation/standing.js';
import { StorageWatch } from '../kernel/store/storage-watch.js';
import { Store } from '../kernel/store/store.js';

/** Results of an hour that the operator's log reports. */
export interface Told {
  marketId: string;
  /** Decisions to leave a vault that must not be held any longer. */
  evictions: readonly Eviction[];
  /** Decisions to leave a vault that a partner's policy forbids. */
  policyMoves: readonly Eviction[];
  outcomes: Outcomes;
}

/** Results of an hour. */
export interface Cycle extends Tick, Omit<Told, 'marketId'> {
  /** Number of entries of daily statements. */
  accruals: number;
  /** Number of decisions to move. */
  moves: number;
  /** Number of moved positions. */
  moved: number;
}

/** Results of several hours. */
export interface Hours {
  hours: number;
  /** Number of entries of daily statements. */
  accruals: number;
  /** Number of moved positions. */
  moved: number;
  /** Number of events raised. */
  events: number;
}

/**
 * Hourly cycle, in order: the market's new hour, statement and closing figures of a day that ended, routing decisions, moves, and outcomes of earlier
 * moves. Each part is idempotent and resumable, so that any process can run the whole again at any time.
 */
@Injectable()
export class HourlyCycle {
  /** Called with each hour's routing once it is committed, for the shared market and for accounts. */
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
   * While storage is nearly full, only the market's hour is added, because it cannot be observed later; the rest follows when there is room.
   * @throws DomainError `validation_failed` for a moment in the future, `service_unavailable` (clock error): another process may run it
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
    // Reported before the moves, which may take long or fail.
    this.tell({ marketId: BASE_MARKET, evictions, policyMoves, outcomes: NO_OUTCOMES });
    // Funds leave a vault even when alerts cannot be sent.
    const [watched] = await Promise.allSettled([this.alerts.watch()]);
    const moved = await this.rebalances.carryOut(BASE_MARKET);
    const outcomes = await this.outcomes.settle(BASE_MARKET);
    this.tell({ marketId: BASE_MARKET, evictions: [], policyMoves: [], outcomes });
    if (watched.status === 'rejected') throw watched.reason;
    return { ...tick, accruals, moves, moved, evictions, policyMoves, outcomes };
  }

  /**
   * Runs a market without feeds up to an hour: every hour in order with everything that happens in it, dated at that hour. All hours or none.
   * @param to by the market's own clock
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
          const outcomes = await this.outcomes.settle(marketId);
          this.tell({ marketId, evictions, policyMoves, outcomes });
          standing = null;
        }
        // Includes the moves of the hour, which are dated at the day's end.
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
