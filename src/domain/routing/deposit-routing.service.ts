import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { MarketService, type MarketView } from '../markets/market.service.js';
import type { Policy } from '../policies/policy.js';
import { PolicyService } from '../policies/policy.service.js';
import { Store } from '../store/store.js';
import { Catalogue } from '../vaults/catalogue.js';
import { hourOf } from '../vaults/hour.js';
import { inputsOf } from './candidates.js';
import { decide } from './choice.js';
import type { Decision, DecisionInputs } from './decision.js';
import { disclosed, type PartnerDecision, withoutOthersDetail } from './disclosure.js';
import { roomLeft } from './part.js';
import { routingRules } from './routing-constants.js';
import { HOLD_ROOM } from './routing.queries.js';

/** A deposit always goes somewhere: where no vault takes it, it is cash. */
export type RoutedDeposit = Decision & { toVaultId: string };

/** What a deposit would get now. */
export interface Preview {
  record: PartnerDecision;
  at: Date;
}

/** Capacity check: below so many times the amount, deposits under way together could overfill the vault, so they queue for a lock; above, none is taken. */
const ROOM_FOR = 50n;

/** Where a deposit goes: decided once for those that are made and for those that are only asked about. */
@Injectable()
export class DepositRouting {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
    private readonly policies: PolicyService,
  ) {}

  /**
   * In the transaction of the deposit. Where the room of the vault that was chosen may be filled by others at this moment, deposits queue for it and choose anew.
   *
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
    // The wait may have been long: a policy that was set meanwhile holds.
    const policyNow = (await this.policies.inForce(partnerId)) ?? null;
    return { view, record: this.decide(this.inputs(view, policyNow, asset, amount)) };
  }

  /**
   * The decision that a deposit would get now, as its partner would be shown it; nothing is stored. What others hold is judged as it is shown, to two significant digits:
   * asking costs nothing, so that whoever asked for one amount after another would otherwise find what is left of a vault to the micro-unit.
   *
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
