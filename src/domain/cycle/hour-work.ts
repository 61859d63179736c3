import { Injectable } from '@nestjs/common';
import { DailyAccrualService } from '../books/positions/daily-accrual.service.js';
import { OperatorLog } from '../kernel/operator-log.js';
import { Store } from '../kernel/store/store.js';
import type { WorkedHour } from '../markets/hours/market-hours.service.js';
import { BASE_MARKET } from '../markets/hours/market.service.js';
import type { KnownFact } from '../outbound/alerts/alert.js';
import { ClosingService } from '../reporting/closing.service.js';
import { NO_OUTCOMES } from '../routing/allocation/move-order.js';
import { MoveOrderService } from '../routing/allocation/move-order.service.js';
import { type RoutingState, hasWorkAt } from '../routing/allocation/routing-state.js';
import { type Eviction, RoutingService } from '../routing/allocation/routing.service.js';
import { InstantExecutor } from '../routing/orders/instant-executor.service.js';
import { WithdrawalReports } from '../routing/withdrawals/withdrawal-report.service.js';
import { AlertService } from './alerts/alert.service.js';

/** Work so far, and what the next hour of the same transaction need not read again. */
export const newPass = () => ({
  done: {
    /** Entries of daily statements. */
    accruals: 0,
    moves: 0,
    moved: 0,
    /** Withdrawals that no executor took in time. */
    lapsed: 0,
    /** Alerts that began or ended. */
    alerts: 0,
    evictions: [] as Eviction[],
    policyMoves: [] as Eviction[],
    outcomes: NO_OUTCOMES,
  },
  /** Holdings and decisions; undefined: funds have moved since, or none were read. */
  remembered: undefined as RoutingState | undefined,
  facts: undefined as readonly KnownFact[] | undefined,
});
export type Pass = ReturnType<typeof newPass>;

const NOTHING_DECIDED = { moves: 0, evictions: [], policyMoves: [] };
export type PassWork = Pass['done'];

type RoutedHour = Pick<PassWork, 'evictions' | 'policyMoves' | 'outcomes'> & { marketId: string };

/**
 * Work on an hour of a market, in order: the statement of a day that ended and its closings, withdrawals that lapse, routing decisions, alerts, moves, outcomes of
 * earlier moves.
 */
@Injectable()
export class HourWork {
  constructor(
    private readonly store: Store,
    private readonly statements: DailyAccrualService,
    private readonly closings: ClosingService,
    private readonly routing: RoutingService,
    private readonly orders: MoveOrderService,
    private readonly executor: InstantExecutor,
    private readonly alerts: AlertService,
    private readonly withdrawals: WithdrawalReports,
    private readonly operatorLog: OperatorLog,
  ) {}

  async run(hour: WorkedHour, pass: Pass): Promise<void> {
    const { marketId, isLive, at } = hour;
    const { done } = pass;
    const endsDay = at === null || at.getUTCHours() === 0;
    if (endsDay) {
      await hour.save();
      done.accruals += await this.statements.postDue(marketId);
      await this.closings.write(marketId);
    }
    // Before the decisions, which evaluate what is reserved no longer.
    const [lapsed] = await Promise.allSettled([isLive ? this.withdrawals.lapse() : 0]);
    if (lapsed.status === 'fulfilled') done.lapsed += lapsed.value;
    if (pass.remembered && at !== null && hasWorkAt(pass.remembered, at)) pass.remembered = undefined;
    const evaluated = await this.routing.evaluate(hour, pass.remembered);
    const { moves, evictions, policyMoves } = evaluated ?? NOTHING_DECIDED;
    done.moves += moves;
    done.evictions.push(...evictions);
    done.policyMoves.push(...policyMoves);
    // Reported before the moves, which may take long or fail.
    this.report({ evictions, policyMoves, marketId, outcomes: NO_OUTCOMES });
    const [watched] = await Promise.allSettled([
      this.alerts.watch(hour, evaluated?.state.holdings ?? new Map(), pass.facts),
    ]);
    // Live funds leave a vault even when no withdrawal can lapse, and when alerts cannot be sent. A failed statement ends an account's transaction.
    if (watched.status === 'rejected' && !isLive) throw watched.reason;
    if (watched.status === 'fulfilled') {
      pass.facts = watched.value.facts;
      done.alerts += watched.value.changes;
    }
    const isQuiet = at !== null && evaluated !== null && moves === 0 && !hasWorkAt(evaluated.state, at);
    if (!isQuiet) {
      await hour.save();
      done.moved += await this.executor.execute(marketId, at ?? undefined);
      done.outcomes = await this.orders.recordOutcomes(marketId);
      this.report({ marketId, evictions: [], policyMoves: [], outcomes: done.outcomes });
    }
    pass.remembered = isQuiet ? evaluated.state : undefined;
    for (const part of [lapsed, watched]) if (part.status === 'rejected') throw part.reason;
  }

  private report(routed: RoutedHour): void {
    const { evictions, policyMoves, outcomes } = routed;
    if (evictions.length + policyMoves.length + outcomes.moves > 0)
      this.store.afterCommit(() => this.record(routed));
  }

  private record({ marketId, evictions, policyMoves, outcomes }: RoutedHour): void {
    for (const eviction of evictions) this.operatorLog.warn(eviction, 'funds are evicted from a vault');
    for (const move of policyMoves)
      this.operatorLog.info(move, 'funds leave a vault that the policy of their partner excludes');
    this.operatorLog.countRouting(
      marketId === BASE_MARKET ? 'base' : 'account',
      { evictions: evictions.length, policyMoves: policyMoves.length },
      outcomes,
    );
  }
}
