import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { MarketService, type MarketView } from '../markets/market.service.js';
import type { MoveOrder } from './move-order.js';
import { type NewOrder, OrderBook } from './order-book.js';
import { MAX_AMOUNT } from '../positions/amount.js';
import { vaultsAt } from '../positions/quotes.js';
import { Store } from '../store/store.js';
import { addHours } from '../vaults/hour.js';
import { keptOf } from './candidates.js';
import { type DecisionReason, LEAVING } from './decision.js';
import { DecisionLog, type NewDecision } from './decision-log.js';
import { promiseOf } from './estimate.js';
import { failed } from './gates.js';
import { exitDelayHoursOf, judgeHour, type Part, type Verdict } from './judgement.js';
import { type Group, Past, SAME_REASON_HOURS } from './past.js';
import { type RoutingRules, routingRules } from './routing-constants.js';
import * as queries from './routing.queries.js';
import { holdsOf, type OpenLeg, since, type Standing, type WalkStanding } from './standing.js';
import type { MarketWalk } from '../markets/market-walk.js';
import { isIdle } from '../vaults/vault.js';

/** Funds that left a vault because it is not to be kept. */
export interface Eviction {
  decisionId: string;
  fromVaultId: string;
  toVaultId: string;
  /** In words. */
  rationale: string;
}

/** What judging an hour came to. `policyMoves`: the same of funds that left a vault because their partner's policy does not allow it. */
export interface Judged {
  /** Decisions to move. */
  moves: number;
  evictions: Eviction[];
  policyMoves: Eviction[];
}

const NOTHING: Judged = { moves: 0, evictions: [], policyMoves: [] };

/** How far back decisions matter. */
const rememberedHours = ({ constants: { returnHours, minimumHoursInVault } }: RoutingRules): number =>
  Math.max(returnHours, minimumHoursInVault, SAME_REASON_HOURS);

/** A verdict that is to be stored. */
interface Made {
  verdict: Verdict;
  decision: NewDecision;
}

/** Judges what is held against every other vault, once an hour: a row a partner, asset and vault, whatever the number of positions. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly market: MarketService,
    private readonly decisions: DecisionLog,
    private readonly orders: OrderBook,
  ) {}

  /**
   * Judges a market at its newest hour, and stores what is to be moved with the decisions that say why. Once an hour, however often and from
   * however many processes it is asked for. Moves are carried out by `RebalanceService`, or are orders, which others carry out. Orders that nobody took up in time
   * lapse before, so that their funds are judged anew.
   *
   * @param given the time of the decisions; default: the market's own
   */
  async judge(marketId: string, given?: Date): Promise<Judged> {
    return this.store.transaction(async () => {
      const [market] = await this.store.query(queries.LOCK_ROUTED_HOUR, [marketId]);
      const hour = market?.tickedHour;
      if (!hour || (market.routedHour && market.routedHour >= hour)) return NOTHING;
      const orders = await this.orders.open(marketId, given ?? (await this.market.now(marketId)));
      const standing = await this.standing(marketId, hour, orders);
      const view = standing.groups.length === 0 ? null : await this.market.look(marketId, this.store, given);
      const made = view === null ? [] : await this.decideAll(view, hour, standing);
      await this.keep(made, hour, this.settings.settlement === 'reported' ? orders : null);
      await this.store.query(queries.SET_ROUTED_HOUR, [marketId, hour]);
      return judgedOf(made);
    });
  }

  /** What a walk through a market's hours begins with, and again after each move. The market is kept as of that hour. */
  async standingOf(marketId: string, hour: Date): Promise<WalkStanding> {
    const standing = await this.standing(marketId, hour);
    const held = await this.store.query(queries.FIND_HELD, [marketId]);
    const [next] = await this.store.query(queries.FIND_WAKING, [marketId]);
    return {
      ...standing,
      held: new Map(held.map(({ vaultId, shares }) => [vaultId, BigInt(shares)])),
      wakesAt: next!.wakesAt,
    };
  }

  /**
   * Judges the newest hour of a walk, in its transaction. An hour in which nothing is decided costs no statement. Its time is simulated, in which nobody reports: a
   * decision to move is the move.
   *
   * @returns with what stands after it, as long as nothing is moved
   */
  async judgeWalked(walk: MarketWalk, standing: WalkStanding): Promise<Judged & { standing: WalkStanding }> {
    const { hour } = walk;
    if (standing.groups.length === 0) return { ...NOTHING, standing };
    const past = since(standing.past, hour, rememberedHours(standing.rules));
    const made = await this.decideAll(walk.view(standing.held), hour, { ...standing, past });
    await this.keep(made, hour, null);
    const holds = holdsOf(
      made.map(({ decision }) => decision),
      hour,
    );
    return { ...judgedOf(made), standing: { ...standing, past: [...past, ...holds] } };
  }

  /** Ends a walk: its hours are judged. */
  async endWalk(marketId: string, hour: Date): Promise<void> {
    await this.store.query(queries.SET_ROUTED_HOUR, [marketId, hour]);
  }

  private async standing(marketId: string, hour: Date, orders: readonly MoveOrder[] = []): Promise<Standing> {
    const { store, decisions } = this;
    const rules = routingRules(this.settings);
    const groups = await store.query(queries.FIND_GROUPS, [marketId]);
    if (groups.length === 0) return { groups, past: [], legs: [], rules };
    return {
      groups,
      past: await decisions.since(marketId, addHours(hour, -rememberedHours(rules))),
      legs: [...(await store.query(queries.FIND_OPEN_MOVES, [marketId])), ...orders.flatMap(legOf)],
      rules,
    };
  }

  private async decideAll(view: MarketView, hour: Date, standing: Standing): Promise<Made[]> {
    const verdicts = await this.judgeAll(view, hour, standing);
    return verdicts.map((verdict) => ({
      verdict,
      decision: this.decisionOf(verdict, view.marketId, view.now),
    }));
  }

  /**
   * Stores decisions, and the moves among them.
   *
   * @param open orders that are under way, where moves are orders; null: they are carried out at once
   */
  private async keep(made: readonly Made[], hour: Date, open: readonly MoveOrder[] | null): Promise<void> {
    await this.decisions.add(made.map(({ decision }) => decision));
    const moves = made.filter(isMove);
    if (moves.length === 0) return;
    if (open !== null) return this.order(moves, open);
    const legs = moves.flatMap(({ verdict, decision }) => this.legsOf(verdict, decision, hour));
    await this.store.query(queries.INSERT_MOVES, [JSON.stringify(legs)]);
  }

  /** What must leave its vault takes the place of an order that nobody took up. */
  private async order(moves: readonly Made[], open: readonly MoveOrder[]): Promise<void> {
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
          record: { ...record, toVaultId: record.toVaultId! },
          positions,
          room: roomOf(verdict),
          promised: promiseOf(record),
          at,
        };
      }),
    );
  }

  private async judgeAll(
    view: MarketView,
    hour: Date,
    { groups, past, legs, rules }: Standing,
  ): Promise<Verdict[]> {
    const vaults = vaultsAt(view, view.now);
    const policies = new Map(groups.map(({ partnerId, policy }) => [partnerId, policy ?? undefined]));
    const { onTheWay, evicted } = placesOf(legs, ({ partnerId, toVaultId }) => {
      const one = vaults.get(toVaultId);
      if (!one) return false;
      return isIdle(one.vault) || failed(keptOf(one, hour, rules, policies.get(partnerId))).length === 0;
    });
    return judgeHour(
      { hour, vaults },
      groups,
      new Past(past, hour),
      onTheWay,
      rules,
      (group, shares) => this.findPart(group, shares),
      evicted,
    );
  }

  private async findPart({ partnerId, vaultId }: Group, most: bigint): Promise<Part> {
    const [found] = await this.store.query(queries.FIND_PART, [partnerId, vaultId, most.toString()]);
    return { positions: found!.positions, shares: BigInt(found!.shares) };
  }

  /**
   * What is kept of a move beside its decision: one leg, or two where the vault that is left pays out late. The first of them pays for leaving, the second for the rest.
   */
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
    const { exitCost } = this.settings.vaults.find((one) => one.id === fromVaultId)!;
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

/** An order, as far as others wait for it. A deposit that was received has a decision of its own, and keeps nobody waiting. */
function legOf({ partnerId, positionId, status, fromVaultId, toVaultId, urgent }: MoveOrder): OpenLeg[] {
  if (positionId !== null) return [];
  const leg = status === 'arriving' ? 2 : 1;
  return [{ partnerId, leg, fromVaultId, toVaultId, evicts: urgent, isTaken: status === 'redeeming' }];
}

/**
 * `partner vault` of what moves are leaving or joining, and of what is leaving its vault because it must. What is on the way is no cash that could be judged.
 *
 * @param keeps whether funds may be where a leg takes them: where a target is to be left itself, its move will end where it is
 */
function placesOf(
  legs: readonly OpenLeg[],
  keeps: (leg: OpenLeg) => boolean,
): { onTheWay: Set<string>; evicted: Set<string> } {
  const leaving = ({ partnerId, fromVaultId }: OpenLeg): string => `${partnerId} ${fromVaultId}`;
  return {
    onTheWay: new Set(
      legs.flatMap((one) => [...(one.leg === 1 ? [leaving(one)] : []), `${one.partnerId} ${one.toVaultId}`]),
    ),
    evicted: new Set(
      legs.filter((one) => one.isTaken || (one.evicts && one.leg === 1 && keeps(one))).map(leaving),
    ),
  };
}

/** Most that one order takes: what is reported of it, a little more or less, is one amount. */
const MOST = (MAX_AMOUNT * 95n) / 100n;

/** Shares that an order may take; null: all of its group. */
function roomOf({ part, group, record }: Verdict): bigint | null {
  const amount = BigInt(record.inputs.amount);
  const shares = part?.shares ?? BigInt(group.shares);
  return amount > MOST ? (shares * MOST) / amount : (part?.shares ?? null);
}

const isMove = ({ decision }: Made): boolean => decision.record.kind === 'rebalance';

function judgedOf(made: readonly Made[]): Judged {
  const moves = made.filter(isMove);
  const left = (reason: DecisionReason): Eviction[] =>
    moves
      .filter(({ decision }) => decision.record.reason === reason)
      .map(({ decision }) => toEviction(decision));
  return { moves: moves.length, evictions: left('evicted'), policyMoves: left('policy') };
}

const toEviction = ({ id, record }: NewDecision): Eviction => ({
  decisionId: id,
  fromVaultId: record.fromVaultId!,
  toVaultId: record.toVaultId!,
  rationale: record.rationale,
});
