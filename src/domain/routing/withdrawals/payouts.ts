import { Injectable } from '@nestjs/common';
import { Accruals } from '../../books/positions/accruals.js';
import { CampaignTimes } from '../../books/positions/points.js';
import type { Position } from '../../books/positions/position.js';
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
import { DomainError } from '../../kernel/domain-error.js';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { formatAmount, toUnits } from '../../kernel/money.js';
import { shortfallParts, totalOf } from './parts.js';
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
    const changes = posted.map(({ position: after, entries }, index): ChangedPosition => {
      const { position: before, cost } = payments[index]!;
      if (cost === 0n) return { before, after, entries };
      const { position, entry } = bearCost(after, cost, at, moment.quoteAt(before.vaultId, at));
      return { before, after: position, entries: [...entries, revenue.move(position, entry!)] };
    });
    // Once all costs are borne, so that each payment relieves the same fraction of a carried loss as one payment of the sum.
    let userValue: bigint | undefined;
    for (const [index, change] of changes.entries()) {
      const before = change.before!;
      const paid = payments[index]!.amount - payments[index]!.cost;
      const carries = revenue.carriesLoss(before);
      if (carries) userValue ??= (await this.valueOfUser(before, moment)) - leftBefore(payments, index);
      const time = await this.times.at(before.campaignId, at);
      const vault = moment.quoteAt(before.vaultId, at);
      const flow = { at, vault, baselines: baselinesOf(view, before, at), time, txHash };
      const { position, entry } = withdraw(change.after, paid, flow);
      change.after = position;
      change.entries = [...change.entries, revenue.withdrawal(position, entry!, carries ? userValue! : null)];
      if (carries) userValue! -= paid;
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

/** What has left a user's positions before one of the payments: all costs, and the payments before it. */
const leftBefore = (payments: readonly Payment[], index: number): bigint =>
  payments.reduce((sum, { amount, cost }, place) => sum + (place < index ? amount : cost), 0n);

/**
 * Payments with what each bears, where less was paid than leaves the positions.
 * @param amount that was paid, micro-units; null: all of it
 * @throws DomainError `amount_out_of_bounds`
 */
export function withShortfall(payments: readonly Payment[], amount: bigint | null, asset: string): Payment[] {
  const expected = totalOf(payments);
  const shortfall = amount === null ? 0n : expected - amount;
  const parts = payments.map(({ position, ...part }) => ({
    ...part,
    isCash: position.vaultId === idleVaultId(asset),
  }));
  const costs = shortfall < 0n ? null : shortfallParts(shortfall, parts);
  if (costs !== null) return payments.map((payment, index) => ({ ...payment, cost: costs[index]! }));
  throw new DomainError(
    'amount_out_of_bounds',
    `${formatAmount(amount!)} ${asset} was reported; the books expect ${formatAmount(expected)}. ${shortfall < 0n ? 'More is never paid' : 'Cash pays in full, and each vault something'}. Nothing was changed: compare the amount with the transfer.`,
  );
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
