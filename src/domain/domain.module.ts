import { Module } from '@nestjs/common';
import { KernelModule } from './kernel/kernel.module.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { MarketsModule } from './markets/markets.module.js';
import { BooksModule } from './books/books.module.js';
import { RoutingModule } from './routing/routing.module.js';
import { ReportingModule } from './reporting/reporting.module.js';
import { CycleModule } from './cycle/cycle.module.js';

const MODULES = [
  KernelModule,
  OutboundModule,
  TenantsModule,
  MarketsModule,
  BooksModule,
  RoutingModule,
  ReportingModule,
  CycleModule,
];

/** The eight modules of the domain, the lowest first. They do not know which contract is mounted; settings and data source are global providers. */
@Module({ imports: MODULES, exports: MODULES })
export class DomainModule {}
