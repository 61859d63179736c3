import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../domain/kernel/clock.js';
import { double, json, nothing } from '../domain/kernel/store/column.js';
import { statement } from '../domain/kernel/store/statement.js';
import { Store } from '../domain/kernel/store/store.js';
import { LOGGER } from '../telemetry/logger.js';
import { Tasks } from './tasks.js';

/** Clock error that is normal with time synchronisation. */
export const TOLERATED_MS = 5_000;

const READ_CLOCK = statement(
  'jobs.read_clock',
  { values: [], row: { now: double() } },
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
);

/**
 * Queues the next run of each job by the database's clock. The job key contains the time, so any number of processes queue one job.
 */
const SCHEDULE = statement(
  'jobs.schedule',
  { values: [json<string>()], row: { enqueue: nothing(), now: double() } },
  `SELECT enqueue(json_agg(json_build_object('identifier', task, 'run_at', next + late * interval '1 second', 'max_attempts', attempts,
            'payload', json_build_object('at', next),
            'job_key', task || ' ' || extract(epoch FROM next)::bigint))),
          (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
     FROM json_to_recordset($1::json) AS kind(task text, seconds int, attempts int, late int)
    CROSS JOIN LATERAL (
       SELECT to_timestamp(seconds * (floor(extract(epoch FROM clock_timestamp()) / seconds) + 1)) AS next) AS moment`,
);

/**
 * Schedule of the recurring tasks, by the database's clock, which all processes share. A crontab of graphile-worker would follow this process's clock:
 * decision 106.
 */
@Injectable()
export class Schedule {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly tasks: Tasks,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Queues recurring jobs for their next time, and measures this machine's clock error. To be called well within a minute. */
  queueNextRuns(): Promise<void> {
    return this.measureClock(() => this.store.query(SCHEDULE, [JSON.stringify(this.tasks.recurring)]));
  }

  /** Measures the clock only, for a process without worker. */
  readClock(): Promise<void> {
    return this.measureClock(() => this.store.query(READ_CLOCK, []));
  }

  private async measureClock(readTime: () => Promise<{ now: number }[]>): Promise<void> {
    const from = performance.now();
    const [row] = await readTime();
    // The database read its clock at some moment since the query was sent. `performance.now` does not jump if this clock is set meanwhile.
    const half = (performance.now() - from) / 2;
    const aheadMs = Math.round(Date.now() - half - row!.now);
    this.clock.aheadMs = Math.abs(aheadMs) < TOLERATED_MS + half ? 0 : aheadMs;
    if (this.clock.aheadMs === 0) return;
    if (this.clock.isRight)
      this.log.warn(
        { ahead_ms: aheadMs },
        "this machine's clock and the database's differ: correct one of them",
      );
    else
      this.log.error(
        { ahead_ms: aheadMs },
        "this machine's clock is too far from the database's: transfers get 503 until one of them is corrected",
      );
  }
}
