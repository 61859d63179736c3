import { setImmediate as turn } from 'node:timers/promises';
import type { MarketVault } from '../../markets/hours/market.service.js';
import { vaultOf } from '../../books/positions/quotes.js';
import { sharesWithin, valueOf } from '../../markets/vaults/yield-index.js';
import { inputsOf, type RoutingVault, keptOf } from './candidates.js';
import { decide } from './choice.js';
import type { Decision, DecisionInputs } from './decision.js';
import { failed } from './gates.js';
import { Drift } from './drift.js';
import { type FindPartialMove, type PartialMove, partialTargets } from './partial-move.js';
import { type BatchMember, batchMember, sumOf } from './rating.js';
import { type Holding, type DecisionHistory, type PlannedMove, PlannedMoves } from './routing-state.js';
import type { RoutingRules } from './routing-constants.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';

export interface HourOfMarket {
  hour: Date;
  vaults: ReadonlyMap<string, RoutingVault & { state: Pick<MarketVault['state'], 'index'> }>;
}

/** Groups that are evaluated before the event loop gets a turn: some milliseconds, in a catalogue of 50 vaults. */
const EVALUATED_AT_ONCE = 20;

export interface Verdict {
  group: Holding;
  positions: number;
  record: Decision;
  /** The positions that move; null: all of them. */
  part: PartialMove | null;
}

/**
 * Evaluates all holdings. Decisions of one hour take each other into account: headroom taken by one is gone for the next. When a better vault takes
 * only a part, the positions that fit are evaluated as an amount of their own. Evictions come first, and do not wait for open moves. Decisions are
 * made as they are requested, and some read positions: nothing may be moved before the last one. What drifted over a limit on exposure goes next.
 * `inTransit`: `partner vault` of holdings that open moves leave or join; `evicted`: holdings that are leaving their vault; `open`: open moves, which
 * count like those of the hour.
 */
export async function* evaluateHour(
  market: HourOfMarket,
  groups: readonly Holding[],
  past: DecisionHistory,
  inTransit: ReadonlySet<string>,
  rules: RoutingRules,
  findPart: FindPartialMove,
  evicted: ReadonlySet<string> = new Set(),
  open: readonly PlannedMove[] = [],
): AsyncGenerator<Verdict, void> {
  const planned = new PlannedMoves(market, groups);
  // Cash never has to be left.
  const leaving = new Set(
    groups.filter(({ vaultId, policy }) => {
      const one = vaultOf(market, vaultId);
      return !isIdle(one.vault) && failed(keptOf(one, market.hour, rules, policy ?? undefined)).length > 0;
    }),
  );
  // An eviction replaces the open move of its funds, which is no inflow beside it.
  const replaced = new Set([...leaving].filter((one) => !evicted.has(keyOf(one))).map(keyOf));
  for (const one of open) if (!replaced.has(keyOf({ ...one, vaultId: one.fromVaultId }))) planned.add(one);
  // A move takes all funds in its vault when it is executed, so funds that another one brings there in this hour are evaluated in the next.
  const joined = new Set<string>();
  const indexOf = ({ vaultId }: Holding): bigint => vaultOf(market, vaultId).state.index;
  const decideFor = (
    group: Holding,
    { amount, positions }: { amount: bigint; positions: number },
    over: { shared?: DecisionInputs['shared']; drifted?: boolean },
  ): Decision => {
    const { asset, vaultId, partnerId, policy } = group;
    const funds = {
      ...planned.besides(partnerId),
      ...over,
      asset,
      amount,
      positions,
      vaultId,
      groupAmount: valueOf(BigInt(group.shares), indexOf(group)),
      hoursInVault: past.hoursInVault(group),
      hoursSinceLeft: past.hoursSinceLeft(group),
      policy: policy ?? undefined,
    };
    return decide(inputsOf(market, funds, market.hour, rules));
  };
  const evaluate = async (group: Holding, others?: DecisionInputs['shared']): Promise<Verdict> => {
    const index = indexOf(group);
    const groupAmount = valueOf(BigInt(group.shares), index);
    const decideOn = (amount: bigint, positions: number): Decision =>
      decideFor(group, { amount, positions }, { shared: others });
    const whole = decideOn(groupAmount, group.positions);
    const verdict = { group, positions: group.positions, record: whole, part: orderOf(whole, group) };
    if (others) return verdict;
    for (const room of partialTargets(whole)) {
      const part = await findPart(group, sharesWithin(room.amount, index));
      const amount = valueOf(part.shares, index);
      if (amount === 0n) continue;
      const record = decideOn(amount, part.positions);
      if (record.kind === 'rebalance' && bringsMore(record, whole))
        return { group, positions: part.positions, record, part };
    }
    return verdict;
  };
  const keep = (verdict: Verdict): Verdict[] => {
    const { group, record } = verdict;
    const { partnerId, vaultId } = group;
    const { toVaultId, blocked } = record;
    if (record.kind === 'hold' && (blocked === null || past.heldFor(group, blocked))) return [];
    if (toVaultId !== null) {
      // Funds in transit do not join their target yet.
      if (exitDelayHoursOf(record) === 0) joined.add(`${partnerId} ${toVaultId}`);
      planned.add({ partnerId, fromVaultId: vaultId, toVaultId, amount: BigInt(record.inputs.amount) });
    }
    return [verdict];
  };
  const goneDown = new Set<Holding>();
  /** The least loss for what is too much, the cost included; a move that is enough before others. */
  const leastDown = async (drift: Drift, group: Holding): Promise<Down | null> => {
    for (const part of await drift.partsDown(group, indexOf(group), findPart)) {
      const record = decideFor(group, part, { drifted: true });
      if (record.reason !== 'exposure') continue;
      const { isEnough, positions, relief, shares } = part;
      const loss = -Number(record.expectedUplift.npv ?? 0) / Number(relief);
      return { isEnough, loss, verdict: { group, positions, record, part: { positions, shares } } };
    }
    return null;
  };
  /** Moves down what a partner has above limits on exposure by drift. Its book is only known while nothing is in transit. */
  async function* moveDown(holdings: readonly Holding[]): AsyncGenerator<Verdict, void> {
    if (past.isInTransit(holdings[0]!) || holdings.some((one) => inTransit.has(keyOf(one)))) return;
    const drift = new Drift(market, holdings, planned.ownOf(holdings[0]!.partnerId), rules.constants);
    if (!drift.isBroken) return;
    const left = new Set(holdings.filter((one) => !leaving.has(one) && !joined.has(keyOf(one))));
    for (;;) {
      const found: Down[] = [];
      for (const group of left) {
        const least = joined.has(keyOf(group)) ? null : await leastDown(drift, group);
        if (least) found.push(least);
        else left.delete(group);
      }
      const [best] = found.toSorted((a, b) => Number(b.isEnough) - Number(a.isEnough) || a.loss - b.loss);
      if (!best) return;
      left.delete(best.verdict.group);
      goneDown.add(best.verdict.group);
      yield* keep(best.verdict);
    }
  }
  const books = Map.groupBy(groups, ({ partnerId, asset }) => `${partnerId} ${asset}`);
  let count = 0;
  let isBalanced = false;
  for (const ofVault of inOrder(market, groups, leaving)) {
    if (!isBalanced && !leaving.has(ofVault[0]!)) {
      isBalanced = true;
      for (const holdings of books.values()) {
        if (++count % EVALUATED_AT_ONCE === 0) await turn();
        yield* moveDown(holdings);
      }
    }
    const batched: BatchMember[] = [];
    for (const group of ofVault) {
      if (++count % EVALUATED_AT_ONCE === 0) await turn();
      const key = keyOf(group);
      const waits = leaving.has(group)
        ? evicted.has(key)
        : inTransit.has(key) || joined.has(key) || goneDown.has(group);
      const isEmpty = valueOf(BigInt(group.shares), indexOf(group)) === 0n;
      if (isEmpty || waits) continue;
      const verdict = await evaluate(group);
      const member = rules.isShared && ofVault.length > 1 ? batchMember(verdict, past) : null;
      if (member) batched.push(member);
      else yield* keep(verdict);
    }
    for (const batch of Map.groupBy(batched, ({ toVaultId }) => toVaultId).values()) {
      let members = batch;
      const gain = batch.reduce((sum, one) => sum + Number(one.gain), 0);
      const pays = gain >= rules.constants.minimumGainMultiple * Number(batch[0]!.cost);
      for (const member of batch.filter(({ wasHeld }) => pays || !wasHeld)) {
        if (++count % EVALUATED_AT_ONCE === 0) await turn();
        const others = members.filter((one) => one !== member);
        // What the others move pays for this member's part of the cost, or it stays what it was alone.
        const verdict = await evaluate(member.group, others.length > 0 ? sumOf(others) : undefined);
        if (verdict.record.kind === 'hold') members = others;
        yield* keep(verdict);
      }
    }
  }
}

const keyOf = ({ partnerId, vaultId }: { partnerId: string; vaultId: string | null }): string =>
  `${partnerId} ${vaultId}`;

/** Positions of a holding that may go down from a limit on exposure. */
interface Down {
  verdict: Verdict;
  isEnough: boolean;
  /** Over the horizon, in parts of what is above the limit. */
  loss: number;
}

/** The whole group as a part, the largest positions first, because they lose most by waiting; evictions go in the order of ids. */
const orderOf = ({ reason }: Decision, { positions, shares }: Holding): PartialMove | null =>
  reason === 'policy' ? { positions, shares: BigInt(shares) } : null;

const bringsMore = (part: Decision, whole: Decision): boolean =>
  whole.kind === 'hold' || BigInt(part.expectedUplift.npv ?? 0) > BigInt(whole.expectedUplift.npv ?? 0);

/**
 * Evictions first, the order in which moves are executed. Other moves follow in the order of their decisions and lead to better vaults: funds that
 * leave a vault have left before others arrive, so that an eviction never takes newly arrived funds along. Holdings of one vault are together.
 */
function inOrder(
  market: HourOfMarket,
  groups: readonly Holding[],
  leaving: ReadonlySet<Holding>,
): Holding[][] {
  const rate = ({ vaultId }: Holding): number => vaultOf(market, vaultId).riskAdjustedApy ?? -1;
  const order = (group: Holding): number => Number(!leaving.has(group));
  const sorted = groups.toSorted((a, b) => order(a) - order(b) || rate(b) - rate(a));
  return [...Map.groupBy(sorted, (group) => `${group.vaultId} ${order(group)}`).values()];
}

export const exitDelayHoursOf = ({ fromVaultId, inputs }: Pick<Decision, 'fromVaultId' | 'inputs'>): number =>
  inputs.candidates.find(({ vaultId }) => vaultId === fromVaultId)?.exitDelayHours ?? 0;
