import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { Startup } from './startup.js';
import { HousekeepingTimer } from './housekeeping.js';
import { Retention } from './retention.js';
import { Schedule } from './schedule.js';
import { Tasks } from './tasks.js';
import { Worker } from './worker.js';

/** Queued and scheduled jobs, and the preparation of a process. */
@Module({
  imports: [DomainModule],
  providers: [Startup, Worker, HousekeepingTimer, Retention, Schedule, Tasks],
  exports: [Startup, Worker, HousekeepingTimer, Schedule],
})
export class JobsModule {}
