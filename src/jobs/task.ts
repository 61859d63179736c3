/** Work of the queue, one class for each name. A job may run twice. */
export interface Task {
  readonly name: string;
  /** Attempts at a job that the schedule or the start queues; default: graphile-worker's own number. */
  readonly attempts?: number;
  /** Absent: queued by the event that needs it. */
  readonly schedule?: TaskSchedule;
  /** Whether each starting worker queues one. */
  readonly isQueuedAtStart?: boolean;
  run(payload: unknown): Promise<void>;
  /** @param ended resolves once no job runs any more */
  stop?(ended: Promise<unknown>): Promise<void>;
}

/** Due `late` seconds after each multiple of `seconds` since 1970, by the database's clock. */
export interface TaskSchedule {
  seconds: number;
  late?: number;
}

/** graphile-worker's own number. */
export const DEFAULT_ATTEMPTS = 25;
