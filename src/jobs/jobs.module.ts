import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { Housekeeping } from './housekeeping.js';
import { Worker } from './worker.js';

/** Queued and scheduled work. */
@Module({ imports: [DomainModule], providers: [Worker, Housekeeping], exports: [Worker, Housekeeping] })
export class JobsModule {}
