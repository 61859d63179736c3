import { Module } from '@nestjs/common';
import { DomainModule } from '../domain/domain.module.js';
import { Metrics } from '../telemetry/metrics.js';
import { DeliveryUpkeep } from './delivery-upkeep.js';
import { DeploymentCounts } from './deployment-counts.js';
import { HousekeepingTimer } from './housekeeping.js';
import { ProcessRecord } from './process-record.js';
import { Schedule } from './schedule.js';
import { Startup } from './startup.js';
import { StorageUpkeep } from './storage-upkeep.js';
import type { Task } from './task.js';
import { Tasks } from './tasks.js';
import { DrainTask } from './tasks/drain.task.js';
import { FanOutTask } from './tasks/fan-out.task.js';
import { HistoryTask } from './tasks/history.task.js';
import { PruneTask } from './tasks/prune.task.js';
import { ReservesTask } from './tasks/reserves.task.js';
import { SettlementsTask } from './tasks/settlements.task.js';
import { SweepTask } from './tasks/sweep.task.js';
import { TickTask } from './tasks/tick.task.js';
import { VerifyTask } from './tasks/verify.task.js';
import { Worker } from './worker.js';

const TASKS = [
  DrainTask,
  FanOutTask,
  HistoryTask,
  PruneTask,
  ReservesTask,
  SettlementsTask,
  SweepTask,
  TickTask,
  VerifyTask,
];

/** Queued and scheduled jobs, and the preparation of a process. */
@Module({
  imports: [DomainModule],
  providers: [
    ...TASKS,
    {
      provide: Tasks,
      inject: [Metrics, ...TASKS],
      useFactory: (metrics: Metrics, ...tasks: Task[]) => new Tasks(tasks, metrics),
    },
    DeliveryUpkeep,
    DeploymentCounts,
    HousekeepingTimer,
    ProcessRecord,
    Schedule,
    Startup,
    StorageUpkeep,
    Worker,
  ],
  exports: [Startup, Worker, HousekeepingTimer, Schedule],
})
export class JobsModule {}
