import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Contract } from './config/deployments.js';
import { DomainSettings } from './config/domain-settings.js';
import { Settings } from './config/settings.js';
import { MarketPlan } from './domain/markets/hours/market-view.js';
import { ExternalIds, ExternalIdsOfAll, ExternalIdsPerPartner } from './domain/tenants/users/external-ids.js';
import { LOGGER } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';

/** Implementations that a contract chooses for the domain. */
interface DomainParts {
  /** Whether each partner has a market with its own clock; otherwise they share one. */
  hasOwnTimes: boolean;
  /** Whether partners share a name space of external ids: they do in the live contract; accounts of the sandbox must not affect each other. */
  externalIds: Type<ExternalIds>;
}

const DOMAIN_PARTS: Record<Contract, DomainParts> = {
  partner: { hasOwnTimes: false, externalIds: ExternalIdsOfAll },
  sandbox: { hasOwnTimes: true, externalIds: ExternalIdsPerPartner },
};

/** Providers of a process of any role: settings, logger, metrics, assignment of markets, scope of external ids. */
@Global()
@Module({})
export class ProcessModule {
  static with(settings: Settings, log: Logger): DynamicModule {
    const { hasOwnTimes, externalIds } = DOMAIN_PARTS[settings.contract];
    return {
      module: ProcessModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: DomainSettings, useExisting: Settings },
        { provide: LOGGER, useValue: log },
        { provide: MarketPlan, useValue: new MarketPlan(hasOwnTimes) },
        { provide: ExternalIds, useClass: externalIds },
        Metrics,
      ],
      exports: [Settings, DomainSettings, LOGGER, MarketPlan, ExternalIds, Metrics],
    };
  }
}
