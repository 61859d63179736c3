import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { isOfServer, type MoveOrder } from './move-order.js';
import { MoveOrderService } from './move-order.service.js';
import { MAX_AMOUNT } from '../../kernel/money.js';
import { vaultsAt } from '../../books/positions/quotes.js';
import { newId } from '../../kernel/identifier.js';
import { Store } from '../../kernel/store/store.js';
import { stayGatesOf } from './candidates.js';
import { type Decision, LEAVING } from './decision.js';
import { DecisionLog, type NewDecision } from './decision-log.js';
import { failedGates } from './gates.js';
import { HourEvaluation } from './evaluation.js';
import type { PartialMove } from './partial-move.js';
import {
  DecisionHistory,
  type VaultHolding,
  pastDecision,
  arrivesAfter,
  pendingMoves,
  affectedHoldings,
  rememberedFrom,
  type RoutingState,
  recentDecisions,
} from './routing-state.js';
import { routingRules } from './routing-constants.js';
import * as queries from './routing.queries.js';
import type { Verdict } from './verdict.js';
import type { WorkedHour } from '../../markets/hours/market-hours.service.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';

export interface Eviction {
  decisionId: string;
  fromVaultId: string;
  toVaultId: string;
  rationale: string;
}

/** Results of evaluating an hour. `policyMoves`: moves out of vaults that their partner's policy forbids. */
export interface EvaluatedHour {
  /** For the next hour, while nothing is moved. */
  state: RoutingState;
  moves: number;
  evictions: Eviction[];
  policyMoves: Eviction[];
}

interface HoldingDecision {
  verdict: Verdict;
  decision: NewDecision;
}

/** Orders of an hour: the open ones, who executes new ones, and ids of their batches by vaults. */
interface Plan {
  open: readonly MoveOrder[];
  byServer: boolean;
  batches: Map<string, string>;
}

/** Compares holdings with every other vault once an hour, once for each partner, asset and vault, whatever the number of positions. */
@Injectable()
export class RoutingService {
  /** Decisions of an hour that one statement stores. A record has some 40 KB in a catalogue of 50 vaults, so few of them are in memory at a time. */
  storedAtOnce = 50;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly market: MarketService,
    private readonly decisions: DecisionLog,
    private readonly orders: MoveOrderService,
  ) {}

  /**
   * Evaluates an hour, and stores decisions with the orders that execute them; a live hour is evaluated once, also across processes.
   * @param remembered state after an earlier hour, in the same transaction; absent: it is read
   * @returns null: the hour was evaluated before, or the market has none
   */
  async evaluate(worked: WorkedHour, remembered?: RoutingState): Promise<EvaluatedHour | null> {
    return this.store.transaction(async () => {
      const before = remembered ?? (await this.readState(worked));
      if (before === null) return null;
      const hour = worked.at ?? before.hour;
      const state = { ...before, past: recentDecisions(before.past, hour, before.rules) };
      const evaluated: EvaluatedHour = { state, moves: 0, evictions: [], policyMoves: [] };
      const byServer = !worked.isLive || this.settings.settlement === 'instant';
      if (state.groups.length > 0)
        await this.decideAll(await worked.view(state.holdings), hour, byServer, evaluated);
      if (worked.isLast) await this.store.query(queries.SET_ROUTED_HOUR, [worked.marketId, hour]);
      return evaluated;
    });
  }

  /** Orders that were not taken in time expire first, so that their funds are evaluated again. @returns null: the hour was evaluated before */
  private async readState(worked: WorkedHour): Promise<RoutingState | null> {
    const { store, settings, decisions } = this;
    const { marketId, isLive, at } = worked;
    await worked.save();
    const [market] = await store.query(queries.LOCK_ROUTED_HOUR, [marketId]);
    const hour = market?.tickedHour;
    if (!hour) return null;
    const { routedHour } = market;
    if (routedHour !== null && routedHour > hour)
      throw new Error(`${marketId} was evaluated at ${routedHour.toISOString()}, after its newest hour.`);
    if (routedHour?.getTime() === hour.getTime()) return null;
    const open = await this.orders.lockOpenOrders(marketId, at ?? (await this.market.now(marketId)));
    const groups = await store.query(queries.FIND_GROUPS, [marketId]);
    // A live market is viewed with its holdings, and its orders are executed in every hour.
    const holdings = isLive ? [] : await store.query(queries.FIND_HELD, [marketId]);
    const hasGroups = groups.length > 0;
    const rules = routingRules(settings);
    return {
      hour,
      groups,
      past: hasGroups ? await decisions.since(marketId, rememberedFrom(hour, rules)) : [],
      orders: open.filter((order) => !arrivesAfter(order, hour)),
      holdings: new Map(holdings.map(({ vaultId, shares }) => [vaultId, BigInt(shares)])),
      rules,
      wakesAt: isLive ? null : await this.orders.wakesAt(marketId),
    };
  }

  /** Evaluates all groups, and stores decisions and the moves among them in parts. */
  private async decideAll(
    view: MarketView,
    hour: Date,
    byServer: boolean,
    evaluated: EvaluatedHour,
  ): Promise<void> {
    const { marketId, now: at } = view;
    const { state } = evaluated;
    const plan = { open: state.orders, byServer, batches: new Map<string, string>() };
    const past = [...state.past];
    let isFirst = true;
    let pending: HoldingDecision[] = [];
    for await (const verdict of this.evaluateAll(view, hour, state)) {
      const { group, positions, record } = verdict;
      const { partnerId } = group;
      const decision = {
        id: newId('decision', at),
        marketId,
        partnerId,
        userId: null,
        positionId: null,
        positions,
        record,
        at,
      };
      pending.push({ verdict, decision });
      if (record.kind === 'hold') past.push(pastDecision(partnerId, record, hour));
      else count(evaluated, decision);
      if (pending.length < this.storedAtOnce) continue;
      if (isFirst) await this.decisions.prepareForMany();
      isFirst = false;
      await this.storeDecisions(pending, plan);
      pending = [];
    }
    if (pending.length > 0) await this.storeDecisions(pending, plan);
    evaluated.state = { ...state, past };
  }

  private async storeDecisions(decided: readonly HoldingDecision[], plan: Plan): Promise<void> {
    await this.decisions.add(decided.map(({ decision }) => decision));
    const moves = decided.filter(({ decision }) => decision.record.kind === 'rebalance');
    if (moves.length > 0) await this.storeOrders(moves, plan);
  }

  /** With shared custody, moves of an hour between the same two vaults are a batch. */
  private batchOf(
    { fromVaultId, toVaultId }: Pick<Decision, 'fromVaultId' | 'toVaultId'>,
    at: Date,
    batches: Map<string, string>,
  ): string | null {
    if (this.settings.constants.routing.custody === 'separate') return null;
    const key = `${fromVaultId} ${toVaultId}`;
    const batchId = batches.get(key) ?? newId('batch', at);
    batches.set(key, batchId);
    return batchId;
  }

  /** An eviction supersedes an order that no executor has taken. */
  private async storeOrders(
    moves: readonly HoldingDecision[],
    { open, byServer, batches }: Plan,
  ): Promise<void> {
    for (const { decision } of moves) {
      const { partnerId, record, at } = decision;
      const before = open.find(
        (order) =>
          (order.status === 'requested' || (order.status === 'redeeming' && isOfServer(order))) &&
          order.partnerId === partnerId &&
          order.fromVaultId === record.fromVaultId,
      );
      if (before)
        await this.orders.fail(before, 'superseded', 'The funds must leave their vault at once.', at);
    }
    await this.orders.add(
      moves.map(({ verdict, decision }) => ({
        decision,
        batchId: this.batchOf(decision.record, decision.at, batches),
        room: byServer ? (verdict.part?.shares ?? null) : roomOf(verdict),
        byServer,
      })),
    );
  }

  private evaluateAll(
    view: MarketView,
    hour: Date,
    { groups, past, orders, rules }: RoutingState,
  ): AsyncIterable<Verdict> {
    const vaults = vaultsAt(view, view.now);
    const policies = new Map(groups.map(({ partnerId, policy }) => [partnerId, policy ?? undefined]));
    const { inTransit, evicted } = affectedHoldings(orders, ({ partnerId, toVaultId }) => {
      const target = vaults.get(toVaultId);
      if (!target) return false;
      return (
        isIdle(target.vault) ||
        failedGates(stayGatesOf(target, hour, rules, policies.get(partnerId))).length === 0
      );
    });
    const evaluation = new HourEvaluation({ hour, vaults }, groups, {
      past: new DecisionHistory(past, hour),
      inTransit,
      rules,
      findPart: (group, shares) => this.findPart(group, shares),
      evicted,
      open: pendingMoves(orders, hour),
    });
    return evaluation.verdicts();
  }

  private async findPart({ partnerId, vaultId }: VaultHolding, maximum: bigint): Promise<PartialMove> {
    return (await this.store.query(queries.FIND_PART, [partnerId, vaultId, maximum]))[0]!;
  }
}

/** Limit on the amount of one order, below the limit of a reported amount, which may be slightly higher. */
const MAX_ORDER_AMOUNT = (MAX_AMOUNT * 95n) / 100n;

/** Shares that an order may take; null: the whole group. */
function roomOf({ part, group, record }: Verdict): bigint | null {
  const amount = BigInt(record.inputs.amount);
  const shares = part?.shares ?? BigInt(group.shares);
  return amount > MAX_ORDER_AMOUNT ? (shares * MAX_ORDER_AMOUNT) / amount : (part?.shares ?? null);
}

function count(evaluated: EvaluatedHour, { id, record }: NewDecision): void {
  const { fromVaultId, toVaultId, rationale, reason } = record;
  evaluated.moves++;
  if (!LEAVING.has(reason)) return;
  const list = reason === 'policy' ? evaluated.policyMoves : evaluated.evictions;
  list.push({ decisionId: id, fromVaultId: fromVaultId!, toVaultId: toVaultId!, rationale });
}
