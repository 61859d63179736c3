import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Contract } from './config/deployments.js';
import type { Settings } from './config/settings.js';
import { PARTNER_DEFINITION, PartnerContractModule } from './contracts/partner/partner-contract.module.js';
import { SANDBOX_DEFINITION, SandboxContractModule } from './contracts/sandbox/sandbox-contract.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DomainModule } from './domain/domain.module.js';
import type { ContractDefinition } from './http/contract.js';
import { HttpModule, REQUEST_PATH } from './http/http.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { ProcessModule } from './process.module.js';

/** Modules and definition of a contract, readable without starting it. Differences within the domain are in `process.module.ts`. */
interface ContractParts {
  module: Type;
  definition: ContractDefinition;
}

export const CONTRACT_PARTS: Record<Contract, ContractParts> = {
  partner: { module: PartnerContractModule, definition: PARTNER_DEFINITION },
  sandbox: { module: SandboxContractModule, definition: SANDBOX_DEFINITION },
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
        CONTRACT_PARTS[settings.contract].module,
      ],
      providers: REQUEST_PATH,
    };
  }
}
