import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId, slotOf } from '../../kernel/identifier.js';
import { MarketPlan } from '../../markets/hours/market-view.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { type Flow, open, type PositionIdentity } from '../../books/positions/position.js';
import {
  baselinesOf,
  momentOf,
  positionRecord,
  type PositionRecord,
  shownVault,
} from '../../books/positions/quotes.js';
import { DepositBooking, type OpenedPosition } from './deposit-booking.js';
import { Depositors } from './depositors.js';
import { DepositRouting, partsOf, type RoutedDeposit } from '../allocation/deposit-routing.service.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';

export interface Deposit {
  userId: string;
  asset: string;
  amount: bigint;
  /** True when the funds are received but not yet in the chosen vault; `MoveReportService.allocated` takes the report that they are. */
  received?: boolean;
  /** Hash of the transfer, `0x` and 64 hexadecimal digits in either letter case; null: nothing was transferred. */
  txHash: string | null;
  chain?: string | null;
  /** Key that reports it; absent: unknown. */
  keyId?: string | null;
  partnerId: string | null;
}

/** Records deposits, each in one transaction and a fixed number of statements. */
@Injectable()
export class DepositService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly plan: MarketPlan,
    private readonly market: MarketService,
    private readonly routing: DepositRouting,
    private readonly storageLimit: StorageLimit,
    private readonly depositors: Depositors,
    private readonly booking: DepositBooking,
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

  /** Records a deposit as up to eight positions of equal amounts, each routed after the one before. They share its transfer. */
  split(deposit: Deposit): Promise<PositionRecord[]> {
    return this.open(deposit, true);
  }

  private async open(deposit: Deposit, split: boolean): Promise<PositionRecord[]> {
    const {
      userId,
      asset,
      amount,
      partnerId,
      chain = null,
      received = false,
      keyId = null,
      ...given
    } = deposit;
    const txHash = given.txHash?.toLowerCase() ?? null;
    this.catalogue.requireAsset(asset);
    if (received && this.settings.settlement !== 'reported')
      throw invalid('allocated', 'must be true or absent: deposits enter their vault at once here');
    if (!isId('user', userId)) throw notFound('user');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const finding = this.depositors.find(userId, asset, partnerId);
      // With a market for each partner, the market is known before the query only when the partner itself calls.
      const caller = partnerId === null && this.plan.hasOwnTimes ? (await finding).partnerId : partnerId;
      const looking = this.market.viewForBooking(this.plan.marketOf(caller), userId);
      const [depositor, initialView] = await pipelined([finding, looking]);
      const owner = depositor.partnerId;
      // A full event backlog is no reason to leave transferred funds unrecorded, so real transfers skip the limit of traffic.
      this.storageLimit.requireRoom(owner, txHash === null ? ['book', 'traffic'] : ['book']);
      const amounts = partsOf(amount, split);
      const { view, records } = await this.routing.route(initialView, depositor, asset, amounts);
      const at = view.now;
      const depositId = split ? newId('deposit', at) : null;
      const { campaignId, time } = await this.depositors.campaignAt(depositor, asset, at);
      const flow = { at, time, txHash };
      const identity = { marketId: view.marketId, partnerId: owner, userId, asset, depositId, campaignId };
      const opened = records.map((record, index) =>
        this.openPosition(view, record, { ...identity, received, amount: amounts[index]! }, flow),
      );
      const { positionId } = opened[0]!.decision;
      const transfer = { partnerId: owner, asset, chain, at, positionId, depositId, whole: true, keyId };
      await this.booking.book(opened, txHash === null ? null : { ...transfer, txHash }, {
        partnerId: owner,
        at,
      });
      return opened.map(({ shown }) => shown);
    });
  }

  private openPosition(
    view: MarketView,
    record: RoutedDeposit,
    identity: Omit<PositionIdentity, 'id' | 'slot' | 'lendingVaultId'> & {
      received: boolean;
      amount: bigint;
    },
    { at, time, txHash }: Pick<Flow, 'at' | 'time' | 'txHash'>,
  ): OpenedPosition {
    const { received, amount, ...owner } = identity;
    const { marketId, partnerId, userId, asset } = owner;
    const idleId = record.inputs.idle.vaultId;
    const positionId = newId('position', at);
    const id = newId('decision', at);
    const waits = received && record.toVaultId !== idleId;
    const vault = momentOf(view, at).quoteAt(received ? idleId : record.toVaultId, at);
    const lendingVaultId = this.catalogue.lendingVault(asset).id;
    const opening = { ...owner, id: positionId, lendingVaultId, slot: slotOf(positionId) };
    const idle = vault.vaultId === idleId;
    const baselines = baselinesOf(view, { lendingVaultId, originVaultId: null, vaultId: vault.vaultId }, at);
    const flow = { at, vault, baselines, time, txHash };
    const { position, entry } = open(opening, amount, idle, id, flow, waits);
    return {
      waits,
      decision: { id, marketId, partnerId, userId, positionId, record, positions: 1, at },
      change: { before: null, after: position, entries: [entry] },
      shown: positionRecord(position, shownVault(view, position.vaultId, at)),
    };
  }
}
