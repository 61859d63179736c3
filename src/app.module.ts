import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Contract } from './config/environment.js';
import type { Settings } from './config/settings.js';
import { PARTNER_DEFINITION, PartnerContractModule } from './contracts/partner/partner-contract.module.js';
import { SANDBOX_DEFINITION, SandboxContractModule } from './contracts/sandbox/sandbox-contract.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DomainModule } from './domain/domain.module.js';
import type { ContractDefinition } from './http/contract.js';
import { EDGE_PROVIDERS } from './http/edge.js';
import { HttpModule } from './http/http.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { ProcessModule } from './process.module.js';

/** Here is chosen what a contract mounts; what of the domain differs between contracts, in `process.module.ts`. */
const CONTRACT_MODULES = {
  partner: PartnerContractModule,
  sandbox: SandboxContractModule,
} satisfies Record<Contract, unknown>;

/** What each contract says of itself, for whoever asks without starting it. */
export const CONTRACT_DEFINITIONS: Record<Contract, ContractDefinition> = {
  partner: PARTNER_DEFINITION,
  sandbox: SANDBOX_DEFINITION,
};

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
