import { Module } from '@nestjs/common';
import { BooksModule } from '../books/books.module.js';
import { KernelModule } from '../kernel/kernel.module.js';
import { MarketsModule } from '../markets/markets.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { ReportingModule } from '../reporting/reporting.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { AccountService } from './accounts/account.service.js';
import { AccountTime } from './accounts/account-time.service.js';
import { SimulatedEventService } from './accounts/simulated-event.service.js';
import { AlertService } from './alerts/alert.service.js';
import { BacklogReader } from './deployment/backlogs.js';
import { IdentityCheck } from './deployment/identity-check.js';
import { HourWork } from './hour-work.js';
import { HourlyCycle } from './hourly-cycle.service.js';

const OFFERED = [
  AccountService,
  AccountTime,
  AlertService,
  BacklogReader,
  HourlyCycle,
  IdentityCheck,
  SimulatedEventService,
];

/** The hourly cycle of a market, and the accounts whose owners advance it. */
@Module({
  imports: [KernelModule, OutboundModule, MarketsModule, BooksModule, RoutingModule, ReportingModule],
  providers: [...OFFERED, HourWork],
  exports: OFFERED,
})
export class CycleModule {}
