import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Contract } from './config/environment.js';
import { Settings } from './config/settings.js';
import { PARTNER_DEFINITION, PartnerContractModule } from './contracts/partner/partner-contract.module.js';
import { SANDBOX_DEFINITION, SandboxContractModule } from './contracts/sandbox/sandbox-contract.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DomainModule } from './domain/domain.module.js';
import { MarketPerPartner, MarketPlan, SharedMarket } from './domain/markets/market-plan.js';
import { ExternalIds, ExternalIdsOfAll, ExternalIdsPerPartner } from './domain/users/external-ids.js';
import type { ContractDefinition } from './http/contract.js';
import { EDGE_PROVIDERS } from './http/edge.js';
import { HttpModule } from './http/http.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LOGGER } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';

/** The only place that chooses a contract. */
const CONTRACT_MODULES = {
  partner: PartnerContractModule,
  sandbox: SandboxContractModule,
} satisfies Record<Contract, unknown>;

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

/** What each contract says of itself, for whoever asks without starting it. */
export const CONTRACT_DEFINITIONS: Record<Contract, ContractDefinition> = {
  partner: PARTNER_DEFINITION,
  sandbox: SANDBOX_DEFINITION,
};

/** What the whole process shares: its settings, its logger, its figures, whose markets are whose, and who shares external ids. */
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

@Module({})
export class AppModule {
  static with(settings: Settings, log: Logger): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ProcessModule.with(settings, log),
        DiscoveryModule,
        DatabaseModule,
        DomainModule,
        HttpModule,
        JobsModule,
        CONTRACT_MODULES[settings.contract],
      ],
      providers: EDGE_PROVIDERS,
    };
  }
}
