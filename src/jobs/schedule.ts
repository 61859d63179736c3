import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../domain/clock.js';
import { double, json, nothing } from '../domain/store/column.js';
import { statement } from '../domain/store/statement.js';
import { Store } from '../domain/store/store.js';
import { LOGGER } from '../telemetry/logger.js';

/** Machines whose time is kept differ by less. */
const TOLERATED_MS = 5_000;

/**
 * Work that comes again at every whole multiple of so many seconds, once across all processes. An hour is begun when it is there by the clock of
 * whichever process takes the job.
 */
const RECURRING = [
  { task: 'sweep', seconds: 60, attempts: 3, late: 0 },
  { task: 'prune', seconds: 600, attempts: 3, late: 0 },
  { task: 'settlements', seconds: 60, attempts: 3, late: 0 },
  { task: 'tick', seconds: 3_600, attempts: 5, late: TOLERATED_MS / 1_000 },
];
/** A statement that took longer says too little of the time. */
const SLOW_MS = 2_000;

const READ_CLOCK = statement(
  'jobs.read_clock',
  { values: [], row: { now: double() } },
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
);

/**
 * Queues the next of each, under a key that names its moment: however many processes ask, and whatever their own clocks say, it is one job, and it
 * runs when the database's clock is there.
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

/** What is due when, by the one clock that all processes share. */
@Injectable()
export class Schedule {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Sees to it that what recurs is queued for its next time, and how far this machine's clock is off. To be called well within a minute. */
  keep(): Promise<void> {
    return this.heed(() => this.store.query(SCHEDULE, [JSON.stringify(RECURRING)]));
  }

  /** The second of these alone: without a worker, what recurs is nobody's to queue. */
  readClock(): Promise<void> {
    return this.heed(() => this.store.query(READ_CLOCK, []));
  }

  private async heed(ask: () => Promise<{ now: number }[]>): Promise<void> {
    const from = Date.now();
    const [row] = await ask();
    const to = Date.now();
    if (to - from > SLOW_MS) return;
    const aheadMs = Math.round((from + to) / 2 - row!.now);
    this.clock.aheadMs = Math.abs(aheadMs) < TOLERATED_MS ? 0 : aheadMs;
    if (this.clock.aheadMs === 0) return;
    if (this.clock.isRight)
      this.log.warn({ ahead_ms: aheadMs }, "this machine's clock is not that of the database: set one right");
    else
      this.log.error(
        { ahead_ms: aheadMs },
        "this machine's clock is so far from the database's that nothing is dated by it: transfers are answered 503 until one is set right",
      );
  }
}
