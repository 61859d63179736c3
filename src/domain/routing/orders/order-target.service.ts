import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { hourOf } from '../../kernel/clock.js';
import type { MarketView } from '../../markets/hours/market.service.js';
import { PolicyService } from '../../tenants/policies/policy.service.js';
import { stillTakes } from '../allocation/candidates.js';
import { isOfServer, type MoveOrder, stepOf } from '../allocation/move-order.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { vaultRules } from '../allocation/routing-constants.js';

/** Whether the target of an order still takes its funds: an order is executed some time after its decision. */
@Injectable()
export class OrderTarget {
  constructor(
    private readonly settings: DomainSettings,
    private readonly policies: PolicyService,
    private readonly orders: MoveOrderService,
  ) {}

  /**
   * Checks the target's limits and the partner's policy. Funds that the order has already brought there do not count.
   * @param amount micro-units
   */
  async takes(view: MarketView, order: MoveOrder, amount: bigint): Promise<boolean> {
    const target = view.vaults.get(order.toVaultId);
    // Removed from the catalogue.
    if (!target) return false;
    // Evicted funds that are paid out late leave in any case.
    if (order.urgent && isOfServer(order) && stepOf(order).name === 'redeemed') return true;
    const arrived = BigInt((stepOf(order).name === 'settled' && order.booking?.arrived) || 0);
    const others = target.held > arrived ? target.held - arrived : 0n;
    const policy = await this.policies.findInForce(order.partnerId);
    return stillTakes(
      { ...target, held: others },
      amount,
      hourOf(view.now),
      vaultRules(this.settings),
      policy,
    );
  }

  refuse(order: MoveOrder, at: Date): Promise<void> {
    return this.orders.fail(order, 'refused', `${order.toVaultId} no longer accepts the funds.`, at);
  }
}
