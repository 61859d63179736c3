/** Work of the queue, one class for each name. A job may run twice. */
export interface Task {
  readonly name: string;
  /** Times that a job is tried which the schedule or the start queues; default: graphile-worker's own number. */
  readonly attempts?: number;
  /** Absent: what causes it queues it. */
  readonly schedule?: TaskSchedule;
  /** Whether a process that begins to take jobs queues one at once. */
  readonly isQueuedAtStart?: boolean;
  run(payload: unknown): Promise<void>;
  /** @param ended resolves once no job runs any more */
  stop?(ended: Promise<unknown>): Promise<void>;
}

/** Whole multiples of `seconds` since 1970 by the database's clock, and `late` seconds after each. */
export interface TaskSchedule {
  seconds: number;
  late?: number;
}

/** graphile-worker's own number. */
export const DEFAULT_ATTEMPTS = 25;
