import { Injectable } from '@nestjs/common';
import { Accruals } from '../../books/positions/accruals.js';
import { CampaignTimes } from '../../books/positions/points.js';
import type { Entry, Position } from '../../books/positions/position.js';
import { FIND_SHARES_OF_USER } from '../../books/positions/position.queries.js';
import {
  type ChangedPosition,
  type LockedPositions,
  PositionStore,
} from '../../books/positions/position.store.js';
import {
  baselinesOf,
  type Moment,
  momentOf,
  positionRecord,
  shownVault,
  type WithdrawnRecord,
} from '../../books/positions/quotes.js';
import { bearCost, withdraw } from '../../books/positions/steps.js';
import { toUnits } from '../../kernel/money.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import type { MarketView } from '../../markets/hours/market.service.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { EventService, type NewEvent } from '../../outbound/webhooks/event.service.js';

/** What a locked position pays out. Micro-units. */
export interface Payment {
  position: Position;
  /** What leaves it, at most its value. */
  amount: bigint;
  /** Part of it that its vault did not pay out, less than the amount. */
  cost: bigint;
}

/** Payments from positions of one user and asset: their entries, their events. */
@Injectable()
export class Payouts {
  constructor(
    private readonly store: Store,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly times: CampaignTimes,
    private readonly events: EventService,
  ) {}

  /**
   * Books payments in the transaction that locked their positions. Raises `position.withdrawn` for each, and `position.closed` with the last of one.
   * @returns the positions after them, with what was paid
   */
  async book(
    locked: LockedPositions,
    view: MarketView,
    at: Date,
    payments: readonly Payment[],
    { txHash = null, withdrawalId = null }: { txHash?: string | null; withdrawalId?: string | null },
  ): Promise<WithdrawnRecord[]> {
    const moment = momentOf(view, at);
    const settled = await this.accruals.post(
      { ...locked, positions: payments.map(({ position }) => position) },
      moment,
    );
    const { posted, revenue } = settled;
    const changes: ChangedPosition[] = [];
    let userValue: bigint | undefined;
    let taken = 0n;
    for (const [index, { position: accrued, entries }] of posted.entries()) {
      const { position: before, amount, cost } = payments[index]!;
      const vault = moment.quoteAt(before.vaultId, at);
      const added: Entry[] = [];
      let reduced = accrued;
      if (cost > 0n) {
        const borne = bearCost(accrued, cost, at, vault);
        reduced = borne.position;
        added.push(revenue.move(reduced, borne.entry!));
      }
      const carries = revenue.carriesLoss(before);
      if (carries) userValue ??= await this.valueOfUser(before, moment);
      const time = await this.times.at(before.campaignId, at);
      const flow = { at, vault, baselines: baselinesOf(view, before, at), time, txHash };
      const { position, entry } = withdraw(reduced, amount - cost, flow);
      added.push(revenue.withdrawal(position, entry!, carries ? userValue! - taken - cost : null));
      taken += amount;
      changes.push({ before, after: position, entries: [...entries, ...added] });
    }
    const records = changes.map(({ after }, index) => ({
      ...positionRecord(after, shownVault(view, after.vaultId, at)),
      amount: toUnits(payments[index]!.amount - payments[index]!.cost),
    }));
    await pipelined([
      this.positions.save(changes, settled, at),
      this.events.raise(
        changes.flatMap(({ after }, index) => eventsOf(after, records[index]!, withdrawalId, at)),
      ),
    ]);
    return records;
  }

  private async valueOfUser({ userId, asset }: Position, moment: Moment): Promise<bigint> {
    const holdings = await this.store.query(FIND_SHARES_OF_USER, [userId, asset]);
    return holdings.reduce(
      (sum, { vaultId, shares }) => sum + valueOf(BigInt(shares), moment.quoteAt(vaultId, moment.at).index),
      0n,
    );
  }
}

function eventsOf(
  { partnerId, status }: Position,
  { amount, ...record }: WithdrawnRecord,
  withdrawalId: string | null,
  at: Date,
): NewEvent[] {
  const data = { ...record, decision_id: null };
  const withdrawn = { ...data, amount, withdrawal_id: withdrawalId };
  return [
    { type: 'position.withdrawn', partnerId, data: withdrawn, at },
    ...(status === 'closed' ? [{ type: 'position.closed' as const, partnerId, data, at }] : []),
  ];
}
