import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId, slotOf } from '../../kernel/identifier.js';
import { MarketPlan } from '../../markets/hours/market-plan.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { MoveOrderRepository } from '../allocation/move-order.repository.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { Accruals, type Moment } from '../../books/positions/accruals.js';
import { formatAmount, toUnits } from '../../kernel/money.js';
import { bestCampaign, type CampaignOffer, CampaignTimes } from '../../books/positions/points.js';
import { type Flow, open, type Opening, type Position, withdraw } from '../../books/positions/position.js';
import {
  baselinesOf,
  momentOf,
  positionRecord,
  type PositionRecord,
  shownVault,
  vaultOf,
  type WithdrawnRecord,
} from '../../books/positions/quotes.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { FIND_SHARES_OF_USER } from '../../books/positions/terms.queries.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { DecisionLog } from '../allocation/decision-log.js';
import { DepositRouting, partsOf, type RoutedDeposit } from '../allocation/deposit-routing.service.js';
import { SettlementService } from '../settlements/settlement.service.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { pipelined, Store } from '../../kernel/store/store.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import type { Partner } from '../../tenants/partners/partner.entity.js';
import { json, jsonb, orNull, text, time } from '../../kernel/store/column.js';
import { policyOf } from '../../tenants/policies/policy.service.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import type { UserStatus } from '../../tenants/users/user.entity.js';

type OfferRow = Omit<CampaignOffer, 'startsAt' | 'endsAt'> & { startsAt: string; endsAt: string | null };

/**
 * User with its partner's status, and the partner's active campaigns for asset $2. $3: partner that the user must belong to, or null. $4: the wall
 * clock's now; a campaign that has ended by then has ended in every market, and is not read, because their number only grows. Share-locks the user
 * until commit, so that it is neither blocked nor deleted; a concurrent change is waited for.
 */
const FIND_DEPOSITOR = statement(
  'transfers.find_depositor',
  {
    values: [text(), text(), orNull(text()), time()],
    row: {
      userId: text(),
      userStatus: text<UserStatus>(),
      partnerId: text(),
      partnerStatus: text<Partner['status']>(),
      policy: orNull(jsonb<Policy>()),
      campaigns: json<OfferRow[]>(),
    },
  },
  `SELECT u.id AS "userId", u.status AS "userStatus", p.id AS "partnerId", p.status AS "partnerStatus", ${policyOf('p.id')} AS policy,
          (SELECT coalesce(json_agg(json_build_object('id', c.id, 'asset', c.asset, 'multiplierHundredths', c.multiplier_hundredths,
                    'startsAt', c.starts_at, 'endsAt', c.ends_at)), '[]')
             FROM campaigns c WHERE c.partner_id = p.id AND c.status = 'active' AND (c.asset IS NULL OR c.asset = $2)
                AND (c.ends_at IS NULL OR c.ends_at > $4)) AS campaigns
     FROM users u JOIN partners p ON p.id = u.partner_id
    WHERE u.id = $1 AND ($3::text IS NULL OR u.partner_id = $3)
      FOR SHARE OF u`,
);

export interface Deposit {
  userId: string;
  asset: string;
  amount: bigint;
  /** True when the funds are received but not yet in the chosen vault; `MoveOrderService.allocated` takes the report that they are. */
  received?: boolean;
  /** Hash of the transfer, `0x` and 64 hexadecimal digits in either letter case; null: nothing was transferred. */
  txHash: string | null;
  /** Chain of the settlement; absent or null: not named. */
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

type Depositor = RowFrom<typeof FIND_DEPOSITOR>;

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
    private readonly orders: MoveOrderRepository,
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

  /**
   * The same in up to eight positions of equal amounts, which share a deposit: each is routed after the one before. A transfer is of all of them.
   * @throws DomainError as above
   */
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
      const { depositor, found } = await this.begin(userId, asset, partnerId);
      const { partnerId: depositorPartner } = depositor;
      // A full event backlog is no reason to leave transferred funds unrecorded, so real transfers skip the limit of traffic.
      this.storageLimit.requireRoom(depositorPartner, txHash === null ? SIMULATED : ['book']);
      const amounts = partsOf(amount, split);
      const { view, records } = await this.routing.place(found, depositor, asset, amounts);
      const at = view.now;
      const depositId = split ? newId('deposit', at) : null;
      const campaign = bestCampaign(depositor.campaigns.map(toOffer), asset, at);
      const campaignId = campaign?.id ?? null;
      const flow = { at, time: await this.times.at(campaignId, at), txHash };
      const of = {
        marketId: view.marketId,
        partnerId: depositorPartner,
        userId,
        asset,
        depositId,
        campaignId,
      };
      const opened = records.map((record, index) =>
        this.opened(view, record, { ...of, received, amount: amounts[index]! }, flow),
      );
      const transfer = { chain, depositId, whole: true, positionId: opened[0]!.decision.positionId };
      const ordered = opened.filter(({ waits }) => waits);
      await pipelined([
        ...(txHash === null
          ? []
          : [this.settlements.record({ ...transfer, partnerId: depositorPartner, asset, at, txHash })]),
        this.decisions.add(opened.map(({ decision }) => decision)),
        this.positions.save(
          opened.map(({ change }) => change),
          null,
          at,
        ),
        this.orders.add(ordered.map(({ decision }) => ({ decision, batchId: null, room: null }))),
        this.events.raise(
          opened.flatMap(({ shown, decision }) => {
            const raised = { partnerId: depositorPartner, data: { ...shown, decision_id: decision.id }, at };
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
    const id = this.decisions.newId(at);
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
  async withdraw({
    positionId,
    amount,
    partnerId,
    chain = null,
    ...given
  }: Withdrawal): Promise<WithdrawnRecord> {
    const txHash = given.txHash?.toLowerCase() ?? null;
    if (!isId('position', positionId)) throw notFound('position');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const locked = await this.positions.lock(positionId, partnerId);
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
      const { position, entry } = withdraw(accrued, paid, {
        at,
        vault,
        baselines: baselinesOf(view, before, at),
        time,
        txHash,
      });
      const userValue = revenue.carriesLoss(before) ? await this.valueOfUser(before, moment) : null;
      const paidOut = revenue.withdrawal(position, entry!, userValue);
      const shown = {
        ...positionRecord(position, shownVault(view, position.vaultId, at)),
        amount: toUnits(paid),
      };
      await pipelined([
        this.positions.save([{ before, after: position, entries: [...entries, paidOut] }], settled, at),
        this.raiseWithdrawn(position, shown, at),
      ]);
      return shown;
    });
  }

  /** Value of a user's positions in an asset, micro-units. */
  private async valueOfUser({ userId, asset }: Position, moment: Moment): Promise<bigint> {
    const held = await this.store.query(FIND_SHARES_OF_USER, [userId, asset]);
    return held.reduce(
      (sum, { vaultId, shares }) => sum + valueOf(BigInt(shares), moment.quoteAt(vaultId, moment.at).index),
      0n,
    );
  }

  private async raiseWithdrawn(position: Position, shown: WithdrawnRecord, at: Date): Promise<void> {
    const { amount, ...record } = shown;
    const { partnerId } = position;
    const data = { ...record, decision_id: null };
    await this.events.raise([
      { type: 'position.withdrawn', partnerId, data: { ...data, amount }, at },
      ...(position.status === 'closed' ? [{ type: 'position.closed' as const, partnerId, data, at }] : []),
    ]);
  }

  /** Depositor and market. With a market for each partner, the market is known before the query only when the partner itself calls. */
  private async begin(
    userId: string,
    asset: string,
    partnerId: string | null,
  ): Promise<{ depositor: Depositor; found: MarketView }> {
    const found = (owner: string | null): Promise<MarketView> =>
      this.market.lookToBook(this.market.marketOf(owner), userId);
    if (partnerId === null && this.plan.hasOwnTimes) {
      const depositor = await this.findDepositor(userId, asset, partnerId);
      return { depositor, found: await found(depositor.partnerId) };
    }
    const [depositor, view] = await pipelined([
      this.findDepositor(userId, asset, partnerId),
      found(partnerId),
    ]);
    return { depositor, found: view };
  }

  private async findDepositor(userId: string, asset: string, partnerId: string | null): Promise<Depositor> {
    const [depositor] = await this.store.query(FIND_DEPOSITOR, [
      userId,
      asset,
      partnerId,
      // Wall time.
      this.clock.now(),
    ]);
    if (!depositor) throw notFound('user');
    if (depositor.partnerStatus === 'disabled')
      throw new DomainError('partner_disabled', 'The partner is disabled: its deposits are refused.');
    if (depositor.userStatus === 'blocked')
      throw new DomainError(
        'user_blocked',
        'The user is blocked: deposits are refused, withdrawals stay possible.',
      );
    return depositor;
  }
}

/** @throws DomainError `insufficient_balance` */
function payable({ shares, asset }: Position, amount: bigint | null, index: bigint): bigint {
  const value = valueOf(shares, index);
  if (value === 0n)
    throw new DomainError(
      'insufficient_balance',
      `The position is worth less than 0.000001 ${asset}: there is nothing to withdraw yet.`,
    );
  if (amount !== null && amount > value)
    throw new DomainError(
      'insufficient_balance',
      `The position is worth ${formatAmount(value)} ${asset}, less than ${formatAmount(amount)}. Leave the amount out to withdraw everything.`,
    );
  return amount ?? value;
}

const toOffer = ({ startsAt, endsAt, ...rest }: OfferRow): CampaignOffer => ({
  ...rest,
  startsAt: new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
});
