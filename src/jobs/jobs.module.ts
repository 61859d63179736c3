import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { Housekeeping } from './housekeeping.js';
import { Retention } from './retention.js';
import { Schedule } from './schedule.js';
import { Worker } from './worker.js';

/** Queued and scheduled work. */
@Module({
  imports: [DomainModule],
  providers: [Worker, Housekeeping, Retention, Schedule],
  exports: [Worker, Housekeeping, Schedule],
})
export class JobsModule {}
