import type { MarketVault } from '../markets/market.service.js';
import { vaultOf } from '../positions/quotes.js';
import { sharesWithin, valueOf } from '../vaults/shares.js';
import { inputsOf, type JudgedVault } from './candidates.js';
import { decide } from './choice.js';
import type { Decision } from './decision.js';
import { roomsBeside } from './part.js';
import type { Group, Past } from './past.js';
import type { RoutingRules } from './routing-constants.js';

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
 * Where a vault that would bring more takes only a part, the positions that fit are judged as an amount of their own.
 *
 * @param groups all that is held in the market
 * @param onTheWay `partner vault` of groups that moves are leaving or joining: those wait
 */
export async function judgeHour(
  market: HourOfMarket,
  groups: readonly Group[],
  past: Past,
  onTheWay: ReadonlySet<string>,
  rules: RoutingRules,
  findPart: FindPart,
): Promise<Verdict[]> {
  const held = new Map<string, bigint>();
  const own = ownHoldings(market, groups);
  // A move takes all that is in its vault when it is carried out: what another brings there in this hour is judged in the next.
  const joined = new Set<string>();
  const verdicts: Verdict[] = [];
  for (const group of groups.toSorted(bestFirst(market))) {
    const { partnerId, vaultId } = group;
    const { index } = vaultOf(market, vaultId).state;
    const groupAmount = valueOf(BigInt(group.shares), index);
    const place = `${partnerId} ${vaultId}`;
    if (groupAmount === 0n || onTheWay.has(place) || joined.has(place)) continue;
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
          },
          market.hour,
          rules,
        ),
      );
    let verdict: Verdict = { group, positions: group.positions, record: judge(groupAmount), part: null };
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
      joined.add(`${partnerId} ${record.toVaultId}`);
      const amount = BigInt(record.inputs.amount);
      book(held, (id) => vaultOf(market, id).held, vaultId, record.toVaultId, amount);
      book(own.get(partnerId)!, () => 0n, vaultId, record.toVaultId, amount);
    }
    verdicts.push(verdict);
  }
  return verdicts;
}

/** A move of a part, against what is to be done with the whole. */
const bringsMore = (part: Decision, whole: Decision): boolean =>
  whole.kind === 'hold' || BigInt(part.expectedUplift.npv ?? 0) > BigInt(whole.expectedUplift.npv ?? 0);

/**
 * Moves are carried out in the order in which they are decided, and lead to better vaults: what is to leave a vault has left before others' funds
 * come, so that nobody is taken along to where the sum would not have been let in.
 */
const bestFirst =
  (market: HourOfMarket) =>
  (a: Group, b: Group): number =>
    (vaultOf(market, b.vaultId).riskAdjustedApy ?? -1) - (vaultOf(market, a.vaultId).riskAdjustedApy ?? -1);

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
