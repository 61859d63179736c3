import type { MarketVault } from '../markets/market.service.js';
import { vaultOf } from '../positions/quotes.js';
import { sharesWithin, valueOf } from '../vaults/shares.js';
import { inputsOf, type JudgedVault, keptOf } from './candidates.js';
import { decide } from './choice.js';
import type { Decision } from './decision.js';
import { failed } from './gates.js';
import { roomsBeside } from './part.js';
import type { Group, Past } from './past.js';
import type { RoutingRules } from './routing-constants.js';
import { isIdle } from '../vaults/vault.js';

/** A market at the hour that is judged. */
export interface HourOfMarket {
  hour: Date;
  vaults: ReadonlyMap<string, JudgedVault & { state: Pick<MarketVault['state'], 'index'> }>;
}

/** Positions that fit into a room together, the largest first. */
export interface Part {
  positions: number;
  /** Their shares together. */
  shares: bigint;
}

/** How the positions of a group that fit are found. @param shares most that fit */
export type FindPart = (group: Group, shares: bigint) => Promise<Part>;

/** A decision on a group that is to be stored: a move, or a hold for a reason that is new. */
export interface Verdict {
  group: Group;
  /** How many positions it is about. */
  positions: number;
  record: Decision;
  /** The positions that move, where not all do. */
  part: Part | null;
}

/**
 * Judges what is held, group by group. Decisions of one hour see each other: what one takes of a vault's room the next no longer finds.
 *
 * Where a vault that would bring more takes only a part, the positions that fit are judged as an amount of their own. What must be left goes before all else, and
 * waits for no move that is under way.
 *
 * @param groups all that is held in the market
 * @param onTheWay `partner vault` of groups that moves are leaving or joining: those wait
 * @param evicted of groups that leave their vault already because they must
 */
export async function judgeHour(
  market: HourOfMarket,
  groups: readonly Group[],
  past: Past,
  onTheWay: ReadonlySet<string>,
  rules: RoutingRules,
  findPart: FindPart,
  evicted: ReadonlySet<string> = new Set(),
): Promise<Verdict[]> {
  const held = new Map<string, bigint>();
  const own = ownHoldings(market, groups);
  // A move takes all that is in its vault when it is carried out: what another brings there in this hour is judged in the next.
  const joined = new Set<string>();
  const verdicts: Verdict[] = [];
  const mustLeave = mustLeaveIn(market, groups, rules);
  for (const group of inOrder(market, groups, mustLeave)) {
    const { partnerId, vaultId } = group;
    const { index } = vaultOf(market, vaultId).state;
    const groupAmount = valueOf(BigInt(group.shares), index);
    const place = `${partnerId} ${vaultId}`;
    const waits = mustLeave(group) ? evicted.has(place) : onTheWay.has(place) || joined.has(place);
    if (groupAmount === 0n || waits) continue;
    const judge = (amount: bigint): Decision =>
      decide(
        inputsOf(
          market,
          {
            asset: group.asset,
            amount,
            groupAmount,
            vaultId,
            hoursInVault: past.hoursInVault(group),
            held,
            own: own.get(partnerId)!,
            hoursSinceLeft: past.hoursSinceLeft(group),
            policy: group.policy ?? undefined,
          },
          market.hour,
          rules,
        ),
      );
    const whole = judge(groupAmount);
    let verdict: Verdict = { group, positions: group.positions, record: whole, part: orderOf(whole, group) };
    for (const room of roomsBeside(verdict.record)) {
      const part = await findPart(group, sharesWithin(room.amount, index));
      const amount = valueOf(part.shares, index);
      if (amount === 0n) continue;
      const record = judge(amount);
      if (record.kind !== 'rebalance' || !bringsMore(record, verdict.record)) continue;
      verdict = { group, positions: part.positions, record, part };
      break;
    }
    const { record } = verdict;
    if (record.kind === 'hold' && (record.blocked === null || past.heldFor(group, record.blocked))) continue;
    if (record.toVaultId !== null) {
      // What is on the way joins nothing yet.
      if (exitDelayHoursOf(record) === 0) joined.add(`${partnerId} ${record.toVaultId}`);
      const amount = BigInt(record.inputs.amount);
      book(held, (id) => vaultOf(market, id).held, vaultId, record.toVaultId, amount);
      book(own.get(partnerId)!, () => 0n, vaultId, record.toVaultId, amount);
    }
    verdicts.push(verdict);
  }
  return verdicts;
}

/** All of a group, as a part: the largest positions first, as nothing presses and the largest have most to lose by waiting. Else they go as they come. */
const orderOf = ({ reason }: Decision, { positions, shares }: Group): Part | null =>
  reason === 'policy' ? { positions, shares: BigInt(shares) } : null;

/** A move of a part, against what is to be done with the whole. */
const bringsMore = (part: Decision, whole: Decision): boolean =>
  whole.kind === 'hold' || BigInt(part.expectedUplift.npv ?? 0) > BigInt(whole.expectedUplift.npv ?? 0);

/** Whether what a partner has in a vault has to leave it; cash never has. */
const mustLeaveIn = (market: HourOfMarket, groups: readonly Group[], rules: RoutingRules) => {
  const leaving = groups.filter(({ vaultId, policy }) => {
    const one = vaultOf(market, vaultId);
    return !isIdle(one.vault) && failed(keptOf(one, market.hour, rules, policy ?? undefined)).length > 0;
  });
  const found = new Set(leaving);
  return (group: Group): boolean => found.has(group);
};

/**
 * What must be left before all else, as it is carried out. Other moves are carried out in the order in which they are decided, and lead to better vaults: what is to
 * leave a vault has left before others' funds come, so that nobody is taken along to where the sum would not have been let in.
 */
function inOrder(
  market: HourOfMarket,
  groups: readonly Group[],
  mustLeave: (group: Group) => boolean,
): Group[] {
  const rate = ({ vaultId }: Group): number => vaultOf(market, vaultId).riskAdjustedApy ?? -1;
  return groups.toSorted((a, b) => Number(mustLeave(b)) - Number(mustLeave(a)) || rate(b) - rate(a));
}

/** Hours that what leaves a vault is on the way; 0 of cash. */
export const exitDelayHoursOf = ({ fromVaultId, inputs }: Pick<Decision, 'fromVaultId' | 'inputs'>): number =>
  inputs.candidates.find(({ vaultId }) => vaultId === fromVaultId)?.exitDelayHours ?? 0;

/** By partner, what it holds in each vault, in micro-units. */
function ownHoldings(market: HourOfMarket, groups: readonly Group[]): Map<string, Map<string, bigint>> {
  const own = new Map<string, Map<string, bigint>>();
  for (const { partnerId, vaultId, shares } of groups) {
    const held = own.get(partnerId) ?? new Map<string, bigint>();
    own.set(partnerId, held.set(vaultId, valueOf(BigInt(shares), vaultOf(market, vaultId).state.index)));
  }
  return own;
}

/** What one decision takes, the next ones of the same hour no longer find. @param begin what was held before any of them */
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
