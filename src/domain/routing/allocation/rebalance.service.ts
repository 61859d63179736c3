import { toUnits } from '../../kernel/money.js';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { Accruals } from '../../books/positions/accruals.js';
import { move } from '../../books/positions/steps.js';
import * as locks from '../../books/positions/position.queries.js';
import { type ChangedPosition, type Locked, PositionStore } from '../../books/positions/position.store.js';
import { momentOf, shownVault, vaultOf } from '../../books/positions/quotes.js';
import { Store } from '../../kernel/store/store.js';
import { hourOf } from '../../kernel/clock.js';
import { valueOf, INDEX_SCALE } from '../../markets/vaults/yield-index.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import { stillTakes } from './candidates.js';
import { costsOfBatch, fitting, type Move, movedEvent, sum } from './move-batch.js';
import { vaultRules } from './routing-constants.js';
import * as queries from './routing.queries.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';

/** The promise of moves against their actual gain at the end of their horizon. */
export interface Outcomes {
  moves: number;
  promised: number;
  realised: number;
}

export const NO_OUTCOMES: Outcomes = { moves: 0, promised: 0, realised: 0 };

/** Executes moves: a partner's positions in one vault go to another, in batches. */
@Injectable()
export class RebalanceService {
  /** Positions that one transaction moves, so that their locks are held for some tens of milliseconds. */
  batchSize = 500;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly events: EventService,
  ) {}

  /**
   * Executes all open moves of a market, evictions first, and continues a move that a crashed process left. A move ends in place when its target no
   * longer takes funds. Raises `position.rebalanced` for each position, or `position.active` when it was pending. `at`: time of the entries; default:
   * the time of each batch. Returns the number of moved positions.
   */
  async execute(marketId: string, at?: Date): Promise<number> {
    const open = await this.store.query(queries.FIND_OPEN_MOVES, [marketId]);
    let moved = 0;
    const failures: unknown[] = [];
    for (const leg of open) {
      // A failed leg is retried in an hour, and does not delay the others.
      await this.finish(leg, at).then(
        (count) => (moved += count),
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length > 0) throw failures[0];
    return moved;
  }

  /** Stores the outcomes of moves whose horizon has ended in a market, up to a thousand; the rest follow in the next hour. */
  async recordOutcomes(marketId: string): Promise<Outcomes> {
    const [settled] = await this.store.query(queries.SETTLE_OUTCOMES, [marketId]);
    const { moves, promised, realised } = settled!;
    return { moves, promised: toUnits(promised), realised: toUnits(realised) };
  }

  private async finish(leg: Pick<Move, 'decisionId' | 'leg'>, at?: Date): Promise<number> {
    let moved = 0;
    for (let batch: number | null = 0; batch !== null; batch = await this.executeBatch(leg, at))
      moved += batch;
    return moved;
  }

  /** @returns number of moved positions; null when the leg is complete */
  private executeBatch(
    { decisionId, leg }: Pick<Move, 'decisionId' | 'leg'>,
    given?: Date,
  ): Promise<number | null> {
    return this.store.transaction(async () => {
      const [found] = await this.store.query(queries.LOCK_MOVE, [decisionId, leg]);
      if (!found || found.doneAt) return null;
      const { marketId, fromVaultId, toVaultId } = found;
      const locked = await this.lockNext(found);
      const looked = locked.found.slice(0, this.batchSize);
      const next = locked.found[this.batchSize]?.id;
      const positions = fitting(
        locked.positions.filter(({ id }) => id !== next),
        found.room,
      );
      // Read after the locks: an index older than a position's last entry would take yield back.
      const view = await this.market.look(marketId, given);
      const { now } = view;
      if (fromVaultId === toVaultId || !this.takes(view, found)) return this.endWhereItIs(found, now);
      const at = locked.after(now);
      const moment = momentOf(view, at);
      const [from, to] = [moment.quoteAt(fromVaultId, at), moment.quoteAt(toVaultId, at)];
      const settled = await this.accruals.post({ ...locked, positions }, moment);
      const { posted, revenue } = settled;
      const done = next === undefined ? at : null;
      const values = posted.map(({ position }) => valueOf(position.shares, from.index));
      const costs = costsOfBatch(found, values, done !== null);
      const toIdle = isIdle(vaultOf(view, toVaultId).vault);
      const changes: ChangedPosition[] = posted.flatMap(({ position: accrued, entries }, index) => {
        const transit = { at, from, to, toIdle, late: found.late, cost: costs[index]!, decisionId };
        const { position, entry } = move(accrued, transit);
        const before = positions[index]!;
        // When nothing would arrive, the position stays, in transit no longer, and its yield is posted.
        if (!entry)
          return entries.length > 0 || leg === 2
            ? [{ before, after: { ...accrued, transitId: null }, entries }]
            : [];
        return [{ before, after: position, entries: [...entries, revenue.move(position, entry)] }];
      });
      const moved = changes.filter(({ before, after }) => before!.vaultId !== after.vaultId);
      await this.positions.save(changes, settled, at);
      const shown = shownVault(view, toVaultId, at);
      await this.events.raise(
        moved.map((change) => movedEvent(change, shown, at, { ...change.entries.at(-1)!, decisionId })),
      );
      const last = looked.at(-1);
      await this.advance(found, {
        ...{ done, afterId: last?.id, moved: moved.length, amount: sum(values), cost: sum(costs) },
        ...(found.room !== null && {
          afterShares: last?.shares,
          room: found.room - sum(positions.map(({ shares }) => shares)),
        }),
      });
      return moved.length;
    });
  }

  private lockNext(move: Move): Promise<Locked> {
    const { marketId, decisionId, partnerId, fromVaultId, decidedAt, afterId, afterShares, room } = move;
    const most = this.batchSize + 1;
    if (move.leg === 2)
      return this.positions.lock(locks.LOCK_IN_TRANSIT, [marketId, decisionId, afterId, most]);
    const next = [partnerId, fromVaultId, afterId, decidedAt, most] as const;
    return room === null
      ? this.positions.lock(locks.LOCK_IN_VAULT, next)
      : this.positions.lock(locks.LOCK_LARGEST, [...next, afterShares!, room]);
  }

  /**
   * Moves are executed some time after their decision: a day later for funds in transit, much later after a crash. The target may be full by then,
   * or must be left itself. Evicted funds that are paid out late go into transit in any case.
   */
  private takes(view: MarketView, { targetVaultId, late, evicts, policy, ...move }: Move): boolean {
    const target = view.vaults.get(targetVaultId);
    // Removed from the catalogue, although no funds are in transit to it.
    if (!target) return false;
    if (late && evicts) return true;
    // Holdings as before the first batch: funds that have already arrived do not count against the limits.
    const held = target.held - move.amountMoved + move.costTaken;
    return stillTakes(
      { ...target, held: late || held < 0n ? target.held : held },
      move.amount,
      hourOf(view.now),
      vaultRules(this.settings),
      policy ?? undefined,
    );
  }

  /**
   * Ends a move early: what it has not reached stays where it is, to be evaluated again; funds in transit become cash.
   * @returns null: the leg is complete
   */
  private async endWhereItIs(move: Move, at: Date): Promise<number | null> {
    const { marketId, fromVaultId, toVaultId, decisionId, leg } = move;
    const shares = leg === 2 ? await this.positions.release({ marketId, transitId: decisionId }) : 0n;
    // Funds whose target is cash have arrived.
    await this.advance(move, {
      done: at,
      amount: fromVaultId === toVaultId ? valueOf(shares, INDEX_SCALE) : 0n,
    });
    return null;
  }

  private async advance({ decisionId, leg, late }: Move, by: Progress): Promise<void> {
    const { afterId = null, moved = 0, done, afterShares, room, amount = 0n, cost = 0n } = by;
    const [shares, left] = [afterShares ?? null, room ?? null];
    const values = [decisionId, leg, afterId, moved, done, shares, left, amount, cost] as const;
    await this.store.query(queries.ADVANCE_MOVE, values);
    if (late && done) await this.store.query(queries.DEPART, [decisionId, hourOf(done)]);
  }
}

interface Progress {
  done: Date | null;
  /** Position looked at last. */
  afterId?: string | undefined;
  moved?: number;
  /** For a partial move: shares of that position, and remaining room. */
  afterShares?: bigint | undefined;
  room?: bigint;
  /** Moved micro-units, and their cost. */
  amount?: bigint;
  cost?: bigint;
}
