import type { FundsByVault } from '../../markets/hours/market-hours.service.js';
import { addHours, hourOf, hoursBetween } from '../../kernel/clock.js';
import { isOfServer, type MoveOrder } from './move-order.js';
import type { RoutingRules } from './routing-constants.js';
import { vaultOf } from '../../books/positions/quotes.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import type { Funds, HourOfMarket } from './candidates.js';
import type { Policy } from '../../tenants/policies/policy.js';
import type { Decision, DecisionKind } from './decision.js';

/** A partner's funds in one vault, which are evaluated and moved together. */
export interface VaultHolding {
  partnerId: string;
  asset: string;
  vaultId: string;
  /** 18 decimals. */
  shares: string;
  positions: number;
  /** Time since which the vault has held funds of the partner. */
  since: Date;
  /** Policy of the partner; absent or null: none. */
  policy?: Policy | null;
}

/** Key of a partner's funds in a vault. */
export const holdingKey = ({ partnerId, vaultId }: { partnerId: string; vaultId: string | null }): string =>
  `${partnerId} ${vaultId}`;

export interface PastDecision {
  partnerId: string;
  asset: string;
  kind: Exclude<DecisionKind, 'route'>;
  fromVaultId: string;
  toVaultId: string | null;
  hour: Date;
  /** Hour of arrival; absent: that of the decision. null: not reported yet, or it never arrives. */
  arrivesHour?: Date | null;
  /** Hour of departure, likewise. */
  leftHour?: Date | null;
  /** JSON of the decision's `blocked`: equal texts are the same reason. */
  blocked: string | null;
}

/** Decision on held funds, as later hours read it. */
export const pastDecision = (partnerId: string, record: Decision, hour: Date): PastDecision => ({
  partnerId,
  hour,
  asset: record.asset,
  toVaultId: record.toVaultId,
  kind: record.kind === 'hold' ? 'hold' : 'rebalance',
  fromVaultId: record.fromVaultId!,
  blocked: record.blocked && JSON.stringify(record.blocked),
});

/** Hours in which an unchanged reason to hold is stored once. */
const SAME_REASON_HOURS = 24;

/** Recent decisions, as far as they affect the next ones. */
export class DecisionHistory {
  private readonly byPartner: Map<string, PastDecision[]>;

  /** @param decisions oldest first */
  constructor(
    decisions: readonly PastDecision[],
    private readonly hour: Date,
  ) {
    this.byPartner = Map.groupBy(decisions, ({ partnerId, asset }) => `${partnerId} ${asset}`);
  }

  /** Hours since funds were last moved in, or first arrived. */
  hoursInVault({ since, ...group }: VaultHolding): number {
    const arrivals = this.decisionsOf(group)
      .filter(({ toVaultId }) => toVaultId === group.vaultId)
      .map(({ arrivesHour, hour }) => (arrivesHour === undefined ? hour : arrivesHour))
      .filter((arrival): arrival is Date => arrival !== null && arrival <= this.hour);
    const entered = [hourOf(since), ...arrivals].reduce((last, time) => (time > last ? time : last));
    return Math.max(0, hoursBetween(entered, this.hour));
  }

  /** Hours since funds of the partner and asset were last moved out, by vault. */
  hoursSinceLeft(group: Pick<VaultHolding, 'partnerId' | 'asset'>): Map<string, number> {
    const moves = this.decisionsOf(group).filter(({ kind }) => kind === 'rebalance');
    return new Map(
      moves.flatMap(({ fromVaultId, hour, leftHour = hour }): [string, number][] =>
        leftHour === null ? [] : [[fromVaultId, hoursBetween(leftHour, this.hour)]],
      ),
    );
  }

  /** Whether funds of the partner and asset have left a vault and not arrived in another. */
  isInTransit(group: Pick<VaultHolding, 'partnerId' | 'asset'>): boolean {
    return this.decisionsOf(group).some(({ arrivesHour }) => arrivesHour != null && arrivesHour > this.hour);
  }

  /** True when the same reason to hold was stored within a day. */
  hasStoredHold(
    group: Pick<VaultHolding, 'partnerId' | 'asset' | 'vaultId'>,
    blocked: Decision['blocked'],
  ): boolean {
    const reason = JSON.stringify(blocked);
    return this.decisionsOf(group).some(
      (past) =>
        past.kind === 'hold' &&
        past.fromVaultId === group.vaultId &&
        past.blocked === reason &&
        hoursBetween(past.hour, this.hour) < SAME_REASON_HOURS,
    );
  }

  private decisionsOf({ partnerId, asset }: Pick<VaultHolding, 'partnerId' | 'asset'>): PastDecision[] {
    return this.byPartner.get(`${partnerId} ${asset}`) ?? [];
  }
}

/**
 * Holdings of a market and earlier decisions: what the evaluation of an hour needs besides its yields. Valid for later hours until something else
 * moves.
 */
export interface RoutingState {
  /** The market's newest hour when this was read. */
  hour: Date;
  groups: readonly VaultHolding[];
  past: readonly PastDecision[];
  /** Open orders, except those whose funds the server brings to their target in a later hour. */
  orders: readonly MoveOrder[];
  /** Empty for a live market, whose view has them. */
  holdings: FundsByVault;
  rules: RoutingRules;
  /** Hour of the next work on moves, an arrival or an outcome; null: none. */
  wakesAt: Date | null;
}

export const hasWorkAt = ({ wakesAt }: RoutingState, hour: Date): boolean =>
  wakesAt !== null && wakesAt <= hour;

/** First hour whose decisions still matter. */
export const rememberedFrom = (hour: Date, { constants }: RoutingRules): Date =>
  addHours(hour, -Math.max(constants.returnHours, constants.minimumHoursInVault, SAME_REASON_HOURS));

export function recentDecisions(
  past: readonly PastDecision[],
  hour: Date,
  rules: RoutingRules,
): PastDecision[] {
  const first = rememberedFrom(hour, rules);
  return past.filter((time) => time.hour >= first);
}

export type OpenOrder = Pick<
  MoveOrder,
  'partnerId' | 'positionId' | 'status' | 'fromVaultId' | 'toVaultId' | 'urgent' | 'arrivesHour' | 'amount'
>;

const hasLeft = ({ status }: OpenOrder): boolean => status === 'arriving';

/** Whether the server brings its funds to their target in a later hour. */
export const arrivesAfter = (order: OpenOrder, hour: Date): boolean =>
  hasLeft(order) && isOfServer(order) && order.arrivesHour! > hour;

/** Moves whose funds have not arrived: those of executors, and late ones of the server. Its other moves arrive within the hour. */
export const pendingMoves = (orders: readonly OpenOrder[], hour: Date): PlannedMove[] =>
  orders
    .filter((order) => !isOfServer(order) || order.status === 'requested' || order.arrivesHour! < hour)
    .map(({ partnerId, toVaultId, amount, ...order }) => ({
      partnerId,
      toVaultId,
      amount,
      fromVaultId: hasLeft(order as OpenOrder) ? null : order.fromVaultId,
    }));

/**
 * Keys (`holdingKey`) of holdings that open orders leave or join, and of those that need no eviction because their funds are leaving. Funds in
 * transit are no cash to evaluate. A received deposit has a decision of its own, and no other order waits for it.
 * @param keeps whether the target of an order may hold funds; if not, the order will end without moving them
 */
export function affectedHoldings(
  orders: readonly OpenOrder[],
  keeps: (order: OpenOrder) => boolean,
): { inTransit: Set<string>; evicted: Set<string> } {
  const leaving = ({ partnerId, fromVaultId }: OpenOrder): string =>
    holdingKey({ partnerId, vaultId: fromVaultId });
  const moves = orders.filter(({ positionId }) => positionId === null);
  const inPlace = moves.filter((order) => !hasLeft(order));
  // Funds that an executor has taken up are leaving, for whatever reason.
  const evicted = moves.filter(
    (order) =>
      (order.status === 'redeeming' && !isOfServer(order)) ||
      (order.urgent && !hasLeft(order) && keeps(order)),
  );
  return {
    inTransit: new Set([
      ...moves.map(({ partnerId, toVaultId }) => holdingKey({ partnerId, vaultId: toVaultId })),
      ...inPlace.map(leaving),
    ]),
    evicted: new Set(evicted.map(leaving)),
  };
}

/** Move that was decided, and whose funds have not arrived yet. */
export interface PlannedMove {
  partnerId: string;
  /** null: its funds have left. */
  fromVaultId: string | null;
  toVaultId: string;
  amount: bigint;
}

/** Effects of moves on vaults, which later decisions of the same hour take into account. Micro-units by vault. */
export class PlannedMoves {
  private readonly holdings = new Map<string, bigint>();
  private readonly inflows = new Map<string, bigint>();
  private readonly ownInflows = new Map<string, Map<string, bigint>>();
  private readonly ownHoldings = new Map<string, Map<string, bigint>>();

  constructor(
    private readonly market: HourOfMarket,
    groups: readonly VaultHolding[],
  ) {
    for (const { partnerId, vaultId, shares } of groups) {
      const holdings = this.ownHoldings.get(partnerId) ?? new Map<string, bigint>();
      this.ownHoldings.set(
        partnerId,
        holdings.set(vaultId, valueOf(BigInt(shares), vaultOf(market, vaultId).state.index)),
      );
    }
  }

  add({ partnerId, fromVaultId, toVaultId, amount }: PlannedMove): void {
    const holdings = this.ownHoldings.get(partnerId);
    const ownInflows = this.ownInflows.get(partnerId) ?? new Map<string, bigint>();
    this.ownInflows.set(partnerId, ownInflows);
    const change = (vaultId: string, by: bigint): void => {
      this.holdings.set(vaultId, (this.holdings.get(vaultId) ?? vaultOf(this.market, vaultId).held) + by);
      for (const flows of [this.inflows, ownInflows, ...(holdings ? [holdings] : [])])
        flows.set(vaultId, (flows.get(vaultId) ?? 0n) + by);
    };
    if (fromVaultId !== null) change(fromVaultId, -amount);
    change(toVaultId, amount);
  }

  /** A partner's holdings after the moves. */
  ownOf(partnerId: string): ReadonlyMap<string, bigint> {
    return this.ownHoldings.get(partnerId)!;
  }

  /** Holdings and flows that a decision on a partner's funds depends on. */
  fundsFor(partnerId: string): Pick<Funds, 'holdings' | 'inflows' | 'ownInflows' | 'ownHoldings'> {
    const { holdings, inflows } = this;
    return {
      holdings,
      inflows,
      ownInflows: this.ownInflows.get(partnerId),
      ownHoldings: this.ownOf(partnerId),
    };
  }
}
