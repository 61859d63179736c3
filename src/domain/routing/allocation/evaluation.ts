import { setImmediate as nextTurn } from 'node:timers/promises';
import { isIdle } from '../../kernel/catalogue/catalogue.js';
import { vaultOf } from '../../books/positions/quotes.js';
import { sharesWithin, valueOf } from '../../markets/vaults/yield-index.js';
import { type HourOfMarket, inputsOf, stayGatesOf } from './candidates.js';
import { rule } from './choice.js';
import { type DecisionInputs, exitDelayHoursOf } from './decision.js';
import { Drift } from './drift.js';
import { failedGates } from './gates.js';
import { partialTargets } from './partial-move.js';
import { type BatchMember, batchMember, type DecisionChoice, sharedBy } from './rating.js';
import { type VaultHolding, holdingKey, PlannedMoves } from './routing-state.js';
import { bringsMore, type Draft, type HourContext, type Verdict, wholeDraft } from './verdict.js';

/** Groups that are evaluated before the event loop gets a turn: a few milliseconds in a catalogue of 50 vaults. */
const GROUPS_PER_TURN = 20;

/**
 * Evaluates all holdings of a market in an hour. Decisions take earlier ones into account: used headroom is gone. Evictions come first, and do not
 * wait for open moves. Then books that drifted over an exposure limit are reduced. Then funds move to better vaults, alone or in batches. Decisions
 * are made lazily, and some read positions, so nothing may be moved before the last one.
 */
export class HourEvaluation {
  private readonly planned: PlannedMoves;
  /** Holdings whose vault must be left. */
  private readonly leaving: ReadonlySet<VaultHolding>;
  /** Holdings that moves of this hour join. They are evaluated in the next hour, because a move takes all funds in its vault at execution. */
  private readonly joined = new Set<string>();
  private readonly movedDown = new Set<VaultHolding>();
  private count = 0;

  constructor(
    private readonly market: HourOfMarket,
    private readonly groups: readonly VaultHolding[],
    private readonly context: HourContext,
  ) {
    this.planned = new PlannedMoves(market, groups);
    this.leaving = new Set(groups.filter((group) => this.mustLeave(group)));
    // An eviction replaces the open move of its funds, so that one brings no inflow.
    const replaced = new Set([...this.leaving].map(holdingKey).filter((key) => !context.evicted?.has(key)));
    for (const move of context.open ?? [])
      if (!replaced.has(holdingKey({ ...move, vaultId: move.fromVaultId }))) this.planned.add(move);
  }

  async *verdicts(): AsyncGenerator<Verdict, void> {
    const { leaving } = this;
    yield* this.evict(this.groups.filter((group) => leaving.has(group)));
    yield* this.balance();
    for (const ofVault of this.byRate(this.groups.filter((group) => !leaving.has(group))))
      yield* this.improve(ofVault);
  }

  private async *evict(leaving: readonly VaultHolding[]): AsyncGenerator<Verdict, void> {
    for (const group of this.byRate(leaving).flat()) {
      await this.yieldTurn();
      if (this.context.evicted?.has(holdingKey(group)) || this.amountOf(group) === 0n) continue;
      yield* this.admit(await this.evaluate(group, this.ruleOnWhole(group)));
    }
  }

  /** Reduces books that drifted over an exposure limit. A book is only known while nothing is in transit. */
  private async *balance(): AsyncGenerator<Verdict, void> {
    const { past, inTransit, rules } = this.context;
    const books = Map.groupBy(this.groups, ({ partnerId, asset }) => `${partnerId} ${asset}`);
    for (const holdings of books.values()) {
      await this.yieldTurn();
      const [first] = holdings as [VaultHolding];
      if (past.isInTransit(first) || holdings.some((group) => inTransit?.has(holdingKey(group)))) continue;
      const drift = new Drift(this.market, holdings, this.planned.ownOf(first.partnerId), rules.constants);
      if (drift.isBroken) yield* this.moveDown(drift, holdings);
    }
  }

  private async *moveDown(drift: Drift, holdings: readonly VaultHolding[]): AsyncGenerator<Verdict, void> {
    const { joined } = this;
    const candidates = new Set(holdings.filter((group) => !this.leaving.has(group)));
    for (;;) {
      const steps: StepDown[] = [];
      for (const group of candidates) {
        const step = joined.has(holdingKey(group)) ? null : await this.stepDown(drift, group);
        if (step) steps.push(step);
        else candidates.delete(group);
      }
      const [best] = steps.toSorted((a, b) => Number(b.isEnough) - Number(a.isEnough) || a.loss - b.loss);
      if (!best) return;
      candidates.delete(best.draft.group);
      this.movedDown.add(best.draft.group);
      yield* this.admit(best.draft);
    }
  }

  /** The best part of a holding that may move out, with its loss including the cost. */
  private async stepDown(drift: Drift, group: VaultHolding): Promise<StepDown | null> {
    const parts = await drift.partsDown(group, this.indexOf(group), this.context.findPart);
    for (const part of parts) {
      const ruling = this.rule(group, part, { drifted: true });
      if (ruling.choice.reason !== 'exposure') continue;
      const { isEnough, positions, relief, shares } = part;
      const loss = -Number(ruling.choice.expectedUplift.npv ?? 0) / Number(relief);
      return { isEnough, loss, draft: { group, positions, ruling, part: { positions, shares } } };
    }
    return null;
  }

  /** Evaluates the holdings of one vault; those that can share a move's cost go in batches. */
  private async *improve(ofVault: readonly VaultHolding[]): AsyncGenerator<Verdict, void> {
    const { past, rules } = this.context;
    const members: BatchMember[] = [];
    for (const group of ofVault) {
      await this.yieldTurn();
      if (this.waits(group) || this.amountOf(group) === 0n) continue;
      const ruling = this.ruleOnWhole(group);
      const draft = await this.evaluate(group, ruling);
      const isShared = rules.isShared && ofVault.length > 1;
      const member = isShared && draft.part === null ? batchMember(group, ruling, past) : null;
      if (member) members.push(member);
      else yield* this.admit(draft);
    }
    for (const batch of Map.groupBy(members, ({ toVaultId }) => toVaultId).values()) yield* this.batch(batch);
  }

  /** Decides on each member at the cost that it shares with the others. One that is held leaves the batch. */
  private async *batch(batch: readonly BatchMember[]): AsyncGenerator<Verdict, void> {
    let members = batch;
    const gain = batch.reduce((sum, member) => sum + Number(member.gain), 0);
    const pays = gain >= this.context.rules.constants.minimumGainMultiple * Number(batch[0]!.cost);
    for (const member of batch.filter(({ wasHeld }) => pays || !wasHeld)) {
      await this.yieldTurn();
      const others = members.filter((other) => other !== member);
      const { group } = member;
      const shared = others.length > 0 ? sharedBy(others) : undefined;
      const ruling = this.ruleOnWhole(group, shared);
      const draft = shared ? wholeDraft(group, ruling) : await this.evaluate(group, ruling);
      if (draft.ruling.choice.kind === 'hold') members = others;
      yield* this.admit(draft);
    }
  }

  /** If a better vault takes only a part, the positions that fit are evaluated as an amount of their own. */
  private async evaluate(group: VaultHolding, whole: DecisionChoice): Promise<Draft> {
    const index = this.indexOf(group);
    for (const room of partialTargets(whole.choice)) {
      const part = await this.context.findPart(group, sharesWithin(room.amount, index));
      const amount = valueOf(part.shares, index);
      if (amount === 0n) continue;
      const ruling = this.rule(group, { amount, positions: part.positions });
      if (ruling.choice.kind === 'rebalance' && bringsMore(ruling.choice, whole.choice))
        return { group, positions: part.positions, ruling, part };
    }
    return wholeDraft(group, whole);
  }

  private ruleOnWhole(group: VaultHolding, shared?: DecisionInputs['shared']): DecisionChoice {
    return this.rule(group, { amount: this.amountOf(group), positions: group.positions }, { shared });
  }

  private rule(
    group: VaultHolding,
    { amount, positions }: { amount: bigint; positions: number },
    circumstances: { shared?: DecisionInputs['shared']; drifted?: boolean } = {},
  ): DecisionChoice {
    const { asset, vaultId, partnerId, policy } = group;
    const { past, rules } = this.context;
    const funds = {
      ...this.planned.fundsFor(partnerId),
      ...circumstances,
      asset,
      amount,
      positions,
      vaultId,
      groupAmount: this.amountOf(group),
      hoursInVault: past.hoursInVault(group),
      hoursSinceLeft: past.hoursSinceLeft(group),
      policy: policy ?? undefined,
    };
    return rule(inputsOf(this.market, funds, this.market.hour, rules));
  }

  /** Returns the verdict and plans its move. A hold whose reason is already stored is dropped. */
  private admit({ ruling, ...draft }: Draft): Verdict[] {
    const { group } = draft;
    const { partnerId, vaultId } = group;
    const { toVaultId, blocked, kind } = ruling.choice;
    if (kind === 'hold' && (blocked === null || this.context.past.hasStoredHold(group, blocked))) return [];
    const record = ruling.decision();
    if (toVaultId !== null) {
      // Funds in transit do not join their target yet.
      if (exitDelayHoursOf(record) === 0) this.joined.add(holdingKey({ partnerId, vaultId: toVaultId }));
      const amount = BigInt(record.inputs.amount);
      this.planned.add({ partnerId, fromVaultId: vaultId, toVaultId, amount });
    }
    return [{ ...draft, record }];
  }

  /** Whether the vault evicts its funds; cash never does. */
  private mustLeave({ vaultId, policy }: VaultHolding): boolean {
    const vault = vaultOf(this.market, vaultId);
    if (isIdle(vault.vault)) return false;
    return (
      failedGates(stayGatesOf(vault, this.market.hour, this.context.rules, policy ?? undefined)).length > 0
    );
  }

  private waits(group: VaultHolding): boolean {
    const key = holdingKey(group);
    return this.context.inTransit?.has(key) || this.joined.has(key) || this.movedDown.has(group);
  }

  /**
   * Holdings by vault, best rate first. Moves lead to better vaults, so funds leave a vault before others arrive, and an eviction, which is executed
   * earlier, never takes newly arrived funds along.
   */
  private byRate(groups: readonly VaultHolding[]): VaultHolding[][] {
    const rate = ({ vaultId }: VaultHolding): number => vaultOf(this.market, vaultId).riskAdjustedApy ?? -1;
    const sorted = groups.toSorted((a, b) => rate(b) - rate(a));
    return [...Map.groupBy(sorted, ({ vaultId }) => vaultId).values()];
  }

  private indexOf({ vaultId }: VaultHolding): bigint {
    return vaultOf(this.market, vaultId).state.index;
  }

  /** Micro-units. */
  private amountOf(group: VaultHolding): bigint {
    return valueOf(BigInt(group.shares), this.indexOf(group));
  }

  private async yieldTurn(): Promise<void> {
    if (++this.count % GROUPS_PER_TURN === 0) await nextTurn();
  }
}

/** Move of a part of a holding that reduces exposure. */
interface StepDown {
  draft: Draft;
  isEnough: boolean;
  /** Over the horizon, per unit of relief. */
  loss: number;
}
