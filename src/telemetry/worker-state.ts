/**
 * State of the thread that runs jobs: `waiting` for its database; `stuck`, without a heartbeat; `dead`, until it is replaced. Jobs wait in the queue
 * meanwhile.
 */
export type WorkerState = 'starting' | 'running' | 'waiting' | 'stuck' | 'dead';

/** Worker, as its supervisor sees it. */
export interface WatchedWorker {
  readonly state: WorkerState;
  /** Seconds since its last heartbeat. */
  readonly silentSeconds: number;
  /** Number of replaced threads, ended or stuck. */
  readonly replacements: number;
}
