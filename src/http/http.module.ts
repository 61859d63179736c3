import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { HealthController } from './health.controller.js';
import { Once } from './once.js';
import { Paging } from './paging.js';
import { Readiness } from './readiness.js';
import { RouteTable } from './route-table.js';

/** The edge machinery that both contracts use. Its guards, pipe and filter are set up in `edge.ts`. */
@Module({
  imports: [DomainModule],
  controllers: [HealthController],
  providers: [Once, Paging, Readiness, RouteTable],
  exports: [Once, Paging, Readiness, RouteTable],
})
export class HttpModule {}
