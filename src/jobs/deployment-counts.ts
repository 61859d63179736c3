import { Injectable } from '@nestjs/common';
import { AlertService } from '../domain/cycle/alerts/alert.service.js';
import { BacklogReader } from '../domain/cycle/deployment/backlogs.js';
import { Clock } from '../domain/kernel/clock.js';
import { Replicas } from '../domain/kernel/deployment/replicas.js';
import { MoveOrderService } from '../domain/routing/allocation/move-order.service.js';
import { coverageOf, differenceOf } from '../domain/reporting/reserves/reserve.js';
import { ReservesService } from '../domain/reporting/reserves/reserves.service.js';
import { MoveCheckService } from '../domain/routing/move-checks/move-check.service.js';
import { WithdrawalReader } from '../domain/routing/withdrawals/withdrawal-reader.js';
import { partsOf } from '../domain/outbound/alerts/alert.js';
import type { ReserveLabels } from '../telemetry/deployment.metrics.js';
import { Metrics } from '../telemetry/metrics.js';

/** Counts of the whole deployment, for its metrics. */
@Injectable()
export class DeploymentCounts {
  constructor(
    private readonly orders: MoveOrderService,
    private readonly checks: MoveCheckService,
    private readonly withdrawals: WithdrawalReader,
    private readonly reserves: ReservesService,
    private readonly alerts: AlertService,
    private readonly backlogs: BacklogReader,
    private readonly replicas: Replicas,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** Shows whether executors take orders and withdrawals, and administrators review gains and resolve contradicted reports. */
  async countOrders(): Promise<void> {
    const { deployment } = this.metrics;
    const { orders, pendingReview, oldestRequestedAt } = await this.orders.counts();
    deployment.observeOrders(orders, pendingReview, this.ageOf(oldestRequestedAt));
    deployment.observeReports(await this.checks.countUnresolved());
    const { oldestRequestedAt: oldest, ...open } = await this.withdrawals.counts();
    deployment.observeWithdrawals(open, this.ageOf(oldest));
  }

  /** Shows whether the custody accounts cover the books. */
  async countReserves(): Promise<void> {
    const reserves = await this.reserves.newest({ isAdministrator: true });
    const { deployment } = this.metrics;
    deployment.observeReserves(
      reserves.map((reserve) => ({
        labels: { chain: reserve.chain ?? '', asset: reserve.asset, ...labelsOf(reserve) },
        coverage: coverageOf(reserve),
        difference: differenceOf(reserve),
        reason: reserve.reason,
      })),
      (await this.alerts.openOfReserves()).map((fact) => ({ kind: fact.kind, ...labelsOf(partsOf(fact)) })),
      reserves[0] === undefined ? null : this.ageOf(reserves[0].readAt),
    );
  }

  private ageOf(moment: Date | null): number {
    return moment === null ? 0 : Math.max(0, (this.clock.now().getTime() - moment.getTime()) / 1000);
  }

  async countBacklogs(): Promise<void> {
    const { deployment } = this.metrics;
    try {
      const [backlogs, replicas] = [await this.backlogs.read(), await this.replicas.list()];
      deployment.observeBacklogs(backlogs, replicas);
    } catch (error) {
      deployment.forget();
      throw error;
    }
  }
}

/** With separate custody a partner's accounts are read by themselves. */
const labelsOf = ({ vaultId, partnerId }: { vaultId: string; partnerId: string | null }): ReserveLabels => ({
  vault: vaultId,
  ...(partnerId !== null && { partner: partnerId }),
});
