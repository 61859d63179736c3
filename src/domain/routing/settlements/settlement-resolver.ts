import { Injectable } from '@nestjs/common';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { Accruals } from '../../books/positions/accruals.js';
import { CampaignTimes } from '../../books/positions/points.js';
import type { Entry, Position } from '../../books/positions/position.js';
import { baselinesOf, momentOf, positionRecord, shownVault } from '../../books/positions/quotes.js';
import { LOCK, LOCK_DEPOSIT, LOCK_LISTED } from '../../books/positions/position.queries.js';
import {
  type ChangedPosition,
  type LockedPositions,
  PositionStore,
} from '../../books/positions/position.store.js';
import {
  type EarnedYield,
  type VoidedPosition,
  voidDeposit,
  voidWithdrawal,
} from '../../books/positions/void.js';
import { Store } from '../../kernel/store/store.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import {
  CONTRADICTED,
  type Resolution,
  type Settlement,
  SettlementRecord,
  resolutionAlert,
} from './settlement.js';
import * as queries from './settlement.queries.js';
import { StoredWithdrawal } from '../withdrawals/withdrawal.js';
import { FIND_PARTS } from '../withdrawals/withdrawal.queries.js';
import { SettlementService } from './settlement.service.js';

/** What a position paid of a withdrawal, and what it cost. Micro-units. */
interface PaidPart {
  amount: bigint;
  cost: bigint;
}

export interface SettlementResolution {
  id: string;
  action: Resolution;
  note: string;
  partnerId: string | null;
}

/** An executor's decision on a transfer that the chain contradicts: accept it as reported, or void it. */
@Injectable()
export class SettlementResolver {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settlements: SettlementService,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly times: CampaignTimes,
    private readonly events: EventService,
    private readonly alerts: AlertEvents,
  ) {}

  /**
   * Accepts a transfer as reported, or voids it: posts the reversal, and frees its hash for another report. Its position takes transfers again.
   * Voiding raises `position.closed` for a deposit, and `position.active` when it reopens a closed position.
   * @throws DomainError `not_found`, `settlement_resolved`, `position_closed` and `insufficient_balance` (voiding, when nothing of the deposit is
   * left), `service_unavailable` (clock error)
   */
  async resolve({ id, action, note, partnerId }: SettlementResolution): Promise<Settlement> {
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const { positionId, depositId, withdrawalId } = await this.settlements.get(id, partnerId);
      const parts = withdrawalId ? await this.partsOf(withdrawalId) : null;
      const locked = depositId
        ? await this.positions.lock(LOCK_DEPOSIT, [depositId])
        : parts
          ? await this.positions.lock(LOCK_LISTED, [[...parts.keys()]])
          : await this.positions.lock(LOCK, [positionId, partnerId]);
      // Locked until commit against checks and other resolutions.
      const records = this.store.repository(SettlementRecord);
      await records.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
      const settlement = await this.settlements.get(id, partnerId);
      refuseResolved(settlement);
      const view = await this.market.viewForBooking(locked.positions[0]!.marketId);
      const at = locked.after(view.now);
      if (action === 'void') await this.reverse(settlement, locked, view, at, parts);
      if (action === 'void' && withdrawalId)
        await this.store
          .repository(StoredWithdrawal)
          .update({ id: withdrawalId }, { status: 'failed', failure: 'voided', note });
      const freed = action === 'void' ? { txHash: null, voidedTxHash: settlement.txHash } : {};
      await records.update({ id }, { resolution: action, note, resolvedAt: at, dueAt: null, ...freed });
      const alert = resolutionAlert(settlement, action, at);
      await this.alerts.notifyAll([{ alert, partnerIds: [settlement.partnerId] }], at);
      return this.settlements.get(id, partnerId);
    });
  }

  private async reverse(
    settlement: Settlement,
    locked: LockedPositions,
    view: MarketView,
    at: Date,
    parts: ReadonlyMap<string, PaidPart> | null,
  ): Promise<void> {
    const { positions } = locked;
    const deposit = settlement.type === 'deposit';
    if (deposit) positions.forEach(refuseSpent);
    else for (const { id } of positions) await this.refuseVoided(id);
    const moment = momentOf(view, at);
    const settled = await this.accruals.post(locked, moment);
    const { posted, revenue, termsOf } = settled;
    const changes: ChangedPosition[] = [];
    for (const [index, { position: accrued, entries }] of posted.entries()) {
      const before = positions[index]!;
      const flow = {
        at,
        vault: moment.quoteAt(before.vaultId, at),
        baselines: baselinesOf(view, before, at),
        time: await this.times.at(before.campaignId, at),
        voids: settlement.txHash,
      };
      const { position, reversals, entry }: VoidedPosition = deposit
        ? voidDeposit(accrued, await this.earnedYield(accrued, entries), termsOf(before), flow)
        : voidWithdrawal(
            accrued,
            parts?.get(before.id) ?? { amount: settlement.amount, cost: 0n },
            termsOf(before),
            flow,
          );
      const reversed = reversals.map((reversal) => revenue.reversal(position, reversal));
      const voiding = deposit ? [...reversed, entry] : [entry, ...reversed];
      changes.push({ before, after: position, entries: [...entries, ...voiding] });
    }
    await this.positions.save(changes, settled, at);
    await this.events.raise(
      changes.flatMap(({ before, after }) => {
        const data = { ...positionRecord(after, shownVault(view, after.vaultId, at)), decision_id: null };
        const reopened = before!.status === 'closed' && after.status === 'active';
        const type = deposit ? 'position.closed' : reopened ? 'position.active' : null;
        return type === null ? [] : [{ type, partnerId: after.partnerId, data, at } as const];
      }),
    );
  }

  /** What a withdrawal was paid from, by position. */
  private async partsOf(withdrawalId: string): Promise<Map<string, PaidPart>> {
    const parts = await this.store.query(FIND_PARTS, [withdrawalId]);
    return new Map(
      parts
        .filter(({ amount }) => amount > 0n)
        .map(({ positionId, amount, cost }) => [positionId, { amount: amount - cost, cost }]),
    );
  }

  /** Accruals in the ledger, and those posted in this transaction. */
  private async earnedYield({ id }: Position, posted: readonly Entry[]): Promise<EarnedYield[]> {
    const sums = await this.store.query(queries.SUM_ACCRUALS, [id]);
    const fresh = posted.map(({ amount, feeBps, shareBps }) => ({
      amount,
      performanceFeeBps: feeBps!,
      partnerShareBps: shareBps!,
    }));
    const byTerms = Map.groupBy(
      [...sums, ...fresh],
      (terms) => `${terms.performanceFeeBps} ${terms.partnerShareBps}`,
    );
    return [...byTerms.values()].map((accruals) => ({
      ...accruals[0]!,
      amount: accruals.reduce((sum, { amount }) => sum + amount, 0n),
    }));
  }

  private async refuseVoided(positionId: string): Promise<void> {
    const [row] = await this.store.query(queries.IS_DEPOSIT_VOIDED, [positionId]);
    if (row!.voided)
      throw new DomainError(
        'position_closed',
        'The deposit of the position was voided, so the withdrawal cannot be put back. Nothing was changed: accept this settlement.',
      );
  }
}

/** Of a split deposit, each position has to have something left. @throws DomainError `position_closed`, `insufficient_balance` */
function refuseSpent({ id, status, deposited, withdrawn }: Position): void {
  if (status === 'closed')
    throw new DomainError(
      'position_closed',
      `The position ${id} is closed: its whole deposit was withdrawn. Nothing was changed: accept this settlement.`,
    );
  if (withdrawn >= deposited)
    throw new DomainError(
      'insufficient_balance',
      `The withdrawals from the position ${id} use up its deposit. Nothing was changed: accept this settlement.`,
    );
}

function refuseResolved({ id, status, resolution }: Settlement): void {
  if (resolution === null && CONTRADICTED.includes(status)) return;
  const why =
    resolution === null
      ? `it is ${status}, which the chain does not contradict`
      : `it was already resolved, by ${resolution}`;
  throw new DomainError(
    'settlement_resolved',
    `The settlement ${id} needs no resolution: ${why}. Nothing was changed.`,
  );
}
