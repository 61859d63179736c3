import { Module } from '@nestjs/common';
import { CHAIN_IDS } from '../config/chains.js';
import { Settings } from '../config/settings.js';
import { VERSION } from '../config/version.js';
import { Authenticator } from './tenants/access/authenticator.js';
import { AccountService } from './cycle/accounts/account.service.js';
import { SimulatedEventService } from './cycle/accounts/simulated-event.service.js';
import { AlertEvents } from './outbound/alerts/alert-events.service.js';
import { AlertService } from './cycle/alerts/alert.service.js';
import { KeyService } from './tenants/access/key.service.js';
import { SessionService } from './tenants/access/session.service.js';
import { SignInCodes } from './tenants/access/sign-in-code.service.js';
import { Chains } from './markets/chain/chains.js';
import { Clock } from './kernel/clock.js';
import { Census } from './cycle/deployment/census.js';
import { IdentityCheck } from './cycle/deployment/identity-check.js';
import { Replicas } from './cycle/deployment/replicas.js';
import { HourlyCycle } from './cycle/hourly-cycle.service.js';
import { IdempotencyService } from './kernel/idempotency/idempotency.service.js';
import { CampaignService } from './tenants/partners/campaign.service.js';
import { PartnerService } from './tenants/partners/partner.service.js';
import { PolicyService } from './tenants/policies/policy.service.js';
import { MoveOrderService } from './routing/orders/move-order.service.js';
import { MoveOrders } from './routing/orders/move-orders.js';
import { OrderBook } from './routing/allocation/order-book.js';
import { GainReviews } from './routing/orders/gain-review.service.js';
import { OrderBooking } from './routing/orders/order-booking.js';
import { ReportBounds } from './routing/orders/report-bounds.js';
import { Accruals } from './books/positions/accruals.js';
import { CatalogueCheck } from './books/positions/catalogue-check.js';
import { CampaignTimes } from './books/positions/campaign-times.js';
import { LedgerService } from './books/ledger/ledger.service.js';
import { LedgerVerifier } from './books/ledger/ledger-verifier.js';
import { PositionService } from './books/positions/position.service.js';
import { AccrualStore } from './books/positions/accrual.store.js';
import { PositionStore } from './books/positions/position.store.js';
import { StatementService } from './books/positions/statement.service.js';
import { AdvisorService } from './reporting/advisor.service.js';
import { ClosingService } from './reporting/closing.service.js';
import { InsightService } from './reporting/insight.service.js';
import { ReportService } from './reporting/report.service.js';
import { UpliftService } from './reporting/uplift.service.js';
import { VaultHistoryService } from './reporting/vault-history.service.js';
import { YieldHistoryService } from './reporting/yield-history.service.js';
import { DecisionLog } from './routing/allocation/decision-log.js';
import { DepositRouting } from './routing/allocation/deposit-routing.service.js';
import { RebalanceService } from './routing/allocation/rebalance.service.js';
import { OutcomeService } from './routing/allocation/outcome.service.js';
import { RoutingService } from './routing/allocation/routing.service.js';
import { SecretsCheck } from './kernel/secrets/secrets-check.js';
import { SettlementChecks } from './routing/settlements/settlement-checks.js';
import { SettlementRegister } from './routing/settlements/settlement-register.js';
import { SettlementResolver } from './routing/settlements/settlement-resolver.js';
import { SettlementService } from './routing/settlements/settlement.service.js';
import { Slices } from './kernel/slices.js';
import { Cipher } from './kernel/store/cipher.js';
import { JobQueue } from './kernel/store/job-queue.js';
import { Reader } from './kernel/store/reader.js';
import { RecentWrites } from './kernel/store/recent-writes.js';
import { Standby } from './kernel/store/standby.js';
import { StorageLimit } from './kernel/store/storage-limit.js';
import { StorageWatch } from './kernel/store/storage-watch.js';
import { Store } from './kernel/store/store.js';
import { Tenancy } from './kernel/store/tenancy.js';
import { Trace } from './kernel/trace.js';
import { TransferService } from './routing/transfers/transfer.service.js';
import { UserService } from './tenants/users/user.service.js';
import { Catalogue } from './kernel/catalogue/catalogue.js';
import { ChainFeed } from './markets/vaults/chain.feed.js';
import { DefiLlamaFeed, FEED_MAX_BYTES, FEED_TIMEOUT_MS } from './markets/vaults/defillama.feed.js';
import { FeedTroubles } from './markets/vaults/feed-troubles.js';
import { CompositeFeed } from './markets/vaults/feeds.js';
import { LedgerPartitions } from './markets/hours/ledger-partitions.service.js';
import { MarketHours } from './markets/hours/market-hours.service.js';
import { MarketRetention } from './markets/hours/market-retention.service.js';
import { MARKET_FEED, MarketService } from './markets/hours/market.service.js';
import { MarketStore } from './markets/hours/market.store.js';
import { PastHours } from './markets/hours/past-hours.service.js';
import { PriceHistory } from './markets/hours/price-history.js';
import { SharePrices } from './markets/hours/share-prices.js';
import { DeliveryService } from './outbound/webhooks/delivery.service.js';
import { Backlog } from './outbound/webhooks/backlog.js';
import { Dispatcher } from './outbound/webhooks/dispatcher.js';
import { EndpointCheck } from './outbound/webhooks/endpoint-check.service.js';
import { EndpointService } from './outbound/webhooks/endpoint.service.js';
import { EventHistory } from './outbound/webhooks/event-history.service.js';
import { EventService } from './outbound/webhooks/event.service.js';
import { FanOutService } from './outbound/webhooks/fan-out.service.js';
import { QueueBound } from './outbound/webhooks/queue-bound.js';
import { SendSlots } from './outbound/webhooks/send-slots.js';
import { WebhookSender } from './outbound/webhooks/sender.js';
import { SystemResolver } from './outbound/egress/system-resolver.js';
import { UrlGuard } from './outbound/egress/url-guard.js';
import { WebhookRetention } from './outbound/webhooks/webhook-retention.service.js';

const services = [
  AccountService,
  Accruals,
  AlertEvents,
  AlertService,
  AdvisorService,
  Authenticator,
  Backlog,
  CampaignService,
  CampaignTimes,
  Catalogue,
  CatalogueCheck,
  Census,
  Clock,
  ClosingService,
  DecisionLog,
  DeliveryService,
  DepositRouting,
  Dispatcher,
  EndpointCheck,
  EndpointService,
  EventHistory,
  EventService,
  FanOutService,
  FeedTroubles,
  GainReviews,
  HourlyCycle,
  OutcomeService,
  IdempotencyService,
  IdentityCheck,
  InsightService,
  JobQueue,
  KeyService,
  LedgerPartitions,
  LedgerService,
  LedgerVerifier,
  MarketHours,
  MarketRetention,
  MarketService,
  MarketStore,
  MoveOrders,
  MoveOrderService,
  OrderBook,
  OrderBooking,
  PartnerService,
  PastHours,
  PolicyService,
  PositionService,
  AccrualStore,
  PositionStore,
  PriceHistory,
  QueueBound,
  Reader,
  RecentWrites,
  RebalanceService,
  Replicas,
  ReportBounds,
  ReportService,
  SimulatedEventService,
  RoutingService,
  SendSlots,
  SettlementChecks,
  SettlementRegister,
  SettlementResolver,
  SettlementService,
  SecretsCheck,
  SessionService,
  SignInCodes,
  SharePrices,
  Slices,
  Standby,
  StatementService,
  StorageLimit,
  StorageWatch,
  Store,
  SystemResolver,
  Trace,
  TransferService,
  UpliftService,
  UserService,
  VaultHistoryService,
  WebhookRetention,
  YieldHistoryService,
];

/** Module of all domain services; independent of the mounted contract. Settings and data source are global providers. */
@Module({
  providers: [
    ...services,
    {
      provide: Cipher,
      inject: [Settings],
      useFactory: (settings: Settings) => new Cipher(settings.secretsKey),
    },
    Tenancy,
    {
      provide: MARKET_FEED,
      inject: [Settings, FeedTroubles, Chains],
      useFactory: ({ feeds, constants }: Settings, { report }: FeedTroubles, chains: Chains) => {
        const defillama = new DefiLlamaFeed({
          baseUrl: feeds.defillamaBaseUrl,
          timeoutMs: FEED_TIMEOUT_MS,
          maxBytes: FEED_MAX_BYTES,
          maxAgeMs: constants.feeds.maxAgeMinutes * 60_000,
          onTrouble: report,
        });
        return new CompositeFeed({ defillama, chain: new ChainFeed(chains, report) }, report);
      },
    },
    {
      provide: Chains,
      inject: [Settings, Clock],
      useFactory: ({ rpcUrls }: Settings, clock: Clock) =>
        new Chains({ rpcUrls, chainIds: CHAIN_IDS, now: () => clock.now() }),
    },
    {
      provide: UrlGuard,
      inject: [Settings, SystemResolver],
      useFactory: ({ webhooks }: Settings, names: SystemResolver) =>
        new UrlGuard({ ...webhooks, resolve: (hostname, signal) => names.resolve(hostname, signal) }),
    },
    {
      provide: WebhookSender,
      inject: [UrlGuard, Settings],
      useFactory: (guard: UrlGuard, { webhooks }: Settings) =>
        new WebhookSender({ guard, timeoutMs: webhooks.timeoutMs, userAgent: `Vaultline/${VERSION}` }),
    },
  ],
  exports: [...services, Chains, Cipher, Tenancy, UrlGuard, WebhookSender],
})
export class DomainModule {}
