import { Module } from '@nestjs/common';
import { CHAIN_IDS } from '../config/chains.js';
import { Settings } from '../config/settings.js';
import { VERSION } from '../config/version.js';
import { Authenticator } from './access/authenticator.js';
import { AccountService } from './accounts/account.service.js';
import { SimulatedEventService } from './accounts/simulated-event.service.js';
import { AlertEvents } from './alerts/alert-events.service.js';
import { AlertService } from './alerts/alert.service.js';
import { KeyService } from './access/key.service.js';
import { SessionService } from './access/session.service.js';
import { SignInCodes } from './access/sign-in-code.service.js';
import { Chains } from './chain/chains.js';
import { Clock } from './clock.js';
import { Census } from './deployment/census.js';
import { IdentityCheck } from './deployment/identity-check.js';
import { Replicas } from './deployment/replicas.js';
import { HourlyCycle } from './cycle/hourly-cycle.service.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { CampaignService } from './partners/campaign.service.js';
import { PartnerService } from './partners/partner.service.js';
import { PolicyService } from './policies/policy.service.js';
import { MoveOrderService } from './orders/move-order.service.js';
import { MoveOrders } from './orders/move-orders.js';
import { OrderBook } from './routing/order-book.js';
import { GainReviews } from './orders/gain-review.service.js';
import { OrderBooking } from './orders/order-booking.js';
import { ReportBounds } from './orders/report-bounds.js';
import { Accruals } from './positions/accruals.js';
import { CatalogueCheck } from './positions/catalogue-check.js';
import { CampaignTimes } from './positions/campaign-times.js';
import { LedgerService } from './ledger/ledger.service.js';
import { LedgerVerifier } from './ledger/ledger-verifier.js';
import { PositionService } from './positions/position.service.js';
import { AccrualStore } from './positions/accrual.store.js';
import { PositionStore } from './positions/position.store.js';
import { StatementService } from './positions/statement.service.js';
import { AdvisorService } from './reporting/advisor.service.js';
import { ClosingService } from './reporting/closing.service.js';
import { InsightService } from './reporting/insight.service.js';
import { ReportService } from './reporting/report.service.js';
import { UpliftService } from './reporting/uplift.service.js';
import { VaultHistoryService } from './reporting/vault-history.service.js';
import { YieldHistoryService } from './reporting/yield-history.service.js';
import { DecisionLog } from './routing/decision-log.js';
import { DepositRouting } from './routing/deposit-routing.service.js';
import { RebalanceService } from './routing/rebalance.service.js';
import { OutcomeService } from './routing/outcome.service.js';
import { RoutingService } from './routing/routing.service.js';
import { SecretsCheck } from './secrets/secrets-check.js';
import { SettlementChecks } from './settlements/settlement-checks.js';
import { SettlementRegister } from './settlements/settlement-register.js';
import { SettlementResolver } from './settlements/settlement-resolver.js';
import { SettlementService } from './settlements/settlement.service.js';
import { Slices } from './slices.js';
import { Cipher } from './store/cipher.js';
import { JobQueue } from './store/job-queue.js';
import { Reader } from './store/reader.js';
import { RecentWrites } from './store/recent-writes.js';
import { Standby } from './store/standby.js';
import { StorageLimit } from './store/storage-limit.js';
import { StorageWatch } from './store/storage-watch.js';
import { Store } from './store/store.js';
import { Tenancy } from './store/tenancy.js';
import { Trace } from './trace.js';
import { TransferService } from './transfers/transfer.service.js';
import { UserService } from './users/user.service.js';
import { Catalogue } from './vaults/catalogue.js';
import { ChainFeed } from './vaults/chain.feed.js';
import { DefiLlamaFeed, FEED_MAX_BYTES, FEED_TIMEOUT_MS } from './vaults/defillama.feed.js';
import { FeedTroubles } from './vaults/feed-troubles.js';
import { CompositeFeed } from './vaults/feeds.js';
import { LedgerPartitions } from './markets/ledger-partitions.service.js';
import { MarketHours } from './markets/market-hours.service.js';
import { MarketRetention } from './markets/market-retention.service.js';
import { MARKET_FEED, MarketService } from './markets/market.service.js';
import { MarketStore } from './markets/market.store.js';
import { PastHours } from './markets/past-hours.service.js';
import { PriceHistory } from './markets/price-history.js';
import { SharePrices } from './markets/share-prices.js';
import { DeliveryService } from './webhooks/delivery.service.js';
import { Backlog } from './webhooks/backlog.js';
import { Dispatcher } from './webhooks/dispatcher.js';
import { EndpointCheck } from './webhooks/endpoint-check.service.js';
import { EndpointService } from './webhooks/endpoint.service.js';
import { EventHistory } from './webhooks/event-history.service.js';
import { EventService } from './webhooks/event.service.js';
import { FanOutService } from './webhooks/fan-out.service.js';
import { QueueBound } from './webhooks/queue-bound.js';
import { SendSlots } from './webhooks/send-slots.js';
import { WebhookSender } from './webhooks/sender.js';
import { SystemResolver } from './egress/system-resolver.js';
import { UrlGuard } from './egress/url-guard.js';
import { WebhookRetention } from './webhooks/webhook-retention.service.js';

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
