import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { MarketService, type MarketView } from '../markets/market.service.js';
import { vaultsAt } from '../positions/quotes.js';
import { Store } from '../store/store.js';
import { addHours } from '../vaults/hour.js';
import { DecisionLog, type NewDecision } from './decision-log.js';
import { promiseOf } from './estimate.js';
import { judgeHour, type Part, type Verdict } from './judgement.js';
import { type Group, Past, SAME_REASON_HOURS } from './past.js';
import { routingRules } from './routing-constants.js';
import * as queries from './routing.queries.js';

/** Funds that left a vault because it is not to be kept. */
export interface Eviction {
  decisionId: string;
  fromVaultId: string;
  toVaultId: string;
  /** In words. */
  rationale: string;
}

/** What judging an hour came to. */
export interface Judged {
  /** Decisions to move. */
  moves: number;
  evictions: Eviction[];
}

const NOTHING: Judged = { moves: 0, evictions: [] };

/** Judges what is held against every other vault, once an hour: a row a partner, asset and vault, whatever the number of positions. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly market: MarketService,
    private readonly decisions: DecisionLog,
  ) {}

  /**
   * Judges a market at its newest hour, and stores what is to be moved with the decisions that say why. Once an hour, however often and from
   * however many processes it is asked for. Moves are carried out by `RebalanceService`.
   *
   * @param given the time of the decisions; default: the market's own
   */
  async judge(marketId: string, given?: Date): Promise<Judged> {
    return this.store.transaction(async () => {
      const [market] = await this.store.query<{ tickedHour: Date | null; routedHour: Date | null }>(
        queries.LOCK_MARKET,
        [marketId],
      );
      const hour = market?.tickedHour;
      if (!hour || (market.routedHour && market.routedHour >= hour)) return NOTHING;
      const groups = await this.store.query<Group>(queries.FIND_GROUPS, [marketId]);
      const made = groups.length === 0 ? [] : await this.decideAll(marketId, hour, groups, given);
      await this.decisions.add(made.map(({ decision }) => decision));
      const moves = made.filter(({ decision }) => decision.record.kind === 'rebalance');
      if (moves.length > 0)
        await this.store.query(queries.INSERT_MOVES, [
          JSON.stringify(moves.map(({ verdict, decision }) => toMove(verdict, decision, hour))),
        ]);
      await this.store.query(queries.SET_ROUTED_HOUR, [marketId, hour]);
      const evictions = moves.filter(({ decision }) => decision.record.reason === 'evicted');
      return { moves: moves.length, evictions: evictions.map(({ decision }) => toEviction(decision)) };
    });
  }

  private async decideAll(
    marketId: string,
    hour: Date,
    groups: readonly Group[],
    given?: Date,
  ): Promise<{ verdict: Verdict; decision: NewDecision }[]> {
    const view = await this.market.look(marketId, this.store, given);
    const verdicts = await this.judgeAll(view, hour, groups);
    return verdicts.map((verdict) => ({ verdict, decision: this.decisionOf(verdict, marketId, view.now) }));
  }

  private async judgeAll(view: MarketView, hour: Date, groups: readonly Group[]): Promise<Verdict[]> {
    const { marketId } = view;
    const rules = routingRules(this.settings);
    const { returnHours, minimumHoursInVault } = rules.constants;
    const remembered = Math.max(returnHours, minimumHoursInVault, SAME_REASON_HOURS);
    const past = new Past(await this.decisions.since(marketId, addHours(hour, -remembered)), hour);
    const moving = await this.store.query<{ partnerId: string; fromVaultId: string; toVaultId: string }>(
      queries.FIND_OPEN_MOVES,
      [marketId],
    );
    const onTheWay = new Set(
      moving.flatMap(({ partnerId, fromVaultId, toVaultId }) => [
        `${partnerId} ${fromVaultId}`,
        `${partnerId} ${toVaultId}`,
      ]),
    );
    return judgeHour(
      { hour, vaults: vaultsAt(view, view.now) },
      groups,
      past,
      onTheWay,
      rules,
      (group, shares) => this.findPart(group, shares),
    );
  }

  private async findPart({ partnerId, vaultId }: Group, most: bigint): Promise<Part> {
    const [found] = await this.store.query<{ positions: number; shares: string }>(queries.FIND_PART, [
      partnerId,
      vaultId,
      most.toString(),
    ]);
    return { positions: found!.positions, shares: BigInt(found!.shares) };
  }

  private decisionOf({ group, positions, record }: Verdict, marketId: string, at: Date): NewDecision {
    const { partnerId } = group;
    const id = this.decisions.newId(at);
    return { id, marketId, partnerId, userId: null, positionId: null, positions, record, at };
  }
}

/** What is kept of a move beside its decision. */
function toMove({ part, record }: Verdict, { id, marketId, partnerId, at }: NewDecision, hour: Date): object {
  const { cost, horizonDays } = record.expectedUplift;
  const promised = promiseOf(record);
  const { asset, fromVaultId, toVaultId } = record;
  return {
    ...{ id, marketId, partnerId, asset, fromVaultId, toVaultId, at },
    amount: record.inputs.amount,
    cost,
    room: part?.shares.toString() ?? null,
    promised: promised?.toString() ?? null,
    dueHour: promised === null ? null : addHours(hour, horizonDays * 24),
  };
}

const toEviction = ({ id, record }: NewDecision): Eviction => ({
  decisionId: id,
  fromVaultId: record.fromVaultId!,
  toVaultId: record.toVaultId!,
  rationale: record.rationale,
});
