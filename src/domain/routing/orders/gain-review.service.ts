import { Injectable } from '@nestjs/common';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { Accruals } from '../../books/positions/accruals.js';
import { CampaignTimes } from '../../books/positions/points.js';
import { LOCK_WAITING } from '../../books/positions/position.queries.js';
import { type ChangedPosition, PositionStore } from '../../books/positions/position.store.js';
import { momentOf } from '../../books/positions/quotes.js';
import { type MoveOrder, StoredOrder, toOrder } from '../allocation/move-order.js';
import { Store } from '../../kernel/store/store.js';
import { requireOpen } from './report-checks.js';
import { withGain } from './step-part.js';
import { reviewAlert } from './report-bounds.js';
import * as queries from './report.queries.js';

export const REVIEW_ACTIONS = ['approve', 'reject'] as const;
export type ReviewAction = (typeof REVIEW_ACTIONS)[number];

const DECISIONS = { approve: 'approved', reject: 'rejected' } as const;

/** An administrator's decision on a reported gain that waits outside the books. */
@Injectable()
export class GainReviews {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly alerts: AlertEvents,
    private readonly times: CampaignTimes,
  ) {}

  /**
   * Approves or rejects the waiting gain of a move. An approved gain is booked now, in the vault of each position: as yield or, of a received
   * deposit, as principal. The part of a closed position is not booked. Repeating a decision changes nothing.
   * @throws DomainError `not_found`, `move_not_open` (nothing waits, or it was decided otherwise), `service_unavailable` (clock error)
   */
  async review(id: string, action: ReviewAction, note: string): Promise<void> {
    if (!isId('move', id)) throw notFound('move');
    this.clock.requireRight();
    await this.store.transaction(async () => {
      const orders = this.store.repository(StoredOrder);
      const row = await orders.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!row) throw notFound('move');
      const order = toOrder(row);
      const decision = DECISIONS[action];
      const { review, endedAt } = order;
      if (review?.status === decision) return;
      if (order.booking !== null) requireOpen(order);
      if (review?.status !== 'pending_review')
        throw new DomainError(
          'move_not_open',
          `No gain of this move is awaiting review${review === null ? '' : `: it was ${review.status} at ${review.reviewedAt!.toISOString()}`}. Nothing was changed.`,
        );
      const { at, booked } =
        action === 'approve'
          ? await this.book(order)
          : { at: await this.market.now(order.marketId), booked: 0n };
      const ended = endedAt !== null;
      await this.store.query(queries.END_REVIEW, [id, decision, booked.toString(), at, note, ended]);
      await this.alerts.notifyAdministrators([reviewAlert(order, { ...review, booked }, decision, at)], at);
    });
  }

  private async book({
    id,
    marketId,
    decisionId,
    positionId,
  }: MoveOrder): Promise<{ at: Date; booked: bigint }> {
    const locked = await this.positions.lock(LOCK_WAITING, [id]);
    const { positions, partOf } = locked;
    const view = await this.market.viewForBooking(marketId);
    const at = locked.after(view.now);
    if (positions.length === 0) return { at, booked: 0n };
    const moment = momentOf(view, at);
    const settled = await this.accruals.post(locked, moment);
    const { posted } = settled;
    const time = positionId === null ? null : await this.times.at(positions[0]!.campaignId, at);
    const changes = posted.map(({ position: accrued, entries }, index): ChangedPosition => {
      const before = positions[index]!;
      const waiting = partOf(before);
      const vault = moment.quoteAt(accrued.vaultId, at);
      const { position, entry } = withGain(accrued, waiting, { view, at, vault, decisionId, time }, settled);
      return { before, after: position, entries: [...entries, entry] };
    });
    await this.positions.save(changes, settled, at);
    return { at, booked: positions.reduce((sum, position) => sum + partOf(position), 0n) };
  }
}
