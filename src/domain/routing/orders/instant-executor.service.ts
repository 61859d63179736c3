import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { Store } from '../../kernel/store/store.js';
import { hourOf } from '../../kernel/clock.js';
import { BASE_MARKET, MarketService } from '../../markets/hours/market.service.js';
import { isStalled } from '../../markets/simulation/move-scenarios.js';
import { INDEX_SCALE, valueOf } from '../../markets/vaults/yield-index.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { isOfServer, type MoveOrder, stepOf } from '../allocation/move-order.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { MoveReportService } from './move-report.service.js';
import { OrderSteps } from './order-steps.service.js';
import { OrderTarget } from './order-target.service.js';

/**
 * Executor of deployments with instant moves. It takes the orders of a market and reports each step as the books expect it, by the calls that the API
 * makes for other executors. It also books the remaining parts of any report.
 */
@Injectable()
export class InstantExecutor {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly orders: MoveOrderService,
    private readonly reports: MoveReportService,
    private readonly steps: OrderSteps,
    private readonly target: OrderTarget,
  ) {}

  /**
   * Executes a market's due orders, urgent ones first, and resumes what a crashed process left. A failing order is retried in the next hour, and
   * delays no other.
   * @param at time of the entries; default: the time of each part
   * @returns number of positions that moved
   * @throws the first failure
   */
  async execute(marketId: string, at?: Date): Promise<number> {
    const due = await this.orders.findDue(marketId);
    if (due.length === 0 || !(await this.isActive(marketId, at))) return 0;
    return this.executeAll(due, at);
  }

  /** Books the remaining parts of steps on the shared market, whoever reported them. @throws the first failure */
  async resume(): Promise<void> {
    await this.executeAll(await this.orders.findInterrupted(BASE_MARKET));
  }

  private async executeAll(ids: readonly string[], at?: Date): Promise<number> {
    let moved = 0;
    const failures: unknown[] = [];
    for (const id of ids)
      try {
        moved += await this.begin(id, at);
        for (let part: number | null = 0; part !== null; part = await this.steps.proceed(id, at))
          moved += part;
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
    return moved;
  }

  /** Whether the executor acts in this hour: the scenario of an account may stall it. */
  private async isActive(marketId: string, at?: Date): Promise<boolean> {
    const { scenario, now } = await this.market.look(marketId, at);
    return !isStalled(scenario, hourOf(now));
  }

  /** Begins the next step of an order of the server. @returns number of positions that moved in its first part */
  private begin(id: string, at?: Date): Promise<number> {
    return this.store.transaction(async () => {
      const order = await this.orders.lockOrder(id);
      if (order === null || order.endedAt !== null || order.booking !== null || !isOfServer(order)) return 0;
      const which = { id, partnerId: null };
      const report = { txHash: null, amount: null, keyId: null, at };
      if (order.status === 'arriving' && !(await this.entersTarget(order, at))) return 0;
      if (order.takenAt === null && !(await this.reports.take(which, null, at))) return 0;
      const step = stepOf(order).name;
      return step === 'redeemed' ? this.reports.redeemed(which, report) : this.reports.settled(which, report);
    });
  }

  /** Whether funds in transit enter their target. If not, the order ends with them in cash: that is its target, or the target refused them. */
  private async entersTarget(order: MoveOrder, at?: Date): Promise<boolean> {
    const { marketId, toVaultId, asset, decisionId: transitId } = order;
    const view = await this.market.look(marketId, at);
    if (toVaultId === idleVaultId(asset)) {
      const value = valueOf(await this.positions.release({ marketId, transitId }), INDEX_SCALE);
      if (value > 0n) await this.orders.settle(order, { positions: null, amount: value, value }, view.now);
      else await this.orders.fail(order, 'empty', 'All of its funds were withdrawn.', view.now);
      return false;
    }
    if (await this.target.takes(view, order, order.amount)) return true;
    await this.target.refuse(order, view.now);
    return false;
  }
}
