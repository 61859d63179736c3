import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { HealthController } from './pages/health.controller.js';
import { AccessCheck } from './access/access.check.js';
import { Answers } from './answer/answers.js';
import { InputCheck } from './request/input.check.js';
import { Once } from './request/once.js';
import { Paging } from './request/paging.js';
import { Readiness } from './wire/readiness.js';
import { RequestEntry } from './request/request.entry.js';
import { RouteTable } from './request/route-table.js';
import { StorageCheck } from './access/storage.check.js';

const REQUEST_CHECKS = [AccessCheck, StorageCheck, InputCheck];

/** HTTP layer that both contracts share. Guard, pipe and filter are installed in `edge.ts`. */
@Module({
  imports: [DomainModule],
  controllers: [HealthController],
  providers: [...REQUEST_CHECKS, Answers, Once, Paging, Readiness, RequestEntry, RouteTable],
  exports: [...REQUEST_CHECKS, Paging, Readiness, RouteTable],
})
export class HttpModule {}
