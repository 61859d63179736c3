import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { formatAmount } from '../../kernel/money.js';
import type { Position } from '../../books/positions/position.js';
import { momentOf, type WithdrawnRecord } from '../../books/positions/quotes.js';
import { LOCK } from '../../books/positions/position.queries.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { SettlementService } from '../settlements/settlement.service.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { Payouts } from '../withdrawals/payouts.js';
import { availableIn, Reservations } from '../withdrawals/reservations.js';

export interface PositionWithdrawal {
  positionId: string;
  /** Micro-units; null: everything. */
  amount: bigint | null;
  txHash: string | null;
  chain?: string | null;
  partnerId: string | null;
}

/** Records withdrawals from a position, each in one transaction and a fixed number of statements. */
@Injectable()
export class WithdrawalService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly storageLimit: StorageLimit,
    private readonly settlements: SettlementService,
    private readonly reservations: Reservations,
    private readonly payouts: Payouts,
  ) {}

  /**
   * Withdraws from a position, everything when no amount is named; not what withdrawals of its user reserve. Users of a disabled partner and blocked users
   * still get their money, and real transfers are recorded whatever the limit of storage. Raises `position.withdrawn`, and `position.closed` with the last
   * of it.
   * @throws DomainError `validation_failed` (chain), `not_found` (position), `position_closed`, `insufficient_balance`,
   * `settlement_already_recorded`, `settlement_unresolved`, `quota_exceeded` (simulated withdrawals), `service_unavailable` (clock error)
   */
  async withdraw(withdrawal: PositionWithdrawal): Promise<WithdrawnRecord> {
    const { positionId, amount, partnerId, chain = null } = withdrawal;
    const txHash = withdrawal.txHash?.toLowerCase() ?? null;
    if (!isId('position', positionId)) throw notFound('position');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const locked = await this.positions.lock(LOCK, [positionId, partnerId]);
      const [position] = locked.positions;
      if (!position) throw notFound('position');
      // Without a real transaction, they can be requested without limit.
      this.storageLimit.requireRoom(position.partnerId, txHash === null ? ['book', 'traffic'] : []);
      const view = await this.market.viewForBooking(position.marketId);
      const at = locked.after(view.now);
      if (txHash !== null)
        await this.settlements.record({ ...position, whole: false, txHash, chain, positionId, at });
      if (position.status === 'closed')
        throw new DomainError('position_closed', 'The position is closed: nothing is left to withdraw.');
      const value = valueOf(position.shares, momentOf(view, at).quoteAt(position.vaultId, at).index);
      await this.requireUnreserved(position, value, amount);
      const payment = { position, amount: payable(position, amount, value), cost: 0n };
      const [record] = await this.payouts.book(locked, view, at, [payment], { txHash });
      return record!;
    });
  }

  /** @throws DomainError `insufficient_balance` */
  private async requireUnreserved(
    { id, asset }: Position,
    value: bigint,
    amount: bigint | null,
  ): Promise<void> {
    const reservation = (await this.reservations.find([id])).get(id)!;
    const available = availableIn(value, reservation);
    if (available === value || (amount !== null && amount <= available)) return;
    throw new DomainError(
      'insufficient_balance',
      `Withdrawals of its user reserve ${formatAmount(value - available)} of the ${formatAmount(value)} ${asset} in the position: name an amount of at most ${formatAmount(available)}, or report those at /withdrawals first.`,
    );
  }
}

function payable({ asset }: Position, amount: bigint | null, value: bigint): bigint {
  if (value > 0n && (amount === null || amount <= value)) return amount ?? value;
  throw new DomainError(
    'insufficient_balance',
    value === 0n || amount === null
      ? `The position is worth less than 0.000001 ${asset}: there is nothing to withdraw yet.`
      : `The position is worth ${formatAmount(value)} ${asset}, less than ${formatAmount(amount)}. Omit the amount to withdraw everything.`,
  );
}
