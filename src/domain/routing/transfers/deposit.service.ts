import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId, slotOf } from '../../kernel/identifier.js';
import { MarketPlan } from '../../markets/hours/market-view.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { bestCampaign, type CampaignOffer, CampaignTimes } from '../../books/positions/points.js';
import { type Flow, open, type PositionIdentity } from '../../books/positions/position.js';
import {
  baselinesOf,
  momentOf,
  positionRecord,
  type PositionRecord,
  shownVault,
} from '../../books/positions/quotes.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { DecisionLog } from '../allocation/decision-log.js';
import { DepositRouting, partsOf, type RoutedDeposit } from '../allocation/deposit-routing.service.js';
import { SettlementService } from '../settlements/settlement.service.js';
import { instant, json, jsonb, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import type { Partner } from '../../tenants/partners/partner.entity.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { policyOf } from '../../tenants/policies/policy.service.js';
import type { UserStatus } from '../../tenants/users/user.entity.js';

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

type OfferRow = Omit<CampaignOffer, 'startsAt' | 'endsAt'> & { startsAt: string; endsAt: string | null };

/**
 * Status of a user and of its partner, and the partner's active campaigns for asset $2. $3: partner that the user must belong to, or null. $4: the wall
 * clock's now; a campaign that has ended by then has ended in every market, and is not read, because their number only grows. Share-locks the user
 * until commit, so that it is neither blocked nor deleted; a concurrent change is waited for.
 */
const FIND_DEPOSITOR = statement(
  'transfers.find_depositor',
  {
    values: [text(), text(), orNull(text()), time()],
    row: {
      userStatus: text<UserStatus>(),
      partnerId: text(),
      partnerStatus: text<Partner['status']>(),
      policy: orNull(jsonb<Policy>()),
      campaigns: json<OfferRow[]>(),
    },
  },
  `SELECT u.status AS "userStatus", p.id AS "partnerId", p.status AS "partnerStatus", ${policyOf('p.id')} AS policy,
          (SELECT coalesce(json_agg(json_build_object('id', c.id, 'asset', c.asset, 'multiplierHundredths', c.multiplier_hundredths,
                    'startsAt', c.starts_at, 'endsAt', c.ends_at)), '[]')
             FROM campaigns c WHERE c.partner_id = p.id AND c.status = 'active' AND (c.asset IS NULL OR c.asset = $2)
                AND (c.ends_at IS NULL OR c.ends_at > $4)) AS campaigns
     FROM users u JOIN partners p ON p.id = u.partner_id
    WHERE u.id = $1 AND ($3::text IS NULL OR u.partner_id = $3)
      FOR SHARE OF u`,
);

/** Who deposits: the user's partner, its policy and its campaigns for the asset. */
interface Depositor {
  partnerId: string;
  policy: Policy | null;
  campaigns: CampaignOffer[];
}

/** Deposits: the only way to report one. Each is one transaction and a fixed number of statements. */
@Injectable()
export class DepositService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly plan: MarketPlan,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
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

  /** Records a deposit as up to eight positions of equal amounts, each routed after the one before. They share its transfer. */
  split(deposit: Deposit): Promise<PositionRecord[]> {
    return this.open(deposit, true);
  }

  private async open(deposit: Deposit, split: boolean): Promise<PositionRecord[]> {
    const { userId, asset, amount, partnerId, chain = null, received = false, ...given } = deposit;
    const txHash = given.txHash?.toLowerCase() ?? null;
    this.catalogue.requireAsset(asset);
    if (received && this.settings.settlement !== 'reported')
      throw invalid('allocated', 'must be true or absent: deposits enter their vault at once here');
    if (!isId('user', userId)) throw notFound('user');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const finding = this.depositor(userId, asset, partnerId);
      // With a market for each partner, the market is known before the query only when the partner itself calls.
      const caller = partnerId === null && this.plan.hasOwnTimes ? (await finding).partnerId : partnerId;
      const looking = this.market.lookToBook(this.plan.marketOf(caller), userId);
      const [depositor, found] = await pipelined([finding, looking]);
      const owner = depositor.partnerId;
      // A full event backlog is no reason to leave transferred funds unrecorded, so real transfers skip the limit of traffic.
      this.storageLimit.requireRoom(owner, txHash === null ? ['book', 'traffic'] : ['book']);
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
      const placed = await this.decisions.place(opened.map(({ decision }) => decision));
      await pipelined([
        ...(txHash === null ? [] : [this.settlements.record({ ...transfer, txHash })]),
        this.decisions.insert(placed),
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
    of: Omit<PositionIdentity, 'id' | 'slot' | 'lendingVaultId'> & { received: boolean; amount: bigint },
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

  /** @throws DomainError `not_found` (user), `partner_disabled`, `user_blocked` */
  private async depositor(userId: string, asset: string, partnerId: string | null): Promise<Depositor> {
    const [found] = await this.store.query(FIND_DEPOSITOR, [userId, asset, partnerId, this.clock.now()]);
    if (!found) throw notFound('user');
    if (found.partnerStatus === 'disabled')
      throw new DomainError('partner_disabled', 'The partner is disabled: its deposits are refused.');
    if (found.userStatus === 'blocked')
      throw new DomainError(
        'user_blocked',
        'The user is blocked: deposits are refused, withdrawals stay possible.',
      );
    const campaigns = found.campaigns.map(({ startsAt, endsAt, ...offer }) => ({
      ...offer,
      startsAt: instant(startsAt),
      endsAt: endsAt === null ? null : instant(endsAt),
    }));
    return { partnerId: found.partnerId, policy: found.policy, campaigns };
  }
}
