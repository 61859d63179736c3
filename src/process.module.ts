import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Contract } from './config/environment.js';
import { Settings } from './config/settings.js';
import { MarketPerPartner, MarketPlan, SharedMarket } from './domain/markets/market-plan.js';
import { ExternalIds, ExternalIdsOfAll, ExternalIdsPerPartner } from './domain/users/external-ids.js';
import { LOGGER } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';

/** Whether partners share a market. */
const MARKET_PLANS: Record<Contract, new () => MarketPlan> = {
  partner: SharedMarket,
  sandbox: MarketPerPartner,
};

/** Whether partners share a name space of external ids: the live contract says so, and accounts of the sandbox must not meet. */
const EXTERNAL_IDS: Record<Contract, new () => ExternalIds> = {
  partner: ExternalIdsOfAll,
  sandbox: ExternalIdsPerPartner,
};

/** What a thread of a deployment shares, whatever it does: its settings, its logger, its figures, whose markets are whose, and who shares external ids. */
@Global()
@Module({})
export class ProcessModule {
  static with(settings: Settings, log: Logger): DynamicModule {
    return {
      module: ProcessModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: LOGGER, useValue: log },
        { provide: MarketPlan, useClass: MARKET_PLANS[settings.contract] },
        { provide: ExternalIds, useClass: EXTERNAL_IDS[settings.contract] },
        Metrics,
      ],
      exports: [Settings, LOGGER, MarketPlan, ExternalIds, Metrics],
    };
  }
}
