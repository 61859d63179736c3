import { Injectable } from '@nestjs/common';
import { BacklogReader } from '../domain/cycle/deployment/backlogs.js';
import { Clock } from '../domain/kernel/clock.js';
import { Replicas } from '../domain/kernel/deployment/replicas.js';
import { MoveOrderService } from '../domain/routing/allocation/move-order.service.js';
import { Metrics } from '../telemetry/metrics.js';

/** Counts of the whole deployment, for its metrics. */
@Injectable()
export class DeploymentCounts {
  constructor(
    private readonly orders: MoveOrderService,
    private readonly backlogs: BacklogReader,
    private readonly replicas: Replicas,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** Shows whether executors take orders, and administrators review gains. */
  async countOrders(): Promise<void> {
    const { orders, pendingReview, oldestRequestedAt } = await this.orders.counts();
    const ms = oldestRequestedAt === null ? 0 : this.clock.now().getTime() - oldestRequestedAt.getTime();
    this.metrics.deployment.observeOrders(orders, pendingReview, Math.max(0, ms / 1000));
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
