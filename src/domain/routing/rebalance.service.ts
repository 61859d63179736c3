import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { MarketService, type MarketView } from '../markets/market.service.js';
import { Accruals, afterEntriesOf } from '../positions/accruals.js';
import { move, type Position } from '../positions/position.js';
import { type Change, PositionStore, RELEASED_AT_ONCE } from '../positions/position.store.js';
import { momentOf, shownVault, vaultOf } from '../positions/quotes.js';
import { Store } from '../store/store.js';
import { hourOf } from '../vaults/hour.js';
import { valueOf } from '../vaults/shares.js';
import { INDEX_SCALE } from '../vaults/yield-index.js';
import { EventService } from '../webhooks/event.service.js';
import { stillTakes } from './candidates.js';
import { movedEvent } from './moved-event.js';
import { costsOfBatch, fitting, type Leg, type Move, sum } from './move-batch.js';
import { vaultRules } from './routing-constants.js';
import * as queries from './routing.queries.js';
import { isIdle } from '../vaults/vault.js';

/** Positions that one transaction moves: their locks are held for some tens of milliseconds. */
const BATCH = 500;

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
   * Carries out all moves of a market that are on their way, what must leave its vault first; one that a dead process left goes on where it was. A withdrawal at
   * the same time comes before or after the move of its position. A target that no longer takes funds ends a move where it is. Raises `position.rebalanced`
   * for each, or `position.active` where it was pending.
   *
   * @param at the time of the entries; default: the time of each batch
   * @returns how many positions were moved
   */
  async carryOut(marketId: string, at?: Date): Promise<number> {
    const open = await this.store.query(queries.FIND_OPEN_MOVES, [marketId]);
    let moved = 0;
    const failures: unknown[] = [];
    for (const leg of open) {
      // One that fails is tried again in an hour, and keeps no other one waiting.
      await this.finish(leg, at).then(
        (count) => (moved += count),
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length > 0) throw failures[0];
    return moved;
  }

  private async finish(leg: Leg, at?: Date): Promise<number> {
    let moved = 0;
    for (let batch: number | null = 0; batch !== null; batch = await this.carryOn(leg, at)) moved += batch;
    return moved;
  }

  /** @returns how many positions were moved; null when the leg is complete */
  private carryOn({ decisionId, leg }: Leg, given?: Date): Promise<number | null> {
    return this.store.transaction(async () => {
      const [found] = await this.store.query(queries.LOCK_MOVE, [decisionId, leg]);
      if (!found || found.doneAt) return null;
      const { marketId, fromVaultId, toVaultId } = found;
      const locked = await this.lockNext(found, { decisionId, leg });
      const looked = locked.slice(0, BATCH);
      const positions = fitting(looked, found.room);
      // After the locks: an index that is older than a position's last entry would take yield back.
      const view = await this.market.look(marketId, this.store, given);
      const { now } = view;
      if (fromVaultId === toVaultId || !this.takes(view, found))
        return this.endWhereItIs(found, { decisionId, leg }, now);
      const at = positions.length > 0 ? afterEntriesOf(positions, now) : now;
      const moment = momentOf(view, at);
      const [from, to] = [moment.quoteAt(fromVaultId, at), moment.quoteAt(toVaultId, at)];
      const { posted, revenue } = await this.accruals.post(positions, moment);
      const done = locked.length > BATCH ? null : at;
      const values = posted.map(({ position }) => valueOf(position.shares, from.index));
      const costs = costsOfBatch(found, values, done !== null);
      const toIdle = isIdle(vaultOf(view, toVaultId).vault);
      const changes: Change[] = posted.flatMap(({ position: accrued, entries }, index) => {
        const transit = { at, from, to, toIdle, late: found.late, cost: costs[index]!, decisionId };
        const { position, entry } = move(accrued, transit);
        const before = positions[index]!;
        // Where nothing would arrive the position stays; what it earned is posted.
        if (!entry) return entries.length > 0 ? [{ before, after: accrued, entries }] : [];
        return [{ before, after: position, entries: [...entries, revenue.move(position, entry)] }];
      });
      const moved = changes.filter(({ before, after }) => before!.vaultId !== after.vaultId);
      await this.positions.save(changes, revenue, at);
      const shown = shownVault(view, toVaultId, at);
      await this.events.raise(
        moved.map((change) => movedEvent(change, shown, at, { ...change.entries.at(-1)!, decisionId })),
      );
      const last = looked.at(-1);
      await this.advance({ decisionId, leg }, found, {
        afterId: last?.id ?? null,
        moved: moved.length,
        done,
        afterShares: found.room === null ? null : (last?.shares ?? null),
        room: found.room === null ? null : BigInt(found.room) - sharesOf(positions),
        amount: sum(values),
        cost: sum(costs),
      });
      // What could not pay for the second leg has arrived where it stands: nothing is on the way for ever.
      if (leg === 2 && done) await this.positions.release({ marketId, transitId: decisionId }, BATCH);
      return moved.length;
    });
  }

  /** The next positions, and one more where more are left. */
  private lockNext(
    { marketId, partnerId, fromVaultId, decidedAt, afterId, afterShares, room }: Move,
    { decisionId, leg }: Leg,
  ): Promise<Position[]> {
    if (leg === 2)
      return this.positions.lockInTransit({ marketId, transitId: decisionId }, afterId, BATCH + 1);
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

  /**
   * A move is carried out some time after it was decided, a day where its funds were on the way, and much later where a process died: its target may be full by
   * then, or to be left itself. What must leave its vault and is paid out late goes on the way in any case.
   */
  private takes(view: MarketView, { targetVaultId, late, evicts, ...move }: Move): boolean {
    const target = view.vaults.get(targetVaultId);
    // Gone from the catalogue, which knows of no funds on their way there.
    if (!target) return false;
    if (late && evicts) return true;
    // As before its first batch: what has arrived is no reason to stop.
    const held = target.held - BigInt(move.amountMoved) + BigInt(move.costTaken);
    return stillTakes(
      { ...target, held: late || held < 0n ? target.held : held },
      BigInt(move.amount),
      hourOf(view.now),
      vaultRules(this.settings),
    );
  }

  /**
   * What a move has not reached yet stays where it is, to be judged anew: a vault, or cash that is on the way no longer.
   *
   * @returns null: it is complete
   */
  private async endWhereItIs(found: Move, leg: Leg, at: Date): Promise<number | null> {
    const { marketId, fromVaultId, toVaultId } = found;
    const ended = { afterId: null, moved: 0, done: at, afterShares: null, room: null, amount: 0n, cost: 0n };
    if (leg.leg === 1) {
      await this.advance(leg, found, ended);
      return null;
    }
    const transit = { marketId, transitId: leg.decisionId };
    const { positions, shares } = await this.positions.release(transit);
    const done = positions < RELEASED_AT_ONCE ? at : null;
    // Cash that was to be cash has arrived.
    const amount = fromVaultId === toVaultId ? valueOf(shares, INDEX_SCALE) : 0n;
    await this.advance(leg, found, { ...ended, done, amount });
    return done ? null : 0;
  }

  private async advance({ decisionId, leg }: Leg, { late }: Move, by: Progress): Promise<void> {
    const { afterId, moved, done, afterShares, room, amount, cost } = by;
    await this.store.query(queries.ADVANCE_MOVE, [
      ...([decisionId, leg, afterId, moved, done] as const),
      ...([afterShares?.toString() ?? null, room?.toString() ?? null, `${amount}`, `${cost}`] as const),
    ]);
    if (late && done) await this.store.query(queries.DEPART, [decisionId, hourOf(done)]);
  }
}

/** How far a batch brought a leg. */
interface Progress {
  afterId: string | null;
  moved: number;
  /** null: more are left. */
  done: Date | null;
  /** Where it has a room: of the last position that was looked at, and what is left. */
  afterShares: bigint | null;
  room: bigint | null;
  /** Micro-units that were moved, and what that cost. */
  amount: bigint;
  cost: bigint;
}

const sharesOf = (positions: readonly Position[]): bigint => sum(positions.map(({ shares }) => shares));
