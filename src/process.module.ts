import { type DynamicModule, Global, Inject, Injectable, Module, type Type } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Contract } from './config/deployments.js';
import { DomainSettings } from './config/domain-settings.js';
import { Settings } from './config/settings.js';
import { MarketCheck } from './domain/kernel/deployment/readiness.js';
import { OperatorLog } from './domain/kernel/operator-log.js';
import { BASE_MARKET, MarketService } from './domain/markets/hours/market.service.js';
import { MarketsModule } from './domain/markets/markets.module.js';
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

/** OperatorLog of the domain in the process's log and metrics. */
@Injectable()
class ProcessOperatorLog implements OperatorLog {
  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: Metrics,
  ) {}

  info(facts: object, line: string): void {
    this.log.info(facts, line);
  }

  warn(facts: object, line: string): void {
    this.log.warn(facts, line);
  }

  countRouting(...counts: Parameters<OperatorLog['countRouting']>): void {
    this.metrics.countRouting(...counts);
  }

  countDeviation(): void {
    this.metrics.deviations.inc();
  }
}

/** Providers of a process of any role: settings, logger, metrics, assignment of markets, scope of external ids. */
@Global()
@Module({})
export class ProcessModule {
  static with(settings: Settings, log: Logger): DynamicModule {
    const { hasOwnTimes, externalIds } = DOMAIN_PARTS[settings.contract];
    return {
      module: ProcessModule,
      imports: [MarketsModule],
      providers: [
        { provide: Settings, useValue: settings },
        { provide: DomainSettings, useExisting: Settings },
        { provide: LOGGER, useValue: log },
        { provide: MarketPlan, useValue: new MarketPlan(hasOwnTimes) },
        { provide: ExternalIds, useClass: externalIds },
        {
          provide: MarketCheck,
          inject: [MarketService],
          useFactory: (market: MarketService): MarketCheck => ({
            run: async () => (hasOwnTimes ? null : market.look(BASE_MARKET)),
          }),
        },
        { provide: OperatorLog, useClass: ProcessOperatorLog },
        Metrics,
      ],
      exports: [Settings, DomainSettings, LOGGER, MarketPlan, ExternalIds, MarketCheck, OperatorLog, Metrics],
    };
  }
}
