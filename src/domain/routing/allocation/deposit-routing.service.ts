import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { PolicyService } from '../../tenants/policies/policy.service.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { hourOf } from '../../kernel/catalogue/hour.js';
import { inputsOf } from './candidates.js';
import { decide } from './choice.js';
import type { Decision, DecisionInputs } from './decision.js';
import { disclosed, type PartnerDecision, withoutOthersDetail } from './disclosure.js';
import { roomLeft } from './part.js';
import { routingRules } from './routing-constants.js';
import { HOLD_ROOM } from './routing.queries.js';

/** A deposit always has a target: when no vault takes it, it is cash. */
export type RoutedDeposit = Decision & { toVaultId: string };

/** Preview of a deposit's routing. */
export interface Preview {
  record: PartnerDecision;
  at: Date;
}

/**
 * Headroom factor: when a vault's free room is below this multiple of the amount, concurrent deposits could overfill it, so they are serialised by a
 * lock; above, no lock is taken.
 */
const ROOM_FOR = 50n;

/** Routing of deposits, the same for real ones and previews. */
@Injectable()
export class DepositRouting {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
    private readonly policies: PolicyService,
  ) {}

  /**
   * Routes a deposit in its transaction. When concurrent deposits could fill the chosen vault, deposits are serialised and the choice is repeated.
   * @param amount micro-units, above 0
   */
  async place(
    found: MarketView,
    { partnerId, policy }: { partnerId: string; policy: Policy | null },
    asset: string,
    amount: bigint,
  ): Promise<{ view: MarketView; record: RoutedDeposit }> {
    const record = this.decide(this.inputs(found, policy, asset, amount));
    const { candidates, constants } = record.inputs;
    const chosen = candidates.find(({ vaultId }) => vaultId === record.toVaultId);
    if (!chosen || roomLeft(chosen, constants) >= amount * ROOM_FOR) return { view: found, record };
    await this.store.query(HOLD_ROOM, [found.marketId, asset]);
    const view = await this.market.lookAs(partnerId, found.marketId);
    // The wait may have been long, so the policy is read again.
    const policyNow = (await this.policies.inForce(partnerId)) ?? null;
    return { view, record: this.decide(this.inputs(view, policyNow, asset, amount)) };
  }

  /**
   * Decision that a deposit would get now, as shown to its partner; nothing is stored. Other partners' holdings are rounded to two significant
   * digits: previews are free, so exact values would let a caller find a vault's remaining room to the micro-unit by trying amounts.
   * @param amount micro-units, above 0
   * @throws DomainError `validation_failed` (asset)
   */
  async preview(partnerId: string, asset: string, amount: bigint): Promise<Preview> {
    this.catalogue.requireAsset(asset);
    const view = await this.market.lookAhead(this.market.marketOf(partnerId), partnerId);
    const policy = (await this.policies.inForce(partnerId)) ?? null;
    const inputs = withoutOthersDetail(this.inputs(view, policy, asset, amount));
    return { record: disclosed(this.decide(inputs)), at: view.now };
  }

  private inputs(view: MarketView, policy: Policy | null, asset: string, amount: bigint): DecisionInputs {
    const funds = { asset, amount, vaultId: null, hoursInVault: 0, policy: policy ?? undefined };
    return inputsOf(view, funds, hourOf(view.now), routingRules(this.settings));
  }

  private decide(inputs: DecisionInputs): RoutedDeposit {
    const decision = decide(inputs);
    return { ...decision, toVaultId: decision.toVaultId! };
  }
}
