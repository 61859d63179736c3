import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
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

/** The only place that chooses a contract: what each one mounts, and how it answers what the domain leaves open. */
interface ContractParts {
  module: Type;
  /** What it says of itself, for whoever asks without starting it. */
  definition: ContractDefinition;
  /** Whether partners share a market. */
  marketPlan: Type<MarketPlan>;
  /** Whether partners share a name space of external ids: the live contract says so, and accounts of the sandbox must not meet. */
  externalIds: Type<ExternalIds>;
}

export const CONTRACT_PARTS: Record<Contract, ContractParts> = {
  partner: {
    module: PartnerContractModule,
    definition: PARTNER_DEFINITION,
    marketPlan: SharedMarket,
    externalIds: ExternalIdsOfAll,
  },
  sandbox: {
    module: SandboxContractModule,
    definition: SANDBOX_DEFINITION,
    marketPlan: MarketPerPartner,
    externalIds: ExternalIdsPerPartner,
  },
};

/** What the whole process shares: its settings, its logger, its figures, whose markets are whose, and who shares external ids. */
@Global()
@Module({})
export class ProcessModule {
  static with(settings: Settings, log: Logger): DynamicModule {
    const { marketPlan, externalIds } = CONTRACT_PARTS[settings.contract];
    return {
      module: ProcessModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: LOGGER, useValue: log },
        { provide: MarketPlan, useClass: marketPlan },
        { provide: ExternalIds, useClass: externalIds },
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
        CONTRACT_PARTS[settings.contract].module,
      ],
      providers: EDGE_PROVIDERS,
    };
  }
}
