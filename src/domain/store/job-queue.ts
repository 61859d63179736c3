import { Injectable } from '@nestjs/common';
import { Batches, removedBy } from './batches.js';
import { integer, json, nothing } from './column.js';
import { statement } from './statement.js';
import { Store } from './store.js';

/** Work that runs outside the request, by name. `jobs/` binds each to a domain method. */
export const JOBS = {
  fanOut: 'webhooks.fan_out',
  drain: 'webhooks.drain',
} as const;

export interface Job {
  task: (typeof JOBS)[keyof typeof JOBS];
  payload: object;
  /** A second job with the key replaces one that has not started. */
  key?: string;
}

const ENQUEUE = statement(
  'jobs.enqueue',
  { values: [json<string>()], row: { enqueue: nothing() } },
  'SELECT enqueue($1::json)',
);
const REMOVE_FAILED = statement(
  'jobs.remove_failed',
  { values: [integer(), integer()], row: { removed: integer() } },
  'SELECT remove_failed_jobs($1, $2) AS removed',
);

/** The queue, as the domain sees it: a job added in a transaction exists when, and only when, that commits. */
@Injectable()
export class JobQueue {
  constructor(private readonly store: Store) {}

  /** One statement for any number of jobs. */
  async add(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    const specs = jobs.map(({ task, payload, key }) => ({
      identifier: task,
      payload,
      job_key: key,
    }));
    await this.store.query(ENQUEUE, [JSON.stringify(specs)]);
  }

  /** Removes jobs that failed for good: nobody tries them again. @param hours since they did @returns how many */
  removeFailed(hours: number, batches = new Batches()): Promise<number> {
    return batches.run((rows) => removedBy(this.store, REMOVE_FAILED, [hours, rows]));
  }
}
