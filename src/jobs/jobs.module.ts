import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { Beginning } from './beginning.js';
import { Housekeeping } from './housekeeping.js';
import { LedgerNight } from './ledger-night.js';
import { Retention } from './retention.js';
import { Schedule } from './schedule.js';
import { Worker } from './worker.js';

/** Queued and scheduled jobs, and the preparation of a process. */
@Module({
  imports: [DomainModule],
  providers: [Beginning, Worker, Housekeeping, LedgerNight, Retention, Schedule],
  exports: [Beginning, Worker, Housekeeping, Schedule],
})
export class JobsModule {}
