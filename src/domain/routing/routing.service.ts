import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { MarketService, type MarketView } from '../markets/market.service.js';
import { vaultAt, vaultOf } from '../positions/quotes.js';
import { valueOf } from '../vaults/shares.js';
import { Store } from '../store/store.js';
import { addHours, hourOf, hoursBetween } from '../vaults/hour.js';
import { candidatesOf } from './candidates.js';
import { decide } from './choice.js';
import type { Decision } from './decision.js';
import { DecisionLog, type NewDecision, type PastDecision } from './decision-log.js';
import { configurationVersion, routingConstants } from './routing-constants.js';
import * as queries from './routing.queries.js';

/** Funds of a partner in one vault: they are judged, and moved, together. */
interface Group {
  partnerId: string;
  asset: string;
  vaultId: string;
  /** 18 decimals. */
  shares: string;
  positions: number;
  /** When the first of what is there now came. */
  since: Date;
}

/** A reason to hold is stored once in so many hours. */
const SAME_REASON_HOURS = 24;

/** Judges what is held against the best vault, once an hour: a row a partner, asset and vault, whatever the number of positions. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly market: MarketService,
    private readonly decisions: DecisionLog,
  ) {}

  /**
   * Judges a market at its newest hour, and stores what is to be moved with the decisions that say why. Once an hour, however often and from
   * however many processes it is asked for. Moves are carried out by `RebalanceService`.
   *
   * @returns how many moves were decided
   */
  async judge(marketId: string, at: Date = this.clock.now()): Promise<number> {
    return this.store.transaction(async () => {
      const [market] = await this.store.query<{ tickedHour: Date | null; routedHour: Date | null }>(
        queries.LOCK_MARKET,
        [marketId],
      );
      const hour = market?.tickedHour;
      if (!hour || (market.routedHour && market.routedHour >= hour)) return 0;
      const groups = await this.store.query<Group>(queries.FIND_GROUPS, [marketId]);
      const decided = groups.length === 0 ? [] : await this.decideAll(marketId, hour, groups, at);
      await this.decisions.add(decided);
      const moves = decided.filter(({ record }) => record.kind === 'rebalance').map(({ id }) => id);
      if (moves.length > 0) await this.store.query(queries.INSERT_MOVES, [moves]);
      await this.store.query(queries.SET_ROUTED_HOUR, [marketId, hour]);
      return moves.length;
    });
  }

  /** What is to be stored of an hour: each move, and each hold for a reason that is new. */
  private async decideAll(
    marketId: string,
    hour: Date,
    groups: readonly Group[],
    at: Date,
  ): Promise<NewDecision[]> {
    const constants = routingConstants(this.settings.constants);
    const view = await this.market.look(marketId, this.store, at);
    const past = new Past(
      await this.decisions.since(
        marketId,
        addHours(hour, -Math.max(constants.returnHours, constants.minimumHoursInVault, SAME_REASON_HOURS)),
      ),
      hour,
    );
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
    const configVersion = configurationVersion(this.settings);
    const held = new Map<string, bigint>();
    const own = ownHoldings(view, groups);
    const decided: NewDecision[] = [];
    for (const group of groups.toSorted(bestFirst(view))) {
      const amount = valueOf(BigInt(group.shares), vaultAt(view, group.vaultId, view.now).index);
      if (amount === 0n || onTheWay.has(`${group.partnerId} ${group.vaultId}`)) continue;
      const record = decide({
        asset: group.asset,
        amount: amount.toString(),
        currentVaultId: group.vaultId,
        hoursInVault: past.hoursInVault(group),
        snapshotHour: hour.toISOString(),
        configVersion,
        constants,
        candidates: candidatesOf(view, group.asset, hour, {
          held,
          own: own.get(group.partnerId)!,
          hoursSinceLeft: past.hoursSinceLeft(group),
        }),
      });
      if (record.kind === 'hold' && (record.blocked === null || past.heldFor(group, record.blocked)))
        continue;
      if (record.toVaultId !== null) {
        const { vaultId: from } = group;
        book(held, (id) => vaultOf(view, id).held, from, record.toVaultId, amount);
        book(own.get(group.partnerId)!, () => 0n, from, record.toVaultId, amount);
      }
      decided.push({
        id: this.decisions.newId(view.now),
        marketId,
        partnerId: group.partnerId,
        userId: null,
        positionId: null,
        positions: group.positions,
        record,
        at: view.now,
      });
    }
    return decided;
  }
}

/**
 * Moves are carried out in the order in which they are decided, and lead to better vaults: what is to leave a vault has left before others' funds
 * come, so that nobody is taken along to where the sum would not have been let in.
 */
const bestFirst =
  (view: MarketView) =>
  (a: Group, b: Group): number =>
    (vaultOf(view, b.vaultId).riskAdjustedApy ?? -1) - (vaultOf(view, a.vaultId).riskAdjustedApy ?? -1);

/** By partner, what it holds in each vault, in micro-units. */
function ownHoldings(view: MarketView, groups: readonly Group[]): Map<string, Map<string, bigint>> {
  const own = new Map<string, Map<string, bigint>>();
  for (const { partnerId, vaultId, shares } of groups) {
    const held = own.get(partnerId) ?? new Map<string, bigint>();
    own.set(partnerId, held.set(vaultId, valueOf(BigInt(shares), vaultAt(view, vaultId, view.now).index)));
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

/** What the last hours' decisions mean for the next ones. */
class Past {
  private readonly byPartner: Map<string, PastDecision[]>;

  /** @param decisions oldest first */
  constructor(
    decisions: readonly PastDecision[],
    private readonly hour: Date,
  ) {
    this.byPartner = Map.groupBy(decisions, ({ partnerId, asset }) => `${partnerId} ${asset}`);
  }

  /** Since funds were last moved in, or the first came. */
  hoursInVault({ since, ...group }: Group): number {
    const moved = this.ofPartner(group).findLast(({ toVaultId }) => toVaultId === group.vaultId);
    const came = hourOf(since);
    const entered = moved && moved.hour > came ? moved.hour : came;
    return Math.max(0, hoursBetween(entered, this.hour));
  }

  /** By vault, since funds of the partner and asset were last moved out of it. */
  hoursSinceLeft(group: Pick<Group, 'partnerId' | 'asset'>): Map<string, number> {
    const moves = this.ofPartner(group).filter(({ kind }) => kind === 'rebalance');
    return new Map(moves.map(({ fromVaultId, hour }) => [fromVaultId, hoursBetween(hour, this.hour)]));
  }

  /** True where the same reason to hold was stored within a day. */
  heldFor(group: Pick<Group, 'partnerId' | 'asset' | 'vaultId'>, blocked: Decision['blocked']): boolean {
    const reason = JSON.stringify(blocked);
    return this.ofPartner(group).some(
      (past) =>
        past.kind === 'hold' &&
        past.fromVaultId === group.vaultId &&
        past.blocked === reason &&
        hoursBetween(past.hour, this.hour) < SAME_REASON_HOURS,
    );
  }

  private ofPartner({ partnerId, asset }: Pick<Group, 'partnerId' | 'asset'>): PastDecision[] {
    return this.byPartner.get(`${partnerId} ${asset}`) ?? [];
  }
}
