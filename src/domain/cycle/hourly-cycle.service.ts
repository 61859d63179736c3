import { Injectable } from '@nestjs/common';
import type { KnownFact } from '../outbound/alerts/alert.js';
import { AlertService } from './alerts/alert.service.js';
import { Clock } from '../kernel/clock.js';
import { MarketHours } from '../markets/hours/market-hours.service.js';
import { BASE_MARKET, MarketService, type Tick } from '../markets/hours/market.service.js';
import { ClosingService } from '../reporting/closing.service.js';
import { DailyAccrualService } from '../books/positions/daily-accrual.service.js';
import { NO_OUTCOMES } from '../routing/allocation/move-order.js';
import { MoveOrderService } from '../routing/allocation/move-order.service.js';
import { InstantExecutor } from '../routing/orders/instant-executor.service.js';
import { type Eviction, RoutingService } from '../routing/allocation/routing.service.js';
import { type RoutingState, wakes } from '../routing/allocation/routing-state.js';
import type { WorkedHour } from '../markets/hours/market-hours.service.js';
import { StorageWatch } from '../kernel/store/storage-watch.js';
import { Store } from '../kernel/store/store.js';

/** Work so far, and what the next hour of the same transaction need not read again. */
const begun = () => ({
  done: {
    /** Entries of daily statements. */
    accruals: 0,
    moves: 0,
    moved: 0,
    /** Alerts that began or ended. */
    alerts: 0,
    evictions: [] as Eviction[],
    policyMoves: [] as Eviction[],
    outcomes: NO_OUTCOMES,
  },
  /** Holdings and decisions; undefined: funds have moved since, or none were read. */
  remembered: undefined as RoutingState | undefined,
  known: undefined as readonly KnownFact[] | undefined,
});
type Pass = ReturnType<typeof begun>;

const NOTHING_DECIDED = { moves: 0, evictions: [], policyMoves: [] };
type PassWork = Pass['done'];

export type RoutedHour = Pick<PassWork, 'evictions' | 'policyMoves' | 'outcomes'> & { marketId: string };
export type Cycle = Tick & PassWork;
export type Hours = Pick<PassWork, 'accruals' | 'moved'> & { hours: number; events: number };

/**
 * The cycle of an hour, in order: the market's new hour, the statement of a day that ended and its closings, routing decisions, alerts, moves, outcomes of
 * earlier moves. The live tick works on one hour, and commits each part: every part is idempotent and continues what a crashed process left,
 * so that any process can run the whole again at any time. An account advances by any number of hours in one transaction, in which an hour without
 * work costs no statement.
 */
@Injectable()
export class HourlyCycle {
  /** Called with each hour's routing once it is committed, for the shared market and for accounts. */
  onRouted: (routed: RoutedHour) => void = () => undefined;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly hours: MarketHours,
    private readonly statements: DailyAccrualService,
    private readonly closings: ClosingService,
    private readonly routing: RoutingService,
    private readonly orders: MoveOrderService,
    private readonly executor: InstantExecutor,
    private readonly storage: StorageWatch,
    private readonly alerts: AlertService,
  ) {}

  /**
   * The live tick. While storage is nearly full, only the market's hour is added, because it cannot be observed later; the rest follows when there is
   * room.
   * @throws DomainError `validation_failed` for a moment in the future, `service_unavailable` (clock error): another process may run it
   */
  async run(at?: Date): Promise<Cycle> {
    this.clock.requireRight();
    const tick = await this.market.tick(at);
    const pass = begun();
    if (!this.storage.isNearlyFull) await this.work(this.market.present(BASE_MARKET), pass);
    return { ...tick, ...pass.done };
  }

  /**
   * Advances a market without feeds: every hour in order with everything that happens in it, dated at that hour. All hours or none.
   * @param to by the market's own clock
   */
  async advance(marketId: string, to: Date): Promise<Hours> {
    return this.store.transaction(async () => {
      const pass = begun();
      const visit = (hour: WorkedHour): Promise<void> => this.work(hour, pass);
      const { hours, crossings } = await this.hours.advance(marketId, to, { visit });
      const { accruals, moved, alerts } = pass.done;
      return { hours, accruals, moved, events: crossings + moved + alerts };
    });
  }

  private async work(hour: WorkedHour, pass: Pass): Promise<void> {
    const { marketId, isLive, at } = hour;
    const { done } = pass;
    const endsDay = at === null || at.getUTCHours() === 0;
    if (endsDay) {
      await hour.keep();
      done.accruals += await this.statements.postDue(marketId);
      await this.closings.write(marketId);
    }
    if (pass.remembered && at !== null && wakes(pass.remembered, at)) pass.remembered = undefined;
    const evaluated = await this.routing.evaluate(hour, pass.remembered);
    const { moves, evictions, policyMoves } = evaluated ?? NOTHING_DECIDED;
    done.moves += moves;
    done.evictions.push(...evictions);
    done.policyMoves.push(...policyMoves);
    // Reported before the moves, which may take long or fail.
    this.report({ evictions, policyMoves, marketId, outcomes: NO_OUTCOMES });
    const [watched] = await Promise.allSettled([
      this.alerts.watch(hour, evaluated?.state.held ?? new Map(), pass.known),
    ]);
    // Live funds leave a vault even when alerts cannot be sent. A failed statement ends an account's transaction.
    if (watched.status === 'rejected' && !isLive) throw watched.reason;
    if (watched.status === 'fulfilled') {
      pass.known = watched.value.known;
      done.alerts += watched.value.changes;
    }
    const isQuiet = at !== null && evaluated !== null && moves === 0 && !wakes(evaluated.state, at);
    if (!isQuiet) {
      await hour.keep();
      done.moved += await this.executor.execute(marketId, at ?? undefined);
      done.outcomes = await this.orders.recordOutcomes(marketId);
      this.report({ marketId, evictions: [], policyMoves: [], outcomes: done.outcomes });
    }
    pass.remembered = isQuiet ? evaluated.state : undefined;
    if (watched.status === 'rejected') throw watched.reason;
  }

  private report(routed: RoutedHour): void {
    const { evictions, policyMoves, outcomes } = routed;
    if (evictions.length + policyMoves.length + outcomes.moves > 0)
      this.store.onceKept(() => this.onRouted(routed));
  }
}
