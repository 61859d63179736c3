import { Injectable } from '@nestjs/common';
import { Batches, removedBy } from './batches.js';
import { integer, json, nothing } from './column.js';
import { statement } from './statement.js';
import { Store } from './store.js';

/** Background jobs by name. `jobs/` binds each to a domain method. */
export const JOBS = {
  fanOut: 'webhooks.fan_out',
  drain: 'webhooks.drain',
} as const;

export interface Job {
  task: (typeof JOBS)[keyof typeof JOBS];
  payload: object;
  /** Job key: a second job with it replaces one that has not started. */
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

/** Job queue for the domain: a job added in a transaction exists if and only if that commits. */
@Injectable()
export class JobQueue {
  constructor(private readonly store: Store) {}

  /** Adds any number of jobs in one statement. */
  async add(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    const specs = jobs.map(({ task, payload, key }) => ({
      identifier: task,
      payload,
      job_key: key,
    }));
    await this.store.query(ENQUEUE, [JSON.stringify(specs)]);
  }

  /**
   * Removes jobs that have failed for good and are not retried.
   * @param hours since their failure
   * @returns how many
   */
  removeFailed(hours: number, batches = new Batches()): Promise<number> {
    return batches.run((rows) => removedBy(this.store, REMOVE_FAILED, [hours, rows]));
  }
}
