import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import type { MoveOrder } from './move-order.js';
import { type NewOrder, MoveOrderRepository } from './move-order.repository.js';
import { MAX_AMOUNT } from '../../kernel/money.js';
import { vaultsAt } from '../../books/positions/quotes.js';
import { newId } from '../../kernel/identifier.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { addHours } from '../../kernel/clock.js';
import { keptOf } from './candidates.js';
import { type Decision, LEAVING } from './decision.js';
import { DecisionLog, type NewDecision } from './decision-log.js';
import { promiseOf } from './estimate.js';
import { failed } from './gates.js';
import { exitDelayHoursOf, evaluateHour, type OpenMove, type Verdict } from './evaluation.js';
import type { PartialMove } from './partial-move.js';
import { type Holding, DecisionHistory, type PastDecision, SAME_REASON_HOURS } from './decision-history.js';
import { type RoutingRules, routingRules } from './routing-constants.js';
import * as queries from './routing.queries.js';
import { holdsOf, type OpenLeg, since, type RoutingState } from './routing-state.js';
import type { WorkedHour } from '../../markets/hours/market-view.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';

export interface Eviction {
  decisionId: string;
  fromVaultId: string;
  toVaultId: string;
  rationale: string;
}

/** Results of evaluating an hour. `policyMoves`: moves out of vaults that their partner's policy forbids. */
export interface EvaluatedHour {
  /** For the next hour, while nothing is moved; null: the hour was evaluated before. */
  routingState: RoutingState | null;
  moves: number;
  evictions: Eviction[];
  policyMoves: Eviction[];
}

/** How many hours back decisions matter. */
const rememberedHours = ({ constants: { returnHours, minimumHoursInVault } }: RoutingRules): number =>
  Math.max(returnHours, minimumHoursInVault, SAME_REASON_HOURS);

/** Evaluated hour, and the holds among its decisions. */
type Kept = Omit<EvaluatedHour, 'routingState'> & { holds: PastDecision[] };

interface Made {
  verdict: Verdict;
  decision: NewDecision;
}

/** Routing: compares holdings with every other vault, once an hour, one row for each partner, asset and vault, whatever the number of positions. */
@Injectable()
export class RoutingService {
  /** Decisions of an hour that one statement stores. A record has some 40 KB in a catalogue of 50 vaults, so few of them are in memory at a time. */
  storedAtOnce = 50;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly market: MarketService,
    private readonly decisions: DecisionLog,
    private readonly orders: MoveOrderRepository,
  ) {}

  /**
   * Evaluates an hour, and stores moves with the decisions behind them; a live hour is evaluated once, also across processes. `RebalanceService` carries
   * moves out, or executors do, as orders.
   * @param known state after an earlier hour, in the same transaction; null: it is read
   */
  async evaluate(worked: WorkedHour, known: RoutingState | null = null): Promise<EvaluatedHour> {
    return this.store.transaction(async () => {
      const before = known ?? (await this.readState(worked));
      if (before === null) return { ...nothing(), routingState: null };
      const hour = worked.at ?? before.hour;
      const past = since(before.past, hour, rememberedHours(before.rules));
      const state = { ...before, past };
      const { holds, ...evaluated } =
        state.groups.length === 0
          ? nothing()
          : await this.decideAll(await worked.view(state.held), hour, state);
      if (worked.isLast) await this.store.query(queries.SET_ROUTED_HOUR, [worked.marketId, hour]);
      return { ...evaluated, routingState: { ...state, past: [...past, ...holds] } };
    });
  }

  /**
   * Orders that were not taken in time expire first, so that their funds are evaluated again. Simulated time has no executors: a decision to move is the
   * move.
   * @returns null: the hour was evaluated before
   */
  private async readState(worked: WorkedHour): Promise<RoutingState | null> {
    const { store, settings, decisions } = this;
    const { marketId, at } = worked;
    await worked.keep();
    const [market] = await store.query(queries.LOCK_ROUTED_HOUR, [marketId]);
    const hour = market?.tickedHour;
    if (!hour || (market.routedHour && market.routedHour >= hour)) return null;
    const orders = at === null ? await this.orders.open(marketId, await this.market.now(marketId)) : [];
    const groups = await store.query(queries.FIND_GROUPS, [marketId]);
    // A live market is viewed with its holdings, and its moves are executed in every hour.
    const held = at === null ? [] : await store.query(queries.FIND_HELD, [marketId]);
    const [next] = at === null ? [] : await store.query(queries.FIND_WAKING, [marketId]);
    const hasGroups = groups.length > 0;
    const rules = routingRules(settings);
    return {
      hour,
      groups,
      past: hasGroups ? await decisions.since(marketId, addHours(hour, -rememberedHours(rules))) : [],
      legs: hasGroups
        ? [...(await store.query(queries.FIND_OPEN_MOVES, [marketId])), ...orders.flatMap(legOf)]
        : [],
      orders: at === null && settings.settlement === 'reported' ? orders : null,
      held: new Map(held.map(({ vaultId, shares }) => [vaultId, BigInt(shares)])),
      rules,
      wakesAt: next?.wakesAt ?? null,
    };
  }

  /** Evaluates all groups, and stores decisions and the moves among them in parts: while the database writes one, the next is evaluated. */
  private async decideAll(view: MarketView, hour: Date, state: RoutingState): Promise<Kept> {
    const verdicts = this.evaluateAll(view, hour, state);
    const kept = nothing();
    const batches = new Map<string, string>();
    const next = async (): Promise<Made[]> =>
      (await taken(verdicts, this.storedAtOnce)).map((verdict) => ({
        verdict,
        decision: this.decisionOf(verdict, view.marketId, view.now),
      }));
    let made = await next();
    if (made.length === this.storedAtOnce) await this.decisions.prepareForMany();
    while (made.length > 0) {
      addTo(kept, made, hour);
      [, made] = await pipelined([this.keep(made, hour, state.orders, batches), next()]);
    }
    return kept;
  }

  private async keep(
    made: readonly Made[],
    hour: Date,
    open: RoutingState['orders'],
    batches: Map<string, string>,
  ): Promise<void> {
    await this.decisions.add(made.map(({ decision }) => decision));
    const moves = made.filter(({ decision }) => isMove(decision));
    if (moves.length === 0) return;
    if (open !== null) return this.order(moves, open, batches);
    const legs = moves.flatMap(({ verdict, decision }) => this.legsOf(verdict, decision, hour));
    await this.store.query(queries.INSERT_MOVES, [JSON.stringify(legs)]);
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

  /** An eviction supersedes an order that was not taken. */
  private async order(
    moves: readonly Made[],
    open: readonly MoveOrder[],
    batches: Map<string, string>,
  ): Promise<void> {
    for (const { decision } of moves) {
      const { partnerId, record, at } = decision;
      const before = open.find(
        (one) =>
          one.status === 'requested' && one.partnerId === partnerId && one.fromVaultId === record.fromVaultId,
      );
      if (before) await this.orders.fail(before, 'superseded', 'Its vault is to be left at once.', at);
    }
    await this.orders.add(
      moves.map(({ verdict, decision }): NewOrder => {
        const { id, marketId, partnerId, positions, record, at } = decision;
        return {
          decisionId: id,
          marketId,
          partnerId,
          positionId: null,
          batchId: this.batchOf(record, at, batches),
          record: { ...record, toVaultId: record.toVaultId! },
          positions,
          room: roomOf(verdict),
          promised: promiseOf(record),
          at,
        };
      }),
    );
  }

  private evaluateAll(
    view: MarketView,
    hour: Date,
    { groups, past, legs, orders, rules }: RoutingState,
  ): AsyncIterator<Verdict, void> {
    const vaults = vaultsAt(view, view.now);
    const policies = new Map(groups.map(({ partnerId, policy }) => [partnerId, policy ?? undefined]));
    const { inTransit, evicted } = placesOf(legs, ({ partnerId, toVaultId }) => {
      const one = vaults.get(toVaultId);
      if (!one) return false;
      return isIdle(one.vault) || failed(keptOf(one, hour, rules, policies.get(partnerId))).length === 0;
    });
    return evaluateHour(
      { hour, vaults },
      groups,
      new DecisionHistory(past, hour),
      inTransit,
      rules,
      (group, shares) => this.findPart(group, shares),
      evicted,
      (orders ?? []).map(openMoveOf),
    );
  }

  private async findPart({ partnerId, vaultId }: Holding, most: bigint): Promise<PartialMove> {
    const [found] = await this.store.query(queries.FIND_PART, [partnerId, vaultId, most.toString()]);
    return { positions: found!.positions, shares: BigInt(found!.shares) };
  }

  /** Stored legs of a move: one, or two when the source vault pays out late. The first one pays for leaving, the second for the rest. */
  private legsOf(
    { part, record }: Verdict,
    { id, marketId, partnerId, at }: NewDecision,
    hour: Date,
  ): object[] {
    const { asset, fromVaultId, toVaultId, expectedUplift, inputs, reason } = record;
    const { vaultId: idle } = inputs.idle;
    const hours = exitDelayHoursOf(record);
    const promised = promiseOf(record);
    const due = hours + expectedUplift.horizonDays * 24;
    const move = { id, marketId, partnerId, asset, at, evicts: LEAVING.has(reason) };
    const whole = { leg: 1, fromVaultId, toVaultId, amount: inputs.amount, cost: expectedUplift.cost };
    const room = part?.shares.toString() ?? null;
    const outcome = {
      promised: promised?.toString() ?? null,
      dueHour: promised === null ? null : addHours(hour, due),
    };
    if (hours === 0) return [{ ...move, ...whole, room, ...outcome }];
    // By the gas of the decision: leaving for cash costs nothing else.
    const exitCost = BigInt(inputs.idle.cost);
    const rest = BigInt(whole.cost) - exitCost;
    const arrival = { leg: 2, fromVaultId: idle, cost: rest.toString(), arrivesHour: addHours(hour, hours) };
    return [
      { ...move, ...whole, toVaultId: idle, cost: exitCost.toString(), room },
      { ...move, ...whole, ...arrival, ...outcome },
    ];
  }

  private decisionOf({ group, positions, record }: Verdict, marketId: string, at: Date): NewDecision {
    const { partnerId } = group;
    const id = this.decisions.newId(at);
    return { id, marketId, partnerId, userId: null, positionId: null, positions, record, at };
  }
}

const openMoveOf = ({ status, fromVaultId, ...order }: MoveOrder): OpenMove => ({
  ...order,
  fromVaultId: status === 'arriving' ? null : fromVaultId,
});

/** Order as a leg that others wait for. A received deposit has a decision of its own, and no other order waits for it. */
function legOf({ partnerId, positionId, status, fromVaultId, toVaultId, urgent }: MoveOrder): OpenLeg[] {
  if (positionId !== null) return [];
  const leg = status === 'arriving' ? 2 : 1;
  return [{ partnerId, leg, fromVaultId, toVaultId, evicts: urgent, isTaken: status === 'redeeming' }];
}

/**
 * `partner vault` of groups that open moves leave or join, and of evictions in progress. Funds in transit are not cash that could be evaluated.
 * @param keeps whether the target of a leg may hold funds: otherwise its move will end in place
 */
function placesOf(
  legs: readonly OpenLeg[],
  keeps: (leg: OpenLeg) => boolean,
): { inTransit: Set<string>; evicted: Set<string> } {
  const leaving = ({ partnerId, fromVaultId }: OpenLeg): string => `${partnerId} ${fromVaultId}`;
  return {
    inTransit: new Set(
      legs.flatMap((one) => [...(one.leg === 1 ? [leaving(one)] : []), `${one.partnerId} ${one.toVaultId}`]),
    ),
    evicted: new Set(
      legs.filter((one) => one.isTaken || (one.evicts && one.leg === 1 && keeps(one))).map(leaving),
    ),
  };
}

/** Limit on the amount of one order, below the limit of a reported amount, which may be slightly higher. */
const MOST = (MAX_AMOUNT * 95n) / 100n;

/** Shares that an order may take; null: the whole group. */
function roomOf({ part, group, record }: Verdict): bigint | null {
  const amount = BigInt(record.inputs.amount);
  const shares = part?.shares ?? BigInt(group.shares);
  return amount > MOST ? (shares * MOST) / amount : (part?.shares ?? null);
}

const isMove = ({ record }: NewDecision): boolean => record.kind === 'rebalance';

const nothing = (): Kept => ({ moves: 0, evictions: [], policyMoves: [], holds: [] });

function addTo(kept: Kept, made: readonly Made[], hour: Date): void {
  const decisions = made.map(({ decision }) => decision);
  kept.holds.push(...holdsOf(decisions, hour));
  for (const decision of decisions.filter(isMove)) {
    kept.moves++;
    const { reason } = decision.record;
    if (reason === 'evicted') kept.evictions.push(toEviction(decision));
    if (reason === 'policy') kept.policyMoves.push(toEviction(decision));
  }
}

/** The next items, at most so many; none: there are no more. */
async function taken<T>(items: AsyncIterator<T, void>, most: number): Promise<T[]> {
  const found: T[] = [];
  while (found.length < most) {
    const { done, value } = await items.next();
    if (done) break;
    found.push(value);
  }
  return found;
}

const toEviction = ({ id, record }: NewDecision): Eviction => ({
  decisionId: id,
  fromVaultId: record.fromVaultId!,
  toVaultId: record.toVaultId!,
  rationale: record.rationale,
});
