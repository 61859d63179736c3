import { setImmediate as turn } from 'node:timers/promises';
import type { MarketVault } from '../../markets/hours/market.service.js';
import { vaultOf } from '../../books/positions/quotes.js';
import { sharesWithin, valueOf } from '../../markets/vaults/yield-index.js';
import { inputsOf, type RoutingVault, keptOf } from './candidates.js';
import { decide } from './choice.js';
import type { Decision } from './decision.js';
import { failed } from './gates.js';
import { partialTargets } from './partial-move.js';
import type { Holding, DecisionHistory } from './decision-history.js';
import type { RoutingRules } from './routing-constants.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';

export interface HourOfMarket {
  hour: Date;
  vaults: ReadonlyMap<string, RoutingVault & { state: Pick<MarketVault['state'], 'index'> }>;
}

/** Positions that fit into a vault's room together, the largest first. */
export interface PartialMove {
  positions: number;
  shares: bigint;
}

/** Finds the positions of a group that fit. @param shares limit */
export type FindPartialMove = (group: Holding, shares: bigint) => Promise<PartialMove>;

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
 * made as they are requested, and some read positions: nothing may be moved before the last one. `inTransit`: `partner vault` of holdings that open
 * moves leave or join; `evicted`: holdings that are leaving their vault.
 */
export async function* evaluateHour(
  market: HourOfMarket,
  groups: readonly Holding[],
  past: DecisionHistory,
  inTransit: ReadonlySet<string>,
  rules: RoutingRules,
  findPart: FindPartialMove,
  evicted: ReadonlySet<string> = new Set(),
): AsyncGenerator<Verdict, void> {
  const held = new Map<string, bigint>();
  const inflows = new Map<string, bigint>();
  const ownInflows = new Map<string, Map<string, bigint>>();
  const own = ownHoldings(market, groups);
  // A move takes all funds in its vault when it is executed, so funds that another one brings there in this hour are evaluated in the next.
  const joined = new Set<string>();
  const mustLeave = mustLeaveIn(market, groups, rules);
  for (const [place, group] of inOrder(market, groups, mustLeave).entries()) {
    if (place % EVALUATED_AT_ONCE === EVALUATED_AT_ONCE - 1) await turn();
    const { partnerId, vaultId } = group;
    const { index } = vaultOf(market, vaultId).state;
    const groupAmount = valueOf(BigInt(group.shares), index);
    const key = `${partnerId} ${vaultId}`;
    const waits = mustLeave(group) ? evicted.has(key) : inTransit.has(key) || joined.has(key);
    if (groupAmount === 0n || waits) continue;
    const evaluate = (amount: bigint, positions: number): Decision =>
      decide(
        inputsOf(
          market,
          {
            asset: group.asset,
            amount,
            groupAmount,
            positions,
            vaultId,
            hoursInVault: past.hoursInVault(group),
            held,
            inflows,
            ownInflows: ownInflows.get(partnerId),
            own: own.get(partnerId)!,
            hoursSinceLeft: past.hoursSinceLeft(group),
            policy: group.policy ?? undefined,
          },
          market.hour,
          rules,
        ),
      );
    const whole = evaluate(groupAmount, group.positions);
    let verdict: Verdict = { group, positions: group.positions, record: whole, part: orderOf(whole, group) };
    for (const room of partialTargets(verdict.record)) {
      const part = await findPart(group, sharesWithin(room.amount, index));
      const amount = valueOf(part.shares, index);
      if (amount === 0n) continue;
      const record = evaluate(amount, part.positions);
      if (record.kind !== 'rebalance' || !bringsMore(record, verdict.record)) continue;
      verdict = { group, positions: part.positions, record, part };
      break;
    }
    const { record } = verdict;
    if (record.kind === 'hold' && (record.blocked === null || past.heldFor(group, record.blocked))) continue;
    if (record.toVaultId !== null) {
      // Funds in transit do not join their target yet.
      if (exitDelayHoursOf(record) === 0) joined.add(`${partnerId} ${record.toVaultId}`);
      const amount = BigInt(record.inputs.amount);
      book(held, (id) => vaultOf(market, id).held, vaultId, record.toVaultId, amount);
      book(inflows, () => 0n, vaultId, record.toVaultId, amount);
      const flows = ownInflows.get(partnerId) ?? new Map<string, bigint>();
      ownInflows.set(partnerId, flows);
      book(flows, () => 0n, vaultId, record.toVaultId, amount);
      book(own.get(partnerId)!, () => 0n, vaultId, record.toVaultId, amount);
    }
    yield verdict;
  }
}

/** The whole group as a part, the largest positions first, because they lose most by waiting; evictions go in the order of ids. */
const orderOf = ({ reason }: Decision, { positions, shares }: Holding): PartialMove | null =>
  reason === 'policy' ? { positions, shares: BigInt(shares) } : null;

/** Compares the move of a part with the decision on the whole. */
const bringsMore = (part: Decision, whole: Decision): boolean =>
  whole.kind === 'hold' || BigInt(part.expectedUplift.npv ?? 0) > BigInt(whole.expectedUplift.npv ?? 0);

/** Whether a partner's funds in a vault have to leave it; cash never has to. */
const mustLeaveIn = (market: HourOfMarket, groups: readonly Holding[], rules: RoutingRules) => {
  const leaving = groups.filter(({ vaultId, policy }) => {
    const one = vaultOf(market, vaultId);
    return !isIdle(one.vault) && failed(keptOf(one, market.hour, rules, policy ?? undefined)).length > 0;
  });
  const found = new Set(leaving);
  return (group: Holding): boolean => found.has(group);
};

/**
 * Evictions first, the order in which moves are executed. Other moves follow in the order of their decisions and lead to better vaults: funds that
 * leave a vault have left before others arrive, so that an eviction never takes newly arrived funds along.
 */
function inOrder(
  market: HourOfMarket,
  groups: readonly Holding[],
  mustLeave: (group: Holding) => boolean,
): Holding[] {
  const rate = ({ vaultId }: Holding): number => vaultOf(market, vaultId).riskAdjustedApy ?? -1;
  return groups.toSorted((a, b) => Number(mustLeave(b)) - Number(mustLeave(a)) || rate(b) - rate(a));
}

export const exitDelayHoursOf = ({ fromVaultId, inputs }: Pick<Decision, 'fromVaultId' | 'inputs'>): number =>
  inputs.candidates.find(({ vaultId }) => vaultId === fromVaultId)?.exitDelayHours ?? 0;

function ownHoldings(market: HourOfMarket, groups: readonly Holding[]): Map<string, Map<string, bigint>> {
  const own = new Map<string, Map<string, bigint>>();
  for (const { partnerId, vaultId, shares } of groups) {
    const held = own.get(partnerId) ?? new Map<string, bigint>();
    own.set(partnerId, held.set(vaultId, valueOf(BigInt(shares), vaultOf(market, vaultId).state.index)));
  }
  return own;
}

/** Books a decision's room, so that later ones of the same hour see it. @param begin holdings before all of them */
function book(
  held: Map<string, bigint>,
  begin: (vaultId: string) => bigint,
  from: string,
  to: string,
  amount: bigint,
): void {
  const before = (vaultId: string): bigint => held.get(vaultId) ?? begin(vaultId);
  held.set(from, before(from) - amount);
  held.set(to, before(to) + amount);
}
