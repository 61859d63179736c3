import { Injectable } from '@nestjs/common';
import { checksummedAddress } from '../../../config/chains.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { momentOf } from '../../books/positions/quotes.js';
import { LOCK_LISTED } from '../../books/positions/position.queries.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { addHours, Clock } from '../../kernel/clock.js';
import { DomainError, invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId } from '../../kernel/identifier.js';
import { rowsText } from '../../kernel/store/column.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { LOCK_ACCOUNT } from './reservation.queries.js';
import { totalOf } from './parts.js';
import { Payouts } from './payouts.js';
import { availableIn, Reservations } from './reservations.js';
import { StoredWithdrawal, type WithdrawalPart } from './withdrawal.js';
import * as queries from './withdrawal.queries.js';
import { WithdrawalSources } from './withdrawal-sources.js';

/** Withdrawals of a user that are neither paid nor ended. */
const MAX_OPEN = 10;

export interface WithdrawalRequest {
  userId: string;
  partnerId: string;
  asset: string;
  /** Micro-units; null: everything that the positions are worth when it is paid. */
  amount: bigint | null;
  /** One of the user's wallets, in any letter case; null: the only one. */
  wallet: string | null;
}

/**
 * Withdrawals by user: an amount, over its positions. The server pays its own at once; in deployments with executors, the parts are reserved until an
 * executor has paid.
 */
@Injectable()
export class UserWithdrawalService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly storageLimit: StorageLimit,
    private readonly sources: WithdrawalSources,
    private readonly reservations: Reservations,
    private readonly payouts: Payouts,
  ) {}

  /**
   * Requests a withdrawal. A blocked user may withdraw.
   * @returns its id
   * @throws DomainError `validation_failed` (asset, wallet), `not_found` (user), `insufficient_balance`, `withdrawal_limit_reached`,
   * `settlement_unresolved`, `quota_exceeded`, `service_unavailable` (clock error)
   */
  async request(request: WithdrawalRequest): Promise<string> {
    const { userId, partnerId, asset } = request;
    this.check(request);
    return this.store.transaction(async () => {
      const wallet = this.receiverOf(request.wallet, await this.lockUser(userId, partnerId));
      this.storageLimit.requireRoom(partnerId, ['book', 'traffic']);
      const marketId = this.market.marketOf(partnerId);
      const orders = this.isReported ? await this.reservations.lockOrders(request) : [];
      await this.store.query(LOCK_ACCOUNT, [userId, asset]);
      const view = await this.market.viewForBooking(marketId);
      const sources = await this.sources.find(view, userId, asset, view.now);
      const parts = this.sources.partsOf(sources, request.amount, asset);
      const at = view.now;
      const stored = {
        ...{ id: newId('withdrawal', at), marketId, partnerId, userId, asset, wallet, requestedAt: at },
        isWhole: request.amount === null,
        expiresAt: addHours(at, this.settings.constants.routing.orderExpiresHours),
      };
      if (!this.isReported) return this.payAtOnce(stored, request.amount, view, parts, sources);
      await this.reservations.leave(
        orders,
        parts.map(({ positionId }) => positionId),
      );
      return this.insert({ ...stored, status: 'requested' }, parts, true);
    });
  }

  /** Parts that a withdrawal would have now; nothing is stored. @throws DomainError as `request` */
  async preview(
    request: WithdrawalRequest,
  ): Promise<{ wallet: string | null; available: bigint; parts: WithdrawalPart[] }> {
    const { userId, partnerId, asset, amount } = request;
    this.check(request);
    return this.store.snapshot(async () => {
      const [user] = await this.store.query(queries.FIND_WALLETS, [userId, partnerId]);
      if (!user) throw notFound('user');
      const wallet = this.receiverOf(request.wallet, user.wallets);
      const view = await this.market.look(this.market.marketOf(partnerId));
      const sources = await this.sources.find(view, userId, asset, view.now);
      const available = totalOf(sources);
      return { wallet, available, parts: this.sources.partsOf(sources, amount, asset) };
    });
  }

  private get isReported(): boolean {
    return this.settings.settlement === 'reported';
  }

  private check({ userId, asset }: WithdrawalRequest): void {
    this.catalogue.requireAsset(asset);
    if (!isId('user', userId)) throw notFound('user');
    this.clock.requireRight();
  }

  /** @returns the user's wallets @throws DomainError `not_found`, `withdrawal_limit_reached` */
  private async lockUser(userId: string, partnerId: string): Promise<string[]> {
    const [user] = await this.store.query(queries.LOCK_USER, [userId, partnerId]);
    if (!user) throw notFound('user');
    const [count] = await this.store.query(queries.COUNT_OPEN, [userId]);
    if (count!.open >= MAX_OPEN)
      throw new DomainError(
        'withdrawal_limit_reached',
        `The user has ${MAX_OPEN} open withdrawals already. Wait until one of them is paid, or has lapsed.`,
      );
    return user.wallets;
  }

  /** @throws DomainError `validation_failed` */
  private receiverOf(named: string | null, wallets: readonly string[]): string | null {
    if (named === null) {
      if (wallets.length > 1 && this.isReported)
        throw invalid('wallet', `must name one of the user's wallets: ${wallets.join(', ')}`);
      return wallets.length === 1 ? wallets[0]! : null;
    }
    const wallet = checksummedAddress(named);
    if (wallet !== null && wallets.includes(wallet)) return wallet;
    throw invalid(
      'wallet',
      wallets.length === 0
        ? 'must be absent: the user has no wallet'
        : `must be one of the user's wallets: ${wallets.join(', ')}`,
    );
  }

  private async payAtOnce(
    stored: NewWithdrawal,
    amount: bigint | null,
    view: MarketView,
    parts: readonly WithdrawalPart[],
    sources: readonly WithdrawalPart[],
  ): Promise<string> {
    // One more than the parts: a position may be worth less when it is locked.
    const paying = sources.filter((source) => source.amount > 0n).slice(0, parts.length + 1);
    const listed = paying.map(({ positionId }) => positionId);
    await this.reservations.requireResolved(listed);
    const locked = await this.positions.lock(LOCK_LISTED, [listed]);
    const at = locked.after(view.now);
    const { quoteAt } = momentOf(view, at);
    const byId = new Map(locked.positions.map((position) => [position.id, position]));
    // Others are open where executors paid before.
    const reserved = await this.reservations.find(listed);
    const present = listed.flatMap((id) => {
      const { vaultId, shares } = byId.get(id)!;
      const value = valueOf(shares, quoteAt(vaultId, at).index);
      return { positionId: id, vaultId, amount: availableIn(value, reserved.get(id)!) };
    });
    const paid = this.sources.partsOf(present, amount, stored.asset);
    const id = await this.insert(
      { ...stored, requestedAt: at, status: 'paid', paidAt: at, endedAt: at },
      paid,
      false,
    );
    const payments = paid.map((part) => ({
      position: byId.get(part.positionId)!,
      amount: part.amount,
      cost: 0n,
    }));
    await this.payouts.book(locked, view, at, payments, { withdrawalId: id });
    return id;
  }

  private async insert(
    stored: NewWithdrawal & Partial<StoredWithdrawal>,
    parts: readonly WithdrawalPart[],
    isReserved: boolean,
  ): Promise<string> {
    const { id, isWhole } = stored;
    await this.store
      .repository(StoredWithdrawal)
      .insert({ ...stored, amount: `${totalOf(parts)}`, cost: '0', positions: parts.length });
    const rows = parts.map((part) => ({ ...part, isWhole, isReserved }));
    await this.store.query(queries.INSERT_PARTS, [id, rowsText(rows)]);
    return id;
  }
}

type NewWithdrawal = Pick<
  StoredWithdrawal,
  'id' | 'marketId' | 'partnerId' | 'userId' | 'asset' | 'isWhole' | 'wallet' | 'requestedAt' | 'expiresAt'
>;
