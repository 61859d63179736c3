import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId, slotOf } from '../../kernel/identifier.js';
import { MarketPlan } from '../../markets/hours/market-plan.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { Accruals, type Moment } from '../../books/positions/accruals.js';
import { formatAmount, toUnits } from '../../kernel/money.js';
import { bestCampaign, CampaignTimes } from '../../books/positions/points.js';
import type { Flow, Position } from '../../books/positions/position.js';
import { open, type Opening, withdraw } from '../../books/positions/steps.js';
import {
  baselinesOf,
  momentOf,
  positionRecord,
  type PositionRecord,
  shownVault,
  vaultOf,
  type WithdrawnRecord,
} from '../../books/positions/quotes.js';
import { LOCK, FIND_SHARES_OF_USER } from '../../books/positions/position.queries.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { DecisionLog } from '../allocation/decision-log.js';
import { DepositRouting, partsOf, type RoutedDeposit } from '../allocation/deposit-routing.service.js';
import { SettlementService } from '../settlements/settlement.service.js';
import { findDepositor } from './depositor.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { EventService } from '../../outbound/webhooks/event.service.js';

export interface Deposit {
  userId: string;
  asset: string;
  amount: bigint;
  /** True when the funds are received but not yet in the chosen vault; `MoveReportService.allocated` takes the report that they are. */
  received?: boolean;
  /** Hash of the transfer, `0x` and 64 hexadecimal digits in either letter case; null: nothing was transferred. */
  txHash: string | null;
  chain?: string | null;
  partnerId: string | null;
}

export interface Withdrawal {
  positionId: string;
  amount: bigint | null;
  txHash: string | null;
  chain?: string | null;
  partnerId: string | null;
}

/** Storage kinds limited for transfers without a real transaction, which can be requested without end. */
const SIMULATED = ['book', 'traffic'] as const;

/** Deposits and withdrawals: the only way to report either. Each is one transaction and a fixed number of statements. */
@Injectable()
export class TransferService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly plan: MarketPlan,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly times: CampaignTimes,
    private readonly routing: DepositRouting,
    private readonly decisions: DecisionLog,
    private readonly orders: MoveOrderService,
    private readonly events: EventService,
    private readonly storageLimit: StorageLimit,
    private readonly settlements: SettlementService,
  ) {}

  /**
   * Routes a deposit to a vault and opens a position there, with the decision that explains it. When no vault takes it, the position is pending in
   * the asset's idle vault, and each hour tries again. Received funds are pending until it is reported that their vault has them: the decision is an
   * order. Raises `position.opened`, and `position.active` when a vault took it.
   * @throws DomainError `validation_failed` (asset, amount, chain), `not_found` (user), `partner_disabled`, `user_blocked`,
   * `settlement_already_recorded`, `quota_exceeded`, `service_unavailable` (clock error)
   */
  async deposit(deposit: Deposit): Promise<PositionRecord> {
    return (await this.open(deposit, false))[0]!;
  }

  /** The same in up to eight positions of equal amounts, which share a deposit: each is routed after the one before. A transfer is of all of them. */
  split(deposit: Deposit): Promise<PositionRecord[]> {
    return this.open(deposit, true);
  }

  private async open(deposit: Deposit, split: boolean): Promise<PositionRecord[]> {
    const { userId, asset, amount, partnerId, chain = null, received = false, ...given } = deposit;
    const txHash = given.txHash?.toLowerCase() ?? null;
    this.catalogue.requireAsset(asset);
    if (received && this.settings.settlement !== 'reported')
      throw invalid('allocated', 'must be true or absent: deposits are in their vault at once here');
    if (!isId('user', userId)) throw notFound('user');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const finding = findDepositor(this.store, { userId, asset, partnerId, now: this.clock.now() });
      // With a market for each partner, the market is known before the query only when the partner itself calls.
      const caller = partnerId === null && this.plan.hasOwnTimes ? (await finding).partnerId : partnerId;
      const looking = this.market.lookToBook(this.market.marketOf(caller), userId);
      const [depositor, found] = await pipelined([finding, looking]);
      const owner = depositor.partnerId;
      // A full event backlog is no reason to leave transferred funds unrecorded, so real transfers skip the limit of traffic.
      this.storageLimit.requireRoom(owner, txHash === null ? SIMULATED : ['book']);
      const amounts = partsOf(amount, split);
      const { view, records } = await this.routing.place(found, depositor, asset, amounts);
      const at = view.now;
      const depositId = split ? newId('deposit', at) : null;
      const campaignId = bestCampaign(depositor.campaigns, asset, at)?.id ?? null;
      const flow = { at, time: await this.times.at(campaignId, at), txHash };
      const of = { marketId: view.marketId, partnerId: owner, userId, asset, depositId, campaignId };
      const opened = records.map((record, index) =>
        this.opened(view, record, { ...of, received, amount: amounts[index]! }, flow),
      );
      const { positionId } = opened[0]!.decision;
      const transfer = { partnerId: owner, asset, chain, at, positionId, depositId, whole: true };
      const changes = opened.map(({ change }) => change);
      const ordered = opened
        .filter(({ waits }) => waits)
        .map(({ decision }) => ({ decision, batchId: null, room: null }));
      await pipelined([
        ...(txHash === null ? [] : [this.settlements.record({ ...transfer, txHash })]),
        this.decisions.add(opened.map(({ decision }) => decision)),
        this.positions.save(changes, null, at),
        ...(ordered.length > 0 ? [this.orders.add(ordered)] : []),
        this.events.raise(
          opened.flatMap(({ shown, decision }) => {
            const raised = { partnerId: owner, data: { ...shown, decision_id: decision.id }, at };
            return [
              { type: 'position.opened' as const, ...raised },
              ...(shown.status === 'active' ? [{ type: 'position.active' as const, ...raised }] : []),
            ];
          }),
        ),
      ]);
      return opened.map(({ shown }) => shown);
    });
  }

  private opened(
    view: MarketView,
    record: RoutedDeposit,
    of: Omit<Opening, 'id' | 'slot' | 'lendingVaultId'> & { received: boolean; amount: bigint },
    { at, time, txHash }: Pick<Flow, 'at' | 'time' | 'txHash'>,
  ) {
    const { received, amount, ...owner } = of;
    const { marketId, partnerId, userId, asset } = owner;
    const idleId = record.inputs.idle.vaultId;
    const positionId = newId('position', at);
    const id = newId('decision', at);
    const waits = received && record.toVaultId !== idleId;
    const vault = momentOf(view, at).quoteAt(received ? idleId : record.toVaultId, at);
    const lendingVaultId = this.catalogue.lendingVault(asset).id;
    const opening = { ...owner, id: positionId, lendingVaultId, slot: slotOf(positionId) };
    const idle = isIdle(vaultOf(view, vault.vaultId).vault);
    const baselines = baselinesOf(view, { lendingVaultId, originVaultId: null, vaultId: vault.vaultId }, at);
    const flow = { at, vault, baselines, time, txHash };
    const { position, entry } = open(opening, amount, idle, id, flow, waits);
    return {
      waits,
      decision: { id, marketId, partnerId, userId, positionId, record, positions: 1, at },
      change: { before: null, after: position, entries: [entry!] },
      shown: positionRecord(position, shownVault(view, position.vaultId, at)),
    };
  }

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
      this.storageLimit.requireRoom(before.partnerId, txHash === null ? SIMULATED : []);
      const view = await this.market.lookToBook(before.marketId);
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
    const held = await this.store.query(FIND_SHARES_OF_USER, [userId, asset]);
    return held.reduce(
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
      : `The position is worth ${formatAmount(value)} ${asset}, less than ${formatAmount(amount)}. Leave the amount out to withdraw everything.`,
  );
}
