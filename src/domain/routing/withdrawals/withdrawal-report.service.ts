import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { momentOf, type Moment } from '../../books/positions/quotes.js';
import { LOCK_LISTED } from '../../books/positions/position.queries.js';
import { type LockedPositions, PositionStore } from '../../books/positions/position.store.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { formatAmount, sum } from '../../kernel/money.js';
import { rowsText } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { BASE_MARKET, MarketService } from '../../markets/hours/market.service.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import { ReportBounds } from '../orders/report-bounds.js';
import { MoveCheckService } from '../move-checks/move-check.service.js';
import { SettlementService } from '../settlements/settlement.service.js';
import { totalOf } from './parts.js';
import { type Payment, Payouts, withShortfall } from './payouts.js';
import { availableIn, Reservations, underWay } from './reservations.js';
import { StoredWithdrawal, unpaidAlert } from './withdrawal.js';
import { FIND_EXPIRED, FIND_PARTS, LAPSE, PAY_PARTS, RELEASE_PARTS } from './withdrawal.queries.js';

export interface PaymentReport {
  txHash: string;
  chain: string | null;
  /** Micro-units; null: as the books expect. */
  amount: bigint | null;
  /** Key of the executor. */
  keyId: string;
}

type ReservedPart = RowFrom<typeof FIND_PARTS>;

/** Withdrawals that one transaction of the upkeep lapses. */
const LAPSED_AT_ONCE = 100;

/** Reports on withdrawals by the executor that pays them, each in one transaction. Repeating a report changes nothing. */
@Injectable()
export class WithdrawalReports {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly reservations: Reservations,
    private readonly settlements: SettlementService,
    private readonly bounds: ReportBounds,
    private readonly payouts: Payouts,
    private readonly alerts: AlertEvents,
    private readonly checks: MoveCheckService,
  ) {}

  /**
   * Takes a withdrawal, which then no longer lapses. Its funds are left out of orders that nobody took.
   * @throws DomainError `not_found`, `withdrawal_not_open` (ended, or an order under way moves its funds), `withdrawal_already_reported` (already
   * taken), `settlement_unresolved`, `report_unresolved`, `service_unavailable` (clock error)
   */
  take(id: string, keyId: string): Promise<void> {
    return this.withLocked(id, async (withdrawal) => {
      requireOpen(withdrawal);
      if (withdrawal.takenAt !== null)
        throw new DomainError(
          'withdrawal_already_reported',
          `The withdrawal was taken at ${withdrawal.takenAt.toISOString()}. Leave it to that executor, or report that it failed.`,
        );
      await this.checks.requireResolved(keyId, null);
      await this.claim(withdrawal);
      const takenAt = await this.market.now(withdrawal.marketId);
      await this.store
        .repository(StoredWithdrawal)
        .update({ id }, { status: 'taken', takenAt, takenBy: keyId });
    });
  }

  /**
   * Reports the payment: the funds leave their positions. A smaller amount than the books expect is a cost, which the positions in vaults bear; a larger
   * one is refused. Takes the withdrawal if nobody has.
   * @throws DomainError as `take`, `withdrawal_already_reported` (another payment), `amount_out_of_bounds`, `validation_failed` (chain),
   * `settlement_already_recorded`, `insufficient_balance` when nothing is left of its positions
   */
  paid(id: string, { txHash: given, chain, amount, keyId }: PaymentReport): Promise<void> {
    const txHash = given.toLowerCase();
    return this.withLocked(id, async (withdrawal) => {
      if (withdrawal.status === 'paid') return requireSamePayment(withdrawal, { txHash, amount });
      requireOpen(withdrawal);
      await this.checks.requireResolved(keyId, null);
      const { marketId, partnerId, asset } = withdrawal;
      const parts = await this.claim(withdrawal);
      const listed = parts.map(({ positionId }) => positionId);
      const locked = await this.positions.lock(LOCK_LISTED, [listed]);
      const view = await this.market.viewForBooking(marketId);
      const at = locked.after(view.now);
      const expected = await this.expectedPayments(withdrawal, parts, locked, momentOf(view, at));
      const payments = withShortfall(expected, amount, asset);
      const sums = { amount: totalOf(payments), cost: sum(payments.map(({ cost }) => cost)) };
      const leaving = payments.filter(({ position }) => position.vaultId !== idleVaultId(asset));
      const boundValue = await this.bounds.admitPayment(
        { id, partnerId, asset, ...sums },
        leaving,
        keyId,
        at,
      );
      const transfer = { txHash, chain, partnerId, asset, at, positionId: payments[0]!.position.id };
      const recorded = await this.settlements.record({
        ...transfer,
        depositId: null,
        whole: false,
        withdrawalId: id,
        keyId,
      });
      await this.checks.checkAgain(recorded, [txHash], at);
      await this.payouts.book(locked, view, at, payments, { txHash, withdrawalId: id });
      const paid = payments.map(({ position, ...part }) => ({
        ...part,
        positionId: position.id,
        vaultId: position.vaultId,
      }));
      await this.store.query(PAY_PARTS, [id, rowsText(paid)]);
      await this.store.repository(StoredWithdrawal).update(
        { id },
        {
          ...{ status: 'paid', amount: `${sums.amount}`, cost: `${sums.cost}`, txHash, chain: recorded },
          ...{ paidAt: at, paidBy: keyId, endedAt: at, boundValue: `${boundValue}` },
          ...(withdrawal.takenAt === null && { takenAt: at, takenBy: keyId }),
        },
      );
    });
  }

  /** Reports that nothing is paid: its funds are reserved no longer. @throws DomainError `not_found`, `withdrawal_not_open`, `withdrawal_already_reported` */
  failed(id: string, note: string): Promise<void> {
    return this.withLocked(id, async (withdrawal) => {
      if (withdrawal.failure === 'reported' && withdrawal.note === note) return;
      if (withdrawal.failure === 'reported')
        throw new DomainError(
          'withdrawal_already_reported',
          'The withdrawal was already reported as failed, with another note. Nothing was changed.',
        );
      requireOpen(withdrawal);
      await this.end({ ...withdrawal, status: 'failed', failure: 'reported', note });
    });
  }

  /** Ends withdrawals that no executor took in time. @returns how many */
  async lapse(): Promise<number> {
    let count = 0;
    for (let lapsed = LAPSED_AT_ONCE; lapsed === LAPSED_AT_ONCE; count += lapsed) {
      const expired = await this.store.query(FIND_EXPIRED, [this.clock.now(), LAPSED_AT_ONCE]);
      lapsed = expired.length;
      if (lapsed > 0) await this.lapseTogether(expired.map(({ id }) => id));
    }
    return count;
  }

  /** In one transaction, since decisions wait for it. */
  private lapseTogether(ids: readonly string[]): Promise<void> {
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const at = await this.market.now(BASE_MARKET);
      await this.alert(await this.store.query(LAPSE, [[...ids], at]), at);
    });
  }

  private withLocked<T>(id: string, work: (withdrawal: StoredWithdrawal) => Promise<T>): Promise<T> {
    if (!isId('withdrawal', id)) throw notFound('withdrawal');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const lock = { mode: 'pessimistic_write' } as const;
      const withdrawal = await this.store.repository(StoredWithdrawal).findOne({ where: { id }, lock });
      if (!withdrawal) throw notFound('withdrawal');
      return work(withdrawal);
    });
  }

  /** Makes sure that nothing moves its funds, and returns its parts. */
  private async claim(withdrawal: StoredWithdrawal): Promise<ReservedPart[]> {
    const parts = await this.store.query(FIND_PARTS, [withdrawal.id]);
    const positionIds = parts.map(({ positionId }) => positionId);
    const moving = await this.reservations.leave(await this.reservations.lockOrders(withdrawal), positionIds);
    if (moving) throw underWay(moving);
    await this.reservations.requireResolved(positionIds);
    return parts;
  }

  private async end(withdrawal: StoredWithdrawal): Promise<void> {
    const { id, marketId, status, failure, note } = withdrawal;
    const endedAt = await this.market.now(marketId);
    await this.store.repository(StoredWithdrawal).update({ id }, { status, failure, note, endedAt });
    await this.store.query(RELEASE_PARTS, [id]);
    await this.alert([withdrawal], endedAt);
  }

  private async alert(
    ended: readonly (Parameters<typeof unpaidAlert>[0] & { partnerId: string })[],
    at: Date,
  ): Promise<void> {
    const addressed = ended.map((item) => ({ alert: unpaidAlert(item, at), partnerIds: [item.partnerId] }));
    await this.alerts.notifyAll(addressed, at);
  }

  /** What the books expect of each position: its part, and at most what earlier withdrawals leave of it; of everything, what all others leave. */
  private async expectedPayments(
    { id, isWhole, asset }: StoredWithdrawal,
    parts: readonly ReservedPart[],
    { positions }: LockedPositions,
    { at, quoteAt }: Moment,
  ): Promise<Payment[]> {
    const others = await this.reservations.find(
      parts.map(({ positionId }) => positionId),
      isWhole ? null : id,
    );
    const byId = new Map(positions.map((position) => [position.id, position]));
    const payments = parts.flatMap(({ positionId, amount: asked }) => {
      const position = byId.get(positionId)!;
      const value = valueOf(position.shares, quoteAt(position.vaultId, at).index);
      const available = availableIn(value, { ...others.get(positionId)!, isWhole: false });
      const amount = isWhole || available < asked ? available : asked;
      return amount > 0n ? [{ position, amount, cost: 0n }] : [];
    });
    if (payments.length > 0) return payments;
    throw new DomainError(
      'insufficient_balance',
      `Nothing is left of the ${asset} positions of this withdrawal. Nothing was changed: report that it failed.`,
    );
  }
}

/** @throws DomainError `withdrawal_not_open` */
function requireOpen({ status, endedAt, note }: StoredWithdrawal): void {
  if (endedAt === null) return;
  throw new DomainError(
    'withdrawal_not_open',
    `The withdrawal ended at ${endedAt.toISOString()}: ${status}${note === null ? '' : ` (${note})`}. Nothing was changed.`,
  );
}

/** @throws DomainError `withdrawal_already_reported` */
function requireSamePayment(
  { txHash, amount, cost, paidAt }: StoredWithdrawal,
  report: { txHash: string; amount: bigint | null },
): void {
  const paid = BigInt(amount) - BigInt(cost);
  if (txHash === report.txHash && (report.amount ?? paid) === paid) return;
  throw new DomainError(
    'withdrawal_already_reported',
    `The payment was reported at ${paidAt!.toISOString()} with the transfer ${txHash} of ${formatAmount(paid)}; this report names another transfer or another amount. Nothing was changed.`,
  );
}
