import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { Accruals } from '../../books/positions/accruals.js';
import { formatAmount, toUnits } from '../../kernel/money.js';
import { CampaignTimes } from '../../books/positions/points.js';
import type { Position } from '../../books/positions/position.js';
import { withdraw } from '../../books/positions/steps.js';
import {
  type Moment,
  baselinesOf,
  momentOf,
  positionRecord,
  shownVault,
  type WithdrawnRecord,
} from '../../books/positions/quotes.js';
import { LOCK, FIND_SHARES_OF_USER } from '../../books/positions/position.queries.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { SettlementService } from '../settlements/settlement.service.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { EventService } from '../../outbound/webhooks/event.service.js';

export interface Withdrawal {
  positionId: string;
  amount: bigint | null;
  txHash: string | null;
  chain?: string | null;
  partnerId: string | null;
}

/** Records withdrawals, each in one transaction and a fixed number of statements. */
@Injectable()
export class WithdrawalService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly times: CampaignTimes,
    private readonly events: EventService,
    private readonly storageLimit: StorageLimit,
    private readonly settlements: SettlementService,
  ) {}

  /**
   * Withdraws from a position, everything when no amount is named. Users of a disabled partner and blocked users still get their money, and real
   * transfers are recorded whatever the limit of storage. Raises `position.withdrawn`, and `position.closed` with the last of it.
   * @throws DomainError `validation_failed` (chain), `not_found` (position), `position_closed`, `insufficient_balance`,
   * `settlement_already_recorded`, `settlement_unresolved`, `quota_exceeded` (simulated withdrawals), `service_unavailable` (clock error)
   */
  async withdraw(withdrawal: Withdrawal): Promise<WithdrawnRecord> {
    const { positionId, amount, partnerId, chain = null } = withdrawal;
    const txHash = withdrawal.txHash?.toLowerCase() ?? null;
    if (!isId('position', positionId)) throw notFound('position');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const locked = await this.positions.lock(LOCK, [positionId, partnerId]);
      const [before] = locked.positions;
      if (!before) throw notFound('position');
      // Without a real transaction, they can be requested without limit.
      this.storageLimit.requireRoom(before.partnerId, txHash === null ? ['book', 'traffic'] : []);
      const view = await this.market.viewForBooking(before.marketId);
      const at = locked.after(view.now);
      if (txHash !== null)
        await this.settlements.record({ ...before, whole: false, txHash, chain, positionId, at });
      if (before.status === 'closed')
        throw new DomainError('position_closed', 'The position is closed: nothing is left to withdraw.');
      const moment = momentOf(view, at);
      const settled = await this.accruals.post(locked, moment);
      const { revenue } = settled;
      const { position: accrued, entries } = settled.posted[0]!;
      const vault = moment.quoteAt(before.vaultId, at);
      const paid = payable(accrued, amount, vault.index);
      const time = await this.times.at(before.campaignId, at);
      const flow = { at, vault, baselines: baselinesOf(view, before, at), time, txHash };
      const { position, entry } = withdraw(accrued, paid, flow);
      const userValue = revenue.carriesLoss(before) ? await this.valueOfUser(before, moment) : null;
      const paidOut = revenue.withdrawal(position, entry!, userValue);
      const record = positionRecord(position, shownVault(view, position.vaultId, at));
      const shown = { ...record, amount: toUnits(paid) };
      const closed = {
        type: 'position.closed' as const,
        partnerId: position.partnerId,
        data: { ...record, decision_id: null },
        at,
      };
      await pipelined([
        this.positions.save([{ before, after: position, entries: [...entries, paidOut] }], settled, at),
        this.events.raise([
          { ...closed, type: 'position.withdrawn', data: { ...closed.data, amount: shown.amount } },
          ...(position.status === 'closed' ? [closed] : []),
        ]),
      ]);
      return shown;
    });
  }

  private async valueOfUser({ userId, asset }: Position, moment: Moment): Promise<bigint> {
    const holdings = await this.store.query(FIND_SHARES_OF_USER, [userId, asset]);
    return holdings.reduce(
      (sum, { vaultId, shares }) => sum + valueOf(BigInt(shares), moment.quoteAt(vaultId, moment.at).index),
      0n,
    );
  }
}

function payable({ shares, asset }: Position, amount: bigint | null, index: bigint): bigint {
  const value = valueOf(shares, index);
  if (value > 0n && (amount === null || amount <= value)) return amount ?? value;
  throw new DomainError(
    'insufficient_balance',
    value === 0n || amount === null
      ? `The position is worth less than 0.000001 ${asset}: there is nothing to withdraw yet.`
      : `The position is worth ${formatAmount(value)} ${asset}, less than ${formatAmount(amount)}. Omit the amount to withdraw everything.`,
  );
}
