import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { MarketService, type MarketVault } from '../markets/market.service.js';
import { Accruals, afterEntriesOf } from '../positions/accruals.js';
import { costParts } from '../positions/cost-parts.js';
import { move, type Position } from '../positions/position.js';
import { positionRecord } from '../positions/position-record.js';
import { type Change, PositionStore } from '../positions/position.store.js';
import { momentOf, shownVault, vaultOf } from '../positions/quotes.js';
import { Store } from '../store/store.js';
import { hourOf, hoursBetween } from '../vaults/hour.js';
import { valueOf } from '../vaults/shares.js';
import { EventService } from '../webhooks/event.service.js';
import { failed, keepGates, type RoutingConstants } from './gates.js';
import { routingConstants } from './routing-constants.js';
import * as queries from './routing.queries.js';

/** Positions that one transaction moves: their locks are held for some tens of milliseconds. */
const BATCH = 500;

interface Move {
  marketId: string;
  partnerId: string;
  fromVaultId: string;
  toVaultId: string;
  decidedAt: Date;
  afterId: string;
  /** Micro-units: what it was worth when it was decided, what it costs, and how much of both is moved and taken. */
  amount: string;
  cost: string;
  amountMoved: string;
  costTaken: string;
  doneAt: Date | null;
  /** Shares that may still move; null: all positions do. */
  room: string | null;
  /** Of the last position that was looked at, where there is a room. */
  afterShares: string | null;
}

/** Carries out what was decided: a partner's positions in one vault go to another, batch by batch. */
@Injectable()
export class RebalanceService {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly events: EventService,
  ) {}

  /**
   * Carries out all moves of a market that are on their way; one that a dead process left goes on where it was. A withdrawal at the same time
   * comes before or after the move of its position. A target that no longer takes funds ends a move where it is. Raises `position.rebalanced`
   * for each, or `position.active` where it was pending.
   *
   * @param at the time of the entries; default: the time of each batch
   * @returns how many positions were moved
   */
  async carryOut(marketId: string, at?: Date): Promise<number> {
    const open = await this.store.query<{ decisionId: string }>(queries.FIND_OPEN_MOVES, [marketId]);
    let moved = 0;
    const failures: unknown[] = [];
    for (const { decisionId } of open) {
      // One that fails is tried again in an hour, and keeps no other one waiting.
      await this.finish(decisionId, at).then(
        (count) => (moved += count),
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length > 0) throw failures[0];
    return moved;
  }

  private async finish(decisionId: string, at?: Date): Promise<number> {
    let moved = 0;
    for (let batch: number | null = 0; batch !== null; batch = await this.carryOn(decisionId, at))
      moved += batch;
    return moved;
  }

  /** @returns how many positions were moved; null when the move is complete */
  private carryOn(decisionId: string, given?: Date): Promise<number | null> {
    return this.store.transaction(async () => {
      const [found] = await this.store.query<Move>(queries.LOCK_MOVE, [decisionId]);
      if (!found || found.doneAt) return null;
      const { marketId, partnerId, fromVaultId, toVaultId } = found;
      const locked = await this.lockNext(found);
      const looked = locked.slice(0, BATCH);
      const positions = fitting(looked, found.room);
      // After the locks: an index that is older than a position's last entry would take yield back.
      const view = await this.market.look(marketId, this.store, given);
      const { now } = view;
      const constants = routingConstants(this.settings.constants);
      if (!takesFunds(vaultOf(view, toVaultId), now, constants)) return this.giveUp(decisionId, now);
      const at = positions.length > 0 ? afterEntriesOf(positions, now) : now;
      const moment = momentOf(view, at);
      const [from, to] = [moment.quoteAt(fromVaultId, at), moment.quoteAt(toVaultId, at)];
      const { posted, revenue } = await this.accruals.post(positions, moment);
      const done = locked.length > BATCH ? null : at;
      const values = posted.map(({ position }) => valueOf(position.shares, from.index));
      const costs = costParts(costOfBatch(found, values, done !== null), values);
      const toIdle = vaultOf(view, toVaultId).vault.idle;
      const changes: Change[] = posted.flatMap(({ position: accrued, entries }, index) => {
        const transit = { at, from, to, toIdle, cost: costs[index]!, decisionId };
        const { position, entry } = move(accrued, transit);
        const before = positions[index]!;
        // Where nothing would arrive the position stays; what it earned is posted.
        if (!entry) return entries.length > 0 ? [{ before, after: accrued, entries }] : [];
        return [{ before, after: position, entries: [...entries, revenue.move(position, entry)] }];
      });
      const moved = changes.filter(({ before, after }) => before!.vaultId !== after.vaultId);
      await this.positions.save(changes, revenue, at);
      const vault = shownVault(view, toVaultId, at);
      await this.events.raise(
        moved.map(({ before, after }) => ({
          type: isActivated(before, after) ? 'position.active' : 'position.rebalanced',
          partnerId,
          data: { ...positionRecord(after, vault), decision_id: decisionId },
          at,
        })),
      );
      const last = looked.at(-1);
      await this.store.query(queries.ADVANCE_MOVE, [
        decisionId,
        last?.id ?? null,
        moved.length,
        done,
        found.room === null ? null : (last?.shares.toString() ?? null),
        found.room === null ? null : (BigInt(found.room) - sharesOf(positions)).toString(),
        sum(values).toString(),
        sum(costs).toString(),
      ]);
      return moved.length;
    });
  }

  /** The next positions, and one more where more are left. */
  private lockNext({
    partnerId,
    fromVaultId,
    decidedAt,
    afterId,
    afterShares,
    room,
  }: Move): Promise<Position[]> {
    const where = { partnerId, vaultId: fromVaultId, openedUntil: decidedAt };
    return room === null
      ? this.positions.lockInVault(where, afterId, BATCH + 1)
      : this.positions.lockLargest(
          where,
          { shares: BigInt(afterShares!), id: afterId },
          BigInt(room),
          BATCH + 1,
        );
  }

  /** What a move has not reached yet stays where it is, to be judged anew. @returns null: it is complete */
  private async giveUp(decisionId: string, at: Date): Promise<null> {
    await this.store.query(queries.ADVANCE_MOVE, [decisionId, null, 0, at, null, null, '0', '0']);
    return null;
  }
}

/**
 * What a batch takes of a move's cost: in proportion to what is left of both, so that it does not matter which batch a position is in, and that the whole is
 * taken. Of funds that were withdrawn since the decision nobody else pays the part.
 */
function costOfBatch(
  { amount, cost, amountMoved, costTaken }: Move,
  values: readonly bigint[],
  isLast: boolean,
): bigint {
  const costLeft = BigInt(cost) - BigInt(costTaken);
  const amountLeft = BigInt(amount) - BigInt(amountMoved);
  const value = sum(values);
  // Each value is rounded down.
  if (value + BigInt(values.length) >= amountLeft) return costLeft;
  const part = costLeft * value;
  return isLast ? (part + amountLeft - 1n) / amountLeft : part / amountLeft;
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

const isActivated = (before: Position | null, after: Position): boolean =>
  before?.status === 'pending' && after.status === 'active';

/** Of positions, the largest first, those that fit together. @param room shares; null: all fit */
function fitting(positions: readonly Position[], room: string | null): Position[] {
  if (room === null) return [...positions];
  let left = BigInt(room);
  return positions.filter(({ shares }) => {
    if (shares > left) return false;
    left -= shares;
    return true;
  });
}

const sharesOf = (positions: readonly Position[]): bigint => sum(positions.map(({ shares }) => shares));

/** A move that waited, for a process that died, may find a target that is to be left at once, or was taken out of use. */
function takesFunds(
  { vault, state, indexChange, tvlChange }: MarketVault,
  now: Date,
  constants: RoutingConstants,
): boolean {
  const hoursSinceObserved = state.observedHour && hoursBetween(state.observedHour, hourOf(now));
  const kept = { active: vault.active, hoursSinceObserved, indexChange, tvlChange };
  return vault.idle || failed(keepGates(kept, constants)).length === 0;
}
