import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { PolicyService } from '../../tenants/policies/policy.service.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { hourOf } from '../../kernel/clock.js';
import { idleVaultIn, inputsOf, roomLeft } from './candidates.js';
import { decide } from './choice.js';
import type { Decision, DecisionInputs } from './decision.js';
import { withoutOthersDetail } from './coarse.js';
import { disclosed } from './disclosure.js';
import { MICRO_PER_UNIT } from '../../kernel/money.js';
import { type RoutingRules, routingRules } from './routing-constants.js';
import { LOCK_ROOM } from './routing.queries.js';

/** A deposit always has a target: when no vault takes it, it is cash. */
export type RoutedDeposit = Decision & { toVaultId: string };

export type Preview = Awaited<ReturnType<DepositRouting['preview']>>[number];

/** Multiple of the amount that a vault's room must exceed. With less, concurrent deposits could overfill it, so a lock serialises them. */
const AMPLE_ROOM = 50n;

/** Routing of deposits, the same for real ones and previews. */
@Injectable()
export class DepositRouting {
  /** Made at the first deposit: digesting the whole configuration takes longer than a decision. */
  private rules: RoutingRules | null = null;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
    private readonly policies: PolicyService,
  ) {}

  /**
   * Routes the parts of a deposit in its transaction, one after another. If concurrent deposits could fill a chosen vault, it waits for them and
   * decides again.
   * @param amounts of its parts: micro-units, above 0
   */
  async route(
    initial: MarketView,
    { partnerId, policy }: { partnerId: string; policy: Policy | null },
    asset: string,
    amounts: readonly bigint[],
  ): Promise<{ view: MarketView; records: RoutedDeposit[] }> {
    const records = this.routeParts(initial, policy, asset, amounts);
    if (records.every(hasAmpleRoom)) return { view: initial, records };
    await this.store.query(LOCK_ROOM, [initial.marketId, asset]);
    const view = await this.market.viewForPartner(partnerId, initial.marketId);
    // The wait may have been long, so the policy is read again.
    const policyNow = (await this.policies.findInForce(partnerId)) ?? null;
    return { view, records: this.routeParts(view, policyNow, asset, amounts) };
  }

  /**
   * Decisions that the parts of a deposit would get now, as shown to its partner; nothing is stored. Other partners' holdings are rounded to two
   * significant digits: previews are free, so exact values would let a caller find a vault's remaining room to the micro-unit by trying amounts.
   * @param amounts micro-units, above 0
   * @throws DomainError `validation_failed` (asset)
   */
  async preview(partnerId: string, asset: string, amounts: readonly bigint[]) {
    this.catalogue.requireAsset(asset);
    const view = await this.market.previewForBooking(this.market.marketOf(partnerId), partnerId);
    const policy = (await this.policies.findInForce(partnerId)) ?? null;
    const records = this.routeParts(view, policy, asset, amounts, withoutOthersDetail);
    return records.map((record) => ({ record: disclosed(record), at: view.now }));
  }

  private routeParts(
    initial: MarketView,
    policy: Policy | null,
    asset: string,
    amounts: readonly bigint[],
    adjust: (inputs: DecisionInputs) => DecisionInputs = (inputs) => inputs,
  ): RoutedDeposit[] {
    const idle = idleVaultIn(initial, asset).id;
    // Parts that are not placed yet are cash of the partner's book.
    let view = amounts.reduce((all, amount) => withDeposit(all, idle, amount), initial);
    const inflows = new Map<string, bigint>();
    const deposit = {
      asset,
      vaultId: null,
      hoursInVault: 0,
      policy: policy ?? undefined,
      inflows,
      ownInflows: inflows,
    };
    const rules = (this.rules ??= routingRules(this.settings));
    return amounts.map((amount) => {
      view = withDeposit(view, idle, -amount);
      const funds = { ...deposit, amount };
      const inputs = inputsOf(view, funds, hourOf(view.now), rules);
      const decision = decide(adjust(inputs));
      const toVaultId = decision.toVaultId!;
      view = withDeposit(view, toVaultId, amount);
      inflows.set(toVaultId, (inflows.get(toVaultId) ?? 0n) + amount);
      return { ...decision, toVaultId };
    });
  }
}

/** Whether concurrent deposits cannot overfill the vault of a decision. */
function hasAmpleRoom({ inputs: { amount, candidates, constants }, toVaultId }: RoutedDeposit): boolean {
  const chosen = candidates.find(({ vaultId }) => vaultId === toVaultId);
  return !chosen || roomLeft(chosen, constants) >= BigInt(amount) * AMPLE_ROOM;
}

/** View after a part of a deposit, by which the next part is evaluated. */
function withDeposit(view: MarketView, vaultId: string, amount: bigint): MarketView {
  const vault = view.vaults.get(vaultId)!;
  const after = { ...vault, held: vault.held + amount, own: vault.own + amount };
  return { ...view, vaults: new Map(view.vaults).set(vaultId, after) };
}

/** Limit on the positions of a split deposit. */
const MAX_PARTS = 8n;

/** Parts of a deposit, as equal as micro-units allow, each of a whole unit or more; one part if it is not split. Micro-units. */
export function partsOf(amount: bigint, split: boolean): bigint[] {
  const units = amount / MICRO_PER_UNIT;
  const count = !split || units < 2n ? 1n : units < MAX_PARTS ? units : MAX_PARTS;
  return Array.from(
    { length: Number(count) },
    (_, index) => amount / count + (BigInt(index) < amount % count ? 1n : 0n),
  );
}
