import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { HealthController } from './health.controller.js';
import { AccessCheck } from './access.check.js';
import { Answers } from './answers.js';
import { InputCheck } from './input.check.js';
import { Once } from './once.js';
import { Paging } from './paging.js';
import { Readiness } from './readiness.js';
import { RequestEntry } from './request.entry.js';
import { RouteTable } from './route-table.js';
import { StorageCheck } from './storage.check.js';

const REQUEST_CHECKS = [AccessCheck, StorageCheck, InputCheck];

/** The edge machinery that both contracts use. Its guard, pipe and filter are set up in `edge.ts`. */
@Module({
  imports: [DomainModule],
  controllers: [HealthController],
  providers: [...REQUEST_CHECKS, Answers, Once, Paging, Readiness, RequestEntry, RouteTable],
  exports: [...REQUEST_CHECKS, Paging, Readiness, RouteTable],
})
export class HttpModule {}
