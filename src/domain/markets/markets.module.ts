import { Module } from '@nestjs/common';
import { CHAIN_IDS } from '../../config/chains.js';
import { Settings } from '../../config/settings.js';
import { Clock } from '../kernel/clock.js';
import { OperatorLog } from '../kernel/operator-log.js';
import { KernelModule } from '../kernel/kernel.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { Chains } from './chain/chains.js';
import { LedgerPartitions } from './hours/ledger-partitions.service.js';
import { MarketHours } from './hours/market-hours.service.js';
import { MarketRetention } from './hours/market-retention.service.js';
import { MARKET_FEED, MarketService } from './hours/market.service.js';
import { MarketRepository } from './hours/market.repository.js';
import { PastHours } from './hours/past-hours.service.js';
import { PriceHistory } from './hours/price-history.js';
import { SharePrices } from './hours/share-prices.js';
import { ChainFeed } from './vaults/chain.feed.js';
import { DefiLlamaFeed, FEED_MAX_BYTES, FEED_TIMEOUT_MS } from './vaults/defillama.feed.js';
import { FeedTroubles, CompositeFeed } from './vaults/feeds.js';

const OFFERED = [
  LedgerPartitions,
  MarketHours,
  MarketRetention,
  MarketService,
  MarketRepository,
  PastHours,
  PriceHistory,
];

/** Feeds, vaults, the hours of markets, and signals. */
@Module({
  imports: [KernelModule, OutboundModule],
  providers: [
    ...OFFERED,
    {
      provide: Chains,
      inject: [Settings, Clock, OperatorLog],
      useFactory: ({ rpcUrls }: Settings, clock: Clock, operatorLog: OperatorLog) =>
        new Chains({
          rpcUrls,
          chainIds: CHAIN_IDS,
          now: () => clock.now(),
          onTrouble: (trouble) => operatorLog.warn({ trouble }, 'a provider of a chain was dropped'),
        }),
    },
    {
      provide: MARKET_FEED,
      inject: [Settings, FeedTroubles, Chains],
      useFactory: ({ defillamaBaseUrl, constants }: Settings, { report }: FeedTroubles, chains: Chains) => {
        const defillama = new DefiLlamaFeed({
          baseUrl: defillamaBaseUrl,
          timeoutMs: FEED_TIMEOUT_MS,
          maxBytes: FEED_MAX_BYTES,
          maxAgeMs: constants.feeds.maxAgeMinutes * 60_000,
          onTrouble: report,
        });
        return new CompositeFeed({ defillama, chain: new ChainFeed(chains, report) }, report);
      },
    },
    FeedTroubles,
    SharePrices,
  ],
  exports: [...OFFERED, Chains, MARKET_FEED],
})
export class MarketsModule {}
